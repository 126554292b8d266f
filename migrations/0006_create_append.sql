-- log.find_command: the event a command ended with, if the stream already has that command. `since` is the stream's
-- first position: partitions below it are skipped. A command's first event carries its id, so it ends before the
-- stream's next event that carries one.
create function log.find_command(stream uuid, command uuid, since bigint)
returns table (fingerprint bytea, version integer, "position" bigint, recorded_at timestamptz)
language sql stable as $$
    select first.fingerprint, last.version, last.position, last.recorded_at
      from log.events first
     cross join lateral (
        select e.version, e.position, e.recorded_at
          from log.events e
         where e.stream = first.stream and e.position >= first.position and e.version >= first.version
           and e.version < coalesce((select min(next.version) from log.events next
                                      where next.stream = first.stream and next.position > first.position
                                        and next.version > first.version and next.command is not null), 2147483647)
         order by e.version desc limit 1) last
     where first.stream = $1 and first.command = $2 and first.position >= $3
     limit 1
$$;
grant execute on function log.find_command(uuid, uuid, bigint) to skein_service;

-- log.take_head: locks the head row until the transaction ends, so that no other one can append meanwhile.
--   p_epoch       the epoch the caller expects; another one is rejected (SKE01)
--   p_sent_at     the caller's clock; the database's is rejected (SKE02) by the rule of log.clock_fault
-- Result: the last position, 0 for none, and the time of what is appended now.
-- Why this shape: under READ COMMITTED every statement of a volatile function takes a fresh snapshot, so what follows
-- the lock sees all that was committed before it.
create function log.take_head(p_epoch bigint, p_sent_at timestamptz, out last bigint, out now_time timestamptz)
language plpgsql as $$
declare
    head_epoch bigint;
    clock      timestamptz;
    mark       timestamptz;
    fault      text;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'log.append needs READ COMMITTED' using errcode = 'SKE03';
    end if;
    select h.epoch into head_epoch from log.head h for update;
    if head_epoch <> p_epoch then
        raise exception 'the log is in epoch %, not %', head_epoch, p_epoch using errcode = 'SKE01';
    end if;
    select e.position, e.recorded_at into last, now_time from log.events e order by e.position desc limit 1;
    last := coalesce(last, 0);
    select m.at into mark from log.clock_mark m where m.only_row;
    clock := log.clock();
    fault := log.clock_fault(clock, greatest(now_time, mark), p_sent_at);
    if fault is not null then
        raise exception '%', fault using errcode = 'SKE02';
    end if;
    now_time := greatest(clock, now_time);
end $$;
revoke execute on function log.take_head from public;

-- log.judged: judges commands against what was committed before, and numbers the accepted ones.
--   p_stream, p_expected, p_command, p_fingerprint, p_events   as in log.append
--   held            1-based ordinals of the commands that want a reservation held by another stream
--   last, now_time  of log.take_head
-- Result: one row a command. `ord` is its 1-based ordinal, `base` the position before its first event, 0 when it is not
-- appended; the others as in log.append.
-- Why this shape: the planner puts the text into the statement of log.append; look-ups are LATERAL with LIMIT, which
-- only a nested loop over an index can serve.
create function log.judged(
    p_stream uuid[], p_expected integer[], p_command uuid[], p_fingerprint bytea[], p_events integer[],
    held integer[], last bigint, now_time timestamptz)
returns table (ord bigint, outcome smallint, base bigint, version integer, "position" bigint, recorded_at timestamptz,
               stream_version integer)
language sql stable as $$
    select j.ord, j.outcome,
           case j.outcome when 0 then last + j.running - j.events else 0 end,
           case j.outcome when 0 then j.stream_version + j.events else j.version end,
           case j.outcome when 0 then last + j.running else j.position end,
           j.recorded_at, j.stream_version
      from (
        select b.*, sum(case b.outcome when 0 then b.events else 0 end) over (order by b.ord) as running
          from (
            select c.ord, c.events,
                   case when found.fingerprint = c.fingerprint then 1
                        when found.fingerprint is not null then 2
                        when coalesce(s.version, 0) <> c.expected then 3
                        when c.ord = any (held) then 4
                        else 0 end::smallint as outcome,
                   coalesce(s.version, 0) as stream_version,
                   coalesce(found.version, 0) as version,
                   coalesce(found.position, 0) as position,
                   coalesce(found.recorded_at, now_time) as recorded_at
              from unnest(p_stream, p_expected, p_command, p_fingerprint, p_events) with ordinality
                   as c (stream, expected, command, fingerprint, events, ord)
              left join lateral (select t.version, t.first_position from log.streams t where t.id = c.stream limit 1) s
                   on true
              left join lateral (select f.* from log.find_command(c.stream, c.command, s.first_position) f
                                  where s.version is not null limit 1) found on true
          ) b
      ) j
$$;
revoke execute on function log.judged from public;

