-- guarded(category, geoprivacy): whether everyone sees a record only when its month is over, and without its observer,
-- or never.
create or replace function guarded(category smallint, geoprivacy text) returns boolean
language sql immutable parallel safe
return coalesce(category <= 2, false) or coalesce(geoprivacy = 'private', false);

-- asked(sightings): what is compared with the accepted records of its taxon, of some sightings as they are now; and how
-- the same observer's other records of the taxon were judged. A record that is private, or of category 1 or 2, counts
-- only for another such one, whose reading is noted: of an open record everyone knows the observer.
create or replace function asked(of_sightings uuid[])
returns table (id uuid, taxon uuid, region text, latitude double precision, longitude double precision, day date,
               observer_accepted bigint, observer_rejected bigint)
language plpgsql stable set search_path from current set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
#variable_conflict use_column
begin
    return query
    select t.id, t.taxon, t.region, t.latitude, t.longitude, t.local_from, o.accepted, o.rejected
      from unnest(of_sightings) q (id)
     cross join lateral (
        select s.id, s.taxon, s.region, s.observer, s.latitude, s.longitude, s.local_from,
               guarded(s.sensitivity, s.geoprivacy) as guarded
          from sightings s where s.id = q.id and upper_inf(s.valid) offset 0) t
     cross join lateral (
        select count(*) filter (where s.status = 'approved') as accepted,
               count(*) filter (where s.status = 'rejected') as rejected
          from sightings s
         where s.observer = t.observer and s.taxon = t.taxon and upper_inf(s.valid) and s.observer is not null
           and s.status in ('approved', 'rejected') and s.id <> t.id
           and (t.guarded or not guarded(s.sensitivity, s.geoprivacy))) o;
end $$;
