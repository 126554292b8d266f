-- The comparison for the rebuild of findings: one statement as one would write it by hand, over the same events, into a
-- table with the same indexes. It knows no redactions and nothing that comes after it.
insert into sightings (
    id, version, valid, recorded_at, submitted_at, status, reason, observer, dataset, batch, occurrence,
    taxon, qualifier, sensitivity, count, confidence,
    observed, observed_precision, observed_zone, observed_from, observed_to, local_from, local_to,
    latitude, longitude, uncertainty, state, region, country, place_basis, place_distance,
    border_state, border_region, polygons,
    captive, licence, geoprivacy, visit, protocol, prompted_by)
select stream, version, int8range(position, next), recorded_at, submitted_at,
       case when status = 'SightingWithdrawn' then 'withdrawn'
            when imported then 'accepted-by-source' else 'pending' end,
       state ->> 'reason',
       (state ->> 'observer')::uuid, (state ->> 'dataset')::uuid, (state ->> 'batch')::uuid, state ->> 'occurrence',
       (state ->> 'taxon')::uuid, state ->> 'qualifier', (state ->> 'sensitivity')::smallint,
       (state ->> 'count')::integer, (state ->> 'confidence')::smallint,
       state #>> '{observed,value}', state #>> '{observed,precision}', state #>> '{observed,zone}',
       (state #>> '{observed,from}')::timestamptz, (state #>> '{observed,to}')::timestamptz,
       (state #>> '{observed,localFrom}')::date, (state #>> '{observed,localTo}')::date,
       (state ->> 'latitude')::float8, (state ->> 'longitude')::float8, (state ->> 'uncertaintyMetres')::float8,
       state #>> '{place,state}', state #>> '{place,region}', state #>> '{place,country}',
       state #>> '{place,basis}', (state #>> '{place,distanceMetres}')::float8,
       state #>> '{place,borderState}', state #>> '{place,borderRegion}', state #>> '{place,polygons}',
       (state ->> 'captive')::boolean, state ->> 'licence', state ->> 'geoprivacy', state -> 'visit',
       state ->> 'protocol', (state ->> 'promptedBy')::uuid
  from (select e.stream, e.version, e.position, lead(e.position) over life as next, e.recorded_at,
               first_value(e.recorded_at) over life as submitted_at, e.type as status,
               first_value(e.type) over life = 'SightingImported' as imported,
               model.merge(e.payload::jsonb) over life as state
          from log.events e
         where e.type like 'Sighting%'
        window life as (partition by e.stream order by e.version)) s;
