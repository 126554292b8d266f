-- Signing in: sessions, their refresh tokens, and the keys that access tokens are signed with. This is working state,
-- so it is updated and deleted like any other table and the log knows nothing of it: losing it costs everyone a
-- sign-in.

-- One row a sign-in. The refresh tokens that come of it, each by rotation of the one before, are its family.
create table vault.sessions (
    id         uuid        primary key,
    account    uuid        not null,
    started_at timestamptz not null,
    -- When its newest refresh token runs out.
    expires_at timestamptz not null,
    -- Set: none of its tokens is accepted any more.
    ended_at   timestamptz,
    end_reason text        check (end_reason in ('signed-out', 'reuse', 'account')),
    check ((ended_at is null) = (end_reason is null))
);
create index sessions_account on vault.sessions (account);
create index sessions_expires_at on vault.sessions (expires_at);
create index sessions_ended_at on vault.sessions (ended_at) where ended_at is not null;
grant select, insert, update, delete on vault.sessions to skein_service;

-- Only the SHA-256 of a token is stored: a reader of this table cannot sign in with it. A token of 256 random bits
-- needs no salt and no slow hash.
create table vault.refresh_tokens (
    digest      bytea       primary key check (octet_length(digest) = 32),
    session     uuid        not null references vault.sessions (id) on delete cascade,
    -- The token this one was issued for; null: issued at sign-in. The successor names its predecessor, because a token
    -- honoured twice has two successors.
    predecessor bytea       check (octet_length(predecessor) = 32),
    issued_at   timestamptz not null,
    expires_at  timestamptz not null,
    -- The first time it was presented.
    used_at     timestamptz,
    -- Another successor of its predecessor was used instead.
    revoked_at  timestamptz,
    check (used_at is null or revoked_at is null)
);
create index refresh_tokens_session on vault.refresh_tokens (session);
create index refresh_tokens_predecessor on vault.refresh_tokens (predecessor) where predecessor is not null;
create index refresh_tokens_expires_at on vault.refresh_tokens (expires_at);
grant select, insert, update, delete on vault.refresh_tokens to skein_service;

-- vault.rotate_refresh_token: exchanges a refresh token for its successor.
--   p_digest, p_successor   SHA-256 of the token presented and of the one to be issued
--   p_now, p_expires_at     the caller's time, and when the successor runs out
--   p_grace                 how long a used token is honoured again while no successor of it has been used: the answer
--                           that carried the successor may have been lost. Counted from the first use.
-- Result: one row, outcome 'rotated' | 'unknown' | 'expired' | 'ended' | 'reused', with session and account unless
-- unknown.
-- 'reused' has ended the session: one of two holders of the token is not its owner, and which one is unknown.
-- Why a function: rivals with tokens of one family take turns at the session's row. Each statement after that lock has
-- a snapshot of its own and sees what the rival before has done; the parts of a single statement would not.
create function vault.rotate_refresh_token(
    p_digest bytea, p_successor bytea, p_now timestamptz, p_expires_at timestamptz, p_grace interval)
returns table (outcome text, session uuid, account uuid)
language plpgsql as $$
#variable_conflict use_column
declare
    family vault.sessions;
    token  vault.refresh_tokens;
begin
    select s.* into family
      from vault.sessions s
     where s.id = (select t.session from vault.refresh_tokens t where t.digest = p_digest)
       for no key update of s;
    select t.* into token from vault.refresh_tokens t where t.digest = p_digest;
    if family.id is null or token.digest is null then
        return query select 'unknown', null::uuid, null::uuid;
        return;
    end if;
    if family.ended_at is not null then
        return query select 'ended', family.id, family.account;
        return;
    end if;
    if token.expires_at <= p_now then
        return query select 'expired', family.id, family.account;
        return;
    end if;
    if token.revoked_at is not null
        or token.used_at <= p_now - p_grace
        or exists (select from vault.refresh_tokens t where t.predecessor = p_digest and t.used_at is not null)
    then
        update vault.sessions s set ended_at = p_now, end_reason = 'reuse' where s.id = family.id;
        return query select 'reused', family.id, family.account;
        return;
    end if;
    update vault.refresh_tokens t set used_at = p_now where t.digest = p_digest and t.used_at is null;
    update vault.refresh_tokens t set revoked_at = p_now
     where t.predecessor = token.predecessor and t.digest <> p_digest and t.revoked_at is null;
    insert into vault.refresh_tokens (digest, session, predecessor, issued_at, expires_at)
    values (p_successor, family.id, p_digest, p_now, p_expires_at);
    update vault.sessions s set expires_at = greatest(s.expires_at, p_expires_at) where s.id = family.id;
    return query select 'rotated', family.id, family.account;
end $$;
revoke execute on function vault.rotate_refresh_token from public;
grant execute on function vault.rotate_refresh_token to skein_service;

-- The secrets access tokens are signed with (HMAC-SHA-256).
create table vault.signing_keys (
    kid        uuid        primary key,
    secret     bytea       not null check (octet_length(secret) >= 32),
    created_at timestamptz not null,
    -- From then on it signs and verifies nothing; every token signed with it has run out before.
    retires_at timestamptz not null check (retires_at > created_at)
);
grant select, insert, update, delete on vault.signing_keys to skein_service;

-- vault.rotate_signing_key: adds the key given unless one was made within p_period, and forgets those retired.
--   p_kid, p_secret, p_now, p_retires_at   the new key
--   p_period                               how long the newest one is new enough
-- Result: the keys there are now, newest first. Any number of processes may call it at once; an advisory lock lets one
-- at a time in, and the next one then sees the new key.
create function vault.rotate_signing_key(
    p_kid uuid, p_secret bytea, p_now timestamptz, p_retires_at timestamptz, p_period interval)
returns setof vault.signing_keys
language plpgsql as $$
begin
    perform pg_advisory_xact_lock(hashtext('vault.rotate_signing_key'));
    delete from vault.signing_keys k where k.retires_at <= p_now;
    insert into vault.signing_keys (kid, secret, created_at, retires_at)
    select p_kid, p_secret, p_now, p_retires_at
     where not exists (select from vault.signing_keys k where k.created_at > p_now - p_period);
    return query select k.* from vault.signing_keys k order by k.created_at desc, k.kid;
end $$;
revoke execute on function vault.rotate_signing_key from public;
grant execute on function vault.rotate_signing_key to skein_service;
