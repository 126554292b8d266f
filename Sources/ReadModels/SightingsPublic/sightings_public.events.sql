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
    ('account', 'AccountErased', 'restriction', null::text, false, true),
    ('account', 'PayloadRedacted', 'restriction', null::text, false, true),
    ('photo', 'PhotoUploaded', 'knowledge', 'pending', true, true),
    ('photo', 'PhotoDescribed', 'knowledge', null::text, false, false),
    ('photo', 'PhotoApproved', 'knowledge', 'approved', false, false),
    ('photo', 'PhotoRejected', 'knowledge', 'rejected', false, false),
    ('photo', 'PhotoReopened', 'knowledge', 'pending', false, false),
    ('photo', 'PhotoHidden', 'restriction', null::text, false, false),
    ('photo', 'PhotoUnhidden', 'knowledge', null::text, false, false),
    ('photo', 'PhotoRendered', 'knowledge', null::text, false, false),
    ('photo', 'PhotoDeleted', 'restriction', 'deleted', false, false),
    ('photo', 'PayloadRedacted', 'restriction', null::text, false, true),
    ('sighting', 'SightingSubmitted', 'knowledge', 'pending', true, true),
    ('sighting', 'SightingImported', 'knowledge', 'accepted-by-source', true, true),
    ('sighting', 'SightingCorrected', 'knowledge', null::text, false, true),
    ('sighting', 'SightingGeoprivacyNarrowed', 'restriction', null::text, false, true),
    ('sighting', 'SightingGeoprivacyWidened', 'knowledge', null::text, false, true),
    ('sighting', 'SightingWithdrawn', 'either', 'withdrawn', false, true),
    ('sighting', 'SightingApproved', 'knowledge', 'approved', false, true),
    ('sighting', 'SightingRejected', 'knowledge', 'rejected', false, true),
    ('sighting', 'SightingReopened', 'knowledge', 'pending', false, true),
    ('sighting', 'SightingIdentified', 'knowledge', null::text, false, true),
    ('sighting', 'SightingHidden', 'restriction', null::text, false, true),
    ('sighting', 'SightingUnhidden', 'knowledge', null::text, false, true),
    ('sighting', 'SightingReleased', 'knowledge', null::text, false, true),
    ('sighting', 'PayloadRedacted', 'restriction', null::text, false, true),
    ('taxon', 'TaxonAdded', 'knowledge', null::text, true, true),
    ('taxon', 'TaxonMoved', 'knowledge', null::text, false, true),
    ('taxon', 'TaxonSensitivitySet', 'either', null::text, false, true),
    ('taxon', 'PayloadRedacted', 'restriction', null::text, false, true)
$$;
