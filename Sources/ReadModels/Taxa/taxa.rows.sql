-- names_said(type, payload): the names an event gives a taxon. A tombstone gives none.
--   ordinal   1-based, among the names or synonyms of the event
--   language  null for a synonym
create or replace function names_said(type text, payload jsonb)
returns table (ordinal bigint, synonym boolean, language text, name text) language sql immutable as $$
    select n.ordinal, false, n.name ->> 'language', n.name ->> 'name'
      from jsonb_array_elements(case jsonb_typeof(payload -> 'names') when 'array' then payload -> 'names' end)
           with ordinality n (name, ordinal)
     where type = 'TaxonAdded'
    union all
    select 1, false, payload ->> 'language', payload ->> 'name'
     where type = 'TaxonNamed' and payload ? 'name'
    union all
    select n.ordinal, true, null, n.name
      from jsonb_array_elements_text(
                case jsonb_typeof(payload -> 'synonyms') when 'array' then payload -> 'synonyms' end)
           with ordinality n (name, ordinal)
     where type = 'TaxonAdded'
    union all
    select 1, true, null, payload ->> 'name'
     where type = 'TaxonSynonymAdded' and payload ? 'name'
$$;

-- states(changed, upto): makes the rows of taxon_states for some taxa again, from their events up to `upto`. All
-- payloads are read as they are now: what a redaction removed is in none of the rows, whatever their positions.
create or replace function states(changed uuid[], upto bigint) returns void language plpgsql as $$
begin
    delete from taxon_states s where s.taxon = any (changed);

    insert into taxon_states (taxon, valid, scientific_name, authorship, rank, parent, kind, common_names)
    with told as (
        select e.stream, e.position, model.merge(e.payload::jsonb) over life as state,
               model.merge(n.names) over life as names
          from unnest(changed) c (id)
         cross join lateral model.events_of(c.id, 'taxon', upto) e
         cross join lateral (
            -- Of those of a language that were added with the taxon, the first is preferred until another is.
            select coalesce(jsonb_object_agg(n.language, n.name), '{}') as names
              from (select distinct on (n.language) n.language, n.name
                      from names_said(e.type, e.payload::jsonb) n
                     where n.language is not null
                     order by n.language, n.ordinal) n) n
        window life as (partition by e.stream order by e.version)
    ), kept as (
        select t.stream, t.position, t.state, t.names,
               jsonb_build_array(t.state -> 'scientificName', t.state -> 'authorship', t.state -> 'rank',
                                 t.state -> 'parent', t.state -> 'kind', t.names) as said
          from told t
    ), changes as (
        select k.stream, k.position, k.state, k.names,
               k.said is distinct from lag(k.said) over (partition by k.stream order by k.position) as is_new
          from kept k
    )
    select s.stream, int8range(s.position, s.until), s.state ->> 'scientificName', s.state ->> 'authorship',
           s.state ->> 'rank', (s.state ->> 'parent')::uuid, s.state ->> 'kind', s.names
      from (select c.*, lead(c.position) over (partition by c.stream order by c.position) as until
              from changes c where c.is_new) s
     where s.state ->> 'scientificName' is not null;
end $$;

-- rows(changed, upto): makes the rows of some taxa again, from their events up to `upto`. Parents are only named.
create or replace function rows(changed uuid[], upto bigint) returns void language plpgsql as $$
begin
    delete from taxa t where t.id = any (changed);

    insert into taxa (id, scientific_name, rank, parent, kind, authorship, description, link, code, synonyms, names,
                      sensitivity, sensitivity_reason, sensitivity_source, everyday_names, version, position)
    with events as materialized (
        select e.stream, e.version, e.position, e.type, e.payload::jsonb as payload
          from unnest(changed) c (id)
         cross join lateral model.events_of(c.id, 'taxon', upto) e
    ), said as materialized (
        select e.stream, e.version, e.type, n.ordinal, n.synonym, n.language, n.name
          from events e
         cross join lateral names_said(e.type, e.payload) n
    ), common as (
        -- The name preferred last comes first; those never preferred follow as they were listed.
        select n.stream, jsonb_agg(jsonb_build_object('language', n.language, 'name', n.name)
                                   order by n.preferred desc nulls last, n.ordinal, n.name collate "C") as names
          from (select s.stream, s.language, s.name, min(s.ordinal) as ordinal,
                       max(s.version) filter (where s.type = 'TaxonNamed') as preferred
                  from said s where not s.synonym
                 group by s.stream, s.language, s.name) n
         group by n.stream
    ), synonyms as (
        select n.stream, array_agg(n.name order by n.first, n.name collate "C") as names
          from (select s.stream, s.name, min(array[s.version, s.ordinal]) as first
                  from said s where s.synonym
                 group by s.stream, s.name) n
         group by n.stream
    ), states as (
        select e.stream, max(e.version) as version, max(e.position) as position,
               model.merge(e.payload order by e.version) as state,
               (array_agg(e.payload order by e.version desc)
                   filter (where e.type = 'TaxonSensitivitySet' and not e.payload ? 'redacted'))[1] as sensitivity
          from events e
         group by e.stream
    )
    select s.stream, s.state ->> 'scientificName', s.state ->> 'rank', (s.state ->> 'parent')::uuid, s.state ->> 'kind',
           s.state ->> 'authorship', s.state ->> 'description', s.state ->> 'link', s.state ->> 'code',
           coalesce(y.names, '{}'), coalesce(n.names, '[]'),
           (s.sensitivity ->> 'category')::smallint, s.sensitivity ->> 'reason', s.sensitivity ->> 'source',
           array(select n.name
                   from jsonb_array_elements_text(
                            case jsonb_typeof(s.sensitivity -> 'everydayNames')
                                when 'array' then s.sensitivity -> 'everydayNames' end)
                        with ordinality n (name, ordinal)
                  order by n.ordinal),
           s.version, s.position
      from states s
      left join synonyms y on y.stream = s.stream
      left join common n on n.stream = s.stream;

    perform states(changed, upto);
end $$;
