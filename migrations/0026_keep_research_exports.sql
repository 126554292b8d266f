-- Exports of researchers: what they ask for, for seven days. Their bytes are made while they are sent.
create table vault.research_exports (
    id           uuid        primary key,
    account      uuid        not null,
    -- The idempotency key of the request.
    key          uuid        not null,
    format       text        not null,
    -- The filter, as payloads have it.
    filter       text        not null,
    -- with | only
    rejected     text        not null,
    -- The day (UTC) at whose end it is as of; null for the moment of the request.
    as_of        date,
    -- P of the export, and P for guarded records.
    known        bigint      not null,
    guarded      bigint      not null,
    requested_at timestamptz not null default log.clock(),
    unique (account, key)
);
create index research_exports_requested on vault.research_exports (requested_at);
grant select, insert, delete on vault.research_exports to skein_service;

-- vault.forget_account: as before, and the account's research exports end.
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
    delete from vault.export_turns t where t.account = p_account;
    delete from vault.research_exports x where x.account = p_account;
end $$;
