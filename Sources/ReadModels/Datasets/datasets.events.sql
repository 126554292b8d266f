-- Generated from the descriptions of events in Sources/Domain by EventFlowTests (SKEIN_WRITE_GENERATED=1).
--
-- folded_events(): the events that change this model's rows.
--   effect    knowledge | restriction | either (its payload decides)
--   status    the status it gives its subject; null: none
--   complete  whether its payload has everything that must be known of the stream's subject
--   essential whether the subject counts as redacted when the payload is
create function folded_events()
returns table (stream text, type text, effect text, status text, complete boolean, essential boolean)
language sql immutable parallel safe as $$
values
    ('dataset', 'DatasetRegistered', 'knowledge', null::text, true, true),
    ('dataset', 'DatasetDescribed', 'knowledge', null::text, false, false),
    ('dataset', 'ImportStarted', 'knowledge', null::text, false, true),
    ('dataset', 'ImportFinished', 'knowledge', null::text, false, true),
    ('dataset', 'ImportUndone', 'knowledge', null::text, false, true),
    ('dataset', 'PayloadRedacted', 'restriction', null::text, false, true)
$$;
