-- Datasets and the imports into them, as they are now. Title, publisher, citation, rights holder and file names are
-- content beside the log.
create table datasets (
    id         uuid        primary key,
    licence    text collate "C",
    -- no | yes
    republish  text collate "C",
    created_at timestamptz not null,
    -- Of its newest event.
    version    integer     not null,
    position   bigint      not null
);

-- One row an import. Counts are null until it has finished.
create table batches (
    batch       uuid        not null,
    dataset     uuid        not null,
    -- SHA-256 of the file, in hexadecimal.
    file        text collate "C",
    started     bigint,
    started_at  timestamptz,
    finished    bigint,
    finished_at timestamptz,
    accepted    integer,
    known       integer,
    corrected   integer,
    withdrawn   integer,
    refused     integer,
    undone      bigint,
    undone_at   timestamptz,
    -- How many records undoing it withdrew, set back to their former values, brought back, and left as they were;
    -- the last three are null where it was undone before they were counted.
    undone_records integer,
    undone_set_back integer,
    undone_brought_back integer,
    undone_left integer,
    primary key (batch, dataset)
);
create index batches_dataset on batches (dataset, started);
