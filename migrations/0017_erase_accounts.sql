-- Erasing accounts: what the event AccountErased does at once, and what is left to be done after it.

-- One row for each erased account. Rows stay: they are how the log knows that an account decides nothing any more.
create table vault.erasures (
    account       uuid        primary key,
    -- Of the event AccountErased.
    position      bigint      not null,
    -- keep | withdraw: what becomes of the account's sightings.
    sightings     text        not null,
    begun_at      timestamptz not null default log.clock(),
    -- Events of the account up to this position are dealt with.
    scanned_to    bigint      not null,
    -- While a process works on it, when another one may.
    claimed_until timestamptz not null default '-infinity',
    -- null: something is left to be done.
    finished_at   timestamptz
);
create index erasures_unfinished on vault.erasures (begun_at) where finished_at is null;
grant select, update on vault.erasures to skein_service;

-- Photos whose bytes have to go, once no upload of the same bytes is under way.
create table vault.erased_photos (
    account uuid not null,
    photo   uuid not null,
    primary key (account, photo)
);
grant select, insert, delete on vault.erased_photos to skein_service;

-- vault.begin_erasure: takes from an account what identifies it and what lets anyone act for it.
-- Why this shape: as a trigger it is part of the append. An account is erased with the event that says so, or not at
-- all; every later append sees the row in vault.erasures. Whatever may be much is left for later.
create function vault.begin_erasure() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    insert into vault.erasures (account, position, sightings, scanned_to)
    select s.id, new.position, new.payload ->> 'sightings', s.first_position - 1
      from log.streams s where s.id = new.stream
    on conflict do nothing;
    -- Former addresses may be another account's.
    delete from vault.mails m
     where m.account = new.stream
        or m.account is null
           and lower(m.address) = (select lower(c.value) from vault.content c
                                    where c.stream = new.stream and c.field = 'email'
                                    order by c.position desc limit 1);
    delete from vault.mail_codes k where k.account = new.stream;
    delete from vault.reservations r where r.kind = 'email' and r.holder = new.stream;
    delete from vault.content c where c.stream = new.stream;
    update vault.sessions s
       set ended_at = coalesce(s.ended_at, log.clock()), end_reason = coalesce(s.end_reason, 'account'), device = null
     where s.account = new.stream;
    delete from vault.refresh_tokens t
     where t.session in (select s.id from vault.sessions s where s.account = new.stream);
    delete from vault.api_keys k where k.account = new.stream;
    return null;
end $$;
revoke execute on function vault.begin_erasure from public;

-- Cloned to every partition, those to come included.
create trigger begin_erasure after insert on log.events for each row
    when (new.type = 'AccountErased') execute function vault.begin_erasure();

-- vault.reject_erased: rejects commands of accounts that were erased before (SKE06): otherwise a command under way
-- could store text after the erasure.
--   p_actor, p_outcomes, p_bases   by command, as in log.append
-- Why this shape: by now the head's lock is held, so that every erasure before is committed, or of this batch. The
-- batch is retried command by command.
create function vault.reject_erased(p_actor uuid[], p_outcomes smallint[], p_bases bigint[]) returns void
language plpgsql as $$
declare
    erased uuid;
begin
    select e.account into erased
      from unnest(p_actor, p_outcomes, p_bases) c (actor, outcome, base)
      join vault.erasures e on e.account = c.actor
     where c.outcome = 0 and c.base >= e.position limit 1;
    if found then
        raise exception 'the account % was erased', erased using errcode = 'SKE06';
    end if;
end $$;
revoke execute on function vault.reject_erased from public;

-- log.append: as before, and rejects commands of erased accounts. A look-up once for each batch.
create or replace function log.append(
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

    if exists (select from vault.erasures e where e.account = any (p_actor)) then
        perform vault.reject_erased(p_actor, outcomes, bases);
    end if;

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

-- vault.forget_account: deletes what else the vault has of an erased account. Idempotent; does nothing for others.
--   p_last   whether no request of the account is under way any more; before, its uploads are needed to find files
create function vault.forget_account(p_account uuid, p_last boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if not exists (select from vault.erasures e where e.account = p_account) then
        return;
    end if;
    -- What requests that were under way may have left since.
    delete from vault.mails m where m.account = p_account;
    delete from vault.mail_codes k where k.account = p_account;
    delete from vault.api_keys k where k.account = p_account;
    delete from vault.sessions s where s.account = p_account;
    delete from vault.favourites f where f.account = p_account;
    delete from vault.claims c where c.moderator = p_account;
    delete from vault.moderators m where m.account = p_account;
    delete from vault.notifications_read n where n.account = p_account;
    perform vault.forget_inbox(p_account);
    delete from vault.photo_quotas q where q.account = p_account;
    delete from vault.daily_quotas q where q.account = p_account;
    delete from vault.uploads u where p_last and u.account = p_account;
end $$;
revoke execute on function vault.forget_account from public;
grant execute on function vault.forget_account to skein_service;
