-- rows(changed, upto): makes the rows of some datasets and their batches again, from their events up to `upto`.
create or replace function rows(changed uuid[], upto bigint) returns void language plpgsql as $$
begin
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
