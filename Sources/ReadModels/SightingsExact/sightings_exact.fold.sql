-- continued_streams(after, upto): the sightings that have an event in the range which is not their first one.
create or replace function continued_streams(after bigint, upto bigint) returns table (stream uuid)
language sql stable as $$
    select e.stream
      from sighting_events e
     where e.position > after and e.position <= upto and e.version > 1
     group by e.stream
    having bool_or(e.type <> 'PayloadRedacted')
        or (select s.kind from log.streams s where s.id = e.stream) = 'sighting'
$$;

-- states(continued, after, upto): the states of the sightings with an event in the range: of those in `continued` all
-- up to `upto`, of the others their first one.
--   next      the position of the sighting's next event; null: this is the newest
--   state     the merged payloads of its events
--   category  the most sensitive category its events recorded since the newest release, where they were merged
--   status    the one that was given last
--   redacted  whether an essential payload is a tombstone; none before the newest complete one is needed
create or replace function states(continued uuid[], after bigint, upto bigint)
returns table (stream uuid, version integer, "position" bigint, next bigint, recorded_at timestamptz,
               submitted_at timestamptz, state jsonb, category smallint, status text, redacted boolean)
language sql stable as $$
    select e.stream, e.version, e.position, null::bigint, e.recorded_at, e.recorded_at, e.payload::jsonb,
           null::smallint, given_status('sighting', e.type), false
      from sighting_events e
     where e.position > after and e.position <= upto and e.version = 1
       and not exists (select from unnest(continued) c (stream) where c.stream = e.stream)
    union all
    select m.stream, m.version, m.position, m.next, m.recorded_at, m.submitted_at, m.state, m.category,
           first_value(m.status) over (partition by m.stream, m.decisions order by m.version),
           m.redacted >= m.complete
      from (select e.stream, e.version, e.position, lead(e.position) over life as next, e.recorded_at,
                   first_value(e.recorded_at) over life as submitted_at,
                   model.merge(case e.type when 'PayloadRedacted' then '{}' else e.payload end) over life as state,
                   -- The most sensitive one since the newest release.
                   min(coalesce((e.payload ->> 'sensitivity')::smallint, (e.payload ->> 'released')::smallint))
                       over (partition by e.stream, e.releases order by e.version) as category,
                   e.status, count(e.status) over life as decisions,
                   -- Versions of the newest complete payload and of the newest tombstone of an essential one.
                   max(e.version) filter (where e.type = any (event_types('sighting', complete => true)))
                       over life as complete,
                   max(e.version) filter (where e.payload ? 'redacted'
                                            and e.type = any (event_types('sighting', essential => true)))
                       over life as redacted
              from (select e.stream, e.version, e.position, e.type, e.recorded_at, e.payload::jsonb as payload,
                           given_status('sighting', e.type) as status,
                           count(*) filter (where e.type = 'SightingReleased' and not e.payload::jsonb ? 'redacted')
                               over (partition by e.stream order by e.version) as releases
                      from events_of(continued, after, upto) e offset 0) e
            window life as (partition by e.stream order by e.version)) m
$$;

-- erase_observers(after, upto): takes observer and visit from the sightings of accounts that were erased in the range.
-- Why this shape: it reaches all rows of those sightings, and no others. Fold leaves both out of the rows that it
-- writes for these accounts.
create or replace function erase_observers(after bigint, upto bigint) returns void language plpgsql
set enable_nestloop = on set enable_bitmapscan = off as $$
declare
    gone uuid[] := array(select e.stream from log.events e
                          where e.position > after and e.position <= upto and e.type = 'AccountErased');
begin
    if cardinality(gone) = 0 then
        return;
    end if;
    insert into erased (account) select distinct g.account from unnest(gone) g (account) on conflict do nothing;
    update sightings s set observer = null, visit = null
     where s.id = any (array(
               select f.id from unnest(gone) g (account)
                cross join lateral (select f.id from sightings f
                                     where f.observer = g.account and upper_inf(f.valid) and f.observer is not null
                                    offset 0) f));
end $$;

