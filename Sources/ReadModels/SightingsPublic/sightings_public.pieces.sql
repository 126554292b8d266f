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
-- is a running minimum along R and the same for all P. Geoprivacy at (P, R) is the narrowest of what was known at P
-- and every narrowing up to R. What is gone comes back only with a new full payload, and only from there on.
create or replace function pieces(affected uuid[], after bigint, upto bigint)
returns table (id uuid, stream uuid, kind text, valid int8range, shown int8range, change text, version integer,
               recorded_at timestamptz, submitted_at timestamptz, status text, category smallint, geoprivacy smallint,
               state jsonb)
language plpgsql as $$
#variable_conflict use_column
begin
    return query
    with states as materialized (
        select s.* from states(affected, after, upto) s
    ), segments as (
        select s.*, lead(s.position) over (partition by s.stream order by s.position) as next
          from states s where s.knowledge
    ), cuts as (
        select s.stream, s.position, s.position as at, s.category, s.gone, 0 as geoprivacy
          from segments s
        union all
        select s.stream, s.position, c.position, c.category, c.gone, case when c.narrowed then c.geoprivacy else 0 end
          from segments s
          join states c on c.stream = s.stream and c.position > s.position
         where c.restricts
    ), judged as (
        select c.stream, c.position, c.at, c.category, coalesce(c.gone >= s.complete, false) as gone,
               greatest(s.narrowest, max(c.geoprivacy) over (partition by c.stream, c.position order by c.at))
                   as geoprivacy
          from cuts c
          join segments s on s.stream = c.stream and s.position = c.position
    ), changed as (
        -- Only cuts that change what is shown.
        select j.*, (j.category, j.gone, j.geoprivacy) is distinct from
               lag((j.category, j.gone, j.geoprivacy)) over (partition by j.stream, j.position order by j.at) as differs
          from judged j
    ), found as (
        select s.stream, case c.category when 1 then null when 2 then s.hidden else s.stream end as id,
               case when c.gone then 'gone' when s.status = 'withdrawn' then 'tombstone' else 'record' end as kind,
               int8range(s.position, s.next) as valid,
               int8range(c.at, lead(c.at) over (partition by c.stream, c.position order by c.at)) as shown,
               s.type, s.version, s.recorded_at, s.submitted_at, c.category, c.geoprivacy::smallint, s.state, s.status,
               not c.gone and c.category is distinct from 2 as dated
          from changed c
          join segments s on s.stream = c.stream and s.position = c.position
         where c.differs
    ), ended as (
        -- An id that is no longer public, because the sighting went on under the other one or under none.
        select s.stream as id, s.stream, min(s.position) as since,
               min(s.position) filter (where s.category <= 2) as until
          from states s group by s.stream
        having bool_or(s.category is null or s.category > 2)
        union all
        select s.hidden, s.stream, min(s.position), min(s.position) filter (where s.category = 1)
          from states s group by s.hidden, s.stream
        having bool_or(s.category = 2)
    )
    select f.id, f.stream, case when f.id is null then 'withheld' else f.kind end, f.valid, f.shown,
           case when f.kind <> 'gone' then f.type end, case when f.dated then f.version end,
           case when f.dated then f.recorded_at end, case when f.dated then f.submitted_at end,
           case when f.kind <> 'gone' then f.status end, f.category, f.geoprivacy,
           case f.kind when 'record' then f.state
                       when 'tombstone' then jsonb_build_object(
                            'taxon', f.state -> 'taxon', 'qualifier', f.state -> 'qualifier',
                            'observed', f.state -> 'observed', 'reason', f.state -> 'reason')
                       else '{}' end
      from found f
     where f.id is not null or f.kind = 'record'
    union all
    select e.id, e.stream, 'gone', int8range(e.since, null), int8range(e.until, null),
           null, null, null, null, null, null, null, '{}'
      from ended e
     where e.until is not null;
end $$;
