-- The taxonomy as it is now, read into memory by the service, which also searches its names there.
create table taxa (
    id                 uuid    primary key,
    scientific_name    text,
    rank               text collate "C",
    parent             uuid,
    kind               text collate "C",
    authorship         text,
    description        text,
    link               text,
    code               text,
    -- In the order in which they were added.
    synonyms           text[]  not null,
    -- Every common name it ever had, [{"language", "name"}]; the first of a language is the preferred one.
    names              jsonb   not null,
    -- Its own category, 1 (most sensitive) to 4; null: none of its own.
    sensitivity        smallint,
    sensitivity_reason text,
    sensitivity_source text,
    -- Everyday and foreign names by which it may be meant, in the order of the list.
    everyday_names     text[]  not null,
    -- Of its newest event.
    version            integer not null,
    position           bigint  not null
);
create index taxa_position on taxa (position);

-- Every state that the names and the parent of a taxon were ever in. `valid` is the positions at which it was the
-- newest, so that as of P is `valid @> P`. Events that change none of these columns make no row. Nothing that a
-- redacted payload said is in any row; a taxon whose first payload was redacted has none.
create table taxon_states (
    taxon           uuid      not null,
    valid           int8range not null,
    scientific_name text      not null,
    authorship      text,
    rank            text collate "C",
    parent          uuid,
    kind            text collate "C",
    -- The preferred common name of each language, {"en": …}.
    common_names    jsonb     not null,
    primary key (taxon, valid)
);
-- The states that began or ended between two positions.
create index taxon_states_since on taxon_states (lower(valid));
create index taxon_states_until on taxon_states (upper(valid)) where not upper_inf(valid);
