-- Mails, the codes that they carry, and API keys. Working state, like sessions: it is updated and deleted, and the log
-- knows nothing of it.

-- Mails that wait to be sent.
create table vault.mails (
    id         uuid        primary key,
    -- What the mail is about; its text is written when it is sent.
    kind       text        not null,
    -- null: the account is the one that holds the address when the mail is sent, if there is one.
    account    uuid,
    -- null: sent.
    address    text,
    queued_at  timestamptz not null default log.clock(),
    -- Not sent after that.
    expires_at timestamptz not null,
    -- When it is due; while a process sends it, when another one may.
    next_at    timestamptz not null default log.clock(),
    -- Attempts that have begun.
    attempts   integer     not null default 0,
    -- The attempt under way.
    claim      uuid,
    sent_at    timestamptz,
    check ((sent_at is null) = (address is not null))
);
create index mails_next_at on vault.mails (next_at) where sent_at is null;
create index mails_expires_at on vault.mails (expires_at);
create index mails_account on vault.mails (account) where account is not null;
grant select, insert, update, delete on vault.mails to skein_service;

-- The codes that mails carried. Only the SHA-256 of a code is stored; one of 120 random bits needs no salt and no slow
-- hash.
create table vault.mail_codes (
    digest     bytea       primary key check (octet_length(digest) = 32),
    -- That of the mail.
    kind       text        not null,
    account    uuid        not null,
    -- The address that received it.
    address    text        not null,
    expires_at timestamptz not null,
    -- The command that used it, which may be retried; null: it can be used.
    used_by    uuid
);
create index mail_codes_account on vault.mail_codes (account);
create index mail_codes_expires_at on vault.mail_codes (expires_at);
grant select, insert, update, delete on vault.mail_codes to skein_service;

-- What the client called itself when it logged in (its User-Agent); null: it did not.
alter table vault.sessions add column device text;

-- An account has one address: reserving another one releases the former, in the same transaction.
create index reservations_email on vault.reservations (holder) where kind = 'email';

create function vault.release_former_email() returns trigger language plpgsql as $$
begin
    delete from vault.reservations r
     where r.kind = 'email' and r.holder = new.holder and r.value <> new.value;
    return null;
end $$;
revoke execute on function vault.release_former_email from public;

create trigger release_former_email after insert on vault.reservations
    for each row when (new.kind = 'email') execute function vault.release_former_email();

-- The keys with which scripts act for an account. Only the SHA-256 of a key is stored; one of 256 random bits needs no
-- salt and no slow hash.
create table vault.api_keys (
    id         uuid        primary key,
    account    uuid        not null,
    -- Typed by the owner.
    name       text        not null,
    -- read | submit | research
    scopes     text[]      not null,
    digest     bytea       not null unique check (octet_length(digest) = 32),
    created_at timestamptz not null,
    -- null: it does not expire.
    expires_at timestamptz,
    -- To the minute; null: never.
    used_at    timestamptz
);
create index api_keys_account on vault.api_keys (account);
grant select, insert, update, delete on vault.api_keys to skein_service;

-- vault.add_api_key: adds a key, unless its account has too many.
--   p_most   the most that it may have
-- Result: whether it was added.
-- Why this shape: the statements of a function see what was committed before each, so that of requests that come at
-- once every one counts those before it.
create function vault.add_api_key(
    p_id uuid, p_account uuid, p_name text, p_scopes text[], p_digest bytea, p_created_at timestamptz,
    p_expires_at timestamptz, p_most bigint)
returns boolean language plpgsql as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('vault.add_api_key ' || p_account, 0));
    insert into vault.api_keys (id, account, name, scopes, digest, created_at, expires_at)
    select p_id, p_account, p_name, p_scopes, p_digest, p_created_at, p_expires_at
     where (select count(*) from vault.api_keys k where k.account = p_account) < p_most;
    return found;
end $$;
revoke execute on function vault.add_api_key from public;
grant execute on function vault.add_api_key to skein_service;
