-- review(ids, kind, upto): the review of some streams, from all their events up to `upto`.
--   state       the merged payloads
--   status      the one that was given last
--   judged      version of the newest decision
--   raised      when it was submitted, imported, uploaded or reopened last
--   flagged_at  when the first flag after the newest decision was raised
--   reasons     of the newest rejection
--   redacted    whether an essential payload is a tombstone; none before the newest complete one is needed
create or replace function review(ids uuid[], kind text, upto bigint)
returns table (id uuid, state jsonb, status text, judged integer, second integer, appealed integer, asked integer,
               answered integer, raised timestamptz, flagged_at timestamptz, flags integer, judge uuid,
               reasons jsonb, redacted boolean, version integer, "position" bigint)
language sql stable as $$
    select r.id, r.state, r.statuses[cardinality(r.statuses)], r.judged, r.second, r.appealed, r.asked, r.answered,
           r.raised, f.flagged_at, f.flags, f.judge, f.reasons, r.redacted, r.version, r.position
      from unnest(ids) c (id)
     cross join lateral (
        select c.id, model.merge(e.payload::jsonb order by e.version) as state,
               array_agg(s.status order by e.version) filter (where s.status is not null) as statuses,
               coalesce(max(e.version) filter (where e.type in (
                   'SightingApproved', 'SightingRejected', 'SightingReopened', 'PhotoApproved', 'PhotoRejected',
                   'PhotoReopened')), 0) as judged,
               coalesce(max(e.version) filter (where e.type = 'SightingSecondOpinionAsked'), 0) as second,
               coalesce(max(e.version) filter (where e.type = 'SightingAppealed'), 0) as appealed,
               coalesce(max(e.version) filter (where e.type = 'SightingQuestionAsked'), 0) as asked,
               coalesce(max(e.version) filter (where e.type = 'SightingAnswered'), 0) as answered,
               max(e.recorded_at) filter (where e.type in (
                   'SightingSubmitted', 'SightingImported', 'SightingReopened', 'PhotoUploaded', 'PhotoReopened'))
                   as raised,
               coalesce(max(e.version) filter (where s.essential and e.payload::jsonb ? 'redacted')
                        >= max(e.version) filter (where s.complete), false) as redacted,
               max(e.version) as version, max(e.position) as position
          from model.events_of(c.id, kind, upto) e
          left join folded_events() s on s.stream = kind and s.type = e.type offset 0) r
     cross join lateral (
        select min(e.recorded_at) filter (where e.type in ('SightingFlagged', 'PhotoFlagged') and e.version > r.judged)
                   as flagged_at,
               (count(*) filter (where e.type in ('SightingFlagged', 'PhotoFlagged') and e.version > r.judged))::integer
                   as flags,
               -- The moderator who spoke last: of a second opinion, else of the rejection.
               (array_agg((e.payload ->> 'moderator')::uuid order by e.version desc)
                   filter (where e.type in ('SightingSecondOpinionAsked', 'SightingRejected')))[1] as judge,
               (array_agg(e.payload::jsonb -> 'reasons' order by e.version desc)
                   filter (where e.type in ('SightingRejected', 'PhotoRejected')))[1] as reasons
          from model.events_of(c.id, kind, upto) e offset 0) f
     where r.version is not null
$$;

-- decided(ids, kind, upto): the decisions in some streams.
create or replace function decided(ids uuid[], kind text, upto bigint) returns setof decisions
language sql stable as $$
    select kind, c.id, e.version, e.status, (e.payload ->> 'moderator')::uuid, (e.payload ->> 'decisionBatch')::uuid,
           e.recorded_at, e.raised_at, e.position
      from unnest(ids) c (id)
     cross join lateral (
        select e.version, e.type, e.recorded_at, e.payload, e.position, s.status,
               max(e.recorded_at) filter (where e.type in (
                   'SightingSubmitted', 'SightingImported', 'SightingReopened', 'PhotoUploaded', 'PhotoReopened'))
                   over (order by e.version rows between unbounded preceding and 1 preceding) as raised_at
          from model.events_of(c.id, kind, upto) e
          left join folded_events() s on s.stream = kind and s.type = e.type offset 0) e
     where e.type in ('SightingApproved', 'SightingRejected', 'SightingReopened', 'PhotoApproved', 'PhotoRejected',
                      'PhotoReopened')
       and e.payload ->> 'moderator' is not null
$$;

-- announced(): the events of which owners are notified when someone else causes them, and a word for each.
create or replace function announced() returns table (type text, kind text) language sql immutable as $$
    values ('SightingApproved', 'approved'), ('SightingRejected', 'rejected'), ('SightingReopened', 'reopened'),
           ('SightingQuestionAsked', 'question'), ('SightingIdentified', 'identified'), ('SightingHidden', 'hidden'),
           ('SightingUnhidden', 'shown'), ('PhotoApproved', 'approved'), ('PhotoRejected', 'rejected'),
           ('PhotoReopened', 'reopened'), ('PhotoHidden', 'hidden'), ('PhotoUnhidden', 'shown')
$$;

