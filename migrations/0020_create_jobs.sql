-- incompatible: older programs claim mails and erasures in columns that are gone.
--
-- Work that one of the processes does, as soon as it is due: mails and erasures so far. A row is a lease: the process
-- that claims it has it until `due`; if it neither renews nor ends the claim, another one takes the job over.

-- Nothing is queued or begun between the copies and the triggers. In the order in which an erasure locks them.
lock table vault.erasures, vault.mails in access exclusive mode;

create table vault.jobs (
    -- mail-<kind of the mail> | erasure. A program claims only the kinds that it knows.
    kind     text        not null,
    -- The mail, or the erased account.
    subject  uuid        not null,
    -- When it is due; while a job is claimed, the end of the claim.
    due      timestamptz not null default log.clock(),
    -- Attempts that have begun since the last step that succeeded.
    attempts integer     not null default 0,
    -- The attempt under way.
    claim    uuid,
    -- How far it is. For an erasure: the position up to which the account's events are dealt with.
    progress bigint      not null default 0,
    primary key (kind, subject)
);
create index jobs_due on vault.jobs (due);
grant select, insert, update, delete on vault.jobs to skein_service;

insert into vault.jobs (kind, subject, due, attempts, claim)
select 'mail-' || m.kind, m.id, m.next_at, m.attempts, m.claim from vault.mails m where m.sent_at is null;

insert into vault.jobs (kind, subject, due, progress)
select 'erasure', e.account, greatest(e.claimed_until, e.begun_at), e.scanned_to
  from vault.erasures e where e.finished_at is null;

drop index vault.mails_next_at, vault.erasures_unfinished;
alter table vault.mails drop column next_at, drop column attempts, drop column claim;
alter table vault.erasures drop column scanned_to, drop column claimed_until;

-- vault.begin_mail, vault.end_mail: a mail that waits to be sent has a job.
-- Why this shape: as triggers they also hold for mails that an older program queues, and for every way in which mails
-- are deleted.
create function vault.begin_mail() returns trigger language plpgsql as $$
begin
    insert into vault.jobs (kind, subject) select 'mail-' || m.kind, m.id from added m where m.sent_at is null;
    return null;
end $$;
revoke execute on function vault.begin_mail from public;

create function vault.end_mail() returns trigger language plpgsql as $$
begin
    delete from vault.jobs j using gone m where j.kind = 'mail-' || m.kind and j.subject = m.id;
    return null;
end $$;
revoke execute on function vault.end_mail from public;

create trigger begin_mail after insert on vault.mails
    referencing new table as added for each statement execute function vault.begin_mail();
create trigger end_mail after delete on vault.mails
    referencing old table as gone for each statement execute function vault.end_mail();

-- vault.begin_erasure: as before, and the erasure has a job.
create or replace function vault.begin_erasure() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    insert into vault.erasures (account, position, sightings)
    select s.id, new.position, new.payload ->> 'sightings' from log.streams s where s.id = new.stream
    on conflict do nothing;
    if found then
        insert into vault.jobs (kind, subject, progress)
        select 'erasure', s.id, s.first_position - 1 from log.streams s where s.id = new.stream;
    end if;
    -- Former addresses may be another account's.
    delete from vault.mails m
     where m.account = new.stream
        or m.account is null
           and lower(m.address) = (select lower(c.value) from vault.content c
                                    where c.stream = new.stream and c.field = 'email'
                                    order by c.position desc limit 1);
    delete from vault.mail_codes k where k.account = new.stream;
    delete from vault.reservations r where r.kind = 'email' and r.holder = new.stream;
    delete from vault.content c where c.stream = new.stream;
    update vault.sessions s
       set ended_at = coalesce(s.ended_at, log.clock()), end_reason = coalesce(s.end_reason, 'account'), device = null
     where s.account = new.stream;
    delete from vault.refresh_tokens t
     where t.session in (select s.id from vault.sessions s where s.account = new.stream);
    delete from vault.api_keys k where k.account = new.stream;
    return null;
end $$;
