-- fold_taxa(others, after, upto): folds the tree and the categories of taxa into taxon_parents, taxon_categories and
-- taxon_restrictions. All three only ever grow: what a restriction covers is decided by the tree at its position.
-- Called by fold, under its search path and settings, with the positions of the range that may hold such events.
create or replace function fold_taxa(others bigint[], after bigint, upto bigint) returns void language plpgsql
set plan_cache_mode = force_generic_plan set enable_nestloop = on
as $$
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
    if not exists (select from taxon_categories) then
        return;
    end if;

    insert into taxon_restrictions (taxon, position, category)
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
    select c.taxon, c.position, min(c.category) from covered c group by c.taxon, c.position;
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
