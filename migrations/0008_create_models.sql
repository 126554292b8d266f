-- For every read model: a checkpoint row, one function that moves it, and a few functions that folds share.
-- A read model's own tables and its fold live in a schema of their own, <name>_v<version>, made by the service.
create schema model;
grant usage on schema model to skein_service;

create table model.checkpoints (
    name            text    not null,
    version         integer not null check (version > 0),
    position        bigint  not null default 0 check (position >= 0),
    -- SHA-256 of the SQL the model was built with: a change without a new version is rejected.
    definition      text    not null,
    -- That of the table "build" beside the model's rows. A dump that was made during a rebuild's swap may have rows of
    -- one build and the checkpoint of another.
    build           uuid    not null,
    epoch           bigint  not null,
    updated_at      timestamptz not null default log.clock(),
    -- The last failure since the position moved; null: none.
    failed_at       timestamptz,
    failed_sqlstate text,
    failed_message  text,
    failures        integer not null default 0,
    primary key (name, version)
) with (fillfactor = 50);
grant select, insert, update, delete on model.checkpoints to skein_service;

-- One row for each process that serves, updated every minute. Read models that none of them names are dropped.
create table model.processes (
    id         uuid        primary key,
    -- Host and process number, for people.
    name       text        not null,
    started_at timestamptz not null default log.clock(),
    seen_at    timestamptz not null default log.clock(),
    -- Schemas of the read models that it follows.
    models     text[]      not null
);
grant select, insert, update, delete on model.processes to skein_service;

-- model.beat: records that a process is running, and removes those not seen for an hour.
-- Result: when this process was last seen before; null if never, or too long ago.
create function model.beat(p_id uuid, p_name text, p_models text[]) returns timestamptz language plpgsql as $$
declare
    before timestamptz;
begin
    select p.seen_at into before from model.processes p where p.id = p_id;
    insert into model.processes as p (id, name, models) values (p_id, p_name, p_models)
        on conflict (id) do update set seen_at = excluded.seen_at;
    -- After a pause or a jump of the clock, other processes may not have been able to record themselves.
    if before > log.clock() - interval '5 minutes' then
        delete from model.processes p where p.seen_at < log.clock() - interval '1 hour';
        return before;
    end if;
    return null;
end $$;
grant execute on function model.beat to skein_service;

-- The versions of read models that no process has followed for an hour.
create view model.unused as
select c.name, c.version, c.name || '_v' || c.version as schema
  from model.checkpoints c
 where c.updated_at < log.clock() - interval '1 hour'
   and not exists (select from model.processes p where c.name || '_v' || c.version = any (p.models));
grant select on model.unused to skein_service;

-- Rejects a fold of the positions after < position <= upto if one of them is missing.
create function model.expect_all(after bigint, upto bigint) returns void language plpgsql as $$
begin
    if (select count(*) from log.events e where e.position > after and e.position <= upto) <> upto - after then
        raise exception 'a position between % and % is missing from the log', after, upto using errcode = 'SKE04';
    end if;
end $$;
grant execute on function model.expect_all to skein_service;

-- Folds the next p_limit positions, at most, into a model and moves its checkpoint, all in one transaction.
-- Any number of processes may call it: the checkpoint row's lock admits one, and the others return at once.
-- Result: outcome 'advanced' | 'current' (nothing to do) | 'locked' (another is at it) | 'unknown' | 'ahead' (the
-- checkpoint is above the head: the log was restored from an older state), with the position reached and the head.
-- Errors: SKE04 a hole in the log; whatever the fold raises.
create function model.advance(p_name text, p_version integer, p_limit bigint)
returns table (outcome text, "position" bigint, head bigint)
language plpgsql as $$
#variable_conflict use_column
declare
    at_position bigint;
    last        bigint;
    upto        bigint;
begin
    select c.position into at_position
      from model.checkpoints c where c.name = p_name and c.version = p_version for update skip locked;
    if not found then
        return query select case when exists (
            select from model.checkpoints c where c.name = p_name and c.version = p_version)
            then 'locked' else 'unknown' end, 0::bigint, 0::bigint;
        return;
    end if;
    -- A statement of its own, after the lock: the head that it sees is folded below, whichever process appended it.
    select coalesce(max(e.position), 0) into last from log.events e;
    upto := least(at_position + p_limit, last);
    if upto <= at_position then
        -- With an idle log, nothing else would clear a past failure.
        if last = at_position then
            update model.checkpoints c
               set failed_at = null, failed_sqlstate = null, failed_message = null, failures = 0
             where c.name = p_name and c.version = p_version and c.failed_at is not null;
        end if;
        return query select case when last < at_position then 'ahead' else 'current' end, at_position, last;
        return;
    end if;
    perform model.expect_all(at_position, upto);
    execute format('select %I.fold($1, $2)', p_name || '_v' || p_version) using at_position, upto;
    update model.checkpoints c
       set position = upto, updated_at = log.clock(),
           failed_at = null, failed_sqlstate = null, failed_message = null, failures = 0
     where c.name = p_name and c.version = p_version;
    return query select 'advanced', upto, last;
end $$;
grant execute on function model.advance to skein_service;

-- Ordered shallow merge: the state of a stream is model.merge(payload order by version).
create aggregate model.merge(jsonb) (sfunc = jsonb_concat, stype = jsonb, initcond = '{}');

-- model.events_of(of_stream, of_kind, upto): the events of a stream up to a position; none where it is of another kind.
-- Why this shape: the condition on the version makes the index on (stream, version) the cheapest even without
-- statistics. Callers switch bitmap scans off: one would read all positions up to `upto` for every stream. The planner
-- puts the text into the statement that calls it.
create function model.events_of(of_stream uuid, of_kind text, upto bigint) returns setof log.events
language sql stable as $$
    select e.*
      from (select s.first_position from log.streams s where s.id = of_stream and s.kind = of_kind offset 0) s
     cross join lateral (
        select e.* from log.events e
         where e.stream = of_stream and e.version >= 1 and e.position >= s.first_position and e.position <= upto
         order by e.version offset 0) e
$$;

-- The last position recorded at or before a time; 0: none. Times never go back along positions, so it is a search by
-- halves over the primary key and needs no index on time.
create function log.position_at(moment timestamptz) returns bigint language plpgsql stable as $$
declare
    low  bigint := 0;
    high bigint;
    mid  bigint;
begin
    select coalesce(max(e.position), 0) into high from log.events e;
    while low < high loop
        mid := (low + high + 1) / 2;
        if (select e.recorded_at from log.events e where e.position = mid) <= moment then
            low := mid;
        else
            high := mid - 1;
        end if;
    end loop;
    return low;
end $$;
grant execute on function log.position_at(timestamptz) to skein_service;
