-- Makes the log append-only even for its owner. Statement triggers on the parent do not fire for a statement
-- on a partition, so log.add_partition repeats them there.
create function log.refuse_change() returns trigger language plpgsql as $$
begin
    raise exception 'the log is append-only: % on %.% rejected', tg_op, tg_table_schema, tg_table_name
        using errcode = 'insufficient_privilege';
end $$;

-- Lets exactly one change through: the redactor turning a payload, once, into the tombstone that names its hash.
create function log.refuse_update() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    if current_user = 'skein_redactor'
        and not old.payload::jsonb ? 'redacted'
        and new.payload::jsonb - 'redacted' = '{}'
        and new.payload::jsonb -> 'redacted' ->> 'sha256'
            = encode(sha256(uuid_send(old.nonce) || convert_to(old.payload::text, 'UTF8')), 'hex')
        and (new.position, new.stream, new.version, new.type, new.command, new.fingerprint, new.actor,
             new.recorded_at, new.nonce)
            is not distinct from
            (old.position, old.stream, old.version, old.type, old.command, old.fingerprint, old.actor,
             old.recorded_at, old.nonce)
    then
        return new;
    end if;
    raise exception 'the log is append-only: UPDATE on %.% rejected', tg_table_schema, tg_table_name
        using errcode = 'insufficient_privilege';
end $$;

-- A row trigger on a partitioned table is cloned to every partition, those to come included.
create trigger refuse_update before update on log.events for each row execute function log.refuse_update();
create trigger refuse_delete before delete on log.events for each statement execute function log.refuse_change();
create trigger refuse_truncate before truncate on log.events for each statement execute function log.refuse_change();
alter table log.events enable always trigger refuse_update;
alter table log.events enable always trigger refuse_delete;
alter table log.events enable always trigger refuse_truncate;

create trigger refuse_delete before delete on log.streams for each statement execute function log.refuse_change();
create trigger refuse_truncate before truncate on log.streams for each statement execute function log.refuse_change();
create trigger refuse_delete before delete on log.head for each statement execute function log.refuse_change();
create trigger refuse_truncate before truncate on log.head for each statement execute function log.refuse_change();
