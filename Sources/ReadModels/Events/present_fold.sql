-- fold(after, upto): the events with after < position <= upto become rows of a model that holds the present of streams
-- of one kind.
--
-- Result: nothing. The rows of every stream with an event in the range are made again by the model's
-- `rows(changed, upto)`.
-- Why this shape: such a stream has few events; reading them all again by index is cheaper than keeping their history,
-- and it makes the rows a function of the log alone, redactions included. The settings hold in `rows`, too.
-- Order: none is guaranteed or needed; a row never depends on another stream.
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
       and e.type = any (array(select f.type from folded_events() f));
    if changed is not null then
        perform rows(changed, upto);
    end if;
end $$;
