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
    with events as materialized (
        select e.position, e.stream, e.version, e.type, e.recorded_at, e.nonce, e.payload::jsonb as payload
          from (select e.* from sighting_events e
                  join unnest(affected) a (stream) on a.stream = e.stream
                 where e.position > after and e.position <= upto
                union all
                select e.* from unnest(affected) a (stream)
                 cross join lateral (select s.first_position from log.streams s where s.id = a.stream offset 0) s
                 cross join lateral (select e.* from sighting_events e
                                      where e.stream = a.stream
                                        and e.position >= s.first_position and e.position <= after
                                     offset 0) e
                 where after > 0) e
    ), own as (
        select e.*, lead(e.position) over life as next, (e.payload ->> 'sensitivity')::smallint as category,
               -- Versions: of the newest full payload, and of the newest event that takes the record away.
               max(e.version) filter (where e.type in ('SightingSubmitted', 'SightingImported')) over life as born,
               max(e.version) filter (where e.payload ? 'redacted' or e.payload ->> 'reason' = 'privacy'
                                          and e.type = 'SightingWithdrawn') over life as gone
          from events e
        window life as (partition by e.stream order by e.version)
    ), identified as (
        select o.stream, (o.payload ->> 'taxon')::uuid as taxon, min(o.position) as since
          from own o
         where o.payload ->> 'taxon' is not null and (o.gone >= o.born) is not true
         group by o.stream, o.payload ->> 'taxon'
    ), restricted as (
        -- What was in force for a taxon when it was named, whatever the sender knew of it.
        select i.stream, i.since as position, in_force(i.taxon, i.since) as category
          from identified i
         where i.taxon in (select r.taxon from taxon_restrictions r)
        union all
        -- The restrictions of those taxa since. While a record is gone they wait for its next event.
        select o.stream, case when o.gone >= o.born then o.next else r.position end, r.category
          from identified i
         cross join lateral (select r.position, r.category from taxon_restrictions r
                              where r.taxon = i.taxon and r.position > i.since and r.position <= upto offset 0) r
          join own o on o.stream = i.stream and o.position < r.position and (r.position < o.next or o.next is null)
         where (o.gone >= o.born) is not true or o.next is not null
    ), raised as (
        select r.stream, r.position, min(r.category) as category
          from restricted r
         where r.category is not null
         group by r.stream, r.position
    ), along as (
        select o.position, o.stream, o.version, o.type, o.recorded_at, o.nonce, o.payload, o.born, o.gone,
               least(o.category, r.category) as category
          from own o
          left join raised r on r.stream = o.stream and r.position = o.position
        union all
        select r.position, r.stream, null, null, null, null, '{}', null, null, r.category
          from raised r
         where not exists (select from own o where o.stream = r.stream and o.position = r.position)
    ), running as (
        select a.position, a.stream, a.version, a.type, a.recorded_at,
               first_value(a.recorded_at) over life as submitted_at,
               hidden_id(first_value(a.nonce) over life) as hidden,
               model.merge(case when a.type = 'PayloadRedacted' then '{}' else a.payload end) over life as state,
               min(a.category) over life as category,
               max(a.born) over life as born, max(a.gone) over life as gone,
               max(a.version) filter (where a.type = 'SightingImported') over life as imported,
               max(a.version) filter (where a.type = 'SightingWithdrawn') over life as withdrawn,
               case a.payload ->> 'geoprivacy' when 'private' then 2 when 'obscured' then 1 else 0 end as geoprivacy,
               -- How often it was set anew, not narrowed.
               count(*) filter (where a.payload ? 'geoprivacy'
                                  and a.type <> 'SightingGeoprivacyNarrowed') over life as granted,
               a.type in ('SightingSubmitted', 'SightingImported', 'SightingCorrected', 'SightingGeoprivacyWidened')
                   or a.type = 'SightingWithdrawn' and a.payload ->> 'reason' is distinct from 'privacy' as knowledge,
               coalesce(a.type = 'SightingGeoprivacyNarrowed', false) as narrowed
          from along a
        window life as (partition by a.stream order by a.position)
    ), states as (
        select r.*, max(r.geoprivacy) over (partition by r.stream, r.granted order by r.position) as narrowest,
               r.narrowed
                   or r.category is distinct from lag(r.category) over life
                   or r.gone is distinct from lag(r.gone) over life as restricts
          from running r
        window life as (partition by r.stream order by r.position)
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
        select c.stream, c.position, c.at, c.category, coalesce(c.gone >= s.born, false) as gone,
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
               case when c.gone then 'gone' when s.withdrawn > s.born then 'tombstone' else 'record' end as kind,
               int8range(s.position, s.next) as valid,
               int8range(c.at, lead(c.at) over (partition by c.stream, c.position order by c.at)) as shown,
               s.type, s.version, s.recorded_at, s.submitted_at, c.category, c.geoprivacy::smallint, s.state,
               case when s.withdrawn > s.born then 'withdrawn' when s.imported = s.born then 'accepted-by-source'
                    else 'pending' end as status,
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
