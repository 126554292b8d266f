-- The values of rejected records, which only researchers may see. Called by fold, under its search path and settings.

-- about_the_record(reasons): whether a sighting was rejected for a reason about the record. The note of `other` may say
-- anything, also about the person, so that it is none.
create or replace function about_the_record(reasons jsonb) returns boolean language sql immutable parallel safe
return coalesce(reasons ?| array['not-the-species', 'cannot-be-told', 'wrong-place', 'wrong-date', 'out-of-range',
                                 'duplicate-record'], false);

-- forget_rejected(former): deletes the rows of some public ids.
create or replace function forget_rejected(former uuid[]) returns void language sql as $$
    delete from rejected t where t.ctid = any (array(
        select r.ctid from unnest(former) f (id)
         cross join lateral (select r.ctid from rejected r where r.id = f.id offset 0) r))
$$;

-- forget_rejected_of(account, since, cause): deletes the rows of an erased account, and takes the observer from those
-- of an account whose registration was redacted.
create or replace function forget_rejected_of(of_account uuid, since bigint, cause text) returns void
language plpgsql as $$
begin
    if cause = 'erased' then
        delete from rejected t where t.account = of_account and t.account is not null;
    else
        update rejected t set observer = null, forgotten = since
         where t.account = of_account and t.account is not null;
    end if;
end $$;
