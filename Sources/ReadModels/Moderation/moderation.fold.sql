-- reviewed(id, kind, upto): a stream's events up to `upto`, and what they mean for its review.
--   act      its type; null if a later decision restores the review that was before it, or it is such a decision
--   decides  whether it is a decision, undone ones included
--   raises   whether its subject waits since then
--   status   the status that it gives; null: none
--   removed  whether its payload was essential, and is a tombstone
--   complete whether its payload has everything that must be known of the stream's subject
create or replace function reviewed(id uuid, kind text, upto bigint)
returns table (version integer, type text, act text, decides boolean, raises boolean, status text, removed boolean,
               complete boolean, command uuid, recorded_at timestamptz, payload jsonb, "position" bigint)
language sql stable as $$
    select e.version, e.type, e.act,
           e.type in ('SightingApproved', 'SightingRejected', 'SightingReopened', 'PhotoApproved', 'PhotoRejected',
                      'PhotoReopened'),
           coalesce(e.act in ('SightingSubmitted', 'SightingImported', 'SightingReopened', 'PhotoUploaded',
                              'PhotoReopened'), false),
           given_status(kind, e.type),
           e.type = any (event_types(kind, essential => true)) and e.payload ? 'redacted',
           e.type = any (event_types(kind, complete => true)),
           e.command, e.recorded_at, e.payload, e.position
      from (select e.version, e.type, e.command, e.recorded_at, e.payload::jsonb as payload, e.position,
                   -- Restored by this event or a later one.
                   case when min((e.payload ->> 'restores')::integer) over (order by e.version desc) < e.version
                        then null else e.type end as act
              from model.events_of(id, kind, upto) e offset 0) e
$$;

-- review(ids, kind, upto): the review of some streams, from all their events up to `upto`, each read once.
--   state       the merged payloads
--   status      the one that was given last
--   judged      version of the newest decision that was not undone
--   raised      since when it waits if it does
--   flagged_at  when the first flag after that decision was raised
--   judge       the moderator who spoke last: of a second opinion, else of the rejection
--   parked      until when the newest question, unless it was undone, takes it out of the queue
--   reasons     of the newest rejection
--   redacted    whether an essential payload is a tombstone; none before the newest complete one is needed
--   sensitive   whether an event recorded category 1 or 2
--   decided     its rows of `decisions`; null: none. The decision of an import that repeats a rejection was made before
--   questioned  its rows of `questions`; null: none
create or replace function review(ids uuid[], kind text, upto bigint)
returns table (id uuid, state jsonb, status text, judged integer, second integer, appealed integer, asked integer,
               answered integer, parked timestamptz, raised timestamptz, flagged_at timestamptz, flags integer,
               judge uuid, reasons jsonb, redacted boolean, sensitive boolean, decided decisions[],
               questioned questions[], version integer, "position" bigint)
language sql stable as $$
    select c.id, r.*
      from unnest(ids) c (id)
     cross join lateral (
        select model.merge(e.payload order by e.version),
               (array_agg(e.status order by e.version desc) filter (where e.status is not null))[1],
               max(e.judged),
               coalesce(max(e.version) filter (where e.act = 'SightingSecondOpinionAsked'), 0),
               coalesce(max(e.version) filter (where e.act = 'SightingAppealed'), 0),
               coalesce(max(e.version) filter (where e.act = 'SightingQuestionAsked'), 0),
               coalesce(max(e.version) filter (where e.act = 'SightingAnswered'), 0),
               (array_agg((e.payload ->> 'parkedUntil')::timestamptz order by e.version desc)
                   filter (where e.act = 'SightingQuestionAsked' and e.payload ? 'parkedUntil'))[1],
               max(e.recorded_at) filter (where e.raises),
               min(e.recorded_at) filter (where e.flags and e.version > e.judged),
               (count(*) filter (where e.flags and e.version > e.judged))::integer,
               (array_agg((e.payload ->> 'moderator')::uuid order by e.version desc)
                   filter (where e.act in ('SightingSecondOpinionAsked', 'SightingRejected')))[1],
               (array_agg(e.payload -> 'reasons' order by e.version desc)
                   filter (where e.type in ('SightingRejected', 'PhotoRejected')))[1],
               coalesce(max(e.version) filter (where e.removed) >= max(e.version) filter (where e.complete), false),
               coalesce(bool_or(e.payload ->> 'sensitivity' in ('1', '2')), false),
               array_agg(row(kind, c.id, e.version, e.status, e.payload ->> 'moderator', e.payload ->> 'decisionBatch',
                             e.recorded_at, e.raised_at, e.position)::decisions)
                   filter (where e.decides and e.payload ->> 'moderator' is not null and e.command is not null),
               array_agg(row(c.id, e.version, e.payload ->> 'decisionBatch', e.position)::questions)
                   filter (where e.type = 'SightingQuestionAsked' and e.payload ->> 'decisionBatch' is not null),
               max(e.version) as version, max(e.position)
          from (select e.*, e.type in ('SightingFlagged', 'PhotoFlagged') as flags,
                       coalesce(max(e.version) filter (where e.decides and e.act is not null) over (), 0) as judged,
                       max(e.recorded_at) filter (where e.raises)
                           over (order by e.version rows between unbounded preceding and 1 preceding) as raised_at
                  from reviewed(c.id, kind, upto) e offset 0) e offset 0) r
     where r.version is not null
