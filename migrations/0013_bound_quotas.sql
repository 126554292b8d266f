-- Quotas that hold from the first of a day on, and for requests that come at once.

-- vault.use_photo_quota: counts a photo of some bytes, unless the day's quota is used up.
--   p_photos, p_limit   the quota of photos and of bytes; 0 admits none
-- Result: whether it was counted. Days that are over are forgotten.
create or replace function vault.use_photo_quota(
    p_account uuid, p_day date, p_bytes bigint, p_photos bigint, p_limit bigint)
returns boolean language plpgsql as $$
begin
    delete from vault.photo_quotas q where q.account = p_account and q.day < p_day;
    insert into vault.photo_quotas as q (account, day, photos, bytes)
    select p_account, p_day, 1, p_bytes where p_photos > 0 and p_bytes <= p_limit
    on conflict (account, day) do update set photos = q.photos + 1, bytes = q.bytes + excluded.bytes
     where q.photos < p_photos and q.bytes + excluded.bytes <= p_limit;
    return found;
end $$;

-- vault.use_daily_quota: counts one, unless the day's quota is used up.
--   p_limit   the quota; 0 admits none
-- Result: whether it was counted. Days that are over are forgotten.
create or replace function vault.use_daily_quota(p_account uuid, p_kind text, p_day date, p_limit bigint)
returns boolean language plpgsql as $$
begin
    delete from vault.daily_quotas q where q.account = p_account and q.kind = p_kind and q.day < p_day;
    insert into vault.daily_quotas as q (account, kind, day, used)
    select p_account, p_kind, p_day, 1 where p_limit > 0
    on conflict (account, kind, day) do update set used = q.used + 1 where q.used < p_limit;
    return found;
end $$;

-- vault.begin_upload: remembers an upload, unless its account has too many that are not complete.
--   p_most   the most that it may have
-- Result: whether it is remembered.
-- Why this shape: the statements of a function see what was committed before each, so that of requests that come at
-- once every one counts those before it.
create function vault.begin_upload(
    p_id uuid, p_account uuid, p_sighting uuid, p_key uuid, p_length bigint, p_now timestamptz, p_until timestamptz,
    p_most bigint)
returns boolean language plpgsql as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('vault.begin_upload ' || p_account, 0));
    insert into vault.uploads (id, account, sighting, key, length, until)
    select p_id, p_account, p_sighting, p_key, p_length, p_until
     where (select count(*) from vault.uploads u
             where u.account = p_account and not u.complete and u.until > p_now) < p_most;
    return found;
end $$;
revoke execute on function vault.begin_upload from public;
grant execute on function vault.begin_upload to skein_service;
