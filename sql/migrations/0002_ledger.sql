-- The ledger: accounts, movements, their postings, and the requests that caused them.
-- No foreign keys or triggers, and every unique constraint contains the column by which its table could be distributed
-- (accounts by id, postings by account, movements by id, requests by request id): the same SQL then also runs on a
-- distributed PostgreSQL such as Citus.

-- An account has the id of its owner; the operator's own accounts start with sys_. Amounts are in minor units.
-- The low fillfactor leaves room on each page for HOT updates: a balance changes with every payment.
create table accounts (
  id text collate "C" primary key,
  kind text not null check (kind in
    ('wallet', 'agent_float', 'processor', 'partner_clearing', 'fee_income', 'treasury', 'suspense')),
  balance bigint not null default 0,
  -- Lower and upper bound of the balance; null means unbounded.
  floor bigint default 0,
  ceiling bigint,
  -- daily_used is the total debited on the UTC day daily_on (days since 1970) and counts against daily_limit.
  daily_limit bigint,
  daily_used bigint not null default 0,
  daily_on integer not null default 0,
  frozen boolean not null default false,
  disabled_types text[] not null default '{}',
  -- seq of the newest posting, and the number of postings.
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
  -- json, not jsonb: it is returned exactly as the caller sent it.
  metadata json,
  -- The movement this one refunds or reverses.
  related_id text collate "C",
  details json not null,
  at timestamptz not null
);

-- seq is the time in microseconds since 1970, made strictly increasing per account. One index then serves the history, its
-- pagination, and the balance at a point in time.
create table postings (
  account_id text collate "C" not null,
  seq bigint not null,
  movement_id text collate "C" not null,
  -- Signed; zero only if a fee consumed the whole amount received.
  amount bigint not null,
  -- The part of the amount that is a fee paid by this account.
  fee bigint not null,
  balance_after bigint not null,
  primary key (account_id, seq)
);

-- Idempotency records of requests that moved money: a repeated request gets the same reply byte for byte, and a different
-- request with the same id is a conflict.
create table requests (
  request_id text collate "C" not null,
  scope text collate "C" not null,
  hash bytea not null,
  movement_id text collate "C" not null,
  reply text not null,
  primary key (request_id, scope)
);

-- The operator's own accounts. Fee income and treasury are striped, so that gateways do not queue on one row.
insert into accounts (id, kind, floor, opened_at)
select 'sys_fees_' || lpad(n::text, 2, '0'), 'fee_income', null::bigint, now() from generate_series(0, 15) n
union all select 'sys_treasury_' || lpad(n::text, 2, '0'), 'treasury', null, now() from generate_series(0, 15) n
union all select 'sys_suspense', 'suspense', null, now();

-- Wallets of existing subscribers.
insert into accounts (id, kind, ceiling, daily_limit, frozen, disabled_types, opened_at)
select id, 'wallet',
  case kyc_level when 1 then 50000000 when 2 then 200000000 else 1000000000 end,
  case kyc_level when 1 then 10000000 when 2 then 50000000 else 200000000 end,
  status <> 'ACTIVE', disabled_transaction_types, created_at
from subscribers;

grant select, insert, update on accounts to kissi_app;
grant select, insert on movements, postings, requests to kissi_app;
