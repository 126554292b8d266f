-- Generated from the descriptions of events in Sources/Domain by EventFlowTests (SKEIN_WRITE_GENERATED=1).
--
-- folded_events(): the events that change this model's rows.
--   effect    knowledge | restriction | either (its payload decides)
--   status    the status it gives a sighting; null: none
--   complete  whether its payload has everything that must be known of the stream's subject
create function folded_events()
returns table (stream text, type text, effect text, status text, complete boolean)
language sql immutable parallel safe as $$
values
    ('dataset', 'DatasetRegistered', 'knowledge', null::text, true),
    ('dataset', 'ImportStarted', 'knowledge', null::text, false),
    ('dataset', 'ImportFinished', 'knowledge', null::text, false),
    ('dataset', 'ImportUndone', 'knowledge', null::text, false),
    ('dataset', 'PayloadRedacted', 'restriction', null::text, false)
$$;
