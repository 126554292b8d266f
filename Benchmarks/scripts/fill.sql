-- Fills a log through log.append itself, on the server: nothing travels.
create schema bench;

-- Ids as v7 keys give them: in order, the rest as good as random.
create function bench.id(what text, n bigint) returns uuid language sql immutable as $$
    select (lpad(to_hex(1700000000000 + n), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid
      from (select md5(what || n) as h) d
$$;

-- Batch b (0, 1, 2 …): 900 new sightings and, from batch 1 on, 100 corrections of sightings of batch b / 2.
-- The template is a payload with @observer@, @day@, @latitude@ and @longitude@ in it. Without an account there are
-- 10,007 observers; without a note nothing is written beside the log.
create function bench.fill(b bigint, template text, account uuid, note text) returns bigint language plpgsql as $$
declare
    head bigint;
begin
    if b % 500 = 0 then
        perform log.add_partitions(3);
    end if;
    with commands as (
        select n, row_number() over (order by n) as ord, n <= b * 900 as corrects
          from (select generate_series(b * 900 + 1, b * 900 + 900) as n
                union all
                select generate_series(1, 100) + (b / 2) * 900 + (b % 2) * 100 where b > 0) numbers
    ), events as (
        select n, ord, corrects, bench.id('stream', n) as stream,
               bench.id(case when corrects then 'correct' else 'submit' end, n) as command,
               coalesce(account, bench.id('observer', n * 7919 % 10007)) as observer,
               case when corrects then 'SightingCorrected' else 'SightingSubmitted' end as type,
               case when corrects then '{"count":' || n % 40 + 1 || ',"confidence":' || n % 10 + 1 || '}'
                    else replace(replace(replace(replace(template,
                        '@observer@', coalesce(account, bench.id('observer', n * 7919 % 10007))::text),
                        '@day@', (date '2024-01-01' + (n * 31 % 700)::integer)::text),
                        '@latitude@', (32 + n * 104729 % 160000 / 10000.0)::text),
                        '@longitude@', (-120 + n * 15485863 % 400000 / 10000.0)::text) end as payload
          from commands
    ), arrays as (
        select array_agg(stream order by ord) as streams, array_agg('sighting'::text) as kinds,
               array_agg(corrects::integer order by ord) as expected, array_agg(command order by ord) as commands,
               array_agg(uuid_send(command) order by ord) as fingerprints, array_agg(observer order by ord) as actors,
               array_agg(1) as ones, array_agg(ord::integer order by ord) as numbers,
               array_agg(type order by ord) as types, array_agg(payload order by ord) as payloads,
               array_agg(gen_random_uuid()) as nonces,
               coalesce(array_agg(ord::integer order by ord) filter (where note is not null and not corrects), '{}')
                   as noted
          from events
    )
    select max(r.position) into head
      from arrays a
     cross join lateral log.append(
        (select epoch from log.head), clock_timestamp(),
        a.streams, a.kinds, a.expected, a.commands, a.fingerprints, a.actors, a.ones,
        a.numbers, a.ones, a.types, a.payloads, a.nonces,
        a.noted, array_fill(1, array[cardinality(a.noted)]),
        array_fill('notes'::text, array[cardinality(a.noted)]), array_fill(note, array[cardinality(a.noted)]),
        '{}', '{}', '{}') r
     where r.outcome = 0;
    return head;
end $$;
