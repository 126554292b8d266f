-- The review of sightings and photos as it is now: one row each, whether it waits or not. For moderators only.
create table items (
    -- photo | sighting
    subject        text collate "C" not null,
    id             uuid        not null,
    -- Of a photo its sighting, else its own id.
    sighting       uuid        not null,
    -- The account that submitted or uploaded it; null for imports.
    observer       uuid,
    -- Of the sighting, as are the next four.
    taxon          uuid,
    region         text collate "C",
    local_from     date,
    local_to       date,
    -- Whether it is private, or of category 1 or 2: everyone knows neither its observer nor its day.
    guarded        boolean     not null,
    -- Of the subject itself, or withdrawn with its sighting; redacted: an essential payload is.
    status         text collate "C" not null,
    -- Of a rejection; null where they are redacted, and for another status.
    reasons        jsonb,
    -- Since when it waits for a moderator; null: it does not.
    waiting_since  timestamptz,
    -- second-opinion | appeal | flagged; null: a first review.
    review         text collate "C",
    -- The moderator that must not decide: the one who asked for a second opinion, or who rejected it before an appeal.
    decided_by     uuid,
    -- A question to the observer about the sighting keeps it, and its photos, out of the queue until then.
    parked_until   timestamptz,
    -- Of a sighting: it waits until then for photos that its observer announced.
    photos_until   timestamptz,
    -- Of a sighting the SHA-256 of announced photos; null: none.
    awaited        jsonb,
    -- Of a photo the SHA-256 of its original; null when redacted.
    original       text collate "C",
    -- Since the last decision.
    flags          integer     not null,
    -- Of its newest event.
    version        integer     not null,
    position       bigint      not null,
    primary key (subject, id)
);
create index items_sighting on items (sighting) where subject = 'photo';
-- Photos that came before their sighting, and those of redacted ones.
create index items_strays on items (sighting) where subject = 'photo' and local_from is null;
create index items_queue on items (subject, waiting_since, id) where waiting_since is not null;
create index items_observer on items (observer, waiting_since, id) where waiting_since is not null;

-- The decisions of moderators, each once. A redacted one is gone.
create table decisions (
    -- photo | sighting
    subject    text collate "C" not null,
    id         uuid        not null,
    version    integer     not null,
    -- approved | rejected | pending: reopened.
    status     text collate "C" not null,
    moderator  uuid        not null,
    -- The decisions that were sent with it; null for one of its own.
    batch      uuid,
    decided_at timestamptz not null,
    -- When it was last submitted, imported, uploaded or reopened before; a reopening that was undone does not count.
    raised_at  timestamptz not null,
    position   bigint      not null,
    primary key (subject, id, version)
);
create index decisions_batch on decisions (batch) where batch is not null;
create index decisions_decided on decisions (decided_at);

-- The questions about sightings that were sent in batches, each once. A redacted one is gone.
create table questions (
    -- The sighting.
    id       uuid    not null,
    version  integer not null,
    batch    uuid    not null,
    position bigint  not null,
    primary key (id, version)
);
create index questions_batch on questions (batch);

-- Moderators' actions on an account's sightings and photos. A row stays as long as the log: its account and its
-- position depend on nothing that is redacted.
create table notifications (
    -- The owner: the actor of the stream's first event.
    account     uuid        not null,
    -- Of the action.
    position    bigint      not null,
    -- photo | sighting
    subject     text collate "C" not null,
    id          uuid        not null,
    -- See announced().
    kind        text collate "C" not null,
    recorded_at timestamptz not null,
    -- The sighting of a photo, else its own id; null when the upload was redacted.
    sighting    uuid,
    -- Of a rejection or a hiding; empty when redacted.
    reasons     text[]      not null default '{}',
    primary key (account, position)
);
create index notifications_id on notifications (id);
