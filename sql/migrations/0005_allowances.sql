-- Running totals that movements update under lock: the refunded amount of a payment, the daily spending of a card.
create table allowances (
  id text collate "C" primary key,
  used bigint not null
);
grant select, insert, update on allowances to kissi_app;

-- Blocked cards, stored on their account: a payment holds the account's lock, so it sees every block acknowledged before.
alter table accounts add column barred text[] not null default '{}';
update accounts set barred = blocked.serials
from (select subscriber_id, array_agg(serial) as serials from cards where status = 'blocked' group by subscriber_id) blocked
where accounts.id = blocked.subscriber_id;

-- A refusal can be stored as well; movement_id is then the id of a movement that was never posted.
alter table requests add column refused boolean not null default false;
