-- The three roles of the database, made once for the whole cluster.
--   the owner     runs the migrations (DATABASE_OWNER_URL); owns everything in schema log
--   skein_service what the running service is, or is a member of: reads the log, appends through functions only
--   skein_redactor the only one that may change a payload, and only into a tombstone
-- Several databases of a cluster may be migrated at once, so "already there" is a success.
do $$
begin
    create role skein_service nologin;
exception when duplicate_object or unique_violation then null;
end $$;

do $$
begin
    create role skein_redactor nologin;
exception when duplicate_object or unique_violation then null;
end $$;

-- The owner may act as the redactor (`skein redact` does, with `set local role`); the service may not.
do $$
begin
    execute format('grant skein_redactor to %I', current_user);
exception when duplicate_object or unique_violation or invalid_grant_operation then null;
end $$;

-- The service makes the schemas of its read models itself; a read model never needs a migration.
do $$
begin
    execute format('grant create, connect, temporary on database %I to skein_service', current_database());
end $$;

create extension if not exists postgis;
