-- The rows of the sightings with an event in a range: which of them need more than their first event, and how both
-- kinds are written. And the rows from before it that an event of a taxon or of an account changes.

-- short_lives(affected, after, upto): the sightings that begin in the range and are not in `affected`: one event each.
--   category  the one that the event recorded, or the one in force for the taxon, where that is more: the sender may
--             not have known yet how sensitive its taxon had become
--   is_enough whether the event is all that its rows need: it is neither of category 1 or 2 nor a tombstone
-- Why this shape: values that are used several times are computed below an OFFSET 0, so that the functions of `write`
-- get columns, and are put into its statement.
create or replace function short_lives(affected uuid[], after bigint, upto bigint)
returns table (stream uuid, "position" bigint, version integer, type text, recorded_at timestamptz, nonce uuid,
               status text, state jsonb, category smallint, geoprivacy integer, is_enough boolean)
language sql stable as $$
    select e.stream, e.position, e.version, e.type, e.recorded_at, e.nonce, e.status, e.state, e.category,
           e.geoprivacy, (e.category <= 2) is not true and not e.state ? 'redacted'
      from (select e.*,
                   least(e.own, case when e.taxon is not null
                                      and (select min(r.category) from taxon_restrictions r where r.taxon = e.taxon)
                                          < coalesce(e.own, 9)
                                     then in_force(e.taxon, e.position) end) as category,
                   case e.state ->> 'geoprivacy' when 'private' then 2 when 'obscured' then 1 else 0 end as geoprivacy
              from (select e.*, (e.state ->> 'taxon')::uuid as taxon, (e.state ->> 'sensitivity')::smallint as own
                      from (select e.stream, e.position, e.version, e.type, e.recorded_at, e.nonce,
                                   e.payload::jsonb as state, given_status('sighting', e.type) as status
                              from log.events e
                             where e.position > after and e.position <= upto and e.version = 1
                               and e.type = any (event_types('sighting', complete => true))
                               and not exists (select from unnest(affected) a (stream) where a.stream = e.stream)
                            offset 0) e
                    offset 0) e
            offset 0) e
$$;

-- long_lives(continued, after, upto): the sightings with an event in the range that are known to need more than their
-- first event, before that is read: those in `continued`, which have another one, and those identified as a taxon that
-- was restricted later in the range.
create or replace function long_lives(continued uuid[], after bigint, upto bigint) returns uuid[] language plpgsql as $$
begin
    if not exists (select from taxon_restrictions r where r.position > after and r.position <= upto) then
        return continued;
    end if;
    return array(
        select c.stream from unnest(continued) c (stream)
        union
        select e.stream
          from sighting_events e
          join (select r.taxon, max(r.position) as position from taxon_restrictions r
                 where r.position > after and r.position <= upto group by r.taxon) r
            on r.taxon = (e.payload ->> 'taxon')::uuid and r.position > e.position
         where e.position > after and e.position <= upto);
end $$;

-- forget(affected): deletes the rows of some sightings, under whichever public id.
create or replace function forget(affected uuid[]) returns void language plpgsql as $$
declare
    former uuid[] := affected || array(
        select o.id from unnest(affected) a (stream)
         cross join lateral (select o.id from origins o where o.stream = a.stream offset 0) o);
    removed located[];
begin
    with old as (
        delete from records t where t.ctid = any (array(
            select r.ctid from unnest(former) f (id)
             cross join lateral (select r.ctid from records r where r.id = f.id offset 0) r))
        returning t.taxon, t.latitude, t.local_from, t.local_to, t.accepted, t.guarded)
    select array_agg(row(o.taxon, o.latitude, o.local_from, o.local_to)::located) into removed
      from old o where o.accepted and not o.guarded;
    if removed is not null then
        perform uncount_located(removed);
    end if;
    delete from withheld t where t.ctid = any (array(
        select w.ctid from unnest(affected) a (stream)
         cross join lateral (select w.ctid from withheld w where w.stream = a.stream offset 0) w));
    perform forget_rejected(former);
    delete from origins t where t.ctid = any (array(
        select o.ctid from unnest(affected) a (stream)
         cross join lateral (select o.ctid from origins o where o.stream = a.stream offset 0) o));
end $$;

-- visit_id(key, visit): the public id of a visit, by the key of its observer (see `observers`).
create or replace function visit_id(key uuid, visit uuid) returns uuid language sql immutable strict parallel safe
return uuid_8(sha256(uuid_send(key) || 'visit'::bytea || uuid_send(visit)));

-- effort(exact, key): the recorder of an open and exact record, whether targets prompted it, and its visit, as in
-- `records`.
--   exact  its values; null for any other record, which shows none of these
--   key    of its observer; null for imports, whose visits have keyed hashes already, and for a forgotten observer
create or replace function effort(exact jsonb, key uuid)
returns table (recorder uuid, prompted boolean, visit uuid, complete boolean, minutes integer,
               distance double precision, observers integer)
