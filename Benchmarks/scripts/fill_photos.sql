-- Fills a log with photos, each with a sighting of its own, after fill.sql.

-- Few of `most` are frequent, many are rare: the first of 40 is one in six. The same for the same number.
create function bench.unevenly(n bigint, most bigint) returns bigint language sql immutable as $$
    select floor(most * (n % 10007 / 10007.0) ^ 2)::bigint
$$;

-- The observers, who are registered as such.
create function bench.register_observers(observers bigint, template text) returns bigint language sql as $$
    select bench.append(array_agg(row(
               bench.id('observer', n), 'account', 0, bench.id('register', n), null, 'AccountRegistered',
               replace(template, '@observer@', bench.id('pseudonym', n)::text), null)::bench.entry order by n))
      from generate_series(0, observers - 1) n
$$;

-- Batch b (0, 1, 2 …): 300 sightings of observers and taxa of uneven frequency, a photo of each, and from batch 1 on
-- decisions on those of batch b - 1: six of seven sightings and seven of ten photos are approved, one photo in ten is
-- rejected, the others keep waiting. No two photos are the same file, or alike.
-- The template of a photo has @sighting@, @observer@, @original@ and @hash@ in it, each once.
create function bench.fill_photos(b bigint, observers bigint, taxa uuid[], sighting text, photo text) returns bigint
language plpgsql as $$
begin
    if b % 500 = 0 then
        perform log.add_partitions(3);
    end if;
    return (
        with sent as (
            select n, bench.id('stream', n) as stream, bench.id('photo', n) as photo,
                   bench.id('observer', bench.unevenly(n * 7919, observers)) as observer,
                   taxa[1 + bench.unevenly(n * 104729, cardinality(taxa))]::text as taxon
              from generate_series(b * 300 + 1, b * 300 + 300) n
        ), judged as (
            select n, bench.id('moderator', n % 7) as moderator
              from generate_series((b - 1) * 300 + 1, (b - 1) * 300 + 300) n where b > 0
        )
        select bench.append(array_agg(row(
                   e.stream, e.kind, e.expected, bench.id(e.type, e.n), e.actor, e.type, e.payload, null)::bench.entry
                   order by e.n, e.kind desc))
          from (select n, stream, 'sighting' as kind, 0 as expected, observer as actor, 'SightingSubmitted' as type,
                       bench.sighting(sighting, n, observer, taxon) as payload
                  from sent
                union all
                select n, s.photo, 'photo', 0, observer, 'PhotoUploaded',
                       replace(replace(replace(replace(fill_photos.photo, '@sighting@', stream::text),
                           '@observer@', observer::text), '@original@', encode(sha256(uuid_send(s.photo)), 'hex')),
                           '@hash@', substr(md5(n::text), 1, 16))
                  from sent s
                union all
                select n, bench.id('stream', n), 'sighting', 1, moderator, 'SightingApproved',
                       json_build_object('moderator', moderator)::text
                  from judged where n % 7 > 0
                union all
                select n, bench.id('photo', n), 'photo', 1, moderator,
                       case when n % 10 = 0 then 'PhotoRejected' else 'PhotoApproved' end,
                       case when n % 10 = 0
                            then json_build_object('moderator', moderator, 'reasons', array['unreadable'])
                            else json_build_object('moderator', moderator) end::text
                  from judged where n % 10 < 8) e);
end $$;
