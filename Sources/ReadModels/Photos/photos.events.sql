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
    ('photo', 'PhotoUploaded', 'knowledge', 'pending', true, true),
    ('photo', 'PhotoDescribed', 'knowledge', null::text, false, false),
    ('photo', 'PhotoApproved', 'knowledge', 'approved', false, false),
    ('photo', 'PhotoRejected', 'knowledge', 'rejected', false, false),
    ('photo', 'PhotoReopened', 'knowledge', 'pending', false, false),
    ('photo', 'PhotoHidden', 'restriction', null::text, false, false),
    ('photo', 'PhotoUnhidden', 'knowledge', null::text, false, false),
    ('photo', 'PhotoFlagged', 'knowledge', null::text, false, false),
    ('photo', 'PhotoRendered', 'knowledge', null::text, false, false),
    ('photo', 'PhotoDeleted', 'restriction', 'deleted', false, false),
    ('photo', 'PayloadRedacted', 'restriction', null::text, false, true)
$$;
