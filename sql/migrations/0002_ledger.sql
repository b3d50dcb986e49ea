-- The ledger: accounts, movements, their postings, and the requests that asked for them.
-- No foreign keys or triggers here, and every unique constraint contains the column its table could be distributed by
-- (accounts by id, postings by account, movements by id, requests by request id): the same SQL then also runs on a
-- PostgreSQL that spreads tables over machines.

-- An account has the id of its owner; the house's own accounts begin with sys_. Amounts are minor units.
-- Room on each page keeps updates on it: a balance changes with every payment.
create table accounts (
  id text collate "C" primary key,
  kind text not null check (kind in
    ('wallet', 'agent_float', 'processor', 'partner_clearing', 'fee_income', 'treasury', 'suspense')),
  balance bigint not null default 0,
  -- The balance may not go below the floor nor above the ceiling; null: no bound.
  floor bigint default 0,
  ceiling bigint,
  -- What left it on the UTC day numbered daily_on (days since 1970), against the limit of a day.
  daily_limit bigint,
  daily_used bigint not null default 0,
  daily_on integer not null default 0,
  frozen boolean not null default false,
  disabled_types text[] not null default '{}',
  -- The newest posting's seq, and how many postings there are.
  last_seq bigint not null default 0,
  posting_count bigint not null default 0,
  opened_at timestamptz not null
) with (fillfactor = 60);

create table movements (
  id text collate "C" primary key,
  type text not null,
  from_account text collate "C" not null,
  to_account text collate "C" not null,
  amount bigint not null check (amount > 0),
  fee bigint not null check (fee >= 0),
  request_id text,
  reference text,
  narration text,
  -- json, not jsonb: what a caller sent comes back to the letter.
  metadata json,
  -- The movement this one refunds or reverses.
  related_id text collate "C",
  details json not null,
  at timestamptz not null
);

-- seq is the instant in microseconds since 1970, made strictly increasing within the account: one index serves the
-- order of the history, its pages, and the balance at a past instant.
create table postings (
  account_id text collate "C" not null,
  seq bigint not null,
  movement_id text collate "C" not null,
  -- Signed; zero only where a fee took all of what was received.
  amount bigint not null,
  -- What of it was a fee that this account bore.
  fee bigint not null,
  balance_after bigint not null,
  primary key (account_id, seq)
);

-- Requests that moved money: the same one again is answered with the same bytes, another one under its id is a conflict.
create table requests (
  request_id text collate "C" not null,
  scope text collate "C" not null,
  hash bytea not null,
  movement_id text collate "C" not null,
  reply text not null,
  primary key (request_id, scope)
);

-- The house's own accounts; fee income and treasury in stripes, so that gateways do not queue on one row.
insert into accounts (id, kind, floor, opened_at)
select 'sys_fees_' || lpad(n::text, 2, '0'), 'fee_income', null::bigint, now() from generate_series(0, 15) n
union all select 'sys_treasury_' || lpad(n::text, 2, '0'), 'treasury', null, now() from generate_series(0, 15) n
union all select 'sys_suspense', 'suspense', null, now();

-- Wallets of the subscribers there are already.
insert into accounts (id, kind, ceiling, daily_limit, frozen, disabled_types, opened_at)
select id, 'wallet',
  case kyc_level when 1 then 50000000 when 2 then 200000000 else 1000000000 end,
  case kyc_level when 1 then 10000000 when 2 then 50000000 else 200000000 end,
  status <> 'ACTIVE', disabled_transaction_types, created_at
from subscribers;

grant select, insert, update on accounts to kissi_app;
grant select, insert on movements, postings, requests to kissi_app;