$$;

-- announced(): the events of which owners are notified when someone else causes them, and a word for each.
create or replace function announced() returns table (type text, kind text) language sql immutable as $$
    values ('SightingApproved', 'approved'), ('SightingRejected', 'rejected'), ('SightingReopened', 'reopened'),
           ('SightingQuestionAsked', 'question'), ('SightingIdentified', 'identified'), ('SightingHidden', 'hidden'),
           ('SightingUnhidden', 'shown'), ('PhotoApproved', 'approved'), ('PhotoRejected', 'rejected'),
           ('PhotoReopened', 'reopened'), ('PhotoHidden', 'hidden'), ('PhotoUnhidden', 'shown')
$$;

-- notify(after, upto, changed): adds the notifications of the events with after < position <= upto, and takes what may
-- be redacted of those of the streams in `changed` from their payloads again. Only a command's first event notifies; no
-- stream's first event does.
create or replace function notify(after bigint, upto bigint, changed uuid[]) returns void language plpgsql as $$
begin
    insert into notifications (account, position, subject, id, kind, recorded_at)
    select f.actor, e.position, s.kind, e.stream, a.kind, e.recorded_at
      from log.events e
      join announced() a on a.type = e.type
     cross join lateral (select s.kind, s.first_position from log.streams s where s.id = e.stream offset 0) s
     cross join lateral (select f.actor from log.events f where f.position = s.first_position offset 0) f
     where e.position > after and e.position <= upto and e.command is not null and f.actor <> e.actor;
    update notifications n
       set sighting = case n.subject when 'sighting' then n.id else (
                          select i.sighting from items i where i.subject = 'photo' and i.id = n.id) end,
           reasons = case n.kind when 'hidden' then array_remove(array[e.payload ->> 'hiding'], null)
                                 else array(select json_array_elements_text(e.payload -> 'reasons')) end
      from log.events e
     where n.id = any (changed) and e.position = n.position;
end $$;

-- begin_sightings(continued, after, upto): makes the rows of the sightings that begin in the range and are not in
-- `continued`, from their only event. They have no decision, flag or question.
-- Result: those that wait for photos.
-- Why this shape: only the members that are needed are read from the payload, which is not made a jsonb for it. Nested
-- loops are priced out, because the number of streams in `continued` is not known when the statement is planned.
create or replace function begin_sightings(continued uuid[], after bigint, upto bigint) returns uuid[]
language plpgsql set enable_nestloop = off as $$
declare
    awaiting uuid[];
begin
    with begun as (
        insert into items (subject, id, sighting, observer, taxon, region, local_from, local_to, guarded, status,
                           waiting_since, awaited, flags, version, position)
        select 'sighting', e.stream, e.stream, p.observer, p.taxon, p.place ->> 'region',
               (p.observed ->> 'localFrom')::date, (p.observed ->> 'localTo')::date,
               (p.geoprivacy = 'private' or p.sensitivity in ('1', '2')) is true,
               case when p.redacted is not null then 'redacted' else given_status('sighting', e.type) end,
               case when p.redacted is null and given_status('sighting', e.type) = 'pending' then e.recorded_at end,
               p."awaitedPhotos", 0, e.version, e.position
          from log.events e
         cross join lateral json_to_record(e.payload) p (
               observer uuid, taxon uuid, place json, observed json, geoprivacy text, sensitivity text,
               "awaitedPhotos" jsonb, redacted json)
         where e.position > after and e.position <= upto and e.version = 1
           and e.type = any (event_types('sighting', complete => true))
           and not exists (select from unnest(continued) c (stream) where c.stream = e.stream)
        returning id, awaited)
    select coalesce(array_agg(b.id), '{}') into awaiting from begun b where b.awaited is not null;
    return awaiting;
end $$;

