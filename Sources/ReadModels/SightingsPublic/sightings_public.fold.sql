-- fold(after, upto): the events with after < position <= upto become rows of `records`, `withheld` and `origins`.
--
-- Result: nothing. The rows of every sighting that has an event in the range, or was ever identified as a taxon that
-- was restricted in it, are made anew from its events up to `upto` and the restrictions of its taxa, so they are a
-- function of the log alone: any way to cut the log into ranges ends in the same rows.
--
-- Why this shape:
--   * Most sightings are one event, neither of category 1 or 2 nor restricted later: they go straight to a row.
--   * The others are collected first (`affected`) and go the long way (`pieces`).
--   * The plan must not depend on statistics, which a young schema lacks: it is planned once (generic), look-ups in the
--     log and in our own tables are LATERAL with OFFSET 0, which only a nested loop over an index can serve, and
--     everything else joins by hash, because nested loops and sequential scans are priced out.
--   * A redacted event of an account or a taxon changes what other streams' rows are made of. That is rare and an
--     operator's act: everything is folded again.
--
-- Order: none is promised or needed; a row's content never depends on another sighting.
create or replace function fold(after bigint, upto bigint) returns void language plpgsql
set search_path from current set plan_cache_mode = force_generic_plan
set enable_nestloop = off set enable_seqscan = off set jit = off set work_mem = '64MB'
as $$
declare
    others   bigint[];
    affected uuid[];
    former   uuid[];
