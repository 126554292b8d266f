-- Research exports of ranges: the terms of the table beside its filter, as payloads have them; null for other formats.
alter table vault.research_exports add column ranges text;
