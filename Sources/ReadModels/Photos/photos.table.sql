-- Photos as they are now, for their owners and for moderators. Never read on a public route. Alternative text, and time
-- and place of the capture, are content beside the log.
create table photos (
    id          uuid        primary key,
    sighting    uuid        not null,
    -- The account that uploaded it.
    observer    uuid        not null,
    -- The number of photos that its sighting had before.
    ordinal     integer     not null,
    -- pending | approved | rejected | deleted
    status      text collate "C" not null,
    -- Why it is rejected: codes.
    reasons     jsonb,
    -- Why it is hidden; null: it is not.
    hiding      text collate "C",
    licence     text collate "C" not null,
    media_type  text collate "C" not null,
    -- Pixels, upright.
    width       integer     not null,
    height      integer     not null,
    bytes       bigint      not null,
    -- SHA-256 of the original, in hexadecimal digits.
    original    text collate "C" not null,
    renditions  jsonb       not null,
    -- Photos that its upload found to look nearly the same.
    resembles   jsonb,
    hash        bigint      not null,
    -- The hashes in `likenesses`, in hexadecimal digits; null: it shows too little, or was uploaded by an earlier
    -- version and not rendered again since.
    likeness    jsonb,
    uploaded_at timestamptz not null,
    -- Version and position of the newest event.
    version     integer     not null,
    position    bigint      not null
);
create index photos_sighting on photos (sighting, ordinal);
-- Uploads of the same bytes.
create index photos_original on photos (original);
-- An owner's gallery, newest first.
create index photos_gallery on photos (observer, uploaded_at desc, id) where status <> 'deleted';
-- Photos that may have renditions in common.
create index photos_hash on photos (hash) where status <> 'deleted';
-- The newest photos of an observer, deleted ones included, which later ones are compared with.
create index photos_compared on photos (observer, uploaded_at desc, id) where likeness is not null;

-- The hashes with which later photos are compared.
create table likenesses (
    photo       uuid        not null,
    hash        bit(256)    not null,
    -- The first 16 bits of the hash.
    key         integer     not null generated always as (hash::bit(16)::integer) stored,
    -- Whether the photo is approved.
    approved    boolean     not null,
    -- When the photo was uploaded.
    uploaded_at timestamptz not null
);
create index likenesses_photo on likenesses (photo);
-- Finds the newest hashes with a key, approved photos and others apart: a fixed number of each is compared, however
-- many there are.
create index likenesses_key on likenesses (key, approved, uploaded_at desc, photo) include (hash);
