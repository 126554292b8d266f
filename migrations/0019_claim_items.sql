-- A moderator holds a limited number of items, also with requests at once, and every request holds what it returns.

-- vault.claim_items: claims items that no other moderator has claimed, or has decided since the reader saw them.
--   p_subjects, p_ids, p_versions  the items, those that wait longest first
--   p_until                        until when the claims hold
--   p_most                         the most items that the moderator may hold
-- Result: those of the items that the moderator now holds; and whether the moderator may hold no more.
-- Why this shape: the moderator's lock lets every request count what those before it hold, so none has to take back
-- what another one has returned. Rows are locked in one order, so that two moderators cannot deadlock.
create function vault.claim_items(
    p_subjects text[], p_ids uuid[], p_versions bigint[], p_moderator uuid, p_now timestamptz, p_until timestamptz,
    p_most bigint, out held uuid[], out is_full boolean)
language plpgsql as $$
declare
    before bigint;
begin
    perform pg_advisory_xact_lock(hashtextextended('vault.claim_items ' || p_moderator, 0));
    select count(*) into before
      from vault.claims c where c.moderator = p_moderator and not c.decided and c.until > p_now;
    with items as (
        select i.subject, i.id, i.version, o.id is not null as own,
               row_number() over (partition by o.id is not null order by i.place) as number
          from unnest(p_subjects, p_ids, p_versions) with ordinality i (subject, id, version, place)
          left join vault.claims o on o.subject = i.subject and o.id = i.id and o.moderator = p_moderator
                                  and not o.decided and o.until > p_now
    ), claimed as (
        insert into vault.claims as c (subject, id, moderator, until, version)
        select i.subject, i.id, p_moderator, p_until, i.version
          from items i
         where i.own or i.number <= p_most - before
         order by i.subject, i.id
        on conflict (subject, id) do update
               set moderator = excluded.moderator, until = excluded.until, version = excluded.version, decided = false
         where c.until <= p_now
            or case when c.decided then c.version <= excluded.version else c.moderator = excluded.moderator end
        returning c.id
    )
    select coalesce(array_agg(c.id), '{}') into held from claimed c;
    select count(*) >= p_most into is_full
      from vault.claims c where c.moderator = p_moderator and not c.decided and c.until > p_now;
end $$;
revoke execute on function vault.claim_items from public;
grant execute on function vault.claim_items to skein_service;
