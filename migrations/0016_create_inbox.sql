-- The notifications of accounts. They are filled when they are read or awaited, from the read models, and can be lost
-- without harm: only their numbers would begin again.

-- One row for each account whose notifications were filled before.
create table vault.inboxes (
    account uuid   primary key,
    -- How often they were filled: whoever finds out what is new records it only if no other process has filled since.
    fills   bigint not null default 0,
    -- The region whose targets the account was told of; null: none.
    region  text,
    -- The first day of the first week whose targets it is told of; null: nothing was filled yet.
    since   date
);
grant select, insert, update, delete on vault.inboxes to skein_service;

create table vault.inbox (
    account uuid    not null,
    -- Counts from 1 for each account, without gaps.
    number  integer not null check (number > 0),
    -- The number of a moderator's action in the read model, from which all else is read, so that redactions take
    -- effect; null: it is about targets.
    review  integer,
    -- targets-chosen | target-replaced | target-sent | target-captured | target-lost
    kind    text,
    -- The region and the first day of the week of the targets.
    region  text,
    monday  date,
    -- null: all of the week.
    target  uuid,
    -- The finding that counts, or counted, for the target.
    finding uuid,
    -- When targets were chosen or replaced, or when a change of a capture was noticed.
    at      timestamptz,
    primary key (account, number),
    check (case when review is null
                then kind is not null and region is not null and monday is not null and at is not null
                else kind is null end)
);
create unique index inbox_review on vault.inbox (account, review) where review is not null;
create unique index inbox_chosen on vault.inbox (account, region, monday) where kind = 'targets-chosen';
create unique index inbox_replaced on vault.inbox (account, target) where kind = 'target-replaced';
grant select, insert, update, delete on vault.inbox to skein_service;

-- The findings that counted for targets when an account's notifications were filled last.
create table vault.inbox_captures (
    account  uuid    not null,
    target   uuid    not null,
    region   text    not null,
    monday   date    not null,
    finding  uuid    not null,
    -- Whether the target is captured; it is sent otherwise.
    captured boolean not null,
    primary key (account, target)
);
grant select, insert, update, delete on vault.inbox_captures to skein_service;

-- vault.forget_inbox: deletes the notifications of an account.
-- Why this shape: the statements of a function see what was committed before each, so that what is recorded while it
-- waits for the row is deleted, too.
create function vault.forget_inbox(p_account uuid) returns void language plpgsql as $$
begin
    perform from vault.inboxes i where i.account = p_account for update;
    delete from vault.inbox i where i.account = p_account;
    delete from vault.inbox_captures c where c.account = p_account;
    delete from vault.inboxes i where i.account = p_account;
end $$;
revoke execute on function vault.forget_inbox from public;
grant execute on function vault.forget_inbox to skein_service;
