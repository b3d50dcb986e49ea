-- Changes of matches are numbered, so that a daily close can name the last one that its figures contain. The number is taken
-- under the lock that every change of a match takes, so that the numbers are in the order of the commits.
alter table reconciliation_progress add column changes bigint not null default 0;
alter table reconciliation_matches add column made_change bigint, add column undone_change bigint;
