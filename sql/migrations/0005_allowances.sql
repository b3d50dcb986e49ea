-- Running totals that movements are counted against under lock: what was refunded of a payment, what a card spent in a day.
create table allowances (
  id text collate "C" primary key,
  used bigint not null
);
grant select, insert, update on allowances to kissi_app;

-- A refusal can be remembered too: movement_id is then the id of what was never posted.
alter table requests add column refused boolean not null default false;
