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
    ('account', 'AccountErased', 'restriction', null::text, false, true),
    ('account', 'PayloadRedacted', 'restriction', null::text, false, true),
    ('sighting', 'SightingSubmitted', 'knowledge', 'pending', true, true),
    ('sighting', 'SightingImported', 'knowledge', 'accepted-by-source', true, true),
    ('sighting', 'SightingCorrected', 'knowledge', null::text, false, true),
    ('sighting', 'SightingGeoprivacyNarrowed', 'restriction', null::text, false, true),
    ('sighting', 'SightingGeoprivacyWidened', 'knowledge', null::text, false, true),
    ('sighting', 'SightingWithdrawn', 'either', 'withdrawn', false, true),
    ('sighting', 'SightingApproved', 'knowledge', 'approved', false, true),
    ('sighting', 'SightingRejected', 'knowledge', 'rejected', false, true),
    ('sighting', 'SightingSecondOpinionAsked', 'knowledge', null::text, false, false),
    ('sighting', 'SightingReopened', 'knowledge', 'pending', false, true),
    ('sighting', 'SightingQuestionAsked', 'knowledge', null::text, false, false),
    ('sighting', 'SightingAnswered', 'knowledge', null::text, false, false),
    ('sighting', 'SightingAppealed', 'knowledge', null::text, false, false),
    ('sighting', 'SightingIdentified', 'knowledge', null::text, false, true),
    ('sighting', 'SightingHidden', 'restriction', null::text, false, true),
    ('sighting', 'SightingUnhidden', 'knowledge', null::text, false, true),
    ('sighting', 'SightingReleased', 'knowledge', null::text, false, true),
    ('sighting', 'SightingFlagged', 'knowledge', null::text, false, false),
    ('sighting', 'SightingPhotosOrdered', 'knowledge', null::text, false, false),
    ('sighting', 'PayloadRedacted', 'restriction', null::text, false, true)
$$;
