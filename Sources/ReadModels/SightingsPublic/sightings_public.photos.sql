-- Public photos, and hidden texts. Called by fold and rewrite, under fold's search path and settings.

-- live_photos(changed, upto): the rows of photo_lives of some photos as of `upto`.
--
-- A photo's knowledge events, and the orders its sighting's photos were put in, cut P into segments. Deleting and
-- hiding cut R for every segment; showing again is knowledge, so it ends the hiding for the segments that begin at it
-- or after it. A photo whose upload was redacted has no rows.
create or replace function live_photos(changed uuid[], upto bigint) returns setof photo_lives
language sql stable as $$
    with events as materialized (
        select c.id as photo, e.position, e.version, e.type, e.nonce, e.recorded_at, e.payload::jsonb as payload,
               f.status
          from unnest(changed) c (id)
         cross join lateral (select e.* from model.events_of(c.id, 'photo', upto) e offset 0) e
          left join folded_events() f on f.stream = 'photo' and f.type = e.type
    ), uploads as materialized (
        select e.photo, e.position, e.nonce, (e.payload ->> 'sighting')::uuid as sighting
          from events e where e.version = 1 and e.payload ? 'sighting'
    ), orders as materialized (
        select u.photo, o.position, o.payload::jsonb -> 'photos' as photos
          from uploads u
         cross join lateral (select o.* from model.events_of(u.sighting, 'sighting', upto) o
                              where o.type = 'SightingPhotosOrdered' offset 0) o
    ), segments as (
        select p.photo, p.position, lead(p.position) over (partition by p.photo order by p.position) as next
          from (select e.photo, e.position from events e
                 where e.type = any (event_types('photo', effect => 'knowledge'))
                union
                select o.photo, o.position from orders o join uploads u on u.photo = o.photo
                 where o.position > u.position) p
    ), described as (
        select u.photo, u.sighting, u.nonce, int8range(s.position, s.next) as valid,
               int8range(s.position, least(r.hidden, r.deleted)) as shown, k.state, k.status, k.approved_at, o.sequence
          from uploads u
          join segments s on s.photo = u.photo
         cross join lateral (
            select model.merge(case when e.payload ? 'redacted' then '{}' else e.payload end order by e.version)
                       as state,
                   (array_agg(e.status order by e.version desc)
                       filter (where e.status is not null and e.status <> 'deleted'))[1] as status,
                   max(e.recorded_at) filter (where e.status = 'approved') as approved_at
              from events e where e.photo = s.photo and e.position <= s.position) k
         cross join lateral (
            select min(greatest(e.position, s.position)) filter (
                       where e.type = 'PhotoHidden' and not exists (
                           select from events l where l.photo = e.photo and l.type = 'PhotoUnhidden'
                              and l.position > e.position and l.position <= s.position)) as hidden,
                   min(greatest(e.position, s.position)) filter (where e.type = 'PhotoDeleted') as deleted
              from events e where e.photo = s.photo) r
         cross join lateral (
            -- A photo that the newest order does not name comes after all that it names.
            select coalesce((select n.number::integer
                               from (select o.photos from orders o
                                      where o.photo = s.photo and o.position <= s.position
                                      order by o.position desc limit 1) newest
                              cross join lateral jsonb_array_elements_text(newest.photos)
                                         with ordinality n (id, number)
                              where n.id = s.photo::text),
                            1000 + (k.state ->> 'ordinal')::integer) as sequence) o
    )
    select d.photo, d.sighting, d.nonce, d.valid, d.shown, d.sequence, d.approved_at, d.state ->> 'licence',
           (d.state ->> 'width')::integer, (d.state ->> 'height')::integer, coalesce(d.state -> 'renditions', '[]')
      from described d
     where d.status = 'approved' and not isempty(d.shown)
$$;

-- show_photos(sightings): writes the rows of `photos` of some sightings again.
create or replace function show_photos(sightings uuid[]) returns void language plpgsql as $$
begin
    delete from photos t where t.ctid = any (array(
        select p.ctid from unnest(sightings) s (id)
         cross join lateral (select p.ctid from photos p where p.sighting = s.id offset 0) p));
    insert into photos (id, record, photo, sighting, guarded, valid, shown, widened, taxon, observer, region, published,
                        sequence, licence, width, height, renditions)
    select uuid_8(sha256(uuid_send(l.nonce) || 'photo'::bytea || uuid_send(r.id))), r.id, l.photo, l.sighting,
           r.guarded, l.valid * r.valid, l.shown * r.shown, r.widened, r.taxon, r.observer, r.region,
           case when r.guarded
                then (date_trunc('month', l.approved_at at time zone 'UTC') + interval '1 month')::date
                else (l.approved_at at time zone 'UTC')::date end,
           l.sequence, l.licence, l.width, l.height, l.renditions
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

-- fold_photos(affected, after, upto): folds the events of photos, and shows those of the sightings in `affected`.
create or replace function fold_photos(affected uuid[], after bigint, upto bigint) returns void language plpgsql
set enable_nestloop = on set enable_bitmapscan = off as $$
declare
    changed uuid[];
    hosts   uuid[];
begin
    insert into photo_streams (photo, sighting)
    select e.stream, (e.payload ->> 'sighting')::uuid
      from log.events e
     where e.position > after and e.position <= upto and e.type = 'PhotoUploaded'
       and e.payload ->> 'sighting' is not null;
    if not exists (select from photo_streams) then
        return;
    end if;
    changed := array(
        select e.stream from log.events e
         where e.position > after and e.position <= upto and e.type = any (event_types('photo'))
        union
        select p.photo
          from log.events e
         cross join lateral (select p.photo from photo_streams p where p.sighting = e.stream offset 0) p
         where e.position > after and e.position <= upto and e.type = 'SightingPhotosOrdered');
    hosts := array(select distinct p.sighting from unnest(changed) c (id)
                    cross join lateral (select p.sighting from photo_streams p where p.photo = c.id offset 0) p);
    delete from photo_lives l where l.photo = any (changed);
    -- Photo by photo: segments look up their events, which would be those of all photos.
    insert into photo_lives
    select l.* from unnest(changed) c (id)
     cross join lateral (select l.* from live_photos(array[c.id], upto) l offset 0) l;
    -- Of a photo whose upload was redacted nothing is known.
    delete from photo_streams p
     where p.photo = any (changed)
       and not exists (select from model.events_of(p.photo, 'photo', upto) e
                        where e.version = 1 and e.payload::jsonb ? 'sighting');
    perform show_photos(affected || hosts);
end $$;

-- fold_hidden(after, upto): folds the events that hide texts of sightings, and that show them again. A redacted event
-- hides nothing: its sighting is gone.
create or replace function fold_hidden(after bigint, upto bigint) returns void language plpgsql
set enable_nestloop = on set enable_bitmapscan = off as $$
declare
    changed uuid[] := array(
        select distinct e.stream from log.events e
         where e.position > after and e.position <= upto
           and e.type in ('SightingHidden', 'SightingUnhidden', 'PayloadRedacted'));
begin
    if cardinality(changed) = 0 then
        return;
    end if;
    delete from hidden h where h.stream = any (changed);
    insert into hidden (stream, field, since, until)
    select c.id, f.field, e.position, e.next
      from unnest(changed) c (id)
     cross join lateral (
        select e.type, e.position, e.payload, lead(e.position) over (order by e.version) as next
          from model.events_of(c.id, 'sighting', upto) e
         where e.type in ('SightingHidden', 'SightingUnhidden') offset 0) e
     cross join lateral (
        select json_array_elements_text(e.payload -> 'hidden') as field where e.type = 'SightingHidden') f;
end $$;
