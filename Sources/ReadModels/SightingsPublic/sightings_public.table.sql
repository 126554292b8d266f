-- The public values of sightings, as of any two positions: P, what was known, and R >= P, what may be shown. A row
-- applies at (P, R) if `valid @> P and shown @> R`; at present if `upper_inf(valid) and upper_inf(shown)`.
-- `records` holds public values only: places are already generalised, dates already cut to the month where they must
-- be.
create table records (
    -- The sighting's id; a generalised record has another, random one (see `public_id`).
    id                 uuid      not null,
    -- Whether it is of category 2 or private: it appears when the month in which it was recorded is over, and its P is
    -- the end of the last month.
    guarded            boolean   not null,
    -- record | tombstone (withdrawn, rejected) | gone (withdrawn for privacy, redacted, or no longer public under this
    -- id)
    kind               text collate "C" not null,
    valid              int8range not null,
    shown              int8range not null,
    -- The R from which on the sighting has this id without interruption.
    named              bigint    not null,
    -- Guarded rows only: the P from which on another row shows the sighting without delay; null: never.
    widened            bigint,
    -- The event that brought this knowledge; null where `kind` is gone.
    change             text collate "C",
    -- Version and time of that event, and the time of the sighting's first one; null if guarded, like every trace of
    -- the time of submission.
    version            integer,
    recorded_at        timestamptz,
    submitted_at       timestamptz,
    -- pending | approved | rejected | accepted-by-source | withdrawn
    status             text collate "C",
    -- Why it was withdrawn or rejected; null unless it is.
    reason             text collate "C",
    -- The pseudonymous observer id, never the account's; null for imports and if guarded.
    observer           uuid,
    dataset            uuid,
    taxon              uuid,
    qualifier          text collate "C",
    -- The category the place is generalised for: the most sensitive of all identifications it ever had.
    sensitivity        smallint,
    -- Null if guarded, as is `protocol`.
    count              integer,
    -- Guarded records only: '1', '2-10' or '11+'; null if the animals were not counted.
    count_range        text collate "C",
    -- Null if guarded.
    confidence         smallint,
    observed           text collate "C",
    observed_precision text collate "C",
    observed_from      timestamptz,
    observed_to        timestamptz,
    local_from         date,
    local_to           date,
    -- As reported, or the centre of the cell; null: no public place.
    latitude           double precision,
    longitude          double precision,
    -- Decimals of the cell's side, 1 (0.1 degrees) to 3; null: as reported.
    cell               smallint,
    -- Metres. For a cell, the distance from its centre to the farthest corner, or the observer's own uncertainty if
    -- that is larger and the record is not guarded.
    uncertainty        double precision,
    -- State, region and country only if the whole cell lies in them.
    state              text collate "C",
    region             text collate "C",
    -- The other region of an exact place at a border; never that of a generalised one, which it would locate.
    border_region      text collate "C",
    country            text collate "C",
    captive            boolean,
    licence            text collate "C",
    -- open | obscured | private
    geoprivacy         text collate "C",
    protocol           text collate "C",
    -- Whether notes and names as typed (content beside the log, of the sighting's stream) may be shown.
    content            boolean not null,
    -- A keyed hash of an imported record's observers; null if generalised. Must not be returned.
    recorder           uuid,
    -- Whether its taxon was the region's target when it was submitted; null if generalised, because the region of a
    -- target would reveal on which side of a border a cell's record lies.
    prompted           boolean,
    -- A keyed hash of what names its visit: of the values of an imported row, or of the observer and the visit's id.
    -- Whether the visit's records are all species that were identified on it; null: that is not said. How long it took
    -- in minutes, how far it went in kilometres and how many people were watching, as the observer says. All of these
    -- are null if generalised, and once the observer is forgotten.
    visit              uuid,
    visit_complete     boolean,
    visit_minutes      integer,
    visit_distance     double precision,
    visit_observers    integer,
    -- The R from which on it has lost its observer (see `observers`), and an erased one its texts, whatever R is; null:
    -- it has not.
    forgotten          bigint,
    -- Whether the choice of targets counts it: approved, wild, to the day, in a region and not generalised.
    seasonal           boolean not null generated always as (
        coalesce(kind = 'record' and not guarded and status in ('approved', 'accepted-by-source')
                 and captive is not true and coalesce(qualifier, '') not in ('cf', 'aff') and taxon is not null
                 and sensitivity is null and geoprivacy = 'open' and observed_precision in ('instant', 'day')
                 and local_from = local_to and region is not null, false)) stored,
    -- Whether it is evidence for moderators: accepted, with a public place, and the present row. Guarded rows that were
    -- or will be the present one count, too: which one it is depends on the month.
    accepted           boolean not null generated always as (
        coalesce(kind = 'record' and status in ('approved', 'accepted-by-source') and taxon is not null
                 and latitude is not null and (guarded or upper_inf(valid) and upper_inf(shown)), false)) stored,
    -- The margin cell of the public place, 10 km by 10 km (see `margin_row`); null where the place is less certain than
    -- that, and for what ranges leave out: captive, "cf." and "aff.".
    margin_row         integer generated always as (
        case when coalesce(uncertainty, 0) <= 10000 and captive is not true
                  and coalesce(qualifier, '') not in ('cf', 'aff') then margin_row(latitude) end) stored,
    margin_column      integer generated always as (
        case when coalesce(uncertainty, 0) <= 10000 and captive is not true
                  and coalesce(qualifier, '') not in ('cf', 'aff') then margin_column(latitude, longitude) end) stored,
    -- The square of the public place, 2 degrees by 2 degrees, for lists by place.
    square_row         smallint generated always as (floor(latitude / 2)::smallint) stored,
    square_column      smallint generated always as (floor(longitude / 2)::smallint) stored
);
create index records_id on records (id);
-- The records of a visit, and visits in the order of their ids.
create index records_visit on records (visit, id) where visit is not null;
-- To take the observer from the records of an account whose registration is redacted.
create index records_observer on records (observer) where observer is not null;
-- The records of a region in a season: all that the choice of targets reads.
create index records_season on records (region, local_from) include (taxon, observer, recorder, dataset, valid, shown)
    where seasonal;

-- The same for records at the region's border, beyond it.
create index records_season_border on records (border_region, local_from)
    include (taxon, observer, recorder, dataset, valid, shown)
    where seasonal and border_region <> region;
-- A taxon's map: the latitudes of the box bound the scan, the longitudes are checked inside the index.
create index records_map on records (taxon, latitude, longitude) where taxon is not null;
-- Accepted records by place: the evidence for and against a new one.
create index records_accepted on records (taxon, guarded, latitude, longitude) where accepted;
-- The occupied margin cells of a taxon in a region, from the south.
create index records_margin on records (taxon, region, margin_row, margin_column)
    where accepted and not guarded and margin_row is not null;
-- Lists, the newest observation first: of all records, and by each condition that few of them may meet. A list reads
-- one of these in its order (see `PublicListStatement`).
-- `+ 0` names this one, so that a list under one of the other conditions is not read in its order, past all records
-- that do not meet it.
create index records_newest on records ((local_to + 0) desc, id) where kind = 'record';
create index records_newest_taxon on records (taxon, local_to desc, id) where kind = 'record' and taxon is not null;
create index records_newest_dataset
    on records (coalesce(dataset, '00000000-0000-0000-0000-000000000000'::uuid), local_to desc, id)
    where kind = 'record';
create index records_newest_state on records (state, local_to desc, id) where kind = 'record' and state is not null;
create index records_newest_region on records (region, local_to desc, id) where kind = 'record' and region is not null;
create index records_newest_country on records (country, local_to desc, id)
    where kind = 'record' and country is not null;
create index records_newest_square on records (square_row, square_column, local_to desc, id)
    where kind = 'record' and square_row is not null;
create index records_newest_status on records (status, local_to desc, id) where kind = 'record';
create index records_newest_confidence on records (confidence, local_to desc, id)
    where kind = 'record' and confidence is not null;
create index records_newest_captive on records (local_to desc, id) where kind = 'record' and captive;

-- The rows that a restriction, or the turn of a month after one, took away or brought: exports made before are looked
-- for by these. All are few.
create index records_ended on records (upper(shown)) where not upper_inf(shown) and kind <> 'gone';
create index records_begun on records (lower(shown)) where lower(shown) > lower(valid) and kind <> 'gone';
create index records_named on records (named) where guarded and named > lower(valid) and kind <> 'gone';
create index records_forgotten on records (forgotten) where forgotten is not null;
-- The rows that knowledge brought, for the difference of two days.
create index records_known on records (lower(valid));

-- The public values of sightings while they are rejected for a reason about the record (see `about_the_record`), for
-- researchers alone: in `records`, such a row is a tombstone. A row has the id and the span of the tombstone, and the
-- values that the record would have if it were not rejected, as `records` has them: all indexes of lists apply. `kind`
-- is record, and `content` is false.
-- Records of erased accounts are not among them, whatever R is.
create table rejected (
    like records including all,
    -- The account that submitted it; null for imports. Must not be returned.
    account uuid,
    -- All reasons, in the moderator's order.
    reasons text[] collate "C" not null
);
create index rejected_account on rejected (account) where account is not null;

-- How many accepted records that are not guarded a taxon has along a scale.
create table counted (
    taxon   uuid    not null,
    -- row: of margin cells, by latitude | day: of the year | rows, days: blocks of 32 of them
    scale   text collate "C" not null,
    step    integer not null,
    -- The number of records, above 0.
    records bigint  not null,
    primary key (taxon, scale, step)
) with (fillfactor = 50);

-- The values of a record that `counted` counts.
create type located as (taxon uuid, latitude double precision, first date, last date);

-- A sighting that is compared with accepted records.
create type asked as (
    id uuid, taxon uuid, region text, latitude double precision, longitude double precision, day date);

-- Records of category 1, which are only ever counted by taxon, country and year, only from three up, and as delayed as
-- guarded records are.
create table withheld (
    stream  uuid      not null,
    valid   int8range not null,
    shown   int8range not null,
    -- The R from which on it is withheld.
    named   bigint    not null,
    taxon   uuid,
    country text collate "C",
    -- null: the observation does not lie in one year.
    year    integer
);
create index withheld_stream on withheld (stream);
create index withheld_taxon on withheld (taxon);

-- Which sighting a random id stands for: for the fold, and to find the content that may be shown under it.
create table origins (
    id     uuid primary key,
    stream uuid not null
);
create index origins_stream on origins (stream);

-- Account to pseudonymous observer id.
create table observers (
    account   uuid primary key,
    -- Null once it is forgotten, as is `key`.
    observer  uuid,
    -- The 128 random bits of its registration: the key of the hashes of its visits. They never leave the log.
    key       uuid,
    -- The position from which on it is; null: it is not. No two accounts have the same.
    forgotten bigint,
    -- erased | redacted (the registration was, by that position) | lost (the registration is a tombstone, and its
    -- redaction is not folded yet); null: it is not forgotten
    cause     text collate "C"
);

-- The redactions of payloads: what they took from rows is in none of them, whatever R is.
create table redactions (
    -- Of the event PayloadRedacted.
    position bigint primary key,
    stream   uuid   not null,
    -- The kind of stream.
    kind     text collate "C" not null,
    -- The position of the event whose payload was redacted.
    target   bigint
);

-- A taxon's parent since a position, up to its next row.
create table taxon_parents (
    taxon  uuid   not null,
    since  bigint not null,
    parent uuid,
    primary key (taxon, since)
);
create index taxon_parents_parent on taxon_parents (parent);

-- A taxon's own category since a position, up to its next row.
create table taxon_categories (
    taxon    uuid   not null,
    since    bigint not null,
    category smallint,
    primary key (taxon, since)
);

-- At that position, every record identified as the taxon before became at least as sensitive as the category: the
-- taxon or an ancestor got the category, or the taxon was moved below one that has it.
create table taxon_restrictions (
    taxon    uuid     not null,
    position bigint   not null,
    category smallint not null,
    primary key (taxon, position)
);
create index taxon_restrictions_position on taxon_restrictions (position);

-- Texts of a sighting that are hidden: from one restriction position on, until knowledge from `until` on.
create table hidden (
    stream uuid   not null,
    field  text collate "C" not null,
    since  bigint not null,
    -- null: still.
    until  bigint,
    primary key (stream, field, since)
);
create index hidden_since on hidden (since);

-- The sighting of every photo.
create table photo_streams (
    photo    uuid primary key,
    sighting uuid not null
);
create index photo_streams_sighting on photo_streams (sighting);

-- The spans of (P, R) in which a photo is approved and neither hidden nor deleted, whatever its sighting is.
create table photo_lives (
    photo       uuid        not null,
    sighting    uuid        not null,
    -- The 128 random bits of its first event.
    nonce       uuid        not null,
    valid       int8range   not null,
    shown       int8range   not null,
    -- Its place among the photos of its sighting.
    sequence    integer     not null,
    approved_at timestamptz not null,
    licence     text collate "C",
    width       integer     not null,
    height      integer     not null,
    renditions  jsonb       not null
);
create index photo_lives_photo on photo_lives (photo);
create index photo_lives_sighting on photo_lives (sighting);

-- Photos as anyone may see them: where a span of a photo meets one in which its sighting is a record.
create table photos (
    -- Random: another public id of the sighting makes another one, unless it comes from a correction of a guarded one.
    id         uuid      not null,
    -- The public id of its sighting.
    record     uuid      not null,
    photo      uuid      not null,
    sighting   uuid      not null,
    -- As in `records`.
    guarded    boolean   not null,
    valid      int8range not null,
    shown      int8range not null,
    named      bigint    not null,
    widened    bigint,
    taxon      uuid,
    -- The pseudonymous observer id; null if guarded.
    observer   uuid,
    -- Null if guarded: galleries of regions have no guarded photos.
    region     text collate "C",
    -- The day (UTC) on which it was approved; if guarded, the first day of the next month.
    published  date      not null,
    -- The last local day of the observation; null if guarded.
    local_to   date,
    sequence   integer   not null,
    licence    text collate "C",
    -- Pixels of the original; null if guarded.
    width      integer,
    height     integer,
    renditions jsonb     not null
);
create index photos_id on photos (id);
create index photos_record on photos (record);
create index photos_sighting on photos (sighting);
-- As those of `records`.
create index photos_ended on photos (upper(shown)) where not upper_inf(shown) and not guarded;
create index photos_since on photos (lower(valid)) where not guarded;
create index photos_until on photos (upper(valid)) where not upper_inf(valid) and not guarded;
-- Galleries, the newest first.
create index photos_taxon on photos (taxon, published desc, id) where taxon is not null;
create index photos_region on photos (taxon, region, published desc, id)
    where taxon is not null and region is not null;
create index photos_observer on photos (observer, published desc, id) where observer is not null;
-- Lists of records with photos, the newest observation first: of all, and of a taxon. `+ 0` as in `records_newest`.
create index photos_newest on photos ((local_to + 0) desc, record) where not guarded;
create index photos_newest_taxon on photos (taxon, local_to desc, record) where not guarded and taxon is not null;

-- The events that moderators caused in a sighting, and their decisions on its photos.
create table moderator_events (
    position    bigint      primary key,
    sighting    uuid        not null,
    -- The photo that was decided on; null if the event is the sighting's own, and then the columns after `moderator`,
    -- too.
    photo       uuid,
    -- Numbers the moderators of the sighting, in the order of their first events.
    moderator   integer     not null,
    -- PhotoApproved | PhotoRejected | PhotoReopened
    change      text collate "C",
    recorded_at timestamptz,
    -- `content` for those that say something about the photographer; null: none.
    reason      text collate "C",
    -- The restriction that deleted the photo; null: it has not been deleted.
    deleted     bigint
);
create index moderator_events_sighting on moderator_events (sighting);
create index moderator_events_photo on moderator_events (photo) where photo is not null;
