-- Roll-ups of the ledger: sums per hour for reports, written in the commit of each batch. The gateway of each chain of seals has
-- its own rows, so that gateways never wait for each other. ledger:verify proves them against the movements.
-- Sums are numeric: no sum of amounts can overflow and refuse a payment.

create table movement_rollups (
  -- Hours since 1970, UTC. First in the key: reports read periods.
  hour integer not null,
  -- The chain of seals; 0 for the movements of versions without roll-ups.
  chain integer not null,
  type text collate "C" not null,
  count bigint not null,
  amount numeric not null,
  fee numeric not null,
  -- Commission that the parties earned; negative where refunds took it back.
  commission numeric not null,
  primary key (hour, chain, type)
) with (fillfactor = 50);

create table account_rollups (
  -- Hours since 1970, UTC. Hour 0 is the sum of all hours.
  hour integer not null,
  chain integer not null,
  kind text collate "C" not null,
  -- Change of the balances of all accounts of the kind.
  change numeric not null,
  -- Accounts whose first posting of the hour, of the UTC day and of the ISO week was in this hour. The sum over a day or week is
  -- the exact number of accounts that were active in it. Zero in hour 0.
  active_in_hour bigint not null,
  active_in_day bigint not null,
  active_in_week bigint not null,
  primary key (hour, chain, kind)
) with (fillfactor = 50);

-- Refusals by code. Counted in memory by each gateway and added every few seconds: a crash loses the last ones.
create table refusal_rollups (
  -- Hours since 1970, UTC.
  hour integer not null,
  code text collate "C" not null,
  count bigint not null,
  primary key (hour, code)
);

-- True for the chains of gateways that write roll-ups with their batches.
alter table seal_chains add column rolls_up boolean not null default false;

-- Whether chain 0 contains all movements of earlier versions. Their gateways may still run during an upgrade;
-- ledger:seal-history counts what they wrote.
create table rollup_history (
  complete boolean not null
);
insert into rollup_history select not exists (select from movements) and not exists (select from seal_chains);
grant select on rollup_history to kissi_app;

grant select, insert, update on movement_rollups, account_rollups, refusal_rollups to kissi_app;
