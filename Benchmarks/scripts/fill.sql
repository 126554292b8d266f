-- Fills a log through log.append itself, on the server: nothing travels. It drops what another script has made.
drop schema if exists bench cascade;
create schema bench;

-- Ids as the service makes them: as good as random.
create function bench.id(what text, n bigint) returns uuid language sql immutable as $$
    select (substr(h, 1, 12) || '8' || substr(h, 13, 3) || '8' || substr(h, 16, 15))::uuid
      from (select md5(what || n) as h) d
$$;

-- An event to be appended by a command of its own.
create type bench.entry as (
    stream uuid, kind text, expected integer, command uuid, actor uuid, type text, payload text, note text);

-- Appends events in their order. An event without a note has nothing beside the log; the note of an import is its row.
-- Returns the head.
create function bench.append(entries bench.entry[]) returns bigint language sql as $$
    with arrays as (
        select array_agg(e.stream order by ord) as streams, array_agg(e.kind order by ord) as kinds,
               array_agg(e.expected order by ord) as expected, array_agg(e.command order by ord) as commands,
               array_agg(uuid_send(e.command) order by ord) as fingerprints, array_agg(e.actor order by ord) as actors,
               array_agg(1) as ones, array_agg(ord::integer order by ord) as numbers,
               array_agg(e.type order by ord) as types, array_agg(e.payload order by ord) as payloads,
               array_agg(gen_random_uuid()) as nonces,
               coalesce(array_agg(ord::integer order by ord) filter (where e.note is not null), '{}') as noted,
               coalesce(array_agg(e.note order by ord) filter (where e.note is not null), '{}') as notes,
               coalesce(array_agg(case e.type when 'SightingImported' then 'record' else 'notes' end order by ord)
                            filter (where e.note is not null), '{}') as fields
          from unnest(entries) with ordinality
               e (stream, kind, expected, command, actor, type, payload, note, ord)
    )
    select max(r.position)
      from arrays a
     cross join lateral log.append(
        (select epoch from log.head), clock_timestamp(),
        a.streams, a.kinds, a.expected, a.commands, a.fingerprints, a.actors, a.ones,
        a.numbers, a.ones, a.types, a.payloads, a.nonces,
        a.noted, array_fill(1, array[cardinality(a.noted)]), a.fields,
        a.notes, '{}', '{}', '{}') r
     where r.outcome = 0
$$;

-- A payload of a sighting: the template has @observer@, @taxon@, @day@, @latitude@ and @longitude@ in it.
create function bench.sighting(template text, n bigint, observer uuid, taxon text) returns text
language sql immutable as $$
    select replace(replace(replace(replace(replace(template, '@observer@', observer::text), '@taxon@', taxon),
               '@day@', (date '2024-01-01' + (n * 31 % 700)::integer)::text),
               '@latitude@', (32 + n * 104729 % 160000 / 10000.0)::text),
               '@longitude@', (-120 + n * 15485863 % 400000 / 10000.0)::text)
$$;

-- Batch b (0, 1, 2 …): 900 new sightings and, from batch 1 on, 100 corrections of sightings of batch b / 2. Without an
-- account there are 10,007 observers.
create function bench.fill(b bigint, template text, account uuid, note text) returns bigint language plpgsql as $$
begin
    if b % 500 = 0 then
        perform log.add_partitions(3);
    end if;
    return (
        select bench.append(array_agg(row(
                   bench.id('stream', n), 'sighting', corrects::integer,
                   bench.id(case when corrects then 'correct' else 'submit' end, n), observer,
                   case when corrects then 'SightingCorrected' else 'SightingSubmitted' end,
                   case when corrects then '{"count":' || n % 40 + 1 || ',"confidence":' || n % 10 + 1 || '}'
                        else bench.sighting(template, n, observer, '') end,
                   case when not corrects then note end)::bench.entry order by n))
          from (select n, n <= b * 900 as corrects,
                       coalesce(account, bench.id('observer', n * 7919 % 10007)) as observer
                  from (select generate_series(b * 900 + 1, b * 900 + 900) as n
                        union all
                        select generate_series(1, 100) + (b / 2) * 900 + (b % 2) * 100 where b > 0) numbers) c);
end $$;