-- notify(after, upto, changed): adds the notifications of the events with after < position <= upto, and takes what may
-- be redacted of those of the streams in `changed` from their payloads again. Only a command's first event notifies.
create or replace function notify(after bigint, upto bigint, changed uuid[]) returns void language plpgsql as $$
begin
    insert into notifications (account, number, subject, id, kind, recorded_at, position)
    select n.owner, coalesce(k.number, 0) + row_number() over (partition by n.owner order by n.position), n.subject,
           n.stream, n.kind, n.recorded_at, n.position
      from (select f.actor as owner, s.kind as subject, e.stream, a.kind, e.recorded_at, e.position
              from log.events e
              join announced() a on a.type = e.type
             cross join lateral (
                select s.kind, s.first_position from log.streams s where s.id = e.stream offset 0) s
             cross join lateral (select f.actor from log.events f where f.position = s.first_position offset 0) f
             where e.position > after and e.position <= upto and e.command is not null and f.actor <> e.actor) n
     cross join lateral (select max(k.number) as number from notifications k where k.account = n.owner) k;
    update notifications n
       set sighting = case n.subject when 'sighting' then n.id else (
                          select i.sighting from items i where i.subject = 'photo' and i.id = n.id) end,
           reasons = array(select json_array_elements_text(e.payload -> 'reasons'))
      from log.events e
     where n.id = any (changed) and e.position = n.position;
end $$;

-- fold(after, upto): the events with after < position <= upto become rows of `items`, `decisions` and `notifications`.
--
-- Result: nothing. The rows of every sighting and photo with an event in the range, and of all photos of such
-- sightings, are rebuilt from their events up to `upto`.
-- Why this shape: sightings and photos have few events; reading them again by index keeps every row a function of the
-- log alone, redactions included.
-- Order: sightings come first, because rows of photos take place and time from them.
create or replace function fold(after bigint, upto bigint) returns void language plpgsql
set search_path from current set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_bitmapscan = off set jit = off set work_mem = '64MB'
as $$
declare
    sightings uuid[];
    photos    uuid[];
    hosts     uuid[];
begin
    select coalesce(array_agg(distinct e.stream) filter (where e.type = any (event_types('sighting'))), '{}'),
           coalesce(array_agg(distinct e.stream) filter (where e.type = any (event_types('photo'))), '{}')
      into sightings, photos
      from log.events e
     where e.position > after and e.position <= upto
       and e.type = any (event_types('sighting') || event_types('photo'));
    photos := photos || array(
        select i.id from unnest(sightings) s (id)
         cross join lateral (select i.id, i.subject from items i where i.sighting = s.id offset 0) i
         where i.subject = 'photo' and i.id <> all (photos));

    delete from items i where i.subject = 'sighting' and i.id = any (sightings);
    insert into items (subject, id, sighting, observer, taxon, region, local_from, local_to, status, reasons,
                       waiting_since, review, decided_by, parked_until, awaited, flags, version, position)
    select 'sighting', r.id, r.id, (r.state ->> 'observer')::uuid, (r.state ->> 'taxon')::uuid,
           r.state #>> '{place,region}', (r.state #>> '{observed,localFrom}')::date,
           (r.state #>> '{observed,localTo}')::date, case when r.redacted then 'redacted' else r.status end,
           case when r.status = 'rejected' then r.reasons end,
           case when r.redacted or r.status = 'withdrawn' then null
                when r.status = 'pending' or r.appealed > r.judged or r.second > r.judged then r.raised
                when r.flags > 0 then r.flagged_at end,
           case when r.second > r.judged then 'second-opinion' when r.appealed > r.judged then 'appeal'
                when r.flags > 0 then 'flagged' end,
           case when r.second > r.judged or r.appealed > r.judged then r.judge end,
           case when r.asked > greatest(r.answered, r.judged, r.second)
                then (r.state ->> 'parkedUntil')::timestamptz end,
           nullif(r.state -> 'awaitedPhotos', 'null'), r.flags, r.version, r.position
      from review(sightings, 'sighting', upto) r;
    delete from decisions d where d.subject = 'sighting' and d.id = any (sightings);
    insert into decisions select d.* from decided(sightings, 'sighting', upto) d;

    -- Also of photos whose upload was redacted, which have no row any longer.
    hosts := sightings || array(
        select i.sighting from items i where i.subject = 'photo' and i.id = any (photos));
    delete from items i where i.subject = 'photo' and i.id = any (photos);
    insert into items (subject, id, sighting, observer, taxon, region, local_from, local_to, status, reasons,
                       waiting_since, review, decided_by, original, flags, version, position)
    select 'photo', r.id, (r.state ->> 'sighting')::uuid, (r.state ->> 'observer')::uuid, s.taxon, s.region,
           s.local_from, s.local_to, case when s.status = 'withdrawn' then s.status else r.status end,
           case when r.status = 'rejected' then r.reasons end,
           case when r.redacted or r.status = 'deleted' or s.status in ('withdrawn', 'redacted') then null
                when r.status = 'pending' then r.raised
                when r.flags > 0 then r.flagged_at end,
           case when r.flags > 0 then 'flagged' end, null, r.state ->> 'original', r.flags, r.version, r.position
      from review(photos, 'photo', upto) r
      left join lateral (
        select i.taxon, i.region, i.local_from, i.local_to, i.status
          from items i where i.subject = 'sighting' and i.id = (r.state ->> 'sighting')::uuid offset 0) s on true
     where r.state ->> 'sighting' is not null;
    delete from decisions d where d.subject = 'photo' and d.id = any (photos);
    insert into decisions select d.* from decided(photos, 'photo', upto) d;

    -- A sighting waits two days for the photos that were announced with it.
    update items i
       set photos_until = case when exists (
               select from jsonb_array_elements_text(i.awaited) a (original)
                where not exists (select from items p
                                   where p.sighting = i.id and p.subject = 'photo' and p.original = a.original))
               then s.recorded_at + interval '48 hours' end
      from (select distinct h.id
              from unnest(hosts || array(select i.sighting from items i
                                          where i.subject = 'photo' and i.id = any (photos))) h (id)) c
     cross join lateral (select s.recorded_at from model.events_of(c.id, 'sighting', upto) s
                          where s.version = 1 offset 0) s
     where i.subject = 'sighting' and i.id = c.id and i.awaited is not null;

    perform notify(after, upto, sightings || photos);
end $$;
