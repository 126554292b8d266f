-- is_at_margin(taxon, region, y, x): whether a place in the margin cell (y, x) is among the ten extreme cells of its
-- taxon in a region, at either end; false where fewer than 20 cells are occupied, as nearly every record would be.
-- Ties of a row are ordered by column, towards the north in reverse.
--
-- Why this shape: a taxon may have many records in few cells; each step finds the next cell by index.
create or replace function is_at_margin(of_taxon uuid, of_region text, y integer, x integer) returns boolean
language sql stable as $$
    with recursive south (margin_row, margin_column, number) as (
        (select s.margin_row, s.margin_column, 1
           from sightings s
          where s.taxon = of_taxon and s.region = of_region and upper_inf(s.valid)
            and s.status in ('approved', 'accepted-by-source') and s.margin_row is not null
          order by s.margin_row, s.margin_column limit 1)
        union all
        select next.margin_row, next.margin_column, here.number + 1
          from south here
         cross join lateral (
            select s.margin_row, s.margin_column
              from sightings s
             where s.taxon = of_taxon and s.region = of_region and upper_inf(s.valid)
               and s.status in ('approved', 'accepted-by-source') and s.margin_row is not null
               and (s.margin_row, s.margin_column) > (here.margin_row, here.margin_column)
             order by s.margin_row, s.margin_column limit 1) next
         where here.number < 20
    ), north (margin_row, margin_column, number) as (
        (select s.margin_row, s.margin_column, 1
           from sightings s
          where s.taxon = of_taxon and s.region = of_region and upper_inf(s.valid)
            and s.status in ('approved', 'accepted-by-source') and s.margin_row is not null
          order by s.margin_row desc, s.margin_column desc limit 1)
        union all
        select next.margin_row, next.margin_column, here.number + 1
          from north here
         cross join lateral (
            select s.margin_row, s.margin_column
              from sightings s
             where s.taxon = of_taxon and s.region = of_region and upper_inf(s.valid)
               and s.status in ('approved', 'accepted-by-source') and s.margin_row is not null
               and (s.margin_row, s.margin_column) < (here.margin_row, here.margin_column)
             order by s.margin_row desc, s.margin_column desc limit 1) next
         where here.number < 10
    )
    select exists (select from south where number = 20)
       and (exists (select from south s where s.number = 10 and (y, x) <= (s.margin_row, s.margin_column))
            or exists (select from north n where n.number = 10 and (y, x) >= (n.margin_row, n.margin_column)))
$$;

-- nearest_accepted(taxon, except, latitude, longitude): metres to the nearest accepted record of a taxon but one; null
-- where there is none.
--
-- Why this shape: boxes by index, each ten times as wide, until one holds a record; around it, once more, whatever may
-- be nearer than that. The order within a box is that of the plane; the distance is measured on the spheroid.
create or replace function nearest_accepted(
    of_taxon uuid, except_id uuid, at_latitude double precision, at_longitude double precision)
returns double precision language plpgsql stable as $$
declare
    reach double precision := 0.05;
    found double precision;
begin
    loop
        select ST_Distance(ST_Point(s.longitude, s.latitude, 4326)::geography,
                           ST_Point(at_longitude, at_latitude, 4326)::geography) into found
          from sightings s
         where s.taxon = of_taxon and upper_inf(s.valid) and s.status in ('approved', 'accepted-by-source')
           and s.latitude is not null and s.id <> except_id
           and s.latitude between at_latitude - reach and at_latitude + reach
           and (abs(s.longitude - at_longitude) <= reach / greatest(cosd(at_latitude), 0.01)
                or abs(s.longitude - at_longitude) >= 360 - reach / greatest(cosd(at_latitude), 0.01))
         -- Squares of less would underflow, which PostgreSQL rejects.
         order by greatest(abs(s.latitude - at_latitude), 1e-9) ^ 2
                  + (greatest(least(abs(s.longitude - at_longitude), 360 - abs(s.longitude - at_longitude)), 1e-9)
                     * greatest(cosd(at_latitude), 1e-9)) ^ 2
         limit 1;
        exit when found is not null or reach > 180;
        reach := reach * 10;
    end loop;
    return found;
end $$;

-- evidence(sightings): what helps to judge some sightings as they are now, one row each.
--   accepted                      accepted records of its taxon, itself left out
--   at_margin                     see is_at_margin
--   nearest                       metres to the nearest of them; null: none
--   below, earlier                of them, those further south, and those earlier in the year
--   observer_accepted, observer_rejected  the same observer's records of the taxon, by result
create or replace function evidence(of_sightings uuid[])
returns table (id uuid, accepted bigint, at_margin boolean, nearest double precision, below bigint, earlier bigint,
               observer_accepted bigint, observer_rejected bigint)
language sql stable set search_path from current set enable_seqscan = off set jit = off as $$
    select t.id, a.accepted,
           coalesce(t.taxon is not null and t.region is not null
                    and is_at_margin(t.taxon, t.region, margin_row(t.latitude),
                                     margin_column(t.latitude, t.longitude)), false),
           nearest_accepted(t.taxon, t.id, t.latitude, t.longitude), a.below, a.earlier, o.accepted, o.rejected
      from unnest(of_sightings) q (id)
     cross join lateral (select s.* from sightings s where s.id = q.id and upper_inf(s.valid) offset 0) t
     cross join lateral (
        select count(*) as accepted,
               count(*) filter (where s.latitude < t.latitude) as below,
               count(*) filter (where extract(doy from s.local_from) < extract(doy from t.local_from)) as earlier
          from sightings s
         where s.taxon = t.taxon and upper_inf(s.valid) and s.status in ('approved', 'accepted-by-source')
           and s.latitude is not null and s.id <> t.id) a
     cross join lateral (
        select count(*) filter (where s.status = 'approved') as accepted,
               count(*) filter (where s.status = 'rejected') as rejected
          from sightings s
         where s.observer = t.observer and upper_inf(s.valid) and s.observer is not null
           and s.status not in ('withdrawn', 'redacted') and s.taxon = t.taxon and s.id <> t.id) o
$$;
