-- Fills a log with imported records of all regions over eleven years, after fill.sql. All count in seasons.

-- A part of the digest of a number, as good as random: from 0 to 2^32 - 1. Parts are 0 to 3.
create function bench.random(n bigint, part integer) returns bigint language sql immutable as $$
    select ('x' || substr(md5(n::text), 1 + 8 * part, 8))::bit(32)::bigint
$$;

-- Few of `most` are frequent, many are rare: the first of 40 is one in six.
create function bench.rarely(n bigint, most bigint) returns bigint language sql immutable as $$
    select floor(most * (n % 1000003 / 1000003.0) ^ 2)::bigint
$$;

-- Batch b (0, 1, 2 …): 1,000 records by some of 10,000 recorders. The template has @taxon@, @region@, @recorder@,
-- @day@, @latitude@ and @longitude@ in it.
create function bench.fill_seasons(b bigint, taxa uuid[], regions text[], template text) returns bigint
language plpgsql as $$
begin
    if b % 500 = 0 then
        perform log.add_partitions(3);
    end if;
    return (
        select bench.append(array_agg(row(
                   bench.id('record', n), 'sighting', 0, bench.id('import', n), null, 'SightingImported',
                   replace(replace(replace(replace(replace(replace(template,
                       '@taxon@', taxa[1 + bench.rarely(bench.random(n, 0), cardinality(taxa))]::text),
                       '@region@', regions[1 + n % cardinality(regions)]),
                       '@recorder@', bench.id('recorder', bench.rarely(bench.random(n, 1), 10000))::text),
                       '@day@', (current_date - 1 - (bench.random(n, 2) % 4018)::integer)::text),
                       '@latitude@', (32 + n * 104729 % 160000 / 10000.0)::text),
                       '@longitude@', (-120 + n * 15485863 % 400000 / 10000.0)::text),
                   null)::bench.entry order by n))
          from generate_series(b * 1000 + 1, b * 1000 + 1000) n);
end $$;
