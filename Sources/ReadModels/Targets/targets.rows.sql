-- rows(changed, upto): makes the rows of some weeks and their targets again, from their events up to `upto`. A week has
-- none where the payload that names it was redacted.
create or replace function rows(changed uuid[], upto bigint) returns void language plpgsql as $$
begin
    delete from targets t using weeks w where w.id = any (changed) and t.week = w.id;
    delete from weeks w where w.id = any (changed);

    insert into weeks (id, region, monday, status, plan, zone, starts_at, ends_at, relaxed, chosen_at, version,
                       position)
    select c.id, e.state ->> 'region', to_date((e.state ->> 'week') || '-1', 'IYYY"-W"IW-ID'),
           case when e.chosen_at is not null then 'chosen' when e.missed then 'missed' else 'planned' end,
           array(select p.taxon::uuid
                   from jsonb_array_elements_text(coalesce(e.plan, '[]')) with ordinality p (taxon, number)
                  order by p.number),
           e.state ->> 'zone', (e.state ->> 'startsAt')::timestamptz, (e.state ->> 'endsAt')::timestamptz,
           array(select r.rule from jsonb_array_elements_text(coalesce(e.state -> 'relaxed', '[]')) with ordinality
                        r (rule, number) order by r.number),
           e.chosen_at, e.version, e.position
      from unnest(changed) c (id)
     cross join lateral (
        select model.merge(e.payload::jsonb order by e.version) as state,
               (array_agg(e.payload::jsonb -> 'taxa' order by e.version desc)
                   filter (where e.type = 'TargetsPlanned'))[1] as plan,
               bool_or(e.type = 'TargetsMissed') as missed,
               max(e.recorded_at) filter (where e.type = 'TargetsChosen') as chosen_at,
               max(e.version) as version, max(e.position) as position
          from model.events_of(c.id, 'targets', upto) e offset 0) e
     where e.version is not null and e.state ->> 'region' is not null
       and not (e.chosen_at is not null and e.state -> 'startsAt' is null);

    insert into targets (id, week, region, monday, ordinal, taxon, basis, difficulty, replaced_at, replaced_by, reason)
    with recursive said as (
        select w.id as week, w.region, w.monday, e.type, e.recorded_at, e.payload::jsonb as payload
          from unnest(changed) c (id)
          join weeks w on w.id = c.id and w.status = 'chosen'
         cross join lateral (
            select e.type, e.recorded_at, e.payload from model.events_of(c.id, 'targets', upto) e offset 0) e
         where e.type in ('TargetsChosen', 'TargetReplaced') and not e.payload::jsonb ? 'redacted'
    ), line (week, region, monday, ordinal, target) as (
        select s.week, s.region, s.monday, t.number::integer, t.target
          from said s
         cross join lateral jsonb_array_elements(coalesce(s.payload -> 'targets', '[]')) with ordinality
                            t (target, number)
         where s.type = 'TargetsChosen'
        union all
        select l.week, l.region, l.monday, l.ordinal, s.payload -> 'replacement'
          from line l
          join said s on s.week = l.week and s.type = 'TargetReplaced' and s.payload ->> 'target' = l.target ->> 'id'
    )
    select (l.target ->> 'id')::uuid, l.week, l.region, l.monday, l.ordinal, (l.target ->> 'taxon')::uuid,
           l.target ->> 'basis', l.target ->> 'difficulty', s.recorded_at,
           (s.payload -> 'replacement' ->> 'id')::uuid, s.payload ->> 'reason'
      from line l
      left join said s on s.week = l.week and s.type = 'TargetReplaced' and s.payload ->> 'target' = l.target ->> 'id';
end $$;
