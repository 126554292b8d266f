-- fold(after, upto): the events with after < position <= upto become rows of `taxa`.
--
-- Result: nothing. The row of every taxon with an event in the range is made anew from its events up to `upto`.
-- Why this shape: a taxon has few events; reading them all again by index is cheaper than keeping their history, and it
-- makes the row a function of the log alone, redactions included.
-- Order: none is promised or needed; a taxon's row never depends on another taxon's (parents are only named).
create or replace function fold(after bigint, upto bigint) returns void language plpgsql
set search_path from current set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
declare
    changed uuid[];
begin
    select array_agg(distinct e.stream) into changed
      from log.events e
     where e.position > after and e.position <= upto
       and e.type in ('TaxonAdded', 'TaxonNamed', 'TaxonSynonymAdded', 'TaxonMoved', 'TaxonDescribed',
                      'TaxonSensitivitySet', 'PayloadRedacted');
    if changed is null then
        return;
    end if;

    delete from taxa t where t.id = any (changed);

    insert into taxa (id, scientific_name, rank, parent, kind, authorship, description, link, code, synonyms, names,
                      sensitivity, sensitivity_reason, sensitivity_source, version, position)
    with events as materialized (
        select e.stream, e.version, e.position, e.type, e.payload::jsonb as payload
          from unnest(changed) c (id)
         cross join lateral (
            select s.first_position as first from log.streams s where s.id = c.id and s.kind = 'taxon' offset 0) s
         cross join lateral (
            select * from log.events e where e.stream = c.id and e.position >= s.first and e.position <= upto
            offset 0) e
    ), said as (
        -- Names as they were given. A tombstone gives none.
        select e.stream, e.version, e.type, n.ordinal, n.name ->> 'language' as language, n.name ->> 'name' as name
          from events e
         cross join lateral jsonb_array_elements(case when jsonb_typeof(e.payload -> 'names') = 'array'
                                                      then e.payload -> 'names' end) with ordinality n (name, ordinal)
         where e.type = 'TaxonAdded'
        union all
        select e.stream, e.version, e.type, 1, e.payload ->> 'language', e.payload ->> 'name'
          from events e
         where e.type = 'TaxonNamed' and e.payload ? 'name'
        union all
        select e.stream, e.version, 'synonym', n.ordinal, null, n.name
          from events e
         cross join lateral jsonb_array_elements_text(
                case when jsonb_typeof(e.payload -> 'synonyms') = 'array' then e.payload -> 'synonyms' end)
                with ordinality n (name, ordinal)
         where e.type = 'TaxonAdded'
        union all
        select e.stream, e.version, 'synonym', 1, null, e.payload ->> 'name'
          from events e
         where e.type = 'TaxonSynonymAdded' and e.payload ? 'name'
    ), common as (
        -- The name preferred last comes first; those never preferred follow as they were listed.
        select n.stream, jsonb_agg(jsonb_build_object('language', n.language, 'name', n.name)
                                   order by n.preferred desc nulls last, n.ordinal, n.name collate "C") as names
          from (select s.stream, s.language, s.name, min(s.ordinal) as ordinal,
                       max(s.version) filter (where s.type = 'TaxonNamed') as preferred
                  from said s where s.type <> 'synonym'
                 group by s.stream, s.language, s.name) n
         group by n.stream
    ), synonyms as (
        select n.stream, array_agg(n.name order by n.first, n.name collate "C") as names
          from (select s.stream, s.name, min(array[s.version, s.ordinal]) as first
                  from said s where s.type = 'synonym'
                 group by s.stream, s.name) n
         group by n.stream
    ), states as (
        select e.stream, max(e.version) as version, max(e.position) as position,
               model.merge(e.payload order by e.version)
                   filter (where e.type in ('TaxonAdded', 'TaxonMoved', 'TaxonDescribed')) as state,
               (array_agg(e.payload order by e.version desc)
                   filter (where e.type = 'TaxonSensitivitySet' and not e.payload ? 'redacted'))[1] as sensitivity
          from events e
         group by e.stream
    )
    select s.stream, s.state ->> 'scientificName', s.state ->> 'rank', (s.state ->> 'parent')::uuid, s.state ->> 'kind',
           s.state ->> 'authorship', s.state ->> 'description', s.state ->> 'link', s.state ->> 'code',
           coalesce(y.names, '{}'), coalesce(n.names, '[]'),
           (s.sensitivity ->> 'category')::smallint, s.sensitivity ->> 'reason', s.sensitivity ->> 'source',
           s.version, s.position
      from states s
      left join synonyms y on y.stream = s.stream
      left join common n on n.stream = s.stream;
end $$;
