-- Fills a log with records for lists under filters, after fill.sql, fill_photos.sql and fill_seasons.sql.
--
-- Six of ten records are imported, the others submitted, half of these with a photo. Moderators approve three of four
-- submissions, and all photos. The frequencies of taxa, areas and datasets follow Zipf's law; days are spread evenly
-- over ten years.

-- The areas of records, the most frequent first: two degrees by two from the south-west corner. One is in Mexico.
create table bench.areas (
    number integer generated always as identity (start with 0 minvalue 0),
    region text, state text, country text not null, south double precision not null, west double precision not null);
insert into bench.areas (region, state, country, south, west) values
    ('northeast', 'US-NY', 'US', 41, -76), ('california', 'US-CA', 'US', 36, -121),
    ('southeast', 'US-FL', 'US', 27, -82), ('great-lakes', 'US-MI', 'US', 43, -86),
    ('plains', 'US-TX', 'US', 30, -99), ('pacific-northwest', 'US-WA', 'US', 46, -123),
    ('eastern-canada', 'CA-ON', 'CA', 44, -80), ('northeast', 'US-PA', 'US', 40, -79),
    ('rockies', 'US-CO', 'US', 38, -107), ('great-lakes', 'US-OH', 'US', 39.5, -84),
    ('southwest', 'US-AZ', 'US', 32, -112), ('pacific-northwest', 'CA-BC', 'CA', 49.5, -122),
    ('southeast', 'US-GA', 'US', 31.5, -84), ('prairies', 'CA-AB', 'CA', 51, -114),
    ('alaska', 'US-AK', 'US', 61, -150), (null, null, 'MX', 19, -99),
    ('eastern-canada', 'CA-QC', 'CA', 46, -72), ('caribbean', 'US-PR', 'US', 18, -67),
    ('hawaii', 'US-HI', 'US', 19.5, -155.5), ('northern-canada', 'CA-YT', 'CA', 61, -136);

-- An index from 0 to `most` - 1, drawn by Zipf's law: of 2,000, the first is drawn one time in eleven. `random` is from
-- 0 to 2^32 - 1.
create function bench.zipf(random bigint, most bigint) returns integer language sql immutable as $$
    select least(floor((most + 1) ^ (random / 4294967296.0::double precision)), most)::integer - 1
$$;

create function bench.is_imported(n bigint) returns boolean language sql immutable as $$
    select bench.random(-n, 1) % 10 < 6
$$;

-- For submissions only.
create function bench.has_photo(n bigint) returns boolean language sql immutable as $$
    select bench.random(-n, 1) / 10 % 2 = 0
$$;

create function bench.is_approved(n bigint) returns boolean language sql immutable as $$
    select bench.random(-n, 2) / 50 % 4 > 0
$$;

-- Appends batch b (0, 1, 2 …) of `total` records: 500 of them with their photos and, from batch 1 on, decisions on
-- those of batch b - 1. The templates are those of `bench.fill_photos` and `bench.fill_seasons`; values that a filter
-- asks for are replaced. With a taxon chosen, one record in `every` is of it, spread evenly over the log.
create function bench.fill_lists(
    b bigint, total bigint, observers bigint, taxa uuid[], datasets uuid[], imported text, submitted text, photo text,
    chosen uuid default null, every bigint default 1)
