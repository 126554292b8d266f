-- Decided items stay in vault.claims until the read models have the decision: otherwise the next moderator would claim
-- an item that waits no longer.
alter table vault.claims
    -- The version of the sighting or photo that its moderator has seen, or that the decision made.
    add column version integer not null default 0,
    -- Whether the moderator has decided; then the item is claimed no longer.
    add column decided boolean not null default false;
