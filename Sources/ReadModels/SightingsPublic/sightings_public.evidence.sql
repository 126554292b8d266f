-- Evidence for moderators: how a sighting compares with the accepted records of its taxon. It reads public values only,
-- as everyone sees them: cells instead of places, and of guarded records those that were recorded in a month that is
-- over. So a moderator who compares it for many sightings learns nothing more of a hidden record than everyone knows.

-- counts_at(settled, ...): whether an accepted row is evidence.
--   settled  the last position of the last month that is over
create or replace function counts_at(
    settled bigint, guarded boolean, valid int8range, shown int8range, named bigint, widened bigint) returns boolean
language sql immutable parallel safe
return not guarded or valid @> settled and upper_inf(shown) and named <= settled and widened is null;

-- accepted_guarded(taxon, settled): the accepted guarded records of a taxon that are public.
create or replace function accepted_guarded(of_taxon uuid, settled bigint) returns setof records
language sql stable as $$
    select r.* from records r
     where r.taxon = of_taxon and r.accepted and r.guarded
       and counts_at(settled, r.guarded, r.valid, r.shown, r.named, r.widened)
$$;

-- margin_ends(taxon, region, settled): the tenth occupied margin cell from the south and from the north, of a taxon in
-- a region; no row where fewer than 20 cells are occupied, as nearly every record would be at the margin. Ties of a row
-- are ordered by column, towards the north in reverse.
--
-- Why this shape: a taxon may have many records in few cells; each step finds the next cell by index. Guarded records
-- are few, and are all read.
create or replace function margin_ends(of_taxon uuid, of_region text, settled bigint)
returns table (south_row integer, south_column integer, north_row integer, north_column integer)
language plpgsql stable as $$
#variable_conflict use_column
begin
    return query
    with recursive south (margin_row, margin_column, number) as (
        (select s.margin_row, s.margin_column, 1
           from records s
          where s.taxon = of_taxon and s.region = of_region and s.accepted and not s.guarded
            and s.margin_row is not null
          order by s.margin_row, s.margin_column limit 1)
        union all
        select next.margin_row, next.margin_column, here.number + 1
          from south here
         cross join lateral (
            select s.margin_row, s.margin_column
              from records s
             where s.taxon = of_taxon and s.region = of_region and s.accepted and not s.guarded
               and s.margin_row is not null
               and (s.margin_row, s.margin_column) > (here.margin_row, here.margin_column)
             order by s.margin_row, s.margin_column limit 1) next
         where here.number < 20
    ), north (margin_row, margin_column, number) as (
        (select s.margin_row, s.margin_column, 1
           from records s
          where s.taxon = of_taxon and s.region = of_region and s.accepted and not s.guarded
            and s.margin_row is not null
          order by s.margin_row desc, s.margin_column desc limit 1)
        union all
        select next.margin_row, next.margin_column, here.number + 1
          from north here
         cross join lateral (
            select s.margin_row, s.margin_column
              from records s
             where s.taxon = of_taxon and s.region = of_region and s.accepted and not s.guarded
               and s.margin_row is not null
               and (s.margin_row, s.margin_column) < (here.margin_row, here.margin_column)
             order by s.margin_row desc, s.margin_column desc limit 1) next
         where here.number < 10
    ), cells as materialized (
        -- The ends of these are the ends of all.
        select s.margin_row as y, s.margin_column as x from south s
        union
        select n.margin_row, n.margin_column from north n
        union
        select g.margin_row, g.margin_column
          from accepted_guarded(of_taxon, settled) g where g.region = of_region and g.margin_row is not null
    )
    select s.y, s.x, n.y, n.x
      from (select c.y, c.x from cells c order by c.y, c.x offset 9 limit 1) s
     cross join (select c.y, c.x from cells c order by c.y desc, c.x desc offset 9 limit 1) n
     where (select count(*) from cells) >= 20;
end $$;

-- nearest_accepted(taxon, except, latitude, longitude, settled): metres to the nearest accepted record of a taxon but
-- some, or to the middle of its cell; null where there is none within a degree.
--   except  public ids
--
-- Why this shape: boxes by index, from some 50 metres on, each four times as wide, until one holds a record; then once
-- more as far as that record is, for another one may be nearer that lay beside the box. So the boxes of a frequent
-- taxon stay small, and hold few records whatever their number is. The index compares longitudes, too, so that the
-- records east and west of a box cost little; those beyond the date line differ by 360 degrees. The order within a box
-- is that of the plane; the distance is measured on the spheroid.
create or replace function nearest_accepted(
    of_taxon uuid, except_ids uuid[], at_latitude double precision, at_longitude double precision, settled bigint)
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
                 cross join (values (false), (true)) g (guarded)
                 cross join lateral (
                    select s.latitude, s.longitude
                      from records s
                     where s.taxon = of_taxon and s.accepted and s.guarded = g.guarded
                       and counts_at(settled, s.guarded, s.valid, s.shown, s.named, s.widened)
                       and s.id <> all (except_ids)
                       and s.latitude between at_latitude - reach and at_latitude + reach
                       and s.longitude between at_longitude + t.turn - reach / narrowing
                                           and at_longitude + t.turn + reach / narrowing
                    offset 0) s
                 where abs(at_longitude + t.turn) <= 180 + reach / narrowing
                 order by 3 limit 1) n;
        exit when away <= reach or reach > 1;
        reach := coalesce(away, reach * 4);
    end loop;
    return found;
