-- log.add_partitions(ahead) → how many were made, so that at least `ahead` empty partitions lie above the head.
-- A partition is made stand-alone with its indexes and guards and a CHECK that proves its range, then attached:
-- ATTACH takes only SHARE UPDATE EXCLUSIVE on the parent and, thanks to the CHECK, scans nothing, so appends go on.
-- May be called by any number of processes; an advisory lock lets one at a time in.
create function log.add_partitions(ahead integer) returns integer
language plpgsql security definer set search_path = pg_catalog, log, pg_temp as $$
declare
    last_position bigint;
    next_bound    bigint;
    size          bigint;
    made          integer := 0;
    empty         integer;
    name          text;
begin
    perform pg_advisory_xact_lock(hashtext('log.add_partitions'));
    select partition_size into size from log.head;
    select coalesce(max(position), 0) into last_position from log.events;
    select coalesce(max(upper_bound), 1), count(*) filter (where lower_bound > last_position)
      into next_bound, empty from log.partitions;
    while empty < ahead loop
        name := format('events_from_%s', next_bound);
        execute format('create table log.%I ('
            'like log.events including defaults including constraints including indexes,'
            ' constraint bounds check (position >= %s and position < %s))', name, next_bound, next_bound + size);
        -- Freeze early and often: an insert-only table is otherwise first vacuumed by the anti-wraparound one.
        execute format('alter table log.%I set (autovacuum_vacuum_insert_scale_factor = 0,'
            ' autovacuum_vacuum_insert_threshold = 200000, autovacuum_freeze_min_age = 0)', name);
        execute format('create trigger refuse_delete before delete on log.%I'
            ' for each statement execute function log.refuse_change()', name);
        execute format('create trigger refuse_truncate before truncate on log.%I'
            ' for each statement execute function log.refuse_change()', name);
        execute format('alter table log.%I enable always trigger refuse_delete', name);
        execute format('alter table log.%I enable always trigger refuse_truncate', name);
        execute format('alter table log.events attach partition log.%I for values from (%s) to (%s)',
            name, next_bound, next_bound + size);
        execute format('alter table log.%I drop constraint bounds', name);
        execute format('grant select on log.%I to skein_service, skein_redactor', name);
        next_bound := next_bound + size;
        empty := empty + 1;
        made := made + 1;
    end loop;
    return made;
end $$;

-- The partitions and their bounds [lower_bound, upper_bound), as PostgreSQL's catalogue has them.
create view log.partitions as
select c.relname::text as name,
       (regexp_match(pg_get_expr(c.relpartbound, c.oid), $$FROM \('?(\d+)'?\)$$))[1]::bigint as lower_bound,
       (regexp_match(pg_get_expr(c.relpartbound, c.oid), $$TO \('?(\d+)'?\)$$))[1]::bigint as upper_bound
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
 where i.inhparent = 'log.events'::regclass;
grant select on log.partitions to skein_service;

revoke execute on function log.add_partitions(integer) from public;
grant execute on function log.add_partitions(integer) to skein_service;
select log.add_partitions(3);
