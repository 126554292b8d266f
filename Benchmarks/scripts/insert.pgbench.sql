-- What pgbench measures beside a submission: one row into the plain table of reference.sql, a new stream each time.
-- Parameter: payload, a submission's event as JSON. Result: one row. The other values are made up.
insert into reference.events (stream, version, type, command, fingerprint, actor, recorded_at, nonce, payload)
values (gen_random_uuid(), 1, 'SightingSubmitted', gen_random_uuid(), '\x00112233445566778899aabbccddeeff',
        '00000000-0000-7000-8000-000000000001', clock_timestamp(), gen_random_uuid(), :payload::json);
