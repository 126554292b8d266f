-- Accounts as they are now. Names and e-mail addresses are content beside the log and are read from there.
create table accounts (
    id          uuid        primary key,
    -- The pseudonymous id that public records carry instead of `id`.
    observer    uuid,
    state       text collate "C",
    region      text collate "C",
    licence     text collate "C",
    geoprivacy  text collate "C",
    -- displayName | anonymous
    attribution text collate "C",
    -- In alphabetical order.
    roles       text[] collate "C" not null,
    -- Whether its owner proved to receive mail at its address.
    verified    boolean     not null,
    created_at  timestamptz not null,
    -- Of its newest event.
    version     integer     not null,
    position    bigint      not null
);
create index accounts_observer on accounts (observer);
