-- The first half of how a sighting's events become public rows: what was known, and how sensitive, at every position
-- where either changes. Called through `pieces`, under fold's search path and settings; the planner puts the text of
-- these functions into the statement of `pieces`.

-- lives(affected, after, upto): the events of some sightings as of `upto`.
--   affected     their streams
--   after, upto  events in between are read by position, those at or below `after` by stream
--   next         the position of the sighting's next event; null: this is the newest
--   status       the status it gives the sighting; null: none
--   complete, gone  versions, up to this event: of the newest complete payload, and of the newest event that takes the
--                record away
--   releases     how many releases lie up to this event
create or replace function lives(affected uuid[], after bigint, upto bigint)
returns table ("position" bigint, stream uuid, version integer, type text, recorded_at timestamptz, nonce uuid,
               payload jsonb, status text, next bigint, complete integer, gone integer, releases integer)
language sql stable as $$
    select e.position, e.stream, e.version, e.type, e.recorded_at, e.nonce, e.payload,
           given_status('sighting', e.type),
           lead(e.position) over life,
           max(e.version) filter (where e.type = any (event_types('sighting', complete => true))) over life,
           max(e.version) filter (where e.payload ? 'redacted' or e.payload ->> 'reason' = 'privacy'
                                      and e.type = any (event_types('sighting', status => 'withdrawn'))) over life,
           (count(*) filter (where e.type = 'SightingReleased' and not e.payload ? 'redacted') over life)::integer
      from (select e.position, e.stream, e.version, e.type, e.recorded_at, e.nonce, e.payload::jsonb as payload
              from events_of(affected, after, upto) e offset 0) e
    window life as (partition by e.stream order by e.version)
$$;

-- with_rises(affected, after, upto): `lives` and a row for every position between its events at which the taxa of a
-- sighting became more sensitive, or for a release for which such a rise has waited. Such a row has no version, type,
-- nonce or status, and an empty payload.
--   category  the category that the event recorded, or that its taxa then had or got
--   counts    the most releases after which the category still counts; null: it always does. A release ends what comes
--             from identifications that were no longer the newest.
create or replace function with_rises(affected uuid[], after bigint, upto bigint)
returns table ("position" bigint, stream uuid, version integer, type text, recorded_at timestamptz, nonce uuid,
               payload jsonb, status text, complete integer, gone integer, releases integer, counts integer,
               category smallint)
language sql stable as $$
    with lives as materialized (
        select l.* from lives(affected, after, upto) l
    ), identified as (
        select i.*
          from (select l.stream, (l.payload ->> 'taxon')::uuid as taxon, l.position as since,
                       lead(l.position) over life as next, lead(l.releases) over life as counts,
                       l.gone >= l.complete as gone
                  from lives l
                 where l.payload ? 'taxon'
                window life as (partition by l.stream order by l.position)) i
         where i.taxon is not null and i.gone is not true
    ), restricted as (
        -- The category in force for a taxon when it was named, whatever the sender knew of it.
        select i.stream, i.since as position, null::integer as releases, null::integer as counts,
               in_force(i.taxon, i.since) as category
          from identified i
         where i.taxon in (select r.taxon from taxon_restrictions r)
        union all
        -- No release goes below that.
        select l.stream, l.position, null, null, in_force(i.taxon, l.position)
          from identified i
          join lives l on l.stream = i.stream and l.position > i.since and (l.position < i.next or i.next is null)
         where l.type = 'SightingReleased' and i.taxon in (select r.taxon from taxon_restrictions r)
        union all
        -- The restrictions of those taxa since. While a record is gone they wait for its next event.
        select l.stream, case when l.gone >= l.complete then l.next else r.position end, l.releases, r.counts,
               r.category
          from (select i.stream, r.position, i.counts, min(r.category) as category
                  from identified i
                 cross join lateral (
                    select r.position, r.category from taxon_restrictions r
                     where r.taxon = i.taxon and r.position > i.since and r.position <= upto offset 0) r
                 group by i.stream, r.position, i.counts) r
          join lives l on l.stream = r.stream and l.position < r.position and (r.position < l.next or l.next is null)
         where (l.gone >= l.complete) is not true or l.next is not null and (l.releases > r.counts) is not true
    )
    select l.position, l.stream, l.version, l.type, l.recorded_at, l.nonce, l.payload, l.status, l.complete, l.gone,
           l.releases, null::integer,
           least((l.payload ->> 'sensitivity')::smallint, (l.payload ->> 'released')::smallint,
                 case l.type when 'SightingReleased' then r.in_force else r.category end)
      from lives l
      left join (select r.stream, r.position, min(r.category) as category,
                        min(r.category) filter (where r.releases is null) as in_force
                   from restricted r group by r.stream, r.position) r
        on r.stream = l.stream and r.position = l.position
    union all
    select r.position, r.stream, null, null, null, null, '{}', null, null, null, r.releases, r.counts,
           min(r.category)
      from restricted r
     where r.category is not null
       -- What waited for a release is no part of it: it counts for the segments before.
       and not exists (select from lives l
                        where l.stream = r.stream and l.position = r.position
                          and (l.type <> 'SightingReleased' or r.releases is null))
     group by r.stream, r.position, r.releases, r.counts
