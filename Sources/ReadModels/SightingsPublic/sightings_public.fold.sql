-- fold_others(others, after, upto): folds the events of taxa and accounts, whose positions are given, and writes the
-- sightings from before the range again that they change.
create or replace function fold_others(others bigint[], after bigint, upto bigint) returns void language plpgsql as $$
declare
    changed uuid[];
begin
    if cardinality(others) = 0 then
        return;
    end if;
    changed := fold_taxa(others, after, upto);
    insert into observers (account, observer, key, forgotten, cause)
    select e.stream, e.observer, case when e.observer is not null then e.nonce end,
           case when e.observer is null then e.position end,
           case when e.observer is null then 'lost' end
      from (select e.stream, e.position, e.nonce, (e.payload ->> 'observer')::uuid as observer
              from log.events e
             where e.position = any (others) and e.position > after and e.position <= upto
               and e.type = 'AccountRegistered' offset 0) e
        on conflict do nothing;
    perform forget_observers(others, after, upto);
    if after > 0 and cardinality(changed) > 0 then
        perform rewrite(changed, upto);
    end if;
end $$;

-- fold_redactions(after, upto): the redactions of the range, those in streams of all kinds.
create or replace function fold_redactions(after bigint, upto bigint) returns void language sql as $$
    insert into redactions (position, stream, kind, target)
    select e.position, e.stream, s.kind, (e.payload ->> 'position')::bigint
      from log.events e
     cross join lateral (select s.kind from log.streams s where s.id = e.stream offset 0) s
     where e.position > after and e.position <= upto and e.type = 'PayloadRedacted'
$$;

-- of_sightings(streams, redacted): the streams without those that are in `redacted` and are not of sightings.
create or replace function of_sightings(streams uuid[], redacted uuid[]) returns uuid[] language sql stable
return array(
    select s.id from unnest(streams) s (id)
     where s.id <> all (redacted)
        or (select l.kind from log.streams l where l.id = s.id) = 'sighting');

-- fold_sightings(continued, pictured, after, upto): makes the rows of some sightings again, from all their events, and
-- those of the others that begin in the range, from their only one; and those of photos.
--   continued  sightings
--   pictured   photos, and sightings whose photos were put in order, with an event in the range
create or replace function fold_sightings(continued uuid[], pictured uuid[], after bigint, upto bigint) returns void
language plpgsql as $$
declare
    affected uuid[] := long_lives(continued, after, upto);
begin
    if after > 0 and cardinality(affected) > 0 then
        perform forget(affected);
    end if;
    perform write(affected, after, upto);
    perform fold_photos(pictured, affected, after, upto);
end $$;

-- fold(after, upto): the events with after < position <= upto become rows of `records`, `withheld`, `origins`,
-- `photos`, `hidden`, `moderator_events` and `redactions`.
--
-- Result: nothing. The rows of every sighting that has an event in the range, or was ever identified as a taxon that
-- was restricted in it, are rebuilt from its events up to `upto` and the restrictions of its taxa, so they are a
-- function of the log alone: any way to cut the log into ranges ends in the same rows.
--
-- Why this shape:
--   * One pass over the range decides what has to be done.
--   * Most sightings are one event, neither of category 1 or 2 nor restricted later: they go straight to a row.
--   * The others go the long way (`pieces`): those that go on are known from that pass (`long_lives`); those of
--     category 1 or 2 and tombstones are found when their event is read.
--   * The plan must not depend on statistics, which a young schema lacks: it is planned once (generic), look-ups in the
--     log and in our own tables are LATERAL with OFFSET 0, which only a nested loop over an index can serve, and
--     everything else joins by hash, because nested loops and sequential scans are priced out.
--   * What a taxon's event changes in records from before the range goes the long way in slices (`rewrite`). An account
--     that is erased, or whose registration is redacted, takes the observer from its records, an erased one the texts
--     too, and changes nothing else, whatever R is.
--
-- Order: none is guaranteed or needed; a row's content never depends on another sighting.
create or replace function fold(after bigint, upto bigint) returns void language plpgsql
set search_path from current set plan_cache_mode = force_generic_plan set enable_nestloop = off
set enable_seqscan = off set enable_bitmapscan = off set jit = off set work_mem = '64MB'
as $$
declare
    seen record;
begin
    select coalesce(array_agg(e.position)
                        filter (where e.type = any (event_types('account') || event_types('taxon'))), '{}') as others,
           coalesce(array_agg(distinct e.stream)
                        filter (where e.version > 1 and e.type = any (event_types('sighting'))), '{}') as continued,
           coalesce(array_agg(distinct e.stream) filter (where e.type = 'PayloadRedacted'), '{}') as redacted,
           coalesce(array_agg(distinct e.stream)
                        filter (where e.type = any ('SightingPhotosOrdered'::text || event_types('photo'))), '{}')
               as pictured,
           coalesce(array_agg(distinct e.stream)
                        filter (where e.type in ('SightingHidden', 'SightingUnhidden', 'PayloadRedacted')), '{}')
               as hidden,
           coalesce(array_agg(distinct e.stream)
                        filter (where e.type in (
                            'SightingCorrected', 'SightingApproved', 'SightingRejected', 'SightingReopened',
                            'SightingIdentified', 'SightingHidden', 'SightingUnhidden', 'SightingReleased',
                            'PhotoApproved', 'PhotoRejected', 'PhotoReopened', 'PhotoDeleted',
                            'PayloadRedacted')), '{}') as moderated
      into seen
      from log.events e
     where e.position > after and e.position <= upto;

    perform fold_others(seen.others, after, upto);
    if cardinality(seen.redacted) > 0 then
        perform fold_redactions(after, upto);
        seen.continued := of_sightings(seen.continued, seen.redacted);
    end if;
    perform fold_sightings(seen.continued, seen.pictured, after, upto);
    perform fold_hidden(seen.hidden, upto);
    perform fold_moderators(seen.moderated, upto);
end $$;
