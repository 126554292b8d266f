-- vault.forget_account: as before, but locks an account's uploads before its quotas, in the order in which an upload
-- that ends or completes locks them, and the uploads in the order in which they give way to others. Otherwise each
-- could wait for the other.
create or replace function vault.forget_account(p_account uuid, p_last boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if not exists (select from vault.erasures e where e.account = p_account) then
        return;
    end if;
    if p_last then
        perform from vault.uploads u where u.account = p_account order by u.until, u.id for update;
        delete from vault.uploads u where u.account = p_account;
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
end $$;
