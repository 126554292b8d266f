-- A schema for temporary objects that the path does not name is searched before it for types: whoever may create a
-- domain pg_temp.json would have its check run as the functions' owner. Named last, it is searched last.
alter function log.append set search_path = pg_catalog, pg_temp;
alter function log.redact set search_path = pg_catalog, pg_temp;
alter function log.add_partitions set search_path = pg_catalog, log, pg_temp;

-- Lets exactly one change through: the redactor turning a payload, once, into the tombstone that names its hash.
create or replace function log.refuse_update() returns trigger
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
    raise exception 'the log is append-only: UPDATE on %.% refused', tg_table_schema, tg_table_name
        using errcode = 'insufficient_privilege';
end $$;
