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
    -- The types of the events that it folds; null: all.
    events          text[],
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
-- Errors: SKE04.
create function model.reject_hole(events bigint, after bigint, upto bigint) returns void language plpgsql as $$
begin
    if events <> upto - after then
        raise exception 'a position between % and % is missing from the log', after, upto using errcode = 'SKE04';
    end if;
end $$;

create function model.expect_all(after bigint, upto bigint) returns void language plpgsql as $$
begin
    perform model.reject_hole(
        (select count(*) from log.events e where e.position > after and e.position <= upto), after, upto);
end $$;
grant execute on function model.expect_all to skein_service;

-- model.types_between(after, upto): the types of the events with after < position <= upto.
-- Errors: SKE04 if a position is missing.
create function model.types_between(after bigint, upto bigint) returns text[] language plpgsql as $$
declare
    types  text[];
    events bigint;
begin
    select coalesce(array_agg(t.type), '{}'), coalesce(sum(t.events), 0) into types, events
      from (select e.type, count(*) as events from log.events e
             where e.position > after and e.position <= upto group by e.type) t;
    perform model.reject_hole(events, after, upto);
    return types;
end $$;
grant execute on function model.types_between to skein_service;

-- model.clear_failures: forgets the past failures of models that have the whole log. While nothing is appended, nothing
-- else would.
create function model.clear_failures(p_names text[], p_versions integer[], head bigint) returns void
language plpgsql as $$
begin
    update model.checkpoints c
       set failed_at = null, failed_sqlstate = null, failed_message = null, failures = 0
      from unnest(p_names, p_versions) p (name, version)
     where c.name = p.name and c.version = p.version and c.position = clear_failures.head and c.failed_at is not null;
end $$;
grant execute on function model.clear_failures to skein_service;

-- model.look: one look at the log for all models of a process. Moves the checkpoints of those that have nothing to fold
-- there; the others have to be advanced by model.advance_to.
--   p_after, p_limit     looks at the positions above p_after, at most p_limit of them
--   p_names, p_versions  the models that the process follows
-- Result: `upto`, the last position that it looked at; the head; and the models that it moved to `upto`. A checkpoint
-- that another transaction has locked is left alone.
-- Errors: SKE04 a hole in the log.
create function model.look(p_after bigint, p_limit bigint, p_names text[], p_versions integer[])
returns table (upto bigint, head bigint, moved text[])
language plpgsql as $$
declare
    types text[];
begin
    select coalesce(max(e.position), 0) into head from log.events e;
    upto := greatest(p_after, least(p_after + p_limit, head));
    moved := '{}';
    if upto > p_after then
        types := model.types_between(p_after, upto);
        with idle as materialized (
            select c.name, c.version
              from model.checkpoints c
              join unnest(p_names, p_versions) p (name, version) on p.name = c.name and p.version = c.version
             where c.position >= p_after and c.position < look.upto and not c.events && types
               for update of c skip locked
        ), gone as (
            update model.checkpoints c
               set position = look.upto, updated_at = log.clock(),
                   failed_at = null, failed_sqlstate = null, failed_message = null, failures = 0
              from idle i
             where c.name = i.name and c.version = i.version
            returning c.name)
        select coalesce(array_agg(g.name), '{}') into moved from gone g;
    else
        perform model.clear_failures(p_names, p_versions, head);
    end if;
    return next;
end $$;
grant execute on function model.look to skein_service;

-- model.lock(p_name, p_version): locks a model's checkpoint until the transaction ends, unless another transaction has.
-- Result: outcome null, 'locked' or 'unknown', and the position; 0 unless it is locked now.
create function model.lock(p_name text, p_version integer, out outcome text, out at_position bigint)
language plpgsql as $$
begin
    select c.position into at_position
      from model.checkpoints c where c.name = p_name and c.version = p_version for update skip locked;
    if not found then
        at_position := 0;
        outcome := case when exists (
            select from model.checkpoints c where c.name = p_name and c.version = p_version)
            then 'locked' else 'unknown' end;
    end if;
end $$;
grant execute on function model.lock to skein_service;

-- model.fold(p_name, p_version, after, upto): folds positions into a model whose checkpoint is locked, and moves it.
create function model.fold(p_name text, p_version integer, after bigint, upto bigint) returns void
language plpgsql as $$
begin
    execute format('select %I.fold($1, $2)', p_name || '_v' || p_version) using after, upto;
    update model.checkpoints c
       set position = upto, updated_at = log.clock(),
           failed_at = null, failed_sqlstate = null, failed_message = null, failures = 0
     where c.name = p_name and c.version = p_version;
end $$;
grant execute on function model.fold to skein_service;

-- Folds the positions of a look into a model and moves its checkpoint, all in one transaction. Any number of processes
-- may call it: the checkpoint row's lock admits one, and the others return at once.
--   p_after, p_upto  what model.look found, which has no hole
-- Result: outcome 'advanced' | 'moved' (its checkpoint is not at p_after) | 'locked' (another is at it) | 'unknown',
-- with the position reached.
-- Errors: whatever the fold raises.
create function model.advance_to(p_name text, p_version integer, p_after bigint, p_upto bigint)
returns table (outcome text, "position" bigint)
language plpgsql as $$
begin
    select l.outcome, l.at_position into outcome, position from model.lock(p_name, p_version) l;
    if outcome is null then
        outcome := 'moved';
        -- A log that was restored since the look may have ended before p_upto.
        if position = p_after and exists (select from log.events e where e.position = p_upto) then
            perform model.fold(p_name, p_version, p_after, p_upto);
            outcome := 'advanced';
            position := p_upto;
        end if;
    end if;
    return next;
end $$;
grant execute on function model.advance_to to skein_service;

-- Folds the next p_limit positions, at most, into a model and moves its checkpoint, as model.advance_to does, after a
-- look of its own.
-- Result: outcome 'advanced' | 'current' (nothing to do) | 'locked' (another is at it) | 'unknown' | 'ahead' (the
-- checkpoint is above the head: the log was restored from an older state), with the position reached and the head.
-- Errors: SKE04 a hole in the log; whatever the fold raises.
create function model.advance(p_name text, p_version integer, p_limit bigint)
returns table (outcome text, "position" bigint, head bigint)
language plpgsql as $$
#variable_conflict use_column
declare
    at_position bigint;
    upto        bigint;
begin
    head := 0;
    select l.outcome, l.at_position into outcome, at_position from model.lock(p_name, p_version) l;
    position := at_position;
    if outcome is null then
        -- A statement of its own, after the lock: the head that it sees is folded below, whichever process appended it.
        select coalesce(max(e.position), 0) into head from log.events e;
        upto := least(at_position + p_limit, head);
        if upto > at_position then
            perform model.expect_all(at_position, upto);
            perform model.fold(p_name, p_version, at_position, upto);
            outcome := 'advanced';
            position := upto;
        else
            outcome := case when head < at_position then 'ahead' else 'current' end;
            perform model.clear_failures(array[p_name], array[p_version], head);
        end if;
    end if;
    return next;
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
