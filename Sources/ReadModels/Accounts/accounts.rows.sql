-- conceal(changed, upto): the rows of `concealed` for some accounts, from their events up to a position.
--
-- Result: nothing. A redacted restriction hides everything that it may have hidden.
create or replace function conceal(changed uuid[], upto bigint) returns void language plpgsql as $$
begin
    delete from concealed k where k.account = any (changed);

    insert into concealed (account, what, since, until)
    select c.id, k.what, k.position, k.until
      from unnest(changed) c (id)
     cross join lateral (
        -- Of a hiding and those after it, up to the next showing, the first counts.
        select t.what, t.position, t.hidden, lead(t.position) over (partition by t.what order by t.position) as until
          from (select w.what, w.hidden, e.position,
                       lag(w.hidden) over (partition by w.what order by e.position) as before
                  from model.events_of(c.id, 'account', upto) e
                 cross join lateral (
                    -- true hides, false shows; null leaves it as it is.
                    values ('name',
                            case e.type
                                when 'AccountWidened' then nullif(e.payload ->> 'attribution' is distinct from
                                                                  'displayName', true)
                                else nullif(coalesce(e.payload ->> 'attribution' = 'anonymous', false)
                                            or e.type = 'AccountNarrowed' and e.payload -> 'redacted' is not null,
                                            false) end),
                           ('gallery',
                            case e.type
                                when 'AccountWidened' then nullif((e.payload ->> 'publicGallery')::boolean is not true,
                                                                  true)
                                else nullif((e.payload ->> 'publicGallery')::boolean is false
                                            or e.type = 'AccountNarrowed' and e.payload -> 'redacted' is not null,
                                            false) end)) w (what, hidden)
                 where e.type in ('AccountRegistered', 'AccountNarrowed', 'AccountWidened') and w.hidden is not null) t
         where t.hidden is distinct from t.before
        offset 0) k
     where k.hidden;
end $$;

-- rows(changed, upto): makes the rows of some accounts again, from their events up to `upto`.
create or replace function rows(changed uuid[], upto bigint) returns void language plpgsql as $$
begin
    delete from accounts a where a.id = any (changed);

    insert into accounts (id, observer, state, region, licence, geoprivacy, language, roles, verified, suspended,
                          suspended_until, names_from, created_at, version, position)
    select c.id, (e.state ->> 'observer')::uuid, e.state ->> 'state', e.state ->> 'region', e.state ->> 'licence',
           e.state ->> 'geoprivacy', e.state ->> 'language', case when e.erased then '{}' else r.roles end,
           e.verified and not e.erased, coalesce(s.suspended, false) and not e.erased,
           case when not e.erased then s.until end, e.names_from, e.created_at, e.version, e.position
      from unnest(changed) c (id)
     cross join lateral (
        -- Nothing but its row stays of an erased account, or of one whose registration is redacted: other processes
        -- learn of the change by it. A redacted change may have made private what is submitted.
        select case when bool_or(e.type = 'AccountErased'
                                 or e.type = 'AccountRegistered' and e.payload -> 'redacted' is not null) then '{}'
                    else model.merge(
                        case when e.type = 'AccountChanged' and e.payload -> 'redacted' is not null
                             then '{"geoprivacy": "private"}' else e.payload::jsonb end
                        order by e.version) end as state,
               bool_or(e.type = 'AccountErased') as erased,
               bool_or(e.type in ('EmailVerified', 'EmailChanged')) as verified,
               coalesce(max(e.position) filter (where e.type in ('AccountNamesForgotten', 'DisplayNameRemoved')), 0)
                   as names_from,
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
      left join lateral (
        select e.type = 'AccountSuspended' as suspended, (e.payload ->> 'until')::timestamptz as until
          from model.events_of(c.id, 'account', upto) e
         where e.type in ('AccountSuspended', 'AccountReinstated')
         order by e.version desc limit 1) s on true
     where e.version is not null;

    perform conceal(changed, upto);
end $$;
