-- vault.take_export_turn: as before, but the job of each turn is looked up by its key.
-- Why this shape: a join would read all jobs, of which there may be as many as mails and photos wait.
create or replace function vault.take_export_turn(p_account uuid, p_export uuid, p_own bigint, p_most bigint)
returns text
language plpgsql as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('vault.take_export_turn', 0));
    delete from vault.export_turns t
     where t.since < log.clock() - interval '1 minute'
       and (select j.subject from vault.jobs j
             where j.kind = 'export' and j.subject = t.export limit 1) is null;
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
