-- The seq up to which accounts.recent is valid. During a rolling upgrade, gateways of the older version post without updating
-- recent: last_seq is then greater than recent_seq, and the recent activity counts as unknown.
alter table accounts add column recent_seq bigint not null default 0;