returns bigint language plpgsql as $$
begin
    if b % 500 = 0 then
        perform log.add_partitions(3);
    end if;
    return (
        with sent as materialized (
            select n, bench.is_imported(n) as is_imported, bench.id('record', n) as stream,
                   bench.id('photo', n) as photo,
                   bench.id('observer', bench.unevenly(n * 7919, observers)) as observer,
                   (current_date - 1 - (bench.random(n, 2) % 3650)::integer)::text as day,
                   jsonb_build_object(
                       'taxon', case when chosen is not null and n % every = 0 then chosen
                                     else taxa[1 + bench.zipf(bench.random(n, 0), cardinality(taxa))] end,
                       'latitude', round((a.south + bench.random(n, 3) / 2147483648.0)::numeric, 5),
                       'longitude', round((a.west + bench.random(-n, 0) / 2147483648.0)::numeric, 5),
                       'captive', bench.random(-n, 2) % 50 = 0)
                   || case when bench.random(-n, 3) % 4 > 0
                           then jsonb_build_object('uncertaintyMetres',
                                    (array[5, 25, 100, 250, 1000, 5000, 10000])[1 + bench.random(-n, 3) / 4 % 7])
                           else '{}' end as details,
                   jsonb_strip_nulls(jsonb_build_object(
                       'state', a.state, 'region', a.region, 'country', a.country,
                       'basis', case when a.state is null then 'none' else 'inside' end,
                       'stateCell', case when a.state is not null then 1 end,
                       'regionCell', case when a.region is not null then 1 end, 'countryCell', 1)) as place
              from generate_series(b * 500 + 1, least(b * 500 + 500, total)) n
              join bench.areas a on a.number = bench.zipf(bench.random(n, 1), 20)
        ), written as (
            select s.n, s.stream, s.is_imported, s.observer, s.details, s.place,
                   replace(replace(replace(replace(replace(
                       case when s.is_imported then imported else submitted end,
                       '@day@', s.day), '@latitude@', '0'), '@longitude@', '0'), '@observer@', s.observer::text),
                       '@recorder@', bench.id('recorder', bench.rarely(bench.random(n, 1), 10000))::text)::jsonb
                       - 'uncertaintyMetres' as payload
              from sent s
        ), judged as (
            select n, bench.id('moderator', n % 7) as moderator
              from generate_series((b - 1) * 500 + 1, least((b - 1) * 500 + 500, total)) n
             where b > 0 and not bench.is_imported(n)
        )
        select bench.append(array_agg(row(
                   e.stream, e.kind, e.expected, bench.id(e.type, e.n), e.actor, e.type, e.payload,
                   e.note)::bench.entry order by e.n, e.kind desc))
          from (select w.n, w.stream, 'sighting' as kind, 0 as expected,
                       case when not w.is_imported then w.observer end as actor,
                       case when w.is_imported then 'SightingImported' else 'SightingSubmitted' end as type,
                       (w.payload || w.details
                           || jsonb_build_object('place', (w.payload -> 'place')
                                  - '{state,region,stateCell,regionCell}'::text[] || w.place)
                           || case when w.is_imported
                                   then jsonb_build_object('dataset', datasets[
                                            1 + bench.zipf(bench.random(w.n, 3), cardinality(datasets))])
                                   else jsonb_build_object('confidence', 1 + w.n % 10) end)::text as payload,
                       case when w.is_imported
                            then json_build_object('occurrenceID', 'list-' || w.n, 'locality', 'Trail ' || w.n % 997,
                                                   'recordedBy', 'Observer ' || w.n % 500)::text
                            else 'Two adults feeding low in salmonberry. Light rain, no wind.' end as note
                  from written w
                union all
                select s.n, s.photo, 'photo', 0, s.observer, 'PhotoUploaded',
                       replace(replace(replace(replace(fill_lists.photo, '@sighting@', s.stream::text),
                           '@observer@', s.observer::text), '@original@', encode(sha256(uuid_send(s.photo)), 'hex')),
                           '@hash@', substr(md5(s.n::text), 1, 16)), null
                  from sent s where not s.is_imported and bench.has_photo(s.n)
                union all
                select n, bench.id('record', n), 'sighting', 1, moderator, 'SightingApproved',
                       json_build_object('moderator', moderator)::text, null
                  from judged where bench.is_approved(n)
                union all
                select n, bench.id('photo', n), 'photo', 1, moderator, 'PhotoApproved',
                       json_build_object('moderator', moderator)::text, null
                  from judged where bench.has_photo(n)) e);
end $$;