begin
    -- One pass over the range for everything but sightings: it is rare among them.
    select coalesce(array_agg(e.position), '{}') into others
      from log.events e
     where e.position > after and e.position <= upto
       and e.type in ('AccountRegistered', 'TaxonAdded', 'TaxonMoved', 'TaxonSensitivitySet', 'PayloadRedacted');
    if after > 0 and exists (
        select from log.events e
         cross join lateral (select t.type from log.events t
                              where t.position = (e.payload ->> 'position')::bigint offset 0) t
         where e.position = any (others) and e.position > after and e.position <= upto and e.type = 'PayloadRedacted'
           and t.type in ('AccountRegistered', 'TaxonAdded', 'TaxonMoved', 'TaxonSensitivitySet'))
    then
        delete from records; delete from withheld; delete from origins; delete from observers;
        delete from taxon_parents; delete from taxon_categories; delete from taxon_restrictions;
        perform fold(0, upto);
        return;
    end if;

    if cardinality(others) > 0 then
        perform fold_taxa(others, after, upto);
        insert into observers (account, observer)
        select e.stream, (e.payload ->> 'observer')::uuid
          from log.events e
         where e.position = any (others) and e.position > after and e.position <= upto
           and e.type = 'AccountRegistered' and e.payload ->> 'observer' is not null;
    end if;

    -- Streams that go on past their first event, or begin as something the short way cannot show: category 1 or 2, or a
    -- tombstone. The cheap test on the text spares the parsing of nearly every payload.
    select coalesce(array_agg(a.stream), '{}') into affected
      from (select e.stream from sighting_events e
             where e.position > after and e.position <= upto
               and (e.version > 1
                 or strpos(e.payload::text, '"sensitivity"') > 0 and e.payload ->> 'sensitivity' in ('1', '2')
                 or strpos(e.payload::text, '"redacted"') > 0)
             group by e.stream
            having bool_or(e.type <> 'PayloadRedacted')
                or (select s.kind from log.streams s where s.id = e.stream) = 'sighting') a;
    if exists (select from taxon_restrictions r where r.position > after and r.position <= upto) then
        select array_agg(distinct a.stream) into affected
          from (select unnest(affected) as stream
                union all
                select e.stream
                  from sighting_events e
                  join (select r.taxon, max(r.position) as position from taxon_restrictions r
                         where r.position > after and r.position <= upto group by r.taxon) r
                    on r.taxon = (e.payload ->> 'taxon')::uuid and r.position > e.position
                 where e.position > after and e.position <= upto
                union all
                select coalesce(o.stream, t.id)
                  from (select distinct r.taxon from taxon_restrictions r
                         where r.position > after and r.position <= upto) r
                 cross join lateral (select t.id from records t where t.taxon = r.taxon offset 0) t
                  left join lateral (select o.stream from origins o where o.id = t.id offset 0) o on true) a;
    end if;

    if after > 0 and cardinality(affected) > 0 then
        select affected || coalesce(array_agg(o.id), '{}') into former
          from unnest(affected) a (stream)
         cross join lateral (select o.id from origins o where o.stream = a.stream offset 0) o;
        delete from records t where t.ctid = any (array(
            select r.ctid from unnest(former) f (id)
             cross join lateral (select r.ctid from records r where r.id = f.id offset 0) r));
        delete from withheld t where t.ctid = any (array(
            select w.ctid from unnest(affected) a (stream)
             cross join lateral (select w.ctid from withheld w where w.stream = a.stream offset 0) w));
        delete from origins t where t.ctid = any (array(
            select o.ctid from unnest(affected) a (stream)
             cross join lateral (select o.ctid from origins o where o.stream = a.stream offset 0) o));
    end if;

    with firsts as materialized (
        -- Whoever sent it may not have known yet how sensitive its taxon had become.
        select f.*, case when m.most < coalesce((f.state ->> 'sensitivity')::smallint, 9)
                         then in_force((f.state ->> 'taxon')::uuid, f.position) end as in_force
          from (select e.stream, e.position, e.version, e.type, e.recorded_at, e.payload::jsonb as state
                  from sighting_events e
                 where e.position > after and e.position <= upto and e.version = 1
                   and not exists (select from unnest(affected) a (stream) where a.stream = e.stream)
                offset 0) f
          left join (select r.taxon, min(r.category) as most from taxon_restrictions r group by r.taxon) m
            on m.taxon = (f.state ->> 'taxon')::uuid
    ), long as materialized (
        select p.*
          from pieces(affected || array(select f.stream from firsts f where f.in_force <= 2), after, upto) p
    ), remembered as (
        insert into origins (id, stream)
        select distinct p.id, p.stream from long p where p.id <> p.stream
    ), counted as (
        insert into withheld (stream, valid, shown, taxon, country, year)
        select p.stream, p.valid, p.shown, (p.state ->> 'taxon')::uuid,
               case when (p.state #>> '{place,countryCell}')::integer = 1 and p.geoprivacy < 2
                    then p.state #>> '{place,country}' end,
               case when left(p.state #>> '{observed,localFrom}', 4) = left(p.state #>> '{observed,localTo}', 4)
                    then left(p.state #>> '{observed,localFrom}', 4)::integer end
          from long p where p.kind = 'withheld'
    ), feed as (
        select f.stream as id, false as guarded, 'record' as kind, int8range(f.position, null) as valid,
               int8range(f.position, null) as shown, f.type as change, f.version, f.recorded_at,
               f.recorded_at as submitted_at,
               case f.type when 'SightingImported' then 'accepted-by-source' else 'pending' end as status,
               f.in_force as category, null::smallint as geoprivacy, f.state
          from firsts f
         where (f.in_force <= 2) is not true
        union all
        select p.id, p.id <> p.stream, p.kind, p.valid, p.shown, p.change, p.version, p.recorded_at, p.submitted_at,
               p.status, p.category, p.geoprivacy, p.state
          from long p where p.kind <> 'withheld'
    ), judged as (
        select f.id, f.guarded, f.kind, f.valid, f.shown, f.change, f.version, f.recorded_at, f.submitted_at, f.status,
               f.state,
               least(f.category, (f.state ->> 'sensitivity')::smallint) as category,
               coalesce(f.geoprivacy, case f.state ->> 'geoprivacy' when 'private' then 2 when 'obscured' then 1
                                                                    else 0 end)::smallint as geoprivacy
          from (select f.* from feed f offset 0) f
    ), public as (
        select j.*, case when j.category is null and j.geoprivacy = 0 or j.kind = 'gone' then j.state
                         else generalised(j.state, j.category, j.geoprivacy) end as public
          from judged j offset 0
    )
    insert into records (
        id, guarded, kind, valid, shown, change, version, recorded_at, submitted_at, status, reason, observer, dataset,
        taxon,
        qualifier, sensitivity, count, confidence, observed, observed_precision, observed_from, observed_to,
        local_from, local_to, latitude, longitude, cell, uncertainty, state, region, country, captive, licence,
        geoprivacy, protocol, content)
    select p.id, p.guarded, p.kind, p.valid, p.shown, p.change, p.version, p.recorded_at, p.submitted_at, p.status,
           case when p.kind = 'tombstone' then p.public ->> 'reason' end, o.observer, (p.public ->> 'dataset')::uuid,
           (p.public ->> 'taxon')::uuid, p.public ->> 'qualifier', case when p.kind = 'record' then p.category end,
           (p.public ->> 'count')::integer, (p.public ->> 'confidence')::smallint,
           p.observed ->> 'value', p.observed ->> 'precision',
           (p.observed ->> 'from')::timestamptz, (p.observed ->> 'to')::timestamptz,
           (p.observed ->> 'localFrom')::date, (p.observed ->> 'localTo')::date,
           (p.public ->> 'latitude')::double precision, (p.public ->> 'longitude')::double precision,
           (p.public ->> 'cell')::smallint, (p.public ->> 'uncertaintyMetres')::double precision,
           p.place ->> 'state', p.place ->> 'region', p.place ->> 'country',
           (p.public ->> 'captive')::boolean, p.public ->> 'licence',
           case when p.kind = 'record' then (array['open', 'obscured', 'private'])[p.geoprivacy + 1] end,
           p.public ->> 'protocol', p.kind = 'record' and p.category is distinct from 2
      from (select p.*, p.public -> 'observed' as observed, p.public -> 'place' as place from public p offset 0) p
      left join observers o on o.account = (p.public ->> 'observer')::uuid;
end $$;
