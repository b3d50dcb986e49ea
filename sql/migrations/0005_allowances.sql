-- Running totals that movements are counted against under lock: what was refunded of a payment, what a card spent in a day.
create table allowances (
  id text collate "C" primary key,
  used bigint not null
);
grant select, insert, update on allowances to kissi_app;

-- Cards that nothing passes through, on the account behind them: a payment that holds its lock sees a block that was answered.
alter table accounts add column barred text[] not null default '{}';
update accounts set barred = blocked.serials
from (select subscriber_id, array_agg(serial) as serials from cards where status = 'blocked' group by subscriber_id) blocked
where accounts.id = blocked.subscriber_id;

-- A refusal can be remembered too: movement_id is then the id of what was never posted.
alter table requests add column refused boolean not null default false;
