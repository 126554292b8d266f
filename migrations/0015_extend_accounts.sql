-- What accounts keep beside the log, and erase.

-- vault.forget_names: erases the names of an account that were typed before an event which says that they are erased.
-- Why this shape: as a trigger it is part of the append, so that no event of this kind is without its effect.
create function vault.forget_names() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    delete from vault.content c
     where c.stream = new.stream and c.position < new.position
       and (c.field = 'displayName' or (c.field = 'name' and new.type = 'AccountNamesForgotten'));
    return null;
end $$;
revoke execute on function vault.forget_names from public;

-- Cloned to every partition, those to come included.
create trigger forget_names after insert on log.events for each row
    when (new.type in ('AccountNamesForgotten', 'DisplayNameRemoved')) execute function vault.forget_names();

-- The taxa that an account marks for itself. No other account sees them, and nothing depends on them.
create table vault.favourites (
    account  uuid        not null,
    taxon    uuid        not null,
    added_at timestamptz not null default log.clock(),
    primary key (account, taxon)
);
grant select, insert, delete on vault.favourites to skein_service;

-- vault.add_favourite: adds a taxon to an account's favourites, unless it has p_most already.
-- Result: whether it is among them now. One that was there before keeps its time.
-- Why this shape: the lock makes each of simultaneous requests count those before it.
create function vault.add_favourite(p_account uuid, p_taxon uuid, p_most bigint) returns boolean
language plpgsql as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('vault.add_favourite ' || p_account, 0));
    insert into vault.favourites (account, taxon)
    select p_account, p_taxon
     where (select count(*) from vault.favourites f where f.account = p_account) < p_most
    on conflict do nothing;
    return exists (select from vault.favourites f where f.account = p_account and f.taxon = p_taxon);
end $$;
revoke execute on function vault.add_favourite from public;
grant execute on function vault.add_favourite to skein_service;
