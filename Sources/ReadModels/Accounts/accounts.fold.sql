-- fold(after, upto): the events with after < position <= upto become rows of `accounts`.
--
-- Result: nothing. The row of every account with an event in the range is rebuilt from its events up to `upto`.
-- Why this shape: accounts have few events; reading them all again by index is cheaper than keeping their history, and
-- it makes the row a function of the log alone, redactions included.
-- Order: none is guaranteed or needed; a row never depends on another account.
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
       and e.type = any (event_types('account'));
    if changed is null then
        return;
    end if;

    delete from accounts a where a.id = any (changed);

    insert into accounts (id, observer, state, region, licence, geoprivacy, attribution, roles, verified, created_at,
                          version, position)
    select c.id, (e.state ->> 'observer')::uuid, e.state ->> 'state', e.state ->> 'region', e.state ->> 'licence',
           e.state ->> 'geoprivacy', e.state ->> 'attribution', r.roles, e.verified, e.created_at, e.version,
           e.position
      from unnest(changed) c (id)
     cross join lateral (
        select model.merge(e.payload::jsonb order by e.version) as state,
               bool_or(e.type in ('EmailVerified', 'EmailChanged')) as verified,
               min(e.recorded_at) as created_at, max(e.version) as version, max(e.position) as position
          from model.events_of(c.id, 'account', upto) e offset 0) e
     cross join lateral (
        -- The last grant or revocation of each role decides.
        select coalesce(array_agg(said.role order by said.role collate "C") filter (where said.granted), '{}')
                   as roles
          from (select distinct on (role.name) role.name as role, role.granted
                  from model.events_of(c.id, 'account', upto) e
                 cross join lateral (
                    select e.payload ->> 'role', e.type = 'RoleGranted' where e.type in ('RoleGranted', 'RoleRevoked')
                    union all
                    select json_array_elements_text(e.payload -> 'roles'), true
                     where e.type = 'AccountRegistered') role (name, granted)
                 where role.name is not null
                 order by role.name, e.version desc) said
        offset 0) r
     where e.version is not null;
end $$;
