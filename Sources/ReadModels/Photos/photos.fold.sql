-- fold(after, upto): the events with after < position <= upto become rows of `photos` and `likenesses`.
--
-- Result: nothing. The row of every photo with an event in the range is rebuilt from its events up to `upto`; a photo
-- whose upload was redacted has none.
-- Why this shape: a photo has few events; reading them again by index keeps every row a function of the log alone.
-- Order: none is guaranteed or needed; a row never depends on another photo.
create or replace function fold(after bigint, upto bigint) returns void language plpgsql
set search_path from current set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_bitmapscan = off set jit = off
as $$
declare
    changed uuid[];
begin
    select array_agg(distinct e.stream) into changed
      from log.events e
     where e.position > after and e.position <= upto
       and e.type = any (event_types('photo'));
    if changed is null then
        return;
    end if;

    delete from photos p where p.id = any (changed);
    delete from likenesses l where l.photo = any (changed);

    insert into photos (
        id, sighting, observer, ordinal, status, reasons, hiding, licence, media_type, width, height, bytes, original,
        renditions, resembles, hash, likeness, uploaded_at, version, position)
    select c.id, (e.state ->> 'sighting')::uuid, (e.state ->> 'observer')::uuid, (e.state ->> 'ordinal')::integer,
           e.statuses[cardinality(e.statuses)],
           case when e.statuses[cardinality(e.statuses)] = 'rejected' then e.reasons end,
           case when e.hidden > coalesce(e.unhidden, 0) then coalesce(e.state ->> 'hiding', 'other') end,
           e.state ->> 'licence', e.state ->> 'mediaType', (e.state ->> 'width')::integer,
           (e.state ->> 'height')::integer, (e.state ->> 'bytes')::bigint, e.state ->> 'original',
           coalesce(e.state -> 'renditions', '[]'), e.state -> 'resembles',
           ('x' || (e.state ->> 'perceptualHash'))::bit(64)::bigint, e.state -> 'likeness', e.uploaded_at, e.version,
           e.position
      from unnest(changed) c (id)
     cross join lateral (
        select model.merge(e.payload::jsonb order by e.version) as state,
               array_agg(s.status order by e.version) filter (where s.status is not null) as statuses,
               (array_agg(e.payload::jsonb -> 'reasons' order by e.version desc)
                   filter (where e.type = 'PhotoRejected'))[1] as reasons,
               max(e.version) filter (where e.type = 'PhotoHidden') as hidden,
               max(e.version) filter (where e.type = 'PhotoUnhidden') as unhidden,
               min(e.recorded_at) as uploaded_at, max(e.version) as version, max(e.position) as position
          from model.events_of(c.id, 'photo', upto) e
          left join folded_events() s on s.stream = 'photo' and s.type = e.type offset 0) e
     where e.version is not null and e.state ->> 'sighting' is not null;

    insert into likenesses (photo, hash, approved, uploaded_at)
    select p.id, ('x' || l.hash)::bit(256), p.status = 'approved', p.uploaded_at
      from unnest(changed) c (id)
     cross join lateral (select p.* from photos p where p.id = c.id offset 0) p
     cross join lateral jsonb_array_elements_text(p.likeness) l (hash);
end $$;
