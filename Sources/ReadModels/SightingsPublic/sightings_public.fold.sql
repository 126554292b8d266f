-- fold(after, upto): the events with after < position <= upto become rows of `records`, `withheld`, `origins`,
-- `photos`, `hidden` and `moderator_events`.
--
-- Result: nothing. The rows of every sighting that has an event in the range, or was ever identified as a taxon that
-- was restricted in it, are rebuilt from its events up to `upto` and the restrictions of its taxa, so they are a
-- function of the log alone: any way to cut the log into ranges ends in the same rows.
--
-- Why this shape:
--   * Most sightings are one event, neither of category 1 or 2 nor restricted later: they go straight to a row.
--   * The others are collected first (`long_lives`) and go the long way (`pieces`).
--   * The plan must not depend on statistics, which a young schema lacks: it is planned once (generic), look-ups in the
--     log and in our own tables are LATERAL with OFFSET 0, which only a nested loop over an index can serve, and
--     everything else joins by hash, because nested loops and sequential scans are priced out.
--   * What a taxon's event changes in records from before the range goes the long way in slices (`rewrite`). An account
--     that is erased, or whose registration is redacted, takes the observer from its records, and changes nothing else,
--     whatever R is.
--
-- Order: none is guaranteed or needed; a row's content never depends on another sighting.
create or replace function fold(after bigint, upto bigint) returns void language plpgsql
set search_path from current set plan_cache_mode = force_generic_plan set enable_nestloop = off
set enable_seqscan = off set jit = off set work_mem = '64MB'
as $$
declare
    others   bigint[];
    changed  uuid[];
    affected uuid[];
begin
    -- One pass over the range for everything but sightings: it is rare among them.
    select coalesce(array_agg(e.position), '{}') into others
      from log.events e
     where e.position > after and e.position <= upto
       and e.type = any (event_types('account') || event_types('taxon'));
    if cardinality(others) > 0 then
        changed := fold_taxa(others, after, upto);
        insert into observers (account, observer)
        select e.stream, (e.payload ->> 'observer')::uuid
          from log.events e
         where e.position = any (others) and e.position > after and e.position <= upto
           and e.type = 'AccountRegistered' and e.payload ->> 'observer' is not null;
        perform forget_observers(others, after, upto);
        if after > 0 and cardinality(changed) > 0 then
            perform rewrite(changed, upto);
        end if;
    end if;

    affected := long_lives(after, upto);
    if after > 0 and cardinality(affected) > 0 then
        perform forget(affected);
    end if;
    perform write(affected, after, upto);
    perform fold_photos(affected, after, upto);
    perform fold_hidden(after, upto);
    perform fold_moderators(after, upto);
end $$;
