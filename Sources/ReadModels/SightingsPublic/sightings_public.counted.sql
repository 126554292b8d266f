-- How many accepted records lie along the scales of `counted`: its percentiles cost the same for a thousand records as
-- for a million.

-- day_of_year(from, to): the day of the year in the middle of an interval.
create or replace function day_of_year(first date, last date) returns integer
language sql immutable strict parallel safe
return extract(doy from first + (last - first) / 2)::integer;

-- located_steps(places): how many of some records fall on each step of each scale.
create or replace function located_steps(places located[])
returns table (taxon uuid, scale text, step integer, records bigint) language sql immutable as $$
    select r.taxon, s.scale, s.step, count(*)
      from (select f.taxon, margin_row(f.latitude) as margin_row, day_of_year(f.first, f.last) as day
              from unnest(places) f
            offset 0) r
     cross join lateral (values ('row', r.margin_row), ('rows', r.margin_row >> 5),
                                ('day', r.day), ('days', r.day >> 5)) s (scale, step)
     where s.step is not null
     group by r.taxon, s.scale, s.step
$$;

-- count_located(places): counts records that were written. uncount_located(places): those that were deleted.
create or replace function count_located(places located[]) returns void language plpgsql set enable_nestloop = on as $$
begin
    insert into counted as c (taxon, scale, step, records)
    select s.taxon, s.scale, s.step, s.records from located_steps(places) s
        on conflict (taxon, scale, step) do update set records = c.records + excluded.records;
end $$;

create or replace function uncount_located(places located[]) returns void language plpgsql
set enable_nestloop = on as $$
begin
    insert into counted as c (taxon, scale, step, records)
    select s.taxon, s.scale, s.step, -s.records from located_steps(places) s
        on conflict (taxon, scale, step) do update set records = c.records + excluded.records;
    delete from counted c where c.ctid = any (array(
        select gone.ctid from located_steps(places) s
         cross join lateral (select c.ctid from counted c
                              where c.taxon = s.taxon and c.scale = s.scale and c.step = s.step and c.records = 0
                             offset 0) gone));
end $$;
