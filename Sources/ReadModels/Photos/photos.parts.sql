-- hash_parts(hash): the seven parts of a 64-bit hash, nine bits each and the last ten, told apart by their ordinal.
create or replace function hash_parts(hash bigint) returns integer[] language sql immutable strict parallel safe
return array[(hash & 511)::integer, 1024 + (hash >> 9 & 511)::integer, 2048 + (hash >> 18 & 511)::integer,
             3072 + (hash >> 27 & 511)::integer, 4096 + (hash >> 36 & 511)::integer,
             5120 + (hash >> 45 & 511)::integer, 6144 + (hash >> 54 & 1023)::integer];
