-- Working state of photos and of moderation. Like sessions, it is updated and deleted, and the log knows nothing of it.

-- The photos an account sent on a day in UTC, and their bytes: a quota against a full disk.
create table vault.photo_quotas (
    account uuid   not null,
    day     date   not null,
    photos  bigint not null,
    bytes   bigint not null,
    primary key (account, day)
);
grant select, insert, update, delete on vault.photo_quotas to skein_service;

-- vault.use_photo_quota: counts a photo of some bytes, unless the day's quota is used up.
--   p_photos, p_limit   the quota of photos and of bytes
-- Result: whether it was counted. Days that are over are forgotten.
create function vault.use_photo_quota(p_account uuid, p_day date, p_bytes bigint, p_photos bigint, p_limit bigint)
returns boolean language plpgsql as $$
begin
    delete from vault.photo_quotas q where q.account = p_account and q.day < p_day;
    insert into vault.photo_quotas as q (account, day, photos, bytes) values (p_account, p_day, 1, p_bytes)
    on conflict (account, day) do update set photos = q.photos + 1, bytes = q.bytes + excluded.bytes
     where q.photos < p_photos and q.bytes + excluded.bytes <= p_limit;
    return found;
end $$;
revoke execute on function vault.use_photo_quota from public;
grant execute on function vault.use_photo_quota to skein_service;

-- Items of the queue that a moderator has reserved.
create table vault.claims (
    -- photo | sighting
    subject   text        not null,
    id        uuid        not null,
    moderator uuid        not null,
    until     timestamptz not null,
    primary key (subject, id)
);
create index claims_moderator on vault.claims (moderator, until);
create index claims_until on vault.claims (until);
grant select, insert, update, delete on vault.claims to skein_service;

-- Readings of exact places of generalised or private records: by whom, of what, on which day in UTC.
create table vault.exact_reads (
    account  uuid not null,
    sighting uuid not null,
    day      date not null,
    primary key (account, sighting, day)
);
create index exact_reads_sighting on vault.exact_reads (sighting, day);
create index exact_reads_day on vault.exact_reads (day);
grant select, insert on vault.exact_reads to skein_service;

-- How often an account did something on a day in UTC: quotas against a flood of it.
create table vault.daily_quotas (
    account uuid   not null,
    kind    text   not null,
    day     date   not null,
    used    bigint not null,
    primary key (account, kind, day)
);
grant select, insert, update, delete on vault.daily_quotas to skein_service;

-- vault.use_daily_quota: counts one, unless the day's quota is used up.
-- Result: whether it was counted. Days that are over are forgotten.
create function vault.use_daily_quota(p_account uuid, p_kind text, p_day date, p_limit bigint) returns boolean
language plpgsql as $$
begin
    delete from vault.daily_quotas q where q.account = p_account and q.kind = p_kind and q.day < p_day;
    insert into vault.daily_quotas as q (account, kind, day, used) values (p_account, p_kind, p_day, 1)
    on conflict (account, kind, day) do update set used = q.used + 1 where q.used < p_limit;
    return found;
end $$;
revoke execute on function vault.use_daily_quota from public;
grant execute on function vault.use_daily_quota to skein_service;

-- Up to which number an account has read its notifications.
create table vault.notifications_read (
    account uuid    primary key,
    up_to   integer not null
);
grant select, insert, update, delete on vault.notifications_read to skein_service;

-- What moderators usually work on: the defaults of their queue.
create table vault.moderators (
    account uuid   primary key,
    -- Codes of regions; empty: all, and records without one.
    regions text[] not null,
    -- Taxa with all below them; empty: all, and unidentified records.
    taxa    uuid[] not null
);
grant select, insert, update, delete on vault.moderators to skein_service;
