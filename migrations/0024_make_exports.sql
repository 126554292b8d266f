-- Exports that are to be made, those who wait for one, and the files that are kept of them.

-- The exports that accounts wait for. A row without a job, older than a minute, is of a request that came to nothing.
create table vault.export_turns (
    account uuid        not null,
    export  uuid        not null,
    since   timestamptz not null default log.clock(),
    primary key (account, export)
);
create index export_turns_export on vault.export_turns (export);
grant select, insert, update, delete on vault.export_turns to skein_service;

-- The files in the store of exports.
create table vault.export_files (
    -- SHA-256, in hexadecimal.
    sha256  text        primary key,
    bytes   bigint      not null,
    -- When it was stored last.
    stored_at timestamptz not null default log.clock(),
    -- When it was read last, to a minute, or else stored. The file that was read least recently leaves first.
    read_at timestamptz not null default log.clock()
);
create index export_files_read on vault.export_files (read_at);
grant select, insert, update, delete on vault.export_files to skein_service;

-- vault.follow_export: an export that is to be made has a job in vault.jobs (kind 'export'); its progress is the number
-- of rows written. With the end of the export, the job and the turns of all who wait for it end.
-- Why this shape: as a trigger it is part of the append, so an export never lacks its job.
create function vault.follow_export() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if new.type in ('ExportRequested', 'ExportReopened') then
        -- One that is left of an earlier request begins again: whoever has its claim has lost it.
        insert into vault.jobs as j (kind, subject) values ('export', new.stream)
        on conflict (kind, subject) do update set claim = null, due = log.clock(), attempts = 0, progress = 0;
    elsif new.type = 'ExportLeft' then
        -- While others have it made, the turn lasts: else one account could have many made by asking with another.
        delete from vault.export_turns t
         where t.export = new.stream and t.account = (new.payload ->> 'account')::uuid
           and not exists (select from vault.jobs j where j.kind = 'export' and j.subject = new.stream);
    else
        delete from vault.jobs j where j.kind = 'export' and j.subject = new.stream;
        delete from vault.export_turns t where t.export = new.stream;
    end if;
    return null;
end $$;
revoke execute on function vault.follow_export from public;

-- Cloned to every partition, those to come included.
create trigger follow_export after insert on log.events for each row
    when (new.type in ('ExportRequested', 'ExportReopened', 'ExportMade', 'ExportFailed', 'ExportCancelled',
                       'ExportLeft'))
    execute function vault.follow_export();

-- vault.take_export_turn: notes that an account waits for an export.
--   p_own    the most exports that an account may wait for; null: no limit
--   p_most   the most exports that may wait to be made; null: no limit
-- Result: taken | running (the account waits for others) | full
-- Why this shape: one request at a time counts those before it.
create function vault.take_export_turn(p_account uuid, p_export uuid, p_own bigint, p_most bigint) returns text
language plpgsql as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('vault.take_export_turn', 0));
    delete from vault.export_turns t
     where t.since < log.clock() - interval '1 minute'
       and not exists (select from vault.jobs j where j.kind = 'export' and j.subject = t.export);
    if (select count(*) from vault.export_turns t where t.account = p_account and t.export <> p_export) >= p_own then
        return 'running';
    end if;
    if (select count(*)
          from (select j.subject from vault.jobs j
                 -- Not those that wait for an hour to pass.
                 where j.kind = 'export' and (j.claim is not null or j.due <= log.clock())
                union
                select t.export from vault.export_turns t) w (export)
         where w.export <> p_export) >= p_most then
        return 'full';
    end if;
    insert into vault.export_turns as t (account, export) values (p_account, p_export)
    on conflict (account, export) do update set since = log.clock();
    return 'taken';
end $$;
revoke execute on function vault.take_export_turn from public;
grant execute on function vault.take_export_turn to skein_service;

-- vault.forget_account: as before, and the account waits for no exports.
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
end $$;
