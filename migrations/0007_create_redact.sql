-- log.redact: the one guarded way past the triggers. Owned by skein_redactor and run as it (security definer), callable
-- by the owner only. In one transaction: appends PayloadRedacted to the event's stream (which takes the head's lock),
-- replaces the payload with a tombstone that keeps the hash of nonce and payload, and deletes the content written with
-- it.
--   p_position, p_reason   what and why; the reason is a code
--   p_command, p_nonce     of the PayloadRedacted event; the same command again finds the first outcome
--   p_sent_at              the caller's clock, as in log.take_head
-- The event's fingerprint is the beginning of the payload's hash, by which `skein verify` recognises the tombstone.
-- Result: the position of PayloadRedacted. Errors: SKE05 no such event, or it is a PayloadRedacted itself.
create function log.redact(p_position bigint, p_reason text, p_command uuid, p_nonce uuid, p_sent_at timestamptz)
returns bigint language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    target  log.events;
    stream  log.streams;
    hash    text;
    answer  record;
begin
    select * into target from log.events e where e.position = p_position;
    if not found or target.type = 'PayloadRedacted' then
        raise exception 'position % holds nothing to redact', p_position using errcode = 'SKE05';
    end if;
    select * into stream from log.streams s where s.id = target.stream;
    hash := coalesce(target.payload::jsonb #>> '{redacted,sha256}',
                     encode(sha256(uuid_send(target.nonce) || convert_to(target.payload::text, 'UTF8')), 'hex'));
    select * into answer from log.append(
        (select epoch from log.head), p_sent_at,
        array[stream.id], array[stream.kind], array[stream.version], array[p_command],
        array[decode(left(hash, 32), 'hex')],
        array['00000000-0000-0000-0000-000000000000'::uuid], array[1],
        array[1], array[1], array['PayloadRedacted'],
        array[json_build_object('position', p_position, 'reason', p_reason)::text], array[p_nonce],
        '{}', '{}', '{}', '{}', '{}', '{}', '{}');
    if answer.outcome > 1 then
        raise exception 'stream % changed meanwhile', stream.id using errcode = 'serialization_failure';
    end if;
    if not target.payload::jsonb ? 'redacted' then
        update log.events e
           set payload = json_build_object('redacted', json_build_object('reason', p_reason, 'sha256', hash))
         where e.position = p_position;
    end if;
    delete from vault.content c where c.stream = target.stream and c.position = p_position;
    return answer.position;
end $$;
revoke execute on function log.redact from public;

grant usage on schema vault to skein_redactor;
grant select, delete on vault.content to skein_redactor;
grant select on log.streams, log.head to skein_redactor;
grant execute on function log.append to skein_redactor;

-- ALTER … OWNER wants the new owner to be able to create in the schema; only for this moment.
grant create on schema log to skein_redactor;
alter function log.redact owner to skein_redactor;
revoke create on schema log from skein_redactor;
do $$
begin
    execute format('grant execute on function log.redact to %I', current_user);
end $$;
