-- redacted(others, kind, after, upto): the events of a kind of stream, at or below `after`, whose payloads were
-- redacted in the range. Those above `after` are read as tombstones.
create or replace function redacted(others bigint[], kind text, after bigint, upto bigint)
returns table (stream uuid, "position" bigint) language sql stable as $$
    select t.stream, t.position
      from log.events e
     cross join lateral (select t.stream, t.position, t.type from log.events t
                          where t.position = (e.payload ->> 'position')::bigint offset 0) t
     where e.position = any (others) and e.position > after and e.position <= upto
       and e.type = 'PayloadRedacted' and t.position <= after and t.type = any (event_types(kind))
$$;

-- restrictions(after, upto): the rows of taxon_restrictions that lie in the range, from the other two tables.
create or replace function restrictions(after bigint, upto bigint)
returns table (taxon uuid, "position" bigint, category smallint) language sql stable as $$
    with recursive above (taxon, position, ancestor) as (
        -- Taxa placed below another one in the range, with all their ancestors at that position.
        select p.taxon, p.since, p.parent from taxon_parents p
         where p.since > after and p.since <= upto and p.parent is not null
        union
        select a.taxon, a.position, up.parent
          from above a
         cross join lateral (select p.parent from taxon_parents p
                              where p.taxon = a.ancestor and p.since <= a.position
                              order by p.since desc limit 1) up
         where up.parent is not null
    ), raised (taxon, position, category) as (
        select c.taxon, c.since, c.category from taxon_categories c
         where c.since > after and c.since <= upto and c.category is not null
        union
        select a.taxon, a.position, c.category
          from above a
         cross join lateral (select c.category from taxon_categories c
                              where c.taxon = a.ancestor and c.since <= a.position
                              order by c.since desc limit 1) c
         where c.category is not null
    ), covered (taxon, position, category) as (
        -- Down the tree as it was then.
        select r.taxon, r.position, r.category from raised r
        union
        select child.taxon, c.position, c.category
          from covered c
         cross join lateral (
            select p.taxon from taxon_parents p
             where p.parent = c.taxon
               and p.since = (select max(l.since) from taxon_parents l
                               where l.taxon = p.taxon and l.since <= c.position)
            offset 0) child
    )
    select c.taxon, c.position, min(c.category) from covered c group by c.taxon, c.position
$$;

-- fold_taxa(others, after, upto): folds the tree and the categories of taxa into taxon_parents, taxon_categories and
-- taxon_restrictions. The tree at a restriction's position decides which taxa it covers, so rows are only ever added,
-- unless an event's payload was redacted: then its row goes, and the restrictions of the taxon and of all that were
-- ever below it are found again.
-- Result: taxa whose earlier records may look different now: (a) restricted in the range; (b) reached by a redaction,
-- and restricted at any time.
-- Called by fold, under its search path and settings, with the positions of the range that may hold such events.
create or replace function fold_taxa(others bigint[], after bigint, upto bigint) returns uuid[] language plpgsql
set plan_cache_mode = force_generic_plan set enable_nestloop = on
as $$
declare
    reached  uuid[];
    formerly uuid[];
begin
    insert into taxon_parents (taxon, since, parent)
    select e.stream, e.position, (e.payload ->> 'parent')::uuid
      from log.events e
     where e.position = any (others) and e.position > after and e.position <= upto
       and e.type in ('TaxonAdded', 'TaxonMoved') and not e.payload::jsonb ? 'redacted';
    insert into taxon_categories (taxon, since, category)
    select e.stream, e.position, (e.payload ->> 'category')::smallint
      from log.events e
     where e.position = any (others) and e.position > after and e.position <= upto
       and e.type = 'TaxonSensitivitySet' and not e.payload::jsonb ? 'redacted';

    reached := array(
        with recursive below (taxon) as (
            select r.stream from redacted(others, 'taxon', after, upto) r
            union
            select p.taxon
              from below b
             cross join lateral (select p.taxon from taxon_parents p where p.parent = b.taxon offset 0) p
        )
        select b.taxon from below b);
    if cardinality(reached) > 0 then
        delete from taxon_parents p using redacted(others, 'taxon', after, upto) r
         where p.taxon = r.stream and p.since = r.position;
        delete from taxon_categories c using redacted(others, 'taxon', after, upto) r
         where c.taxon = r.stream and c.since = r.position;
        formerly := array(select r.taxon from taxon_restrictions r where r.taxon = any (reached));
        delete from taxon_restrictions r where r.taxon = any (reached);
        insert into taxon_restrictions (taxon, position, category)
        select r.taxon, r.position, r.category from restrictions(0, upto) r where r.taxon = any (reached);
    end if;
    if exists (select from taxon_categories) then
        insert into taxon_restrictions (taxon, position, category)
        select r.taxon, r.position, r.category from restrictions(after, upto) r
        on conflict do nothing;
    end if;
    return array(
        select r.taxon from taxon_restrictions r where r.position > after and r.position <= upto
        union
        select r.taxon from taxon_restrictions r where r.taxon = any (reached)
        union
        select f.taxon from unnest(formerly) f (taxon));
end $$;

-- in_force(identified, at): the most sensitive category of a taxon and of all its ancestors, as of a position; null
-- for none.
create or replace function in_force(identified uuid, at bigint) returns smallint language sql stable
as $$
    with recursive line (taxon) as (
        select identified
        union
        select up.parent
          from line l
         cross join lateral (select p.parent from taxon_parents p
                              where p.taxon = l.taxon and p.since <= at
                              order by p.since desc limit 1) up
         where up.parent is not null
    )
    select min(own.category)
      from line l
     cross join lateral (select c.category from taxon_categories c
                          where c.taxon = l.taxon and c.since <= at
                          order by c.since desc limit 1) own
$$;
