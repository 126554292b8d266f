-- A function keeps the plans of its statements. PostgreSQL discards a plan when a table that it reads changes, with one
-- exception: a table that is named only in an SQL function whose text the planner has put into the statement, if the
-- change is committed while the plan is being made. So a session that makes a plan while a partition of the log is
-- attached may keep one without that partition, and pass over all events in it.

-- log.see_partition(newest): discards the plans of the session unless it has seen this partition, which has the newest
-- event that will be read. Plans made afterwards have it, and those below it: they were attached before it got events.
create function log.see_partition(newest oid) returns void language plpgsql as $$
begin
    if coalesce(newest::text, '') <> coalesce(current_setting('skein.newest_partition', true), '') then
        discard plans;
        perform set_config('skein.newest_partition', newest::text, false);
    end if;
end $$;
grant execute on function log.see_partition(oid) to skein_service;

-- log.take_head: as before, but it has seen the partition of the last event.
create or replace function log.take_head(
    p_epoch bigint, p_sent_at timestamptz, out last bigint, out now_time timestamptz)
language plpgsql as $$
declare
    head_epoch bigint;
    newest     oid;
    clock      timestamptz;
    mark       timestamptz;
    fault      text;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'log.append needs READ COMMITTED' using errcode = 'SKE03';
    end if;
    select h.epoch into head_epoch from log.head h for update;
    if head_epoch <> p_epoch then
        raise exception 'the log is in epoch %, not %', head_epoch, p_epoch using errcode = 'SKE01';
    end if;
    select e.position, e.recorded_at, e.tableoid into last, now_time, newest
      from log.events e order by e.position desc limit 1;
    last := coalesce(last, 0);
    perform log.see_partition(newest);
    select m.at into mark from log.clock_mark m where m.only_row;
    clock := log.clock();
    fault := log.clock_fault(clock, greatest(now_time, mark), p_sent_at);
    if fault is not null then
        raise exception '%', fault using errcode = 'SKE02';
    end if;
    now_time := greatest(clock, now_time);
end $$;
revoke execute on function log.take_head from public;

-- model.fold: as before, but it has seen the partition of the last position.
create or replace function model.fold(p_name text, p_version integer, after bigint, upto bigint) returns void
language plpgsql as $$
begin
    perform log.see_partition((select e.tableoid from log.events e where e.position = upto));
    execute format('select %I.fold($1, $2)', p_name || '_v' || p_version) using after, upto;
    update model.checkpoints c
       set position = upto, updated_at = log.clock(),
           failed_at = null, failed_sqlstate = null, failed_message = null, failures = 0
     where c.name = p_name and c.version = p_version;
end $$;
