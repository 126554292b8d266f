-- The events of the log that a sighting's rows are made of. PayloadRedacted is also an event of streams of other kinds.
create view sighting_events as
select e.position, e.stream, e.version, e.type, e.recorded_at, e.nonce, e.payload
  from log.events e
 where e.type = any (event_types('sighting'));

-- earlier_events(streams, upto): the events of some sightings up to a position, each found by its stream.
create function earlier_events(streams uuid[], upto bigint) returns setof sighting_events language plpgsql stable
set enable_bitmapscan = off as $$
begin
    return query
    select e.position, e.stream, e.version, e.type, e.recorded_at, e.nonce, e.payload
      from unnest(streams) s (stream)
     cross join lateral model.events_of(s.stream, 'sighting', upto) e
     where e.type = any (event_types('sighting'));
end $$;

-- events_of(streams, after, upto): all events of some sightings up to `upto`.
--   after, upto  events in between are read by position, those at or below `after` by stream
--
-- Why this shape: a rebuild (`after` 0) reads the range once and looks nothing up. The planner puts the text into the
-- statement that calls it.
create function events_of(streams uuid[], after bigint, upto bigint) returns setof sighting_events
language sql stable as $$
    select e.*
      from sighting_events e
      join unnest(streams) c (stream) on c.stream = e.stream
     where e.position > after and e.position <= upto
    union all
    select e.* from earlier_events(streams, after) e where after > 0
$$;
