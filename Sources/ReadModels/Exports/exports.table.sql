-- Exports as they are now. The accounts that ask for them must not be public.
create table exports (
    id             uuid        primary key,
    -- csv | tsv | geojson | geojsonseq | dwca | ranges
    format         text collate "C" not null,
    filter         jsonb       not null,
    -- The day at whose end it is as of; null: that of the request.
    as_of          date,
    -- The pin, if it has no day: {"known": …, "guarded": …}
    pin            jsonb,
    output_version integer     not null,
    -- A keyed hash of the settings that its bytes name.
    site           text collate "C",
    -- The terms of a table of ranges; null for other formats.
    ranges         jsonb,
    -- waiting | made | failed | cancelled
    status         text collate "C" not null,
    -- Of failed ones; null where it was redacted.
    reason         text collate "C",
    -- When it was first asked for.
    requested_at   timestamptz not null,
    -- Of its newest event.
    version        integer     not null,
    position       bigint      not null
);

-- What was made of it, one row for each revision. Positions must not be public.
create table revisions (
    export     uuid    not null,
    revision   integer not null,
    known      bigint  not null,
    shown      bigint  not null,
    guarded    bigint  not null,
    settled    bigint  not null,
    rows       bigint  not null,
    bytes      bigint  not null,
    sha256     text collate "C" not null,
    -- As in the payload; null: none.
    members    jsonb,
    licences   jsonb,
    datasets   jsonb,
    left_out   jsonb   not null,
    generalised bigint not null,
    replaced_characters bigint not null,
    -- The versions of the borders and of the program that made it; null: not recorded.
    polygons   text collate "C",
    software   text collate "C",
    made_at    timestamptz not null,
    -- Whether its bytes may not be given out any more, because a restriction or a month's turn touched a record of it.
    restricted boolean not null,
    position   bigint  not null,
    primary key (export, revision)
);

create index revisions_sha256 on revisions (sha256);

-- The accounts that ask for it.
create table requests (
    account      uuid        not null,
    export       uuid        not null,
    -- When the account asked for it last.
    requested_at timestamptz not null,
    position     bigint      not null,
    primary key (account, export)
);
create index requests_newest on requests (account, requested_at desc, export);
create index requests_export on requests (export);

-- Accounts that were erased: they ask for nothing any more.
create table erased (
    account uuid primary key
);
