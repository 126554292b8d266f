-- The values of rejected records, which only researchers may see. Called by fold, under its search path and settings.

-- about_the_record(reasons): whether a sighting was rejected for a reason about the record. The note of `other` may say
-- anything, also about the person, so that it is none.
create or replace function about_the_record(reasons jsonb) returns boolean language sql immutable parallel safe
return coalesce(reasons ?| array['not-the-species', 'cannot-be-told', 'wrong-place', 'wrong-date', 'out-of-range',
                                 'duplicate-record'], false);

-- forget_rejected(former): deletes the rows of some public ids.
create or replace function forget_rejected(former uuid[]) returns void language sql as $$
    delete from rejected t where t.ctid = any (array(
        select r.ctid from unnest(former) f (id)
         cross join lateral (select r.ctid from rejected r where r.id = f.id offset 0) r))
$$;

-- forget_rejected_of(account, since, cause): deletes the rows of an erased account, and takes observer and visit from
-- those of an account whose registration was redacted. Guarded ones have neither.
create or replace function forget_rejected_of(of_account uuid, since bigint, cause text) returns void
language plpgsql as $$
begin
    if cause = 'erased' then
        delete from rejected t where t.account = of_account and t.account is not null;
    else
        update rejected t
           set observer = null, forgotten = since, visit = null, visit_complete = null, visit_minutes = null,
               visit_distance = null, visit_observers = null
         where t.account = of_account and t.account is not null and not t.guarded;
    end if;
end $$;

-- write_rejected(rejections): inserts the rows of sightings that are rejected for a reason about the record, unless
-- their account is erased.
--   rejections  rows of `pieces`: tombstones of rejected sightings
--
-- The columns are those that `write` fills, with the values that a record has.
create or replace function write_rejected(rejections jsonb[]) returns void language sql as $$
    insert into rejected (
        id, guarded, kind, valid, shown, named, widened, change, version, recorded_at, submitted_at, status, observer,
        dataset, taxon, qualifier, sensitivity, count, count_range, confidence, observed, observed_precision,
        observed_from, observed_to, local_from, local_to, latitude, longitude, cell, uncertainty, state, region,
        border_region, country, captive, licence, geoprivacy, protocol, content, recorder, prompted, visit,
        visit_complete, visit_minutes, visit_distance, visit_observers, forgotten, account, reasons)
    select p.id, p.guarded, 'record', p.valid, p.shown, p.named, p.widened, p.change, p.version, p.recorded_at,
           p.submitted_at, p.status, case when p.public ? 'observer' then o.observer end,
           (p.public ->> 'dataset')::uuid, (p.public ->> 'taxon')::uuid, p.public ->> 'qualifier', p.category,
           (p.public ->> 'count')::integer, p.public ->> 'countRange', (p.public ->> 'confidence')::smallint,
           p.observed ->> 'value', p.observed ->> 'precision', (p.observed ->> 'from')::timestamptz,
           (p.observed ->> 'to')::timestamptz, (p.observed ->> 'localFrom')::date, (p.observed ->> 'localTo')::date,
           (p.public ->> 'latitude')::double precision, (p.public ->> 'longitude')::double precision,
           (p.public ->> 'cell')::smallint, (p.public ->> 'uncertaintyMetres')::double precision,
           p.place ->> 'state', p.place ->> 'region', p.place ->> 'borderRegion', p.place ->> 'country',
           (p.public ->> 'captive')::boolean, p.public ->> 'licence',
           (array['open', 'obscured', 'private'])[p.geoprivacy + 1], p.public ->> 'protocol', false,
           v.recorder, v.prompted, v.visit, v.complete, v.minutes, v.distance, v.observers,
           case when p.public ? 'observer' then o.forgotten end, p.account,
           array(select jsonb_array_elements_text(p.state -> 'reasons'))
      from (select p.*, p.public -> 'observed' as observed, p.public -> 'place' as place,
                   case when p.category is null and p.geoprivacy = 0 then p.public end as exact
              from (select r.*, (r.state ->> 'observer')::uuid as account,
                           case when r.category is null and r.geoprivacy = 0 then r.state
                                else generalised(r.state, r.category, r.geoprivacy) end as public
                      from unnest(rejections) u (piece)
                     cross join lateral jsonb_to_record(u.piece) r (
                        id uuid, guarded boolean, valid int8range, shown int8range, named bigint, widened bigint,
                        change text, version integer, recorded_at timestamptz, submitted_at timestamptz, status text,
                        category smallint, geoprivacy integer, state jsonb)
                     where about_the_record(r.state -> 'reasons')
                    offset 0) p
            offset 0) p
      left join lateral (select o.observer, o.key, o.forgotten, o.cause from observers o
                          where o.account = p.account offset 0) o on true
     cross join lateral effort(p.exact, o.key) v
     where o.cause is distinct from 'erased'
$$;
