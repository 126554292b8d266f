-- Every state a sighting was ever in, with its true place and date: for its owner, moderators and holders of a grant.
-- One row an event of its stream; `valid` is the positions at which it was the newest, so that as of P is `valid @> P`
-- and current is `upper_inf(valid)`. Never read on a public route.
create table sightings (
    id                 uuid        not null,
    version            integer     not null,
    valid              int8range   not null,
    recorded_at        timestamptz not null,
    -- When its first event was recorded.
    submitted_at       timestamptz not null,
    -- pending | approved | rejected | accepted-by-source | withdrawn | redacted (a payload it needs is a tombstone)
    status             text collate "C" not null,
    -- Why it was withdrawn; null unless it is.
    reason             text collate "C",
    -- The account that submitted it; null for imports, and once it is erased.
    observer           uuid,
    dataset            uuid,
    -- The last import that wrote it.
    batch              uuid,
    -- Fingerprint of the imported row's content.
    occurrence         text collate "C",
    taxon              uuid,
    qualifier          text collate "C",
    -- The most sensitive category its own events recorded. What taxa became later is folded in sightings_public.
    sensitivity        smallint,
    count              integer,
    confidence         smallint,
    -- As reported, never padded: an instant with offset, a date, a month or a year.
    observed           text collate "C",
    observed_precision text collate "C",
    observed_zone      text collate "C",
    observed_from      timestamptz,
    observed_to        timestamptz,
    local_from         date,
    local_to           date,
    latitude           double precision,
    longitude          double precision,
    -- Metres.
    uncertainty        double precision,
    state              text collate "C",
    region             text collate "C",
    country            text collate "C",
    place_basis        text collate "C",
    -- Metres to the nearest polygon where the basis is `nearest`.
    place_distance     double precision,
    -- The other state of a place at a border, and its region: the record counts for either region's targets.
    border_state       text collate "C",
    border_region      text collate "C",
    polygons           text collate "C",
    captive            boolean,
    licence            text collate "C",
    geoprivacy         text collate "C",
    -- null, too, once the account is erased: it would show which sightings are of one person.
    visit              jsonb,
    protocol           text collate "C",
    prompted_by        uuid,
    -- The ids of its photos as its owner put them in order; null for none.
    photo_order        jsonb,
    -- SHA-256 of photos that its observer announced; null: none.
    awaited_photos     jsonb,
    primary key (id, version)
);

-- A birder's findings, newest observation first, keyset over (observed_to, id). Withdrawn ones, which are few, are
-- passed over: so it also finds all sightings of an account that is to be erased.
create index sightings_findings on sightings (observer, observed_to desc, id)
    where upper_inf(valid) and observer is not null;

-- A birder's withdrawn findings, in the same order.
create index sightings_withdrawn on sightings (observer, observed_to desc, id)
    where upper_inf(valid) and observer is not null and status = 'withdrawn';

-- How an observer's records of a taxon were judged: counted without the table.
create index sightings_judged on sightings (observer, taxon, status) include (id, sensitivity, geoprivacy)
    where upper_inf(valid) and observer is not null and status in ('approved', 'rejected');

-- Accounts that were erased.
create table erased (
    account uuid primary key
);