language sql immutable parallel safe as $$
    select (exact ->> 'recorder')::uuid,
           case when exact is not null then exact ->> 'promptedBy' is not null end,
           case when v.imported then (v.visit ->> 'id')::uuid else visit_id(key, (v.visit ->> 'id')::uuid) end,
           nullif((v.visit ->> 'complete')::boolean, false), (v.visit ->> 'minutes')::integer,
           (v.visit ->> 'distanceKm')::double precision, (v.visit ->> 'observers')::integer
      from (select exact ? 'dataset' as imported,
                   case when exact ? 'dataset' then exact -> 'rowVisit' when key is not null then exact -> 'visit' end
                       as visit
            offset 0) v
$$;

-- write(affected, after, upto): inserts the rows of the sightings in `affected`, and of those that begin in the range,
-- and counts those that are evidence. Rejected sightings are tombstones in `records`; `write_rejected` keeps values.
-- Called by fold, under its search path and settings.
create or replace function write(affected uuid[], after bigint, upto bigint) returns void language plpgsql as $$
declare
    added      located[];
    rejections jsonb[];
begin
    with short as materialized (
        select s.*, guarded(s.category, s.geoprivacy) as guarded,
               public_id(s.stream, s.nonce, s.nonce, s.category, s.geoprivacy, 0) as id
          from (select s.* from short_lives(affected, after, upto) s offset 0) s
    ), long as materialized (
        select p.*
          from (select affected || array(select s.stream from short s where not s.is_enough) as streams offset 0) l
         cross join lateral pieces(l.streams, after, upto) p
         where cardinality(l.streams) > 0
    ), remembered as (
        insert into origins (id, stream)
        select distinct p.id, p.stream from long p where p.id <> p.stream
        union all
        select s.id, s.stream from short s where s.id <> s.stream and s.is_enough
    ), counted as (
        insert into withheld (stream, valid, shown, named, taxon, country, year)
        select p.stream, p.valid, p.shown, p.named, (p.state ->> 'taxon')::uuid,
               case when (p.state #>> '{place,countryCell}')::integer = 1 and p.geoprivacy < 2
                    then p.state #>> '{place,country}' end,
               case when left(p.state #>> '{observed,localFrom}', 4) = left(p.state #>> '{observed,localTo}', 4)
                    then left(p.state #>> '{observed,localFrom}', 4)::integer end
          from long p where p.kind = 'withheld'
    ), feed as (
        select s.id, s.guarded, 'record' as kind, int8range(s.position, null) as valid,
               int8range(s.position, null) as shown, s.position as named, null::bigint as widened, s.type as change,
               case when not s.guarded then s.version end as version,
               case when not s.guarded then s.recorded_at end as recorded_at,
               case when not s.guarded then s.recorded_at end as submitted_at,
               s.status, s.category, s.geoprivacy, s.state from short s where s.is_enough
        union all
        select p.id, p.guarded, p.kind, p.valid, p.shown, p.named, p.widened, p.change, p.version,
               p.recorded_at, p.submitted_at, p.status, p.category, p.geoprivacy, p.state
          from long p where p.kind <> 'withheld'
    ), coarse as (
        select f.*, case when f.category is null and f.geoprivacy = 0 or f.kind = 'gone' then f.state
                         else generalised(f.state, f.category, f.geoprivacy) end as coarse
          from feed f offset 0
    ), public as (
        select c.*, case when c.kind = 'tombstone' then withdrawal_notice(c.coarse, c.status)
                         else c.coarse end as public
          from coarse c offset 0
    ), new as (
        insert into records (
            id, guarded, kind, valid, shown, named, widened, change, version, recorded_at, submitted_at, status,
            reason, observer, dataset, taxon, qualifier, sensitivity, count, count_range, confidence, observed,
            observed_precision, observed_from, observed_to, local_from, local_to, latitude, longitude, cell,
            uncertainty, state, region, border_region, country, captive, licence, geoprivacy, protocol, content,
            recorder, prompted, visit, visit_complete, visit_minutes, visit_distance, visit_observers, forgotten)
        select p.id, p.guarded, p.kind, p.valid, p.shown, p.named, p.widened, p.change, p.version, p.recorded_at,
               p.submitted_at, p.status, case when p.kind = 'tombstone' then p.public ->> 'reason' end, o.observer,
               (p.public ->> 'dataset')::uuid, (p.public ->> 'taxon')::uuid, p.public ->> 'qualifier',
               case when p.kind = 'record' then p.category end, (p.public ->> 'count')::integer,
               p.public ->> 'countRange', (p.public ->> 'confidence')::smallint, p.observed ->> 'value',
               p.observed ->> 'precision', (p.observed ->> 'from')::timestamptz, (p.observed ->> 'to')::timestamptz,
               (p.observed ->> 'localFrom')::date, (p.observed ->> 'localTo')::date,
               (p.public ->> 'latitude')::double precision, (p.public ->> 'longitude')::double precision,
               (p.public ->> 'cell')::smallint, (p.public ->> 'uncertaintyMetres')::double precision,
               p.place ->> 'state', p.place ->> 'region', p.place ->> 'borderRegion', p.place ->> 'country',
               (p.public ->> 'captive')::boolean, p.public ->> 'licence',
               case when p.kind = 'record' then (array['open', 'obscured', 'private'])[p.geoprivacy + 1] end,
               p.public ->> 'protocol', p.kind = 'record' and not p.guarded and o.cause is distinct from 'erased',
               v.recorder, v.prompted, v.visit, v.complete, v.minutes, v.distance, v.observers, o.forgotten
          from (select p.*, p.public -> 'observed' as observed, p.public -> 'place' as place,
                       case when p.kind = 'record' and p.category is null and p.geoprivacy = 0 then p.public end exact
                  from public p offset 0) p
          left join lateral (select o.observer, o.key, o.forgotten, o.cause from observers o
                              where o.account = (p.public ->> 'observer')::uuid offset 0) o on true
         cross join lateral effort(p.exact, o.key) v
        returning taxon, latitude, local_from, local_to, accepted, guarded)
    select array_agg(row(n.taxon, n.latitude, n.local_from, n.local_to)::located),
           (select array_agg(to_jsonb(l)) from long l where l.kind = 'tombstone' and l.status = 'rejected')
      into added, rejections from new n where n.accepted and not n.guarded;
    perform count_located(added) where added is not null;
    perform write_rejected(rejections) where rejections is not null;
end $$;

-- rewrite(taxa, upto): writes the sightings again that have ever been identified as one of some taxa.
-- Called by fold, under its search path and settings, before the sightings of the range are written.
-- Why this shape: a taxon may have more records than fit into one array, or into memory along with their events. The
-- list is complete before the first slice is written.
create or replace function rewrite(taxa uuid[], upto bigint) returns void language plpgsql as $$
declare
    slice uuid[];
begin
    for slice in
        select array_agg(n.stream)
          from (select s.stream, (row_number() over () - 1) / 10000 as number
                  from (select coalesce(o.stream, t.id) as stream
                          from unnest(taxa) x (taxon)
                         cross join lateral (select t.id from records t where t.taxon = x.taxon offset 0) t
                          left join lateral (select o.stream from origins o where o.id = t.id offset 0) o on true
                        union
                        select w.stream
                          from unnest(taxa) x (taxon)
                         cross join lateral (select w.stream from withheld w where w.taxon = x.taxon offset 0) w) s) n
         group by n.number
    loop
        perform forget(slice);
        perform write(slice, upto, upto);
        perform show_photos(slice);
    end loop;
end $$;

-- forget_observers(others, after, upto): takes the observer from the records of accounts that were erased in the range,
-- or whose registration was redacted in it, with their visits, and the texts from those of erased ones. Called by fold.
--
-- An erasure counts before a redaction, whichever came first, and a first redaction before others: so it makes no
-- difference in which ranges they are folded. The records of an account without an observer id are found by the
-- position that made them lose it.
create or replace function forget_observers(others bigint[], after bigint, upto bigint) returns void
language plpgsql as $$
declare
    told   record;
    former record;
begin
    for told in
        select distinct on (t.account) t.account, t.position, t.cause
          from (select e.stream as account, e.position, 'erased' as cause
                  from log.events e
                 where e.position = any (others) and e.position > after and e.position <= upto
                   and e.type = 'AccountErased'
                union all
                select r.stream, e.position, 'redacted'
                  from log.events e
                 cross join lateral (select r.stream, r.type from log.events r
                                      where r.position = (e.payload ->> 'position')::bigint offset 0) r
                 where e.position = any (others) and e.position > after and e.position <= upto
                   and e.type = 'PayloadRedacted' and r.type = 'AccountRegistered') t
         order by t.account, t.cause = 'erased' desc, t.position
    loop
        select o.observer, o.forgotten, o.cause into former from observers o where o.account = told.account;
        continue when former.cause = 'erased' or former.cause = 'redacted' and told.cause = 'redacted';
        insert into observers (account, forgotten, cause) values (told.account, told.position, told.cause)
            on conflict (account) do update
            set observer = null, key = null, forgotten = excluded.forgotten, cause = excluded.cause;
        update records t
           set observer = null, forgotten = told.position, content = t.content and told.cause <> 'erased',
               -- Their id would show which records are of one person.
               visit = null, visit_complete = null, visit_minutes = null, visit_distance = null,
               visit_observers = null
         where t.observer = former.observer and t.observer is not null;
        update records t
           set forgotten = told.position, content = t.content and told.cause <> 'erased'
         where t.forgotten = former.forgotten and t.forgotten is not null;
        update photos p set observer = null where p.observer = former.observer and p.observer is not null;
        perform forget_rejected_of(told.account, told.position, told.cause);
    end loop;
end $$;
