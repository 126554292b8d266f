-- rows(changed, upto): makes the rows of some exports again, from their events up to `upto`, and forgets the requests
-- of those of the streams that are accounts which were erased. An export has no row where the payload that says what
-- was asked for was redacted, and no revision whose payload was.
create or replace function rows(changed uuid[], upto bigint) returns void language plpgsql as $$
begin
    insert into erased (account)
    select c.id from unnest(changed) c (id)
     where exists (select from model.events_of(c.id, 'account', upto) e where e.type = 'AccountErased')
    on conflict do nothing;
    delete from requests r
     where r.account = any (changed) and exists (select from erased g where g.account = r.account);

    delete from requests r where r.export = any (changed);
    delete from revisions v where v.export = any (changed);
    delete from exports x where x.id = any (changed);

    insert into exports (id, format, filter, as_of, pin, output_version, site, ranges, status, reason, requested_at,
                         version, position)
    select c.id, e.query ->> 'format', e.query -> 'filter', (e.query ->> 'asOf')::date, e.query -> 'pin',
           (e.query ->> 'outputVersion')::integer, e.query ->> 'site', e.query -> 'ranges',
           case e.last ->> 'type' when 'ExportMade' then case when e.last ? 'redacted' then 'failed' else 'made' end
                                  when 'ExportFailed' then 'failed' when 'ExportCancelled' then 'cancelled'
                                  else 'waiting' end,
           e.last ->> 'reason', e.requested_at, e.version, e.position
      from unnest(changed) c (id)
     cross join lateral (
        select (array_agg(e.payload::jsonb) filter (where e.type = 'ExportRequested'))[1] as query,
               (array_agg(jsonb_build_object('type', e.type)
                          || case when e.payload::jsonb ? 'redacted' then '{"redacted": true}'
                                  when e.type = 'ExportFailed' then e.payload::jsonb else '{}' end
                          order by e.version desc)
                   filter (where e.type in ('ExportRequested', 'ExportReopened', 'ExportMade', 'ExportFailed',
                                            'ExportCancelled')))[1] as last,
               min(e.recorded_at) as requested_at, max(e.version) as version, max(e.position) as position
          from model.events_of(c.id, 'export', upto) e offset 0) e
     where e.query -> 'format' is not null;

    insert into revisions (export, revision, known, shown, guarded, settled, rows, bytes, sha256, members, licences,
                           datasets, left_out, generalised, replaced_characters, polygons, software, made_at,
                           restricted, position)
    select x.id, (e.payload ->> 'revision')::integer, (e.payload ->> 'known')::bigint,
           (e.payload ->> 'shown')::bigint, (e.payload ->> 'guarded')::bigint, (e.payload ->> 'settled')::bigint,
           (e.payload ->> 'rows')::bigint, (e.payload ->> 'bytes')::bigint, e.payload ->> 'sha256',
           e.payload -> 'members', e.payload -> 'licences', e.payload -> 'datasets', e.payload -> 'leftOut',
           (e.payload ->> 'generalised')::bigint, (e.payload ->> 'replacedCharacters')::bigint,
           e.payload ->> 'polygons', e.payload ->> 'software', e.recorded_at,
           -- A redacted restriction takes away all that it may have been about.
           exists (select from model.events_of(c.id, 'export', upto) r
                    where r.type = 'ExportRestricted' and r.position > e.position
                      and coalesce((r.payload ->> 'revision')::integer = (e.payload ->> 'revision')::integer, true)),
           e.position
      from unnest(changed) c (id)
      join exports x on x.id = c.id
     cross join lateral (
        select e.payload::jsonb as payload, e.recorded_at, e.position
          from model.events_of(c.id, 'export', upto) e where e.type = 'ExportMade' offset 0) e
     where not e.payload ? 'redacted'
    on conflict do nothing;

    insert into requests (account, export, requested_at, position)
    select l.account, l.export, l.recorded_at, l.position
      from (select distinct on (c.id, e.account) c.id as export, e.account, e.asks, e.recorded_at, e.position
              from unnest(changed) c (id)
              join exports x on x.id = c.id
             cross join lateral (
                select (e.payload ->> 'account')::uuid as account,
                       e.type in ('ExportRequested', 'ExportJoined', 'ExportReopened') as asks, e.recorded_at,
                       e.position, e.version
                  from model.events_of(c.id, 'export', upto) e
                 where e.type in ('ExportRequested', 'ExportJoined', 'ExportReopened', 'ExportLeft', 'ExportCancelled')
                offset 0) e
             where e.account is not null
             order by c.id, e.account, e.version desc) l
     where l.asks and not exists (select from erased g where g.account = l.account);
end $$;