end $$;

-- nearest_step(metres): the smallest of 1, 5, 25 and 100 kilometres within which a distance is; null: none.
create or replace function nearest_step(metres double precision) returns integer
language sql immutable strict parallel safe
return case when metres <= 1000 then 1000 when metres <= 5000 then 5000 when metres <= 25000 then 25000
            when metres <= 100000 then 100000 end;

-- counted_within(taxon, scale, step): the records of a taxon that `counted` has below a step, in the block of that
-- step.
create or replace function counted_within(of_taxon uuid, of_scale text, below integer) returns bigint
language sql stable
return (select coalesce(sum(c.records), 0)::bigint
          from counted c
         where c.taxon = of_taxon and c.scale = of_scale and c.step >= below >> 5 << 5 and c.step < below);

-- evidence(sightings, settled): what helps to judge some sightings, one row each.
--   accepted        accepted records of its taxon that have a public place, itself left out
--   at_margin       whether it is in one of the ten extreme cells at either end (see margin_ends)
--   nearest         see nearest_step; null also where there is none
--   below, earlier  of them, those in a row of margin cells further south, and those earlier in the year
--
-- Why this shape: nothing in it reads all open records of a taxon, and what sightings have in common is looked up once.
create or replace function evidence(sightings asked[], settled bigint)
returns table (id uuid, accepted bigint, at_margin boolean, nearest integer, below bigint, earlier bigint)
language plpgsql stable set search_path from current set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
#variable_conflict use_column
begin
    return query
    with asked as materialized (
        select q.id, q.taxon, q.region, q.latitude, q.longitude, margin_row(q.latitude) as y,
               margin_column(q.latitude, q.longitude) as x, extract(doy from q.day)::integer as day,
               array(select q.id union all select o.id from origins o where o.stream = q.id) as ids
          from unnest(sightings) q
    ), ends as materialized (
        select p.taxon, p.region, m.*
          from (select distinct t.taxon, t.region from asked t) p
         cross join lateral margin_ends(p.taxon, p.region, settled) m
    ), guarded as materialized (
        select p.taxon, s.scale, s.step, count(*) as records
          from (select distinct t.taxon from asked t) p
         cross join lateral accepted_guarded(p.taxon, settled) r
         cross join lateral (values ('row', margin_row(r.latitude)),
                                    ('day', day_of_year(r.local_from, r.local_to))) s (scale, step)
         group by p.taxon, s.scale, s.step
    ), compared as materialized (
        select t.*, r.total + g.total - i.total as total,
               r.below + counted_within(t.taxon, 'row', t.y) + g.below - i.below as below,
               d.below + counted_within(t.taxon, 'day', t.day) + g.earlier - i.earlier as earlier
          from asked t
         cross join lateral (
            select coalesce(sum(c.records), 0)::bigint as total,
                   coalesce(sum(c.records) filter (where c.step < t.y >> 5), 0)::bigint as below
              from counted c where c.taxon = t.taxon and c.scale = 'rows') r
         cross join lateral (
            select coalesce(sum(c.records), 0)::bigint as below
              from counted c where c.taxon = t.taxon and c.scale = 'days' and c.step < t.day >> 5) d
         cross join lateral (
            select coalesce(sum(g.records) filter (where g.scale = 'row'), 0)::bigint as total,
                   coalesce(sum(g.records) filter (where g.scale = 'row' and g.step < t.y), 0)::bigint as below,
                   coalesce(sum(g.records) filter (where g.scale = 'day' and g.step < t.day), 0)::bigint as earlier
              from guarded g where g.taxon = t.taxon) g
         cross join lateral (
            -- Itself, as everyone sees it.
            select count(*) as total, count(*) filter (where margin_row(r.latitude) < t.y) as below,
                   count(*) filter (where day_of_year(r.local_from, r.local_to) < t.day) as earlier
              from unnest(t.ids) i (id)
             cross join lateral (select r.* from records r where r.id = i.id offset 0) r
             where r.taxon = t.taxon and r.accepted
               and counts_at(settled, r.guarded, r.valid, r.shown, r.named, r.widened)) i
    )
    select t.id, t.total,
           coalesce((t.y, t.x) <= (e.south_row, e.south_column) or (t.y, t.x) >= (e.north_row, e.north_column), false),
           case when t.total > 0
                then nearest_step(nearest_accepted(t.taxon, t.ids, t.latitude, t.longitude, settled)) end,
           t.below, t.earlier
      from compared t
      left join ends e on e.taxon = t.taxon and e.region = t.region;
end $$;
