-- Inbound credits from partner banks: the outcome of each, and reversals.

-- Written once, in the transaction of the outcome, and never changed: a reversal is a separate row.
-- No foreign keys and no defaults, because the rows are written with movements. One outcome per reference.
create table inbound_transactions (
  id text collate "C" not null,
  partner_id text collate "C" not null,
  reference text collate "C" not null,
  -- The caller's API key and its X-Idempotency-Key, which is stored for tracing only.
  key_id text collate "C" not null,
  idempotency_key text not null,
  status text not null check (status in ('COMPLETED', 'REJECTED', 'FAILED')),
  failure_code text,
  -- The movement; null if no money moved.
  transaction_id text collate "C",
  -- How the request identified the beneficiary, and the subscriber found; null if there was none.
  identified_by text not null check (identified_by in ('account_number', 'msisdn', 'card_serial')),
  identifier text not null,
  subscriber_id text collate "C",
  account_number text,
  account_name text,
  -- Minor units.
  amount bigint not null check (amount > 0),
  fee bigint not null,
  net_credited bigint not null,
  currency text not null,
  -- What the partner owed immediately afterwards.
  partner_outstanding bigint not null,
  narration text,
  -- The payer, for anti-money-laundering reviews.
  payer_name text,
  payer_account_masked text,
  payer_bank_code text,
  completed_at timestamptz not null,
  primary key (reference, partner_id),
  check ((status = 'COMPLETED') = (transaction_id is not null)),
  check ((status = 'COMPLETED') = (failure_code is null))
);
create index inbound_transactions_id on inbound_transactions (id);

create table inbound_reversals (
  inbound_id text collate "C" primary key,
  -- The movement that reversed the credit.
  transaction_id text collate "C" not null,
  reason text not null,
  allow_negative boolean not null,
  reversed_by text not null,
  reversed_at timestamptz not null
);

grant select, insert on inbound_transactions, inbound_reversals to kissi_app;

-- From now on a partner's outstanding limit is the floor of its clearing account, which the ledger checks under lock.
update accounts set floor = -partners.outstanding_limit
from partners where accounts.id = partners.id and accounts.kind = 'partner_clearing';
