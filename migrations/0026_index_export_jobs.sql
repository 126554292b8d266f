-- Counting the exports that wait never reads all jobs, of which there may be as many as mails and photos wait: the jobs
-- of exports have an index of their own. Before the tables are analysed, the server may take reading all of them for
-- as good, so that the function forbids it.
create index jobs_exports on vault.jobs (subject) where kind = 'export';
alter function vault.take_export_turn(uuid, uuid, bigint, bigint) set enable_seqscan = off;
