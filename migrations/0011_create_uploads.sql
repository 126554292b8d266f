-- Photos that arrive in several requests. Like the bytes themselves, which are on disk, this is working state of a day.
create table vault.uploads (
    id       uuid        primary key,
    account  uuid        not null,
    -- The sighting that gets the photo.
    sighting uuid        not null,
    -- The key of the request that began it; the photo is added under it.
    key      uuid        not null,
    -- All bytes; null until the client knows.
    length   bigint,
    -- Whether the photo has been added.
    complete boolean     not null default false,
    until    timestamptz not null
);
create index uploads_account on vault.uploads (account);
create index uploads_until on vault.uploads (until);
grant select, insert, update, delete on vault.uploads to skein_service;
