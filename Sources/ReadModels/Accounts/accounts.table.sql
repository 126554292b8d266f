-- Accounts as they are now. Names and e-mail addresses are content beside the log and are read from there.
create table accounts (
    id              uuid        primary key,
    -- The pseudonymous id that public records carry instead of `id`.
    observer        uuid,
    state           text collate "C",
    region          text collate "C",
    licence         text collate "C",
    geoprivacy      text collate "C",
    language        text collate "C",
    -- In alphabetical order.
    roles           text[] collate "C" not null,
    -- Whether its owner proved to receive mail at its address.
    verified        boolean     not null,
    suspended       boolean     not null,
    -- The end of the suspension; null: none.
    suspended_until timestamptz,
    -- Names that were typed below this position are erased.
    names_from      bigint      not null,
    created_at      timestamptz not null,
    -- Of its newest event.
    version         integer     not null,
    position        bigint      not null
);
create index accounts_observer on accounts (observer);
-- Processes ask for the accounts that changed since a position.
create index accounts_position on accounts (position);
-- Exports look for names that were erased since, and for those that were concealed.
create index accounts_names_from on accounts (names_from) where names_from > 0;

-- What is not public of an account, as of P and R: hidden for R at or above `since`, unless shown again at or below P.
create table concealed (
    account uuid   not null,
    -- name | gallery
    what    text   collate "C" not null,
    since   bigint not null,
    until   bigint,
    primary key (account, what, since)
);
create index concealed_since on concealed (since);
