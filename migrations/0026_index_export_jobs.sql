-- The jobs of exports have an index of their own, so that counting those that wait never reads all jobs, of which there
-- may be as many as mails and photos wait: before the table is analysed, the server may take any other index for as
-- good.
create index jobs_exports on vault.jobs (subject) where kind = 'export';