-- continue_sightings(continued, upto): makes the rows of some sightings again, from all their events.
create or replace function continue_sightings(continued uuid[], upto bigint) returns void language plpgsql as $$
begin
    delete from items i where i.subject = 'sighting' and i.id = any (continued);
    delete from decisions d where d.subject = 'sighting' and d.id = any (continued);
    delete from questions q where q.id = any (continued);
    with reviews as materialized (
        select r.* from review(continued, 'sighting', upto) r
    ), decided as (
        insert into decisions select d.* from reviews r cross join lateral unnest(r.decided) d
    ), questioned as (
        insert into questions select q.* from reviews r cross join lateral unnest(r.questioned) q
    )
    insert into items (subject, id, sighting, observer, taxon, region, local_from, local_to, guarded, status, reasons,
                       waiting_since, review, decided_by, parked_until, awaited, flags, version, position)
    select 'sighting', r.id, r.id, (r.state ->> 'observer')::uuid, (r.state ->> 'taxon')::uuid,
           r.state #>> '{place,region}', (r.state #>> '{observed,localFrom}')::date,
           (r.state #>> '{observed,localTo}')::date, (r.state ->> 'geoprivacy' = 'private' or r.sensitive) is true,
           case when r.redacted then 'redacted' else r.status end,
           case when r.status = 'rejected' then r.reasons end,
           case when r.redacted or r.status = 'withdrawn' then null
                when r.status = 'pending' or greatest(r.appealed, r.second) > r.judged then r.raised
                when r.flags > 0 then r.flagged_at end,
           case when r.second > r.judged then 'second-opinion' when r.appealed > r.judged then 'appeal'
                when r.flags > 0 then 'flagged' end,
           case when greatest(r.appealed, r.second) > r.judged then r.judge end,
           case when r.asked > greatest(r.answered, r.judged, r.second) then r.parked end,
           nullif(r.state -> 'awaitedPhotos', 'null'), r.flags, r.version, r.position
      from reviews r;
end $$;

-- place_of(sighting): what the rows of photos take from that of their sighting.
create or replace function place_of(sighting uuid)
returns table (taxon uuid, region text, local_from date, local_to date, guarded boolean, status text,
               parked_until timestamptz)
language sql stable as $$
    select i.taxon, i.region, i.local_from, i.local_to, i.guarded, i.status, i.parked_until
      from items i where i.subject = 'sighting' and i.id = place_of.sighting offset 0
$$;

-- begin_photos(continued, after, upto): makes the rows of the photos that begin in the range and are not in
-- `continued`, from their only event. One whose upload was redacted has none.
-- Result: their sightings.
-- Why this shape: as that of begin_sightings.
create or replace function begin_photos(continued uuid[], after bigint, upto bigint) returns uuid[]
language plpgsql set enable_nestloop = off as $$
declare
    hosts uuid[];
begin
    with begun as (
        insert into items (subject, id, sighting, observer, taxon, region, local_from, local_to, guarded, status,
                           waiting_since, parked_until, original, flags, version, position)
        select 'photo', e.stream, p.sighting, p.observer, s.taxon, s.region, s.local_from, s.local_to,
               coalesce(s.guarded, false), case when s.status = 'withdrawn' then s.status else e.status end,
               case when (s.status in ('withdrawn', 'redacted')) is not true then e.recorded_at end,
               s.parked_until, p.original, 0, e.version, e.position
          from (select e.*, given_status('photo', e.type) as status from log.events e) e
         cross join lateral json_to_record(e.payload) p (sighting uuid, observer uuid, original text)
          left join lateral (select s.* from place_of(p.sighting) s offset 0) s on true
         where e.position > after and e.position <= upto and e.version = 1
           and e.type = any (event_types('photo', complete => true)) and p.sighting is not null
           and not exists (select from unnest(continued) c (stream) where c.stream = e.stream)
        returning sighting)
    select coalesce(array_agg(b.sighting), '{}') into hosts from begun b;
    return hosts;
end $$;

-- continue_photos(continued, upto): makes the rows of some photos again, from all their events.
create or replace function continue_photos(continued uuid[], upto bigint) returns void language plpgsql as $$
begin
    delete from items i where i.subject = 'photo' and i.id = any (continued);
    delete from decisions d where d.subject = 'photo' and d.id = any (continued);
    with reviews as materialized (
        select r.* from review(continued, 'photo', upto) r
    ), decided as (
        insert into decisions select d.* from reviews r cross join lateral unnest(r.decided) d
    )
    insert into items (subject, id, sighting, observer, taxon, region, local_from, local_to, guarded, status, reasons,
                       waiting_since, review, decided_by, parked_until, original, flags, version, position)
    select 'photo', r.id, (r.state ->> 'sighting')::uuid, (r.state ->> 'observer')::uuid, s.taxon, s.region,
           s.local_from, s.local_to, coalesce(s.guarded, false),
           case when s.status = 'withdrawn' then s.status else r.status end,
           case when r.status = 'rejected' then r.reasons end,
           case when r.redacted or r.status = 'deleted' or s.status in ('withdrawn', 'redacted') then null
                when r.status = 'pending' then r.raised
                when r.flags > 0 then r.flagged_at end,
           case when r.flags > 0 then 'flagged' end, null, s.parked_until, r.state ->> 'original', r.flags, r.version,
           r.position
      from reviews r
      left join lateral (select s.* from place_of((r.state ->> 'sighting')::uuid) s offset 0) s on true
     where r.state ->> 'sighting' is not null;
end $$;

-- await(hosts, upto): a sighting waits two days for the photos that were announced with it.
create or replace function await(hosts uuid[], upto bigint) returns void language plpgsql as $$
begin
    update items i
       set photos_until = case when exists (
               select from jsonb_array_elements_text(i.awaited) a (original)
                where not exists (select from items p
                                   where p.sighting = i.id and p.subject = 'photo' and p.original = a.original))
               then (select e.recorded_at from model.events_of(i.id, 'sighting', upto) e where e.version = 1)
                    + interval '48 hours' end
     where i.subject = 'sighting' and i.id = any (hosts) and i.awaited is not null;
end $$;

-- hosts_of(photos): the sightings of some photos.
create or replace function hosts_of(photos uuid[]) returns uuid[] language sql stable
return array(select i.sighting from items i where i.subject = 'photo' and i.id = any (photos));

-- fold_streams(sightings, photos, after, upto): makes the rows of some sightings and photos again, from all their
-- events, and those of the others that begin in the range, from their only one.
create or replace function fold_streams(sightings uuid[], photos uuid[], after bigint, upto bigint) returns void
language plpgsql as $$
declare
    -- Those of which it may have changed whether announced photos are there.
    hosts uuid[] := sightings || begin_sightings(sightings, after, upto);
begin
    if cardinality(sightings) > 0 then
        perform continue_sightings(sightings, upto);
    end if;
    -- A photo takes place and time from its sighting, and may have come before it.
    photos := array(
        select p.id from unnest(photos) p (id)
        union
        select i.id from unnest(sightings) s (id)
         cross join lateral (select i.id from items i where i.subject = 'photo' and i.sighting = s.id offset 0) i
        union
        select i.id from (select i.* from items i where i.subject = 'photo' and i.local_from is null offset 0) i
         cross join lateral (select s.position from items s
                              where s.subject = 'sighting' and s.id = i.sighting offset 0) s
         where s.position > after);
    if cardinality(photos) > 0 then
        -- Also of photos whose upload was redacted, which have no row any longer.
        hosts := hosts || hosts_of(photos);
        perform continue_photos(photos, upto);
        hosts := hosts || hosts_of(photos);
    end if;
    hosts := hosts || begin_photos(photos, after, upto);
    if cardinality(hosts) > 0 then
        perform await(hosts, upto);
    end if;
    if cardinality(sightings) + cardinality(photos) > 0 then
        perform notify(after, upto, sightings || photos);
    end if;
end $$;

-- fold(after, upto): the events with after < position <= upto become rows of `items`, `decisions`, `questions` and
-- `notifications`.
--
-- Result: nothing. The rows of every sighting and photo with an event in the range, and of all photos of such
-- sightings, are rebuilt from their events up to `upto`.
-- Why this shape: most sightings and photos are one event, which becomes their row without being looked for. The others
-- have few; reading them again by index keeps every row a function of the log alone, redactions included.
-- Order: sightings come first, because rows of photos take place and time from them.
create or replace function fold(after bigint, upto bigint) returns void language plpgsql
set search_path from current set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_bitmapscan = off set jit = off set work_mem = '64MB'
as $$
declare
    sightings uuid[];
    photos    uuid[];
begin
    -- Those that go on past their first event.
    select coalesce(array_agg(distinct e.stream) filter (where e.type = any (event_types('sighting'))), '{}'),
           coalesce(array_agg(distinct e.stream) filter (where e.type = any (event_types('photo'))), '{}')
      into sightings, photos
      from log.events e
     where e.position > after and e.position <= upto and e.version > 1
       and e.type = any (event_types('sighting') || event_types('photo'));
    perform fold_streams(sightings, photos, after, upto);
end $$;
