-- alike_by_key(hashes, keys, most_bits, most): the photos of the hashes that differ from a sought one in at most
-- `most_bits` bits, among the newest `most` hashes of approved photos, and as many of others, that have one of its
-- keys.
--   hashes  sought ones, in hexadecimal digits
--   keys    the keys of each, as an array in text
--
-- Result: a photo once for each of its hashes, or more often.
-- Why this shape: anyone can send one picture any number of times, all with the same keys. So the work is bounded for
-- each key, which is looked up once, whatever the number of sought hashes that have it. Approved photos are looked up
-- apart from others, so that no number of these keeps them from being found.
-- Order: none.
create or replace function alike_by_key(hashes text[], keys text[], most_bits bigint, most bigint)
returns setof uuid language plpgsql stable set search_path from current set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashagg = off set jit = off as $$
begin
    return query
    with sought as materialized (
        select k.key, array_agg(('x' || h.hash)::bit(256)) as hashes
          from unnest(alike_by_key.hashes, alike_by_key.keys) h (hash, keys)
         cross join lateral unnest(h.keys::integer[]) k (key)
         group by k.key
    )
    select l.photo
      from sought s
     cross join (values (true), (false)) a (approved)
     cross join lateral (
        select l.photo, l.hash
          from likenesses l
         where l.key = s.key and l.approved = a.approved
         order by l.uploaded_at desc, l.photo
         limit alike_by_key.most) l
     where exists (select from unnest(s.hashes) h (hash) where bit_count(l.hash # h.hash) <= alike_by_key.most_bits);
end $$;
