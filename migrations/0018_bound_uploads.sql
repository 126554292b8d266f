-- Unfinished uploads count towards the quota of the day, and all of them together are bounded.

alter table vault.uploads
    -- The bytes that it counts as: as many as it has or will have; while that is unknown, as many as a photo may have.
    add column reserved bigint not null default 25000000,
    -- The day in UTC whose quota it counts towards; null: none, of a program that counted photos only.
    add column day date,
    -- Whether it was ended to make room for others. The row stays until its time is over: its client learns why, and
    -- the process that has the bytes settles what it counts as.
    add column ended boolean not null default false;

-- vault.count_upload: lowers what an upload counts as, also in the quota of its day.
--   p_bytes  as what it counts from now on; nothing changes where that is no less
-- Why this shape: the lock on the row lets each byte be given back once only, whoever settles at the same time.
create function vault.count_upload(p_id uuid, p_bytes bigint) returns void language plpgsql as $$
declare
    counted record;
begin
    select u.account, u.day, u.reserved into counted from vault.uploads u where u.id = p_id for update;
    if not found or counted.reserved <= p_bytes then
        return;
    end if;
    update vault.uploads u set reserved = p_bytes where u.id = p_id;
    update vault.photo_quotas q set bytes = greatest(0, q.bytes - (counted.reserved - p_bytes))
     where q.account = counted.account and q.day = counted.day;
end $$;
revoke execute on function vault.count_upload from public;
grant execute on function vault.count_upload to skein_service;

-- vault.set_upload_length: stores the total number of bytes of an upload, as which it counts from now on.
-- Result: false where it is not known, or has another length: of two lengths at once the first one stays.
create function vault.set_upload_length(p_id uuid, p_length bigint) returns boolean language plpgsql as $$
begin
    update vault.uploads u set length = p_length
     where u.id = p_id and (u.length is null or u.length = p_length);
    if not found then
        return false;
    end if;
    perform vault.count_upload(p_id, p_length);
    return true;
end $$;
revoke execute on function vault.set_upload_length from public;
grant execute on function vault.set_upload_length to skein_service;

-- vault.heaviest_upload: the upload to end first when there is no room: the oldest one of the account that has most.
--   p_bytes  what the account that asks would have; no account gives way that has no more
create function vault.heaviest_upload(p_now timestamptz, p_bytes bigint) returns uuid language sql stable as $$
    select u.id
      from vault.uploads u
      join (select h.account from vault.uploads h
             where not h.complete and not h.ended and h.until > p_now
             group by h.account having sum(h.reserved) > p_bytes
             order by sum(h.reserved) desc, h.account limit 1) h on h.account = u.account
     where not u.complete and not u.ended and u.until > p_now
     order by u.until, u.id limit 1
$$;

-- vault.reserve_upload: remembers an upload and counts it towards its account's quota of the day.
--   p_reserved         the bytes that it counts as
--   p_most             the most unfinished uploads that the account may have
--   p_photos, p_limit  the account's quota of photos and of bytes
--   p_total            the most bytes that the unfinished uploads of all accounts may count as
-- Result: outcome 'begun' | 'too-many' | 'quota' | 'full', and the uploads that were ended to make room. When all is
-- full, the account that has most gives way to one that would have less, so that no account keeps the others out by
-- beginning uploads.
-- Why this shape: the lock lets every request count those before it. Uploads also end, expire and complete without it,
-- so the sum is taken again after each one that had to give way; the condition on `complete` is looked at again when
-- the row is locked. What is counted or ended before it turns out that there is no room is undone with the inner block.
create function vault.reserve_upload(
    p_id uuid, p_account uuid, p_sighting uuid, p_key uuid, p_length bigint, p_reserved bigint, p_day date,
    p_now timestamptz, p_until timestamptz, p_most bigint, p_photos bigint, p_limit bigint, p_total bigint,
    out outcome text, out ended uuid[])
language plpgsql as $$
declare
    mine   bigint;
    own    bigint;
    victim uuid;
begin
    ended := '{}';
    perform pg_advisory_xact_lock(hashtextextended('vault.reserve_upload', 0));
    select count(*), coalesce(sum(u.reserved), 0) into mine, own
      from vault.uploads u where u.account = p_account and not u.complete and not u.ended and u.until > p_now;
    if mine >= p_most then
        outcome := 'too-many';
        return;
    end if;
    begin
        if not vault.use_photo_quota(p_account, p_day, p_reserved, p_photos, p_limit) then
            outcome := 'quota';
            return;
        end if;
        while (select coalesce(sum(u.reserved), 0) + p_reserved > p_total
                 from vault.uploads u where not u.complete and not u.ended and u.until > p_now) loop
            victim := vault.heaviest_upload(p_now, own + p_reserved);
            if victim is null then
                raise exception 'no room for another upload' using errcode = 'SKE07';
            end if;
            update vault.uploads u set ended = true where u.id = victim and not u.complete and not u.ended;
            if found then
                ended := ended || victim;
            end if;
        end loop;
        insert into vault.uploads (id, account, sighting, key, length, until, reserved, day)
        values (p_id, p_account, p_sighting, p_key, p_length, p_until, p_reserved, p_day);
        outcome := 'begun';
    exception when sqlstate 'SKE07' then
        outcome := 'full';
        ended := '{}';
    end;
end $$;
revoke execute on function vault.heaviest_upload from public;
grant execute on function vault.heaviest_upload to skein_service;
revoke execute on function vault.reserve_upload from public;
grant execute on function vault.reserve_upload to skein_service;
