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
    delete from vault.mails m
     where m.account = new.stream
        or lower(m.address) in (select lower(c.value) from vault.content c
                                 where c.stream = new.stream and c.field = 'email');
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

-- vault.refuse_erased: rejects the events of accounts that were erased (SKE06): a command that was under way would
-- leave words behind.
-- Why this shape: once for all events of an append, after the triggers of its rows, so that a command after the erasure
-- in one batch is rejected, too; alone, in the next one. For each row it would cost twice as much in a full batch.
create function vault.refuse_erased() returns trigger language plpgsql as $$
declare
    erased uuid;
begin
    select e.account into erased
      from appended a
      join vault.erasures e on e.account = a.actor
     where a.position > e.position limit 1;
    if found then
        raise exception 'the account % was erased', erased using errcode = 'SKE06';
    end if;
    return null;
end $$;
revoke execute on function vault.refuse_erased from public;

create trigger refuse_erased after insert on log.events referencing new table as appended
    for each statement execute function vault.refuse_erased();

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
