-- cut(affected, after, upto): the states of some sightings, cut where knowledge and restrictions change.
--   position, next  the segment of P: from a knowledge event to the next one; null: this is the newest
--   at, shown       the part of R, from the segment's event or a restriction to the next restriction
--   id, guarded     the public id there, null for none, and whether it belongs to a guarded record
create or replace function cut(affected uuid[], after bigint, upto bigint)
returns table (stream uuid, "position" bigint, next bigint, at bigint, shown int8range, id uuid, guarded boolean,
               gone boolean, category smallint, geoprivacy integer, type text, version integer,
               recorded_at timestamptz, submitted_at timestamptz, status text, state jsonb)
language sql stable as $$
    with states as materialized (
        select s.* from states(affected, after, upto) s
    ), segments as (
        select s.*, lead(s.position) over (partition by s.stream order by s.position) as next
          from states s where s.knowledge
    ), cuts as (
        select s.stream, s.position, s.position as at, s.category, s.gone, s.narrowings, 0 as geoprivacy
          from segments s
        union all
        -- Several rises may lie at one position.
        select s.stream, s.position, c.position,
               min(c.own) filter (where c.type is distinct from 'SightingReleased'
                                    and (s.releases > c.counts) is not true),
               max(c.gone), max(c.narrowings), max(case when c.narrowed then c.geoprivacy else 0 end)
          from segments s
          join states c on c.stream = s.stream and c.position > s.position
         where c.restricts
         group by s.stream, s.position, c.position
    ), judged as (
        select c.stream, c.position, c.at, min(c.category) over segment as category, c.narrowings, c.gone,
               int8range(c.at, lead(c.at) over segment) as shown, max(c.geoprivacy) over segment as narrowed
          from cuts c
        window segment as (partition by c.stream, c.position order by c.at)
    )
    select s.stream, s.position, s.next, j.at, j.shown,
           public_id(s.stream, s.root, s.face, j.category, greatest(s.narrowest, j.narrowed), j.narrowings),
           guarded(j.category, greatest(s.narrowest, j.narrowed)), coalesce(j.gone >= s.complete, false),
           j.category, greatest(s.narrowest, j.narrowed), s.type, s.version, s.recorded_at, s.submitted_at, s.status,
           s.state
      from judged j
      join segments s on s.stream = j.stream and s.position = j.position
$$;

-- pieces(affected, after, upto): all public rows of some sightings as of `upto`, before their places are generalised.
--   affected     their streams
--   after, upto  events in between are read by position, those at or below `after` by stream
-- Result: one row for every piece of (P, R) in which a sighting looks the same. `kind` as in `records`, or withheld for
-- category 1; `id` is the public one; `state` is merged from all events of the segment, and true.
--
-- How (P, R) becomes rows. A sighting's knowledge events cut P into segments (`valid`). Whatever restricts it cuts R
-- (`shown`) for every segment begun before: narrowed geoprivacy, withdrawal for privacy, a tombstone in place of a
-- payload, and a rise of its effective sensitivity, be it by its taxa's category or by a correction to a more sensitive
-- taxon; otherwise as-of queries would give away the true place of what is generalised now. The effective sensitivity
-- is a running minimum along R, from the newest release at or below P on. Geoprivacy at (P, R) is the narrowest of what
-- was known at P and every narrowing up to R. A state that is gone comes back only with a new full payload, from there
-- on. An id is gone wherever it was public at or below P and R and the sighting now goes by another one or by none.
create or replace function pieces(affected uuid[], after bigint, upto bigint)
returns table (id uuid, stream uuid, guarded boolean, kind text, valid int8range, shown int8range, named bigint,
               widened bigint,
               change text, version integer, recorded_at timestamptz, submitted_at timestamptz, status text,
               category smallint, geoprivacy integer, state jsonb)
language plpgsql as $$
#variable_conflict use_column
begin
    return query
    with cuts as materialized (
        select c.* from cut(affected, after, upto) c
    ), widened as (
        select c.stream, c.position, c.at, min(o.position) as widened
          from cuts c
          join cuts o on o.stream = c.stream and o.position > c.position and o.shown && c.shown
         where c.guarded and not o.guarded and not o.gone
         group by c.stream, c.position, c.at
    ), compared as (
        select c.*, w.widened, lag(c.at) over segment is null or c.id is distinct from lag(c.id) over segment
                   as is_named,
               -- Only cuts that change what is shown.
               (c.id, c.category, c.gone, c.geoprivacy, w.widened) is distinct from
               lag((c.id, c.category, c.gone, c.geoprivacy, w.widened)) over segment as differs
          from cuts c
          left join widened w on w.stream = c.stream and w.position = c.position and w.at = c.at
        window segment as (partition by c.stream, c.position order by c.at)
    ), changed as (
        select c.*, max(c.at) filter (where c.is_named)
                   over (partition by c.stream, c.position order by c.at) as named
          from compared c
    ), found as materialized (
        select c.stream, c.position, c.next, c.id, c.guarded, c.named, c.widened,
               case when c.gone then 'gone' when c.status in ('withdrawn', 'rejected') then 'tombstone'
                    else 'record' end as kind,
               int8range(c.position, c.next) as valid,
               int8range(c.at, lead(c.at) over (partition by c.stream, c.position order by c.at)) as shown,
               c.type, c.version, c.recorded_at, c.submitted_at, c.category, c.geoprivacy, c.state, c.status,
               not c.gone and not c.guarded as dated
          from changed c
         where c.differs
    ), renamed as (
        select f.stream from found f group by f.stream
        having count(distinct f.id) > 1 or bool_or(f.id is null) and bool_or(f.id is not null)
    ), used as (
        -- The segments in which an id is public, and the next such one.
        select f.id, f.stream, f.guarded, f.position, f.next, range_agg(f.shown) as public,
               min(min(lower(f.shown))) over named as since, lead(f.position) over named as again
          from found f join renamed r on r.stream = f.stream
         where f.id is not null
         group by f.id, f.stream, f.guarded, f.position, f.next
        window named as (partition by f.id, f.stream, f.guarded order by f.position)
    ), ended as (
        select u.id, u.stream, u.guarded, int8range(u.position, u.next) as valid, e.shown
          from used u
         cross join lateral unnest(int8multirange(int8range(greatest(u.since, u.position), null)) - u.public) e (shown)
        union all
        -- One row for all segments in between, however many.
        select u.id, u.stream, u.guarded, int8range(u.next, u.again), int8range(greatest(u.since, u.next), null)
          from used u
         where u.next is not null and u.next is distinct from u.again
    )
    select f.id, f.stream, f.guarded, case when f.id is null then 'withheld' else f.kind end, f.valid, f.shown,
           f.named,
           case when f.kind <> 'gone' then f.widened end,
           case when f.kind <> 'gone' then f.type end, case when f.dated then f.version end,
           case when f.dated then f.recorded_at end, case when f.dated then f.submitted_at end,
           case when f.kind <> 'gone' then f.status end, f.category, f.geoprivacy,
           case when f.kind <> 'gone' then f.state else '{}' end
      from found f
     where f.id is not null or f.kind = 'record'
    union all
    select e.id, e.stream, e.guarded, 'gone', v.valid, e.shown, lower(e.shown), null,
           null, null, null, null, null, null, null, '{}'
      from (select e.id, e.stream, e.guarded, e.shown, range_agg(e.valid) as valid
              from ended e group by e.id, e.stream, e.guarded, e.shown) e
     cross join lateral unnest(e.valid) v (valid);
end $$;
