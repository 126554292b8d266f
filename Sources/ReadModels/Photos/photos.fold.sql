-- states(continued, after, upto): the photos in `continued` as all their events up to `upto` make them, and the others
-- that begin in the range, as their only event does.
--   state   the merged payloads
--   status  the one that was given last
--   reasons of the newest rejection
--   hidden  whether it is hidden
create or replace function states(continued uuid[], after bigint, upto bigint)
returns table (id uuid, state jsonb, status text, reasons jsonb, hidden boolean, uploaded_at timestamptz,
               version integer, "position" bigint)
language sql stable as $$
    select e.stream, e.payload::jsonb, given_status('photo', e.type), null::jsonb, false, e.recorded_at, e.version,
           e.position
      from log.events e
     where e.position > after and e.position <= upto and e.version = 1
       and e.type = any (event_types('photo', complete => true))
       and not exists (select from unnest(continued) c (id) where c.id = e.stream)
    union all
    select c.id, e.*
      from unnest(continued) c (id)
     cross join lateral (
        select model.merge(e.payload order by e.version),
               (array_agg(e.status order by e.version desc) filter (where e.status is not null))[1],
               (array_agg(e.payload -> 'reasons' order by e.version desc) filter (where e.type = 'PhotoRejected'))[1],
               max(e.version) filter (where e.type = 'PhotoHidden')
                   > coalesce(max(e.version) filter (where e.type = 'PhotoUnhidden'), 0),
               min(e.recorded_at), max(e.version) as version, max(e.position)
          from (select e.version, e.type, e.recorded_at, e.position, e.payload::jsonb as payload,
                       given_status('photo', e.type) as status
                  from model.events_of(c.id, 'photo', upto) e offset 0) e offset 0) e
     where e.version is not null
$$;

-- fold_streams(continued, after, upto): makes the rows of some photos again, from all their events, and those of the
-- others that begin in the range, from their only one.
create or replace function fold_streams(continued uuid[], after bigint, upto bigint) returns void
language plpgsql as $$
begin
    delete from photos p where p.id = any (continued);
    delete from likenesses l where l.photo = any (continued);

    with new as (
        insert into photos (
            id, sighting, observer, ordinal, status, reasons, hiding, licence, media_type, width, height, bytes,
            original, renditions, resembles, hash, likeness, uploaded_at, version, position)
        select p.id, (p.state ->> 'sighting')::uuid, (p.state ->> 'observer')::uuid, (p.state ->> 'ordinal')::integer,
               p.status, case when p.status = 'rejected' then p.reasons end,
               case when p.hidden then coalesce(p.state ->> 'hiding', 'other') end,
               p.state ->> 'licence', p.state ->> 'mediaType', (p.state ->> 'width')::integer,
               (p.state ->> 'height')::integer, (p.state ->> 'bytes')::bigint, p.state ->> 'original',
               coalesce(p.state -> 'renditions', '[]'), p.state -> 'resembles',
               ('x' || (p.state ->> 'perceptualHash'))::bit(64)::bigint, p.state -> 'likeness', p.uploaded_at,
               p.version, p.position
          from (select s.* from states(continued, after, upto) s offset 0) p
         where p.state ->> 'sighting' is not null
        returning id, likeness, status, uploaded_at)
    insert into likenesses (photo, hash, approved, uploaded_at)
    select n.id, ('x' || l.hash)::bit(256), n.status = 'approved', n.uploaded_at
      from new n
     cross join lateral jsonb_array_elements_text(n.likeness) l (hash);
end $$;

-- fold(after, upto): the events with after < position <= upto become rows of `photos` and `likenesses`.
--
-- Result: nothing. The row of every photo with an event in the range is rebuilt from its events up to `upto`; a photo
-- whose upload was redacted has none.
-- Why this shape: a photo that goes on has few events; reading them again by index keeps every row a function of the
-- log alone.
-- Order: none is guaranteed or needed; a row never depends on another photo.
create or replace function fold(after bigint, upto bigint) returns void language plpgsql
set search_path from current set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_nestloop = off set enable_bitmapscan = off set jit = off
as $$
begin
    perform fold_streams(
        array(select distinct e.stream from log.events e
               where e.position > after and e.position <= upto and e.version > 1
                 and e.type = any (event_types('photo'))),
        after, upto);
end $$;
