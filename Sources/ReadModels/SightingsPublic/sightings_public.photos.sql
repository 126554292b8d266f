-- Public photos, and hidden texts. Called by fold and rewrite, under fold's search path and settings.

-- live_photos(changed, upto): the rows of photo_lives of some photos as of `upto`.
--
-- A photo's knowledge events, and the orders its sighting's photos were put in, cut P into segments. Deleting and
-- hiding cut R for every segment; showing again is knowledge, so it ends the hiding for the segments that begin at it
-- or after it. A photo whose upload was redacted has no rows.
--
-- Why this shape: what a segment is made of comes from the events of its photo alone, which are joined to it. Looking
-- into all events for each segment would take the square of the time, as a nested loop would.
create or replace function live_photos(changed uuid[], upto bigint) returns setof photo_lives
language sql stable set enable_nestloop = off as $$
    with uploads as materialized (
        select c.id as photo, e.position, e.nonce, (e.payload ->> 'sighting')::uuid as sighting
          from unnest(changed) c (id)
         cross join lateral (
            select e.position, e.nonce, e.payload from model.events_of(c.id, 'photo', upto) e
             where e.version = 1 and e.payload ->> 'sighting' is not null offset 0) e
    ), events as materialized (
        select u.photo, u.position as uploaded, e.position, e.type, e.recorded_at, f.status, null::jsonb as photos,
               case when e.payload::jsonb ? 'redacted' then '{}' else e.payload::jsonb end as payload,
               -- Where what hides it here is undone.
               min(e.position) filter (where e.type = 'PhotoUnhidden') over later as unhidden
          from uploads u
         cross join lateral (select e.* from model.events_of(u.photo, 'photo', upto) e offset 0) e
          left join folded_events() f on f.stream = 'photo' and f.type = e.type
        window later as (partition by u.photo order by e.version rows between 1 following and unbounded following)
        union all
        select u.photo, u.position, o.position, o.type, null, null, coalesce(o.payload::jsonb -> 'photos', '[]'), '{}',
               null
          from uploads u
         cross join lateral (select o.* from model.events_of(u.sighting, 'sighting', upto) o
                              where o.type = 'SightingPhotosOrdered' offset 0) o
    ), segments as (
        select e.photo, e.position, lead(e.position) over (partition by e.photo order by e.position) as next
          from events e
         where e.type = any (event_types('photo', effect => 'knowledge'))
            or e.photos is not null and e.position > e.uploaded
    ), described as (
        select s.photo, s.position, s.next,
               model.merge(e.payload order by e.position) filter (where e.position <= s.position) as state,
               (array_agg(e.status order by e.position desc)
                   filter (where e.position <= s.position and e.status <> 'deleted'))[1] as status,
               max(e.recorded_at) filter (where e.position <= s.position and e.status = 'approved') as approved_at,
               (array_agg(e.photos order by e.position desc)
                   filter (where e.position <= s.position and e.photos is not null))[1] as photos,
               min(greatest(e.position, s.position)) filter (
                   where e.type = 'PhotoHidden' and (e.unhidden <= s.position) is not true) as hidden,
               min(greatest(e.position, s.position)) filter (where e.type = 'PhotoDeleted') as deleted
          from segments s
          join events e on e.photo = s.photo
         group by s.photo, s.position, s.next
    ), shown as (
        select d.*, u.sighting, u.nonce, int8range(d.position, least(d.hidden, d.deleted)) as shown
          from described d
          join uploads u on u.photo = d.photo
    )
    select s.photo, s.sighting, s.nonce, int8range(s.position, s.next), s.shown,
           -- A photo that the newest order does not name comes after all that it names.
           coalesce((select o.number::integer
                       from jsonb_array_elements_text(s.photos) with ordinality o (id, number)
                      where o.id = s.photo::text),
                    1000 + (s.state ->> 'ordinal')::integer),
           s.approved_at, s.state ->> 'licence', (s.state ->> 'width')::integer, (s.state ->> 'height')::integer,
           coalesce(s.state -> 'renditions', '[]')
      from shown s
     where s.status = 'approved' and not isempty(s.shown)
$$;

