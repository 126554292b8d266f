-- The targets of every region and week, as they are now. A week that is only planned must not be public.
create table weeks (
    id         uuid    primary key,
    region     text collate "C" not null,
    -- Its first day.
    monday     date    not null,
    -- planned | chosen | missed
    status     text collate "C" not null,
    -- The taxa that an admin fixed.
    plan       uuid[]  not null,
    -- Of chosen weeks only, as are all that follow but `version` and `position`.
    zone       text collate "C",
    starts_at  timestamptz,
    ends_at    timestamptz,
    -- The rules that were relaxed.
    relaxed    text[] collate "C" not null,
    -- When they were chosen.
    chosen_at  timestamptz,
    -- Of its newest event.
    version    integer not null,
    position   bigint  not null
);
create index weeks_region on weeks (region, monday);
create index weeks_position on weeks (position);

-- Targets and former targets of chosen weeks.
create table targets (
    id         uuid    not null,
    week       uuid    not null,
    region     text collate "C" not null,
    monday     date    not null,
    -- Its place among the targets of the week, from 1; a replacement has that of the one it replaces.
    ordinal    integer not null,
    taxon      uuid    not null,
    -- records | neighbour | seasonal-list | plan
    basis      text collate "C" not null,
    -- easy | moderate | hard; null: records do not show it.
    difficulty text collate "C",
    -- When and why it was replaced, and by which target; null: it was not.
    replaced_at timestamptz,
    replaced_by uuid,
    reason      text collate "C",
    primary key (week, id)
);
create index targets_season on targets (region, monday, taxon);
