-- event_types(of_stream [, effect, status, complete, essential]): the types of the events this model folds, those alone
-- that are described so in `folded_events`; null or left out: any.
--
-- Why this shape: immutable, over constants, so a call with constants is an array of constants to the planner. A fold
-- is planned as if it named the types, and depends on no statistics of them.
create function event_types(
    of_stream text, effect text default null, status text default null, complete boolean default null,
    essential boolean default null)
returns text[] language sql immutable parallel safe
return (select coalesce(array_agg(e.type), '{}')
          from folded_events() e
         where e.stream = of_stream
           and (event_types.effect is null or e.effect = event_types.effect)
           and (event_types.status is null or e.status = event_types.status)
           and (event_types.complete is null or e.complete = event_types.complete)
           and (event_types.essential is null or e.essential = event_types.essential));