-- show_photos(sightings): writes the rows of `photos` of some sightings again.
--
-- The id of a photo is random: nonces are 128 random bits that never leave the log. It changes with the public id of
-- its sighting, but not where a correction gives a guarded one another id: as the picture stays the same, two ids that
-- change with the same month would show whose it is.
create or replace function show_photos(sightings uuid[]) returns void language plpgsql as $$
begin
    delete from photos t where t.ctid = any (array(
        select p.ctid from unnest(sightings) s (id)
         cross join lateral (select p.ctid from photos p where p.sighting = s.id offset 0) p));
    insert into photos (id, record, photo, sighting, guarded, valid, shown, named, widened, taxon, observer, region,
                        published, local_to, sequence, licence, width, height, renditions)
    select uuid_8(sha256(uuid_send(l.nonce) || 'photo'::bytea
                         || case when r.guarded then textsend(concat(r.sensitivity, r.geoprivacy))
                                 else uuid_send(r.id) end)),
           r.id, l.photo, l.sighting, r.guarded, l.valid * r.valid, l.shown * r.shown, r.named, r.widened, r.taxon,
           r.observer,
           case when not r.guarded then r.region end,
           case when r.guarded
                then (date_trunc('month', l.approved_at at time zone 'UTC') + interval '1 month')::date
                else (l.approved_at at time zone 'UTC')::date end,
           case when not r.guarded then r.local_to end,
           l.sequence, l.licence, case when not r.guarded then l.width end,
           case when not r.guarded then l.height end, l.renditions
      from (select distinct s.id from unnest(sightings) s (id)) s
     cross join lateral (select l.* from photo_lives l where l.sighting = s.id offset 0) l
     cross join lateral (
        select r.* from records r where r.id = s.id
        union all
        select r.* from origins o
         cross join lateral (select r.* from records r where r.id = o.id offset 0) r
         where o.stream = s.id offset 0) r
     where r.kind = 'record' and l.valid && r.valid and l.shown && r.shown;
end $$;

-- fold_photos(pictured, affected, after, upto): folds the events of photos, and shows those of the sightings in
-- `affected`.
--   pictured  photos, and sightings whose photos were put in order, with an event in the range
create or replace function fold_photos(pictured uuid[], affected uuid[], after bigint, upto bigint) returns void
language plpgsql set enable_nestloop = on set enable_bitmapscan = off as $$
declare
    changed uuid[];
    hosts   uuid[] := affected;
begin
    if cardinality(pictured) > 0 then
        -- Only payloads of uploads are parsed.
        insert into photo_streams (photo, sighting)
        select e.stream, e.sighting
          from (select e.stream, (e.payload ->> 'sighting')::uuid as sighting
                  from log.events e
                 where e.position > after and e.position <= upto and e.type = 'PhotoUploaded' offset 0) e
         where e.sighting is not null;
    end if;
    if cardinality(pictured || affected) = 0 or not exists (select from photo_streams) then
        return;
    end if;
    if cardinality(pictured) > 0 then
        changed := array(
            select s.id from unnest(pictured) s (id)
            union
            select p.photo from unnest(pictured) s (id)
             cross join lateral (select p.photo from photo_streams p where p.sighting = s.id offset 0) p);
        hosts := hosts || array(
            select distinct p.sighting from unnest(changed) c (id)
             cross join lateral (select p.sighting from photo_streams p where p.photo = c.id offset 0) p);
        delete from photo_lives l where l.photo = any (changed);
        insert into photo_lives select l.* from live_photos(changed, upto) l;
        -- Of a photo whose upload was redacted nothing is known.
        delete from photo_streams p
         where p.photo = any (changed)
           and not exists (select from model.events_of(p.photo, 'photo', upto) e
                            where e.version = 1 and e.payload::jsonb ? 'sighting');
    end if;
    perform show_photos(hosts);
end $$;

-- fold_hidden(changed, upto): folds the events that hide texts of some sightings, and that show them again. A redacted
-- event hides nothing: its sighting is gone. Older events may name a text twice.
create or replace function fold_hidden(changed uuid[], upto bigint) returns void language plpgsql
set enable_nestloop = on set enable_bitmapscan = off as $$
begin
    if cardinality(changed) = 0 then
        return;
    end if;
    delete from hidden h where h.stream = any (changed);
    insert into hidden (stream, field, since, until)
    select distinct c.id, f.field, e.position, e.next
      from unnest(changed) c (id)
     cross join lateral (
        select e.type, e.position, e.payload, lead(e.position) over (order by e.version) as next
          from model.events_of(c.id, 'sighting', upto) e
         where e.type in ('SightingHidden', 'SightingUnhidden') offset 0) e
     cross join lateral (
        select json_array_elements_text(e.payload -> 'hidden') as field where e.type = 'SightingHidden') f;
end $$;
