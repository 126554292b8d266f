-- given_status(of_stream, type): the status that a type of event gives the subject of a kind of stream; null: none.
-- Why this shape: two constant arrays to the planner; a look-up in `folded_events` costs ten times as much a row.
create function event_statuses(of_stream text) returns text[] language sql immutable parallel safe
return (select array_agg(e.status) from folded_events() e where e.stream = of_stream);

create function given_status(of_stream text, type text) returns text language sql immutable parallel safe
return (event_statuses(of_stream))[array_position(event_types(of_stream), type)];
