-- moderated(sightings, upto): the rows of moderator_events of some sightings as of `upto`.
--
-- A correction of a submission is a moderator's if it is not the observer's. A redacted event has no moderator, and of
-- a photo whose upload was redacted nothing is known.
create or replace function moderated(sightings uuid[], upto bigint) returns setof moderator_events
language sql stable as $$
    with events as materialized (
        select e.position, c.id as sighting, null::uuid as photo, e.moderator, null as change,
               null::timestamptz as recorded_at, null as reason, null::bigint as deleted
          from unnest(sightings) c (id)
         cross join lateral (
            select e.position,
                   case when e.payload ? 'redacted' then null
                        when e.payload ? 'moderator' then (e.payload ->> 'moderator')::uuid
                        when (e.payload ->> 'isModerator')::boolean then (e.payload ->> 'by')::uuid
                        when e.type = 'SightingCorrected' and e.submitter <> e.actor then e.actor end as moderator
              from (select e.position, e.type, e.actor, e.payload::jsonb as payload,
                           first_value(case e.type when 'SightingSubmitted' then e.actor end)
                               over (order by e.version) as submitter
                      from model.events_of(c.id, 'sighting', upto) e) e
             where e.type = any (event_types('sighting')) offset 0) e
         where e.moderator is not null
        union all
        select e.position, c.id, p.photo, (e.payload ->> 'moderator')::uuid, e.type, e.recorded_at,
               case when e.payload -> 'reasons' ?| array['not-own-work', 'inappropriate'] then 'content'
                    else e.payload #>> '{reasons,0}' end,
               e.deleted
          from unnest(sightings) c (id)
         cross join lateral (select p.photo from photo_streams p where p.sighting = c.id offset 0) p
         cross join lateral (
            select e.position, e.type, e.recorded_at, e.payload::jsonb as payload,
                   min(e.position) filter (where e.type = 'PhotoDeleted') over () as deleted
              from model.events_of(p.photo, 'photo', upto) e offset 0) e
         where e.type in ('PhotoApproved', 'PhotoRejected', 'PhotoReopened') and e.payload ? 'moderator'
    )
    select e.position, e.sighting, e.photo, (dense_rank() over (partition by e.sighting order by e.first))::integer,
           e.change, e.recorded_at, e.reason, e.deleted
      from (select e.*, min(e.position) over (partition by e.sighting, e.moderator) as first from events e) e
$$;

-- fold_moderators(changed, upto): folds what moderators did in some sightings and to some photos.
create or replace function fold_moderators(changed uuid[], upto bigint) returns void language plpgsql
set enable_nestloop = on set enable_bitmapscan = off as $$
declare
    sightings uuid[];
begin
    if cardinality(changed) = 0 then
        return;
    end if;
    -- The sighting of a photo whose upload was redacted is known from its rows alone.
    sightings := array(
        select distinct coalesce(p.sighting, m.sighting, c.id)
          from unnest(changed) c (id)
          left join lateral (select p.sighting from photo_streams p where p.photo = c.id offset 0) p on true
          left join lateral (
            select m.sighting from moderator_events m where m.photo = c.id limit 1) m on true);
    delete from moderator_events m where m.sighting = any (sightings);
    insert into moderator_events select m.* from moderated(sightings, upto) m;
end $$;
