-- fold(after, upto): the events with after < position <= upto become rows of `datasets` and `batches`.
--
-- Result: nothing. The rows of every dataset with an event in the range are rebuilt from its events up to `upto`.
-- Why this shape: a dataset has a few events an import; reading them again by index keeps every row a function of the
-- log alone, redactions included.
-- Order: none is guaranteed or needed; a row never depends on another dataset.
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
       and e.type = any (event_types('dataset'));
    if changed is null then
        return;
    end if;

    delete from datasets d where d.id = any (changed);
    delete from batches b where b.dataset = any (changed);

    insert into datasets (id, licence, republish, created_at, version, position)
    select c.id, e.state ->> 'licence', e.state ->> 'republish', e.created_at, e.version, e.position
      from unnest(changed) c (id)
     cross join lateral (
        select model.merge(e.payload::jsonb order by e.version) as state,
               min(e.recorded_at) as created_at, max(e.version) as version, max(e.position) as position
          from model.events_of(c.id, 'dataset', upto) e offset 0) e
     where e.version is not null;

    insert into batches (batch, dataset, file, started, started_at, finished, finished_at,
                         accepted, known, corrected, withdrawn, refused, undone, undone_at,
                         undone_records, undone_set_back, undone_brought_back, undone_left)
    select (e.payload ->> 'batch')::uuid, c.id,
           max(e.payload ->> 'file') filter (where e.type = 'ImportStarted'),
           min(e.position) filter (where e.type = 'ImportStarted'),
           min(e.recorded_at) filter (where e.type = 'ImportStarted'),
           max(e.position) filter (where e.type = 'ImportFinished'),
           max(e.recorded_at) filter (where e.type = 'ImportFinished'),
           max((e.payload ->> 'accepted')::integer) filter (where e.type = 'ImportFinished'),
           max((e.payload ->> 'known')::integer) filter (where e.type = 'ImportFinished'),
           max((e.payload ->> 'corrected')::integer) filter (where e.type = 'ImportFinished'),
           max((e.payload ->> 'withdrawn')::integer) filter (where e.type = 'ImportFinished'),
           max((e.payload ->> 'refused')::integer) filter (where e.type = 'ImportFinished'),
           max(e.position) filter (where e.type = 'ImportUndone'),
           max(e.recorded_at) filter (where e.type = 'ImportUndone'),
           -- Of the newest one: a repetition may have undone more.
           (array_agg((e.payload ->> 'withdrawn')::integer order by e.position desc)
               filter (where e.type = 'ImportUndone'))[1],
           (array_agg((e.payload ->> 'setBack')::integer order by e.position desc)
               filter (where e.type = 'ImportUndone'))[1],
           (array_agg((e.payload ->> 'broughtBack')::integer order by e.position desc)
               filter (where e.type = 'ImportUndone'))[1],
           (array_agg((e.payload ->> 'left')::integer order by e.position desc)
               filter (where e.type = 'ImportUndone'))[1]
      from unnest(changed) c (id)
     cross join lateral (
        select e.type, e.position, e.recorded_at, e.payload::jsonb as payload
          from model.events_of(c.id, 'dataset', upto) e offset 0) e
     where e.payload ? 'batch'
     group by c.id, e.payload ->> 'batch';
end $$;
