-- The subscribers that a logged request is about, as hashes of their ids: the log holds no ids. Staff without PEP access do not see those of politically exposed persons.
-- The default takes no rewrite. Requests of the previous version have none; they are deleted after 24 hours.

alter table request_log add column subjects text[] not null default '{}';
