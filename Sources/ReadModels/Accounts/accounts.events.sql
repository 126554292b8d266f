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
    ('account', 'AccountRegistered', 'knowledge', null::text, true, true),
    ('account', 'AccountChanged', 'knowledge', null::text, false, true),
    ('account', 'AccountNarrowed', 'restriction', null::text, false, true),
    ('account', 'AccountWidened', 'knowledge', null::text, false, true),
    ('account', 'AccountNamesForgotten', 'restriction', null::text, false, true),
    ('account', 'RoleGranted', 'knowledge', null::text, false, true),
    ('account', 'RoleRevoked', 'knowledge', null::text, false, true),
    ('account', 'EmailVerified', 'knowledge', null::text, false, true),
    ('account', 'EmailChanged', 'knowledge', null::text, false, true),
    ('account', 'PasswordChanged', 'knowledge', null::text, false, true),
    ('account', 'AccountSuspended', 'knowledge', null::text, false, true),
    ('account', 'AccountReinstated', 'knowledge', null::text, false, true),
    ('account', 'DisplayNameRemoved', 'restriction', null::text, false, true),
    ('account', 'AccountErased', 'restriction', null::text, false, true),
    ('account', 'PayloadRedacted', 'restriction', null::text, false, true)
$$;
