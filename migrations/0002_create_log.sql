-- The log: one append-only sequence of events for everything that ever changes.
-- Positions are gap-free (1, 2, 3 …) and in commit order, because every append holds the head row's lock while it
-- allocates, inserts and commits. See docs/event-log.md for the guarantees.
create schema log;
grant usage on schema log to skein_service, skein_redactor;

-- One row. Locked (never updated) by every append: an UPDATE would leave a dead version each time, and a long
-- snapshot elsewhere would make every later append walk them.
create table log.head (
    only_row          boolean primary key default true check (only_row),
    epoch             bigint  not null default 1,
    -- HMAC key of command fingerprints: a fingerprint alone reveals nothing about the request.
    key               bytea   not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
    -- Positions in a partition made from now on.
    partition_size    bigint  not null default 10000000 check (partition_size > 0),
    -- Identity of the cluster this epoch began on; another one means a restore or a failover.
    system_identifier bigint  not null default 0,
    timeline          integer not null default 0
);
insert into log.head (system_identifier, timeline)
select s.system_identifier, c.timeline_id from pg_control_system() s, pg_control_checkpoint() c;
grant select on log.head to skein_service;

-- One row a stream: its current version, and where it begins (so that a read of it skips older partitions).
create table log.streams (
    id             uuid    primary key,
    kind           text    not null,
    version        integer not null check (version > 0),
    first_position bigint  not null check (first_position > 0)
) with (fillfactor = 90);
grant select on log.streams to skein_service;

create table log.events (
    position    bigint      not null check (position > 0),
    stream      uuid        not null,
    version     integer     not null check (version > 0),
    type        text        not null,
    -- Of the command's first event only; a retry finds its first outcome by it.
    command     uuid,
    fingerprint bytea       check (octet_length(fingerprint) = 16),
    -- The account that decided it; null: the system or an operator.
    actor       uuid,
    recorded_at timestamptz not null,
    -- Random: any hash that is published is over nonce and payload, so that a place cannot be guessed from it.
    nonce       uuid        not null,
    payload     json        not null,
    primary key (position),
    check ((command is null) = (fingerprint is null))
) partition by range (position);
-- Unique within a partition only (PostgreSQL wants the partition key in unique indexes); across partitions the
-- head's lock keeps it, and `skein verify` proves it.
create index events_stream_version on log.events (stream, version);
create index events_stream_command on log.events (stream, command) where command is not null;
grant select on log.events to skein_service, skein_redactor;
grant update (payload) on log.events to skein_redactor;
