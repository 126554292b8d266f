-- Unfinished uploads count towards the quota of the day, and all of them together are bounded.

alter table vault.uploads
    -- The bytes that it counts as: as many as it has or will have; while that is unknown, as many as a photo may have.
    add column reserved bigint not null default 25000000,
    -- The day in UTC whose quota it counts towards; null: none, of a program that counted photos only.
    add column day date;

-- vault.reserve_upload: remembers an upload and counts it towards its account's quota of the day.
--   p_reserved         the bytes that it counts as
--   p_most             the most unfinished uploads that the account may have
--   p_photos, p_limit  the account's quota of photos and of bytes
--   p_total            the most bytes that the unfinished uploads of all accounts may count as
-- Result: outcome 'begun' | 'too-many' | 'quota' | 'full', and the uploads that were ended to make room. When all is
-- full, the account that has most gives way to one that would have less, so that no account keeps the others out by
-- beginning uploads.
-- Why this shape: the lock lets every request count those before it. What is counted or ended before it turns out that
-- there is no room is undone with the inner block.
create function vault.reserve_upload(
    p_id uuid, p_account uuid, p_sighting uuid, p_key uuid, p_length bigint, p_reserved bigint, p_day date,
    p_now timestamptz, p_until timestamptz, p_most bigint, p_photos bigint, p_limit bigint, p_total bigint,
    out outcome text, out ended uuid[])
language plpgsql as $$
declare
    mine     bigint;
    own      bigint;
    everyone bigint;
    heaviest record;
    victim   uuid;
begin
    ended := '{}';
    perform pg_advisory_xact_lock(hashtextextended('vault.reserve_upload', 0));
    select count(*), coalesce(sum(u.reserved), 0) into mine, own
      from vault.uploads u where u.account = p_account and not u.complete and u.until > p_now;
    if mine >= p_most then
        outcome := 'too-many';
        return;
    end if;
    begin
        if not vault.use_photo_quota(p_account, p_day, p_reserved, p_photos, p_limit) then
            outcome := 'quota';
            return;
        end if;
        select coalesce(sum(u.reserved), 0) into everyone
          from vault.uploads u where not u.complete and u.until > p_now;
        while everyone + p_reserved > p_total loop
            select u.account, sum(u.reserved) as bytes into heaviest
              from vault.uploads u where not u.complete and u.until > p_now
             group by u.account order by sum(u.reserved) desc, u.account limit 1;
            if heaviest.account is null or heaviest.bytes <= own + p_reserved then
                raise exception 'no room for another upload' using errcode = 'SKE07';
            end if;
            delete from vault.uploads d
             where d.id = (select u.id from vault.uploads u
                            where u.account = heaviest.account and not u.complete and u.until > p_now
                            order by u.until, u.id limit 1)
            returning d.id, everyone - d.reserved into victim, everyone;
            ended := ended || victim;
        end loop;
        insert into vault.uploads (id, account, sighting, key, length, until, reserved, day)
        values (p_id, p_account, p_sighting, p_key, p_length, p_until, p_reserved, p_day);
        outcome := 'begun';
    exception when sqlstate 'SKE07' then
        outcome := 'full';
        ended := '{}';
    end;
end $$;
revoke execute on function vault.reserve_upload from public;
grant execute on function vault.reserve_upload to skein_service;
