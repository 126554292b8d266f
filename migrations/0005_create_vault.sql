-- Content, stored beside the log because it may have to be erased: all text a person typed. Written by log.append in
-- the transaction of its event; never updated; as of position P the row with the greatest position <= P counts.
create schema vault;
grant usage on schema vault to skein_service;

create table vault.content (
    stream   uuid   not null,
    field    text   not null,
    position bigint not null,
    -- null: cleared by its author at this position.
    value    text,
    primary key (stream, field, position)
);
grant select, delete on vault.content to skein_service;

-- Values that one stream may hold at a time: an e-mail address, a dataset's title. Only the SHA-256 is stored.
create table vault.reservations (
    kind     text   not null,
    value    bytea  not null check (octet_length(value) = 32),
    holder   uuid   not null,
    position bigint not null,
    primary key (kind, value)
);
grant select on vault.reservations to skein_service;
