-- A record's timeline finds the requests that name it.

create index approvals_parties on approvals using gin ((summary -> 'parties') jsonb_path_ops);
