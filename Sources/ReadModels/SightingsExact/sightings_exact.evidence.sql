-- margin_ends(taxon, region): the tenth occupied margin cell from the south and from the north, of a taxon in a region;
-- no row where fewer than 20 cells are occupied, as nearly every record would be at the margin. Ties of a row are
-- ordered by column, towards the north in reverse.
--
-- Why this shape: a taxon may have many records in few cells; each step finds the next cell by index.
create or replace function margin_ends(of_taxon uuid, of_region text)
returns table (south_row integer, south_column integer, north_row integer, north_column integer)
language plpgsql stable as $$
begin
    return query
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
    select s.margin_row, s.margin_column, n.margin_row, n.margin_column
      from south s
      join north n on s.number = 10 and n.number = 10
     where exists (select from south l where l.number = 20);
end $$;

-- nearest_accepted(taxon, except, latitude, longitude): metres to the nearest accepted record of a taxon but one; null
-- where there is none.
--
-- Why this shape: boxes by index, from some 50 metres on, each four times as wide, until one holds a record; then once
-- more as far as that record is, for another one may be nearer that lay beside the box. So the boxes of a frequent
-- taxon stay small, and hold few records whatever their number is. The index compares longitudes, too, so that the
-- records east and west of a box cost little; those beyond the date line differ by 360 degrees. The order within a box
-- is that of the plane; the distance is measured on the spheroid.
create or replace function nearest_accepted(
    of_taxon uuid, except_id uuid, at_latitude double precision, at_longitude double precision)
returns double precision language plpgsql stable as $$
declare
    narrowing constant double precision := greatest(cosd(at_latitude), 0.01);
    reach double precision := 0.0005;
    -- In degrees of latitude.
    away  double precision;
    found double precision;
begin
    loop
        select ST_Distance(ST_Point(n.longitude, n.latitude, 4326)::geography,
                           ST_Point(at_longitude, at_latitude, 4326)::geography), n.away
          into found, away
          from (select s.latitude, s.longitude,
                       -- Squares of less would underflow, which PostgreSQL rejects.
                       sqrt(greatest(abs(s.latitude - at_latitude), 1e-9) ^ 2
                            + (greatest(least(abs(s.longitude - at_longitude), 360 - abs(s.longitude - at_longitude)),
                                        1e-9) * narrowing) ^ 2) as away
                  from (values (-360), (0), (360)) t (turn)
                 cross join lateral (
                    select s.latitude, s.longitude
                      from sightings s
                     where s.taxon = of_taxon and upper_inf(s.valid)
                       and s.status in ('approved', 'accepted-by-source')
                       and s.latitude is not null and s.id <> except_id
                       and s.latitude between at_latitude - reach and at_latitude + reach
                       and s.longitude between at_longitude + t.turn - reach / narrowing
                                           and at_longitude + t.turn + reach / narrowing
                    offset 0) s
                 where abs(at_longitude + t.turn) <= 180 + reach / narrowing
                 order by 3 limit 1) n;
        exit when away <= reach or reach > 180;
        reach := coalesce(away, reach * 4);
    end loop;
    return found;
end $$;

-- accepted_within(taxon, scale, step): the accepted records of a taxon below a step, in the block of that step.
create or replace function accepted_within(of_taxon uuid, of_scale text, below integer) returns bigint
language sql stable
return (select coalesce(sum(a.records), 0)::bigint
          from accepted a
         where a.taxon = of_taxon and a.scale = of_scale and a.step >= below >> 5 << 5 and a.step < below);

-- evidence(sightings): what helps to judge some sightings as they are now, one row each.
--   accepted                      accepted records of its taxon, itself left out
--   at_margin                     whether it is in one of the ten extreme cells at either end (see margin_ends)
--   nearest                       metres to the nearest of them; null: none
--   below, earlier                of them, those in a row of margin cells further south, and those earlier in the year
--   observer_accepted, observer_rejected  the same observer's records of the taxon, by result
--
-- Why this shape: nothing in it reads all records of a taxon, and what sightings have in common is looked up once.
create or replace function evidence(of_sightings uuid[])
returns table (id uuid, accepted bigint, at_margin boolean, nearest double precision, below bigint, earlier bigint,
               observer_accepted bigint, observer_rejected bigint)
language plpgsql stable set search_path from current set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
#variable_conflict use_column
begin
    return query
    with asked as materialized (
        select t.*, margin_row(t.latitude) as y, margin_column(t.latitude, t.longitude) as x,
               extract(doy from t.local_from)::integer as day,
               (t.status in ('approved', 'accepted-by-source') and t.latitude is not null)::integer as itself
          from unnest(of_sightings) q (id)
         cross join lateral (
            select s.id, s.taxon, s.region, s.observer, s.status, s.latitude, s.longitude, s.local_from
              from sightings s where s.id = q.id and upper_inf(s.valid) offset 0) t
    ), ends as materialized (
        select p.taxon, p.region, m.*
          from (select distinct t.taxon, t.region from asked t) p
         cross join lateral margin_ends(p.taxon, p.region) m
    )
    select t.id, r.total - t.itself,
           coalesce((t.y, t.x) <= (e.south_row, e.south_column) or (t.y, t.x) >= (e.north_row, e.north_column), false),
           case when r.total > t.itself then nearest_accepted(t.taxon, t.id, t.latitude, t.longitude) end,
           r.below + accepted_within(t.taxon, 'row', t.y), d.below + accepted_within(t.taxon, 'day', t.day),
           o.accepted, o.rejected
      from asked t
     cross join lateral (
        select coalesce(sum(a.records), 0)::bigint as total,
               coalesce(sum(a.records) filter (where a.step < t.y >> 5), 0)::bigint as below
          from accepted a where a.taxon = t.taxon and a.scale = 'rows') r
     cross join lateral (
        select coalesce(sum(a.records), 0)::bigint as below
          from accepted a where a.taxon = t.taxon and a.scale = 'days' and a.step < t.day >> 5) d
      left join ends e on e.taxon = t.taxon and e.region = t.region
     cross join lateral (
        select count(*) filter (where s.status = 'approved') as accepted,
               count(*) filter (where s.status = 'rejected') as rejected
          from sightings s
         where s.observer = t.observer and s.taxon = t.taxon and upper_inf(s.valid) and s.observer is not null
           and s.status in ('approved', 'rejected') and s.id <> t.id) o;
end $$;