-- log.append: one call, one transaction, one command or up to a thousand. The only way into the log.
--
-- Parameters, arrays of equal length within a group:
--   p_epoch, p_sent_at   as in log.take_head
--   commands        p_stream, p_kind, p_expected (0: the stream must be new), p_command, p_fingerprint, p_actor,
--                   p_events (how many events it appends, at least 1)
--   events          e_command (index of its command, from 1), e_number (from 1 within its command), e_type, e_payload,
--                   e_nonce
--   content         c_command, c_event (number of the event it belongs to), c_field, c_value
--   reservations    r_command, r_kind, r_value
-- Result: one row a command, in the order given:
--   outcome         0 appended · 1 found, appended before by the same request · 2 another request used this command id
--                   3 version conflict · 4 a reservation is held by another stream
--   version, position, recorded_at   of the command's last event (outcomes 0 and 1), else of nothing (0, 0, now)
--   stream_version  what the stream was at when the command was judged
--
-- Why this shape:
--   * Every statement is planned once a connection (generic). Planned for its values it would be planned for every
--     call, which costs four times as much as the rest. The plan may be made while the log is empty, so it must not
--     depend on statistics: whatever reads a table from end to end is priced out.
--   * The head row is locked first: every later statement sees all that was committed before the lock, and no other
--     transaction can commit events after it.
--   * The caller sends at most one command a stream, and one a reservation, in a call: commands do not see each other.
--   * Decisions land in plain arrays that later statements subscript. Joining batch to batch without hash joins would
--     be quadratic, and hash joins are off because without statistics they read the whole log.
--   * No array holds a NULL where it is subscripted: a NULL makes PostgreSQL walk the array instead.
--   * pg_temp is named last in the search path. Unnamed, it is searched first for types: whoever may create a domain
--     pg_temp.json would have its check run as the owner. The same in log.redact and log.add_partitions.
create function log.append(
    p_epoch bigint, p_sent_at timestamptz,
    p_stream uuid[], p_kind text[], p_expected integer[], p_command uuid[], p_fingerprint bytea[], p_actor uuid[],
    p_events integer[],
    e_command integer[], e_number integer[], e_type text[], e_payload text[], e_nonce uuid[],
    c_command integer[], c_event integer[], c_field text[], c_value text[],
    r_command integer[], r_kind text[], r_value bytea[])
returns table (outcome smallint, version integer, "position" bigint, recorded_at timestamptz, stream_version integer)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
#variable_conflict use_column
declare
    last       bigint;
    now_time   timestamptz;
    held       integer[] := '{}';
    outcomes   smallint[];
    befores    integer[];     -- the stream's version when judged
    bases      bigint[];      -- position before the command's first event; 0: not appended
    versions   integer[];
    positions  bigint[];
    times      timestamptz[];
begin
    select h.last, h.now_time into last, now_time from log.take_head(p_epoch, p_sent_at) h;

    if cardinality(r_command) > 0 then
        select coalesce(array_agg(r.command), '{}') into held
          from unnest(r_command, r_kind, r_value) r (command, kind, value)
          join lateral (select v.holder from vault.reservations v
                         where v.kind = r.kind and v.value = r.value limit 1) v
               on v.holder <> p_stream[r.command];
    end if;

    select array_agg(j.outcome order by j.ord), array_agg(j.stream_version order by j.ord),
           array_agg(j.base order by j.ord), array_agg(j.version order by j.ord),
           array_agg(j.position order by j.ord), array_agg(j.recorded_at order by j.ord)
      into outcomes, befores, bases, versions, positions, times
      from log.judged(p_stream, p_expected, p_command, p_fingerprint, p_events, held, last, now_time) j;

    insert into log.events (position, stream, version, type, command, fingerprint, actor, recorded_at, nonce, payload)
    select bases[e.command] + e.number, p_stream[e.command], befores[e.command] + e.number, e.type,
           case e.number when 1 then p_command[e.command] end,
           case e.number when 1 then p_fingerprint[e.command] end,
           nullif(p_actor[e.command], '00000000-0000-0000-0000-000000000000'), now_time, e.nonce, e.payload::json
      from unnest(e_command, e_number, e_type, e_payload, e_nonce) e (command, number, type, payload, nonce)
     where outcomes[e.command] = 0;

    insert into log.streams (id, kind, version, first_position)
    select c.stream, c.kind, c.events, bases[c.ord] + 1
      from unnest(p_stream, p_kind, p_events) with ordinality c (stream, kind, events, ord)
     where outcomes[c.ord] = 0 and befores[c.ord] = 0;
    if exists (select from unnest(outcomes, befores) o (outcome, before) where o.outcome = 0 and o.before > 0) then
        update log.streams s set version = versions[c.ord]
          from unnest(p_stream) with ordinality c (stream, ord)
         where s.id = c.stream and outcomes[c.ord] = 0 and befores[c.ord] > 0;
    end if;

    if cardinality(c_command) > 0 then
        insert into vault.content (stream, field, position, value)
        select p_stream[c.command], c.field, bases[c.command] + c.event, c.value
          from unnest(c_command, c_event, c_field, c_value) c (command, event, field, value)
         where outcomes[c.command] = 0;
    end if;
    if cardinality(r_command) > 0 then
        insert into vault.reservations (kind, value, holder, position)
        select r.kind, r.value, p_stream[r.command], bases[r.command] + 1
          from unnest(r_command, r_kind, r_value) r (command, kind, value)
         where outcomes[r.command] = 0
        -- A reservation held by another stream would have been rejected: this one is the stream's own.
        on conflict do nothing;
    end if;

    return query select * from unnest(outcomes, versions, positions, times, befores);
end $$;
revoke execute on function log.append from public;
grant execute on function log.append to skein_service;
