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

-- The database's clock. Every time in the log and beside it is read here, so that tests can drive it.
create function log.clock() returns timestamptz language sql volatile as 'select clock_timestamp()';

-- One row: the last time that was accepted without an event. Running processes leave it every minute, so that an idle
-- log is not taken for a jump of the clock. Not in log.head, which is never updated.
create table log.clock_mark (
    only_row boolean     primary key default true check (only_row),
    at       timestamptz not null
) with (fillfactor = 10);
insert into log.clock_mark (at) values (log.clock());
grant select on log.clock_mark to skein_service;

-- log.clock_fault: the rule for clocks, the same for appends, marks and readiness.
--   p_clock      the database's clock
--   p_accepted   the last time accepted: of the last event, or the mark
--   p_sent_at    the clock of the process that asks
-- Result: the reason why nothing may be recorded at this time; null if it may.
create function log.clock_fault(p_clock timestamptz, p_accepted timestamptz, p_sent_at timestamptz) returns text
language sql stable as $$
    select case
        when p_clock not between p_sent_at - interval '5 minutes' and p_sent_at + interval '5 minutes'
            then format('the database''s clock, %s, is more than five minutes away from that of the process, %s',
                        p_clock, p_sent_at)
        when p_clock > p_accepted + interval '31 days'
            then format('the database''s clock, %s, is more than 31 days ahead of the last time accepted, %s',
                        p_clock, p_accepted)
    end
$$;

-- log.clock_state: the clock, the last time accepted, and the fault for a process whose clock is p_sent_at.
create function log.clock_state(p_sent_at timestamptz)
returns table (clock timestamptz, accepted timestamptz, fault text) language sql volatile as $$
    select c.clock, c.accepted, log.clock_fault(c.clock, c.accepted, p_sent_at)
      from (select log.clock() as clock,
                   greatest(m.at, (select e.recorded_at from log.events e order by e.position desc limit 1)) as accepted
              from log.clock_mark m offset 0) c
$$;

-- log.mark_clock: moves the mark, unless the clock is rejected or another process has just moved it.
-- Result: log.clock_state before.
create function log.mark_clock(p_sent_at timestamptz)
returns table (clock timestamptz, accepted timestamptz, fault text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
begin
    select s.clock, s.accepted, s.fault into clock, accepted, fault from log.clock_state(p_sent_at) s;
    if fault is null then
        update log.clock_mark m set at = mark_clock.clock where m.at < mark_clock.clock - interval '30 seconds';
    end if;
    return next;
end $$;
revoke execute on function log.mark_clock from public;
grant execute on function log.mark_clock to skein_service;
