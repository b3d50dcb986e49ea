-- Wrong PINs of a UTC day, which a right PIN does not clear: guesses spread over merchants and days of right PINs count.

-- Null: none were counted yet. The count ends at that instant, 00:00 UTC.
alter table pins add column guesses smallint not null default 0;
alter table pins add column guesses_until timestamptz;
