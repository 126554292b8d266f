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
    ('account', 'AccountRegistered', 'knowledge', null::text, true),
    ('account', 'PayloadRedacted', 'restriction', null::text, false),
    ('photo', 'PhotoUploaded', 'knowledge', 'pending', true),
    ('photo', 'PhotoDescribed', 'knowledge', null::text, false),
    ('photo', 'PhotoApproved', 'knowledge', 'approved', false),
    ('photo', 'PhotoRejected', 'knowledge', 'rejected', false),
    ('photo', 'PhotoReopened', 'knowledge', 'pending', false),
    ('photo', 'PhotoHidden', 'restriction', null::text, false),
    ('photo', 'PhotoUnhidden', 'knowledge', null::text, false),
    ('photo', 'PhotoRendered', 'knowledge', null::text, false),
    ('photo', 'PhotoDeleted', 'restriction', 'deleted', false),
    ('photo', 'PayloadRedacted', 'restriction', null::text, false),
    ('sighting', 'SightingSubmitted', 'knowledge', 'pending', true),
    ('sighting', 'SightingImported', 'knowledge', 'accepted-by-source', true),
    ('sighting', 'SightingCorrected', 'knowledge', null::text, false),
    ('sighting', 'SightingGeoprivacyNarrowed', 'restriction', null::text, false),
    ('sighting', 'SightingGeoprivacyWidened', 'knowledge', null::text, false),
    ('sighting', 'SightingWithdrawn', 'either', 'withdrawn', false),
    ('sighting', 'SightingApproved', 'knowledge', 'approved', false),
    ('sighting', 'SightingRejected', 'knowledge', 'rejected', false),
    ('sighting', 'SightingReopened', 'knowledge', 'pending', false),
    ('sighting', 'SightingIdentified', 'knowledge', null::text, false),
    ('sighting', 'SightingHidden', 'restriction', null::text, false),
    ('sighting', 'SightingUnhidden', 'knowledge', null::text, false),
    ('sighting', 'SightingReleased', 'knowledge', null::text, false),
    ('sighting', 'PayloadRedacted', 'restriction', null::text, false),
    ('taxon', 'TaxonAdded', 'knowledge', null::text, true),
    ('taxon', 'TaxonMoved', 'knowledge', null::text, false),
    ('taxon', 'TaxonSensitivitySet', 'either', null::text, false),
    ('taxon', 'PayloadRedacted', 'restriction', null::text, false)
$$;