$$;

-- states(affected, after, upto): what is known of some sightings after each of their events and rises.
--   root, face nonces of its first event, and of the newest one that is knowledge of its values
--   state      the merged payloads up to there
--   own        the category of the event or rise itself; counts, as in `with_rises`
--   releases   how many releases lie up to there
--   category   the most sensitive one up to there, since the newest release
--   complete, gone  as in `lives`
--   geoprivacy, narrowest  0 open, 1 obscured, 2 private: what the event says, and the narrowest since it was last
--              set otherwise than by narrowing
--   knowledge  whether the event is knowledge, so that a segment of P begins with it
--   narrowed   whether the event narrows geoprivacy
--   narrowings how many events up to there do
--   restricts  whether it restricts what is shown of the segments before it, more than those before it did
create or replace function states(affected uuid[], after bigint, upto bigint)
returns table ("position" bigint, stream uuid, version integer, type text, recorded_at timestamptz,
               submitted_at timestamptz, root uuid, face uuid, state jsonb, status text, own smallint,
               counts integer, releases integer, category smallint, complete integer, gone integer, geoprivacy integer,
               narrowest integer, knowledge boolean, narrowed boolean, narrowings integer, restricts boolean)
language sql stable as $$
    select r.position, r.stream, r.version, r.type, r.recorded_at, r.submitted_at, r.root,
           first_value(r.nonce) over (partition by r.stream, r.writings order by r.position), r.state,
           first_value(r.status) over (partition by r.stream, r.decisions order by r.position),
           r.own, r.counts, r.releases, r.category, r.complete, r.gone, r.geoprivacy,
           max(r.geoprivacy) over (partition by r.stream, r.granted order by r.position),
           r.knowledge, r.narrowed, r.narrowings,
           -- A category counts for the segments before a release too, where it changes nothing since.
           r.narrowed
               or coalesce(r.own < coalesce(r.lowest, 9), false) and r.type is distinct from 'SightingReleased'
               or r.gone is distinct from lag(r.gone) over life
      from (select a.position, a.stream, a.version, a.type, a.recorded_at, a.nonce, a.status, a.knowledge, a.narrowed,
                   first_value(a.recorded_at) over life as submitted_at,
                   first_value(a.nonce) over life as root,
                   -- Decisions change no value.
                   count(*) filter (where a.knowledge and a.type not in (
                       'SightingWithdrawn', 'SightingApproved', 'SightingRejected', 'SightingReopened',
                       'SightingUnhidden', 'SightingReleased'))
                       over life as writings,
                   (count(*) filter (where a.narrowed) over life)::integer as narrowings,
                   model.merge(case when a.type = 'PayloadRedacted' then '{}' else a.payload end) over life as state,
                   a.category as own, a.counts, a.releases,
                   min(a.category) filter (where (a.releases > a.counts) is not true)
                       over (partition by a.stream, a.releases order by a.position) as category,
                   -- What is no lower than that changes nothing: neither the segments before it nor those since.
                   min(a.category) filter (where a.counts is null and a.type is distinct from 'SightingReleased')
                       over (partition by a.stream, a.releases order by a.position
                             rows between unbounded preceding and 1 preceding) as lowest,
                   max(a.complete) over life as complete, max(a.gone) over life as gone,
                   count(a.status) over life as decisions,
                   case a.payload ->> 'geoprivacy' when 'private' then 2 when 'obscured' then 1 else 0 end
                       as geoprivacy,
                   -- How often it was set otherwise than by narrowing.
                   count(*) filter (where a.payload ? 'geoprivacy' and not a.narrowed) over life as granted
              from (select a.*,
                           a.type = any (event_types('sighting', effect => 'knowledge'))
                               or a.type = any (event_types('sighting', effect => 'either'))
                                   and a.payload ->> 'reason' is distinct from 'privacy' as knowledge,
                           a.payload ? 'geoprivacy'
                               and a.type = any (event_types('sighting', effect => 'restriction')) as narrowed
                      from with_rises(affected, after, upto) a) a
            window life as (partition by a.stream order by a.position)) r
    window life as (partition by r.stream order by r.position)
$$;
