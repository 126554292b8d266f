-- Mail that waits to be sent. Working state, like sessions: it is updated and deleted, and the log knows nothing of it.

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