-- fold_streams(continued, after, upto): makes the rows of some sightings again, from all their events, and those of the
-- others that begin in the range, from their only one.
create or replace function fold_streams(continued uuid[], after bigint, upto bigint) returns void
language plpgsql as $$
begin
    if after > 0 and cardinality(continued) > 0 then
        delete from sightings t where t.ctid = any (array(
            select old.ctid from unnest(continued) c (stream)
             cross join lateral (select s.ctid from sightings s where s.id = c.stream offset 0) old));
    end if;

    insert into sightings (
        id, version, valid, recorded_at, submitted_at, status, reason, observer, dataset, batch, occurrence,
        taxon, qualifier, sensitivity, count, confidence,
        observed, observed_precision, observed_zone, observed_from, observed_to, local_from, local_to,
        latitude, longitude, uncertainty, state, region, country, place_basis, place_distance,
        border_state, border_region, polygons,
        captive, licence, geoprivacy, visit, protocol, prompted_by, photo_order, awaited_photos)
    select s.stream, s.version, int8range(s.position, s.next), s.recorded_at, s.submitted_at,
           case when s.redacted or s.state ? 'redacted' and s.version = 1 then 'redacted' else s.status end,
           case when s.status = 'withdrawn' then s.state ->> 'reason' end,
           case when not s.erased then (s.state ->> 'observer')::uuid end,
           (s.state ->> 'dataset')::uuid, (s.state ->> 'batch')::uuid,
           s.state ->> 'occurrence',
           (s.state ->> 'taxon')::uuid, s.state ->> 'qualifier',
           case when s.version = 1 then (s.state ->> 'sensitivity')::smallint else s.category end,
           (s.state ->> 'count')::integer, (s.state ->> 'confidence')::smallint,
           s.observed ->> 'value', s.observed ->> 'precision', s.observed ->> 'zone',
           (s.observed ->> 'from')::timestamptz, (s.observed ->> 'to')::timestamptz,
           (s.observed ->> 'localFrom')::date, (s.observed ->> 'localTo')::date,
           s.latitude, s.longitude, (s.state ->> 'uncertaintyMetres')::double precision,
           s.place ->> 'state', s.place ->> 'region', s.place ->> 'country',
           s.place ->> 'basis', (s.place ->> 'distanceMetres')::double precision,
           s.place ->> 'borderState', s.place ->> 'borderRegion', s.place ->> 'polygons',
           (s.state ->> 'captive')::boolean, s.state ->> 'licence', s.state ->> 'geoprivacy',
           case when not s.erased then nullif(s.state -> 'visit', 'null') end,
           s.state ->> 'protocol', (s.state ->> 'promptedBy')::uuid,
           s.state -> 'photos', nullif(s.state -> 'awaitedPhotos', 'null')
      from (select s.*, s.state -> 'observed' as observed, s.state -> 'place' as place,
                   (s.state ->> 'latitude')::double precision as latitude,
                   (s.state ->> 'longitude')::double precision as longitude,
                   exists (select from erased x where x.account = (s.state ->> 'observer')::uuid) as erased
              from (select s.* from states(continued, after, upto) s offset 0) s
            offset 0) s;
end $$;

-- fold(after, upto): the events with after < position <= upto become rows of `sightings`; accounts that were erased
-- become rows of `erased`.
--
-- Result: nothing. The rows of every stream with an event in the range are rebuilt from its events up to `upto`, so
-- they are a function of the log alone: any way to cut the log into ranges ends in the same rows, and a payload
-- redacted since comes out redacted in every version after it.
--
-- Why this shape:
--   * Most sightings are one event. Their rows come straight from it: no sort, no merge, one cast of the payload.
--   * Only streams that go on past their first event are collected, their events merged in order (shallowly, by
--     version). Events before the range are looked up by index; in a rebuild there are none.
--   * The plan must not depend on statistics, which a young schema lacks: it is planned once (generic), look-ups in the
--     log and in our own table are LATERAL with OFFSET 0, which only a nested loop over an index can serve, and
--     everything else joins by hash, because nested loops and sequential scans are priced out.
--
-- Order: none is guaranteed or needed; a row's content never depends on another stream's.
create or replace function fold(after bigint, upto bigint) returns void language plpgsql
set search_path from current set plan_cache_mode = force_generic_plan set enable_nestloop = off
set enable_seqscan = off set jit = off set work_mem = '64MB'
as $$
begin
    perform erase_observers(after, upto);
    perform fold_streams(array(select c.stream from continued_streams(after, upto) c), after, upto);
end $$;
