-- Inbound credits that partner banks sent: what became of each, whatever it was, and which were reversed.

-- Written once, in the commit of the outcome, and never changed: a reversal is a row of its own.
-- No references and no defaults: the rows are written beside movements of money. One outcome for each reference.
create table inbound_transactions (
  id text collate "C" not null,
  partner_id text collate "C" not null,
  reference text collate "C" not null,
  -- Who asked: the key, and its X-Idempotency-Key, which is kept for tracing and decides nothing.
  key_id text collate "C" not null,
  idempotency_key text not null,
  status text not null check (status in ('COMPLETED', 'REJECTED', 'FAILED')),
  failure_code text,
  -- The movement; null when nothing moved.
  transaction_id text collate "C",
  -- How the beneficiary was named, and who was found; null when nobody was.
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
  -- What the partner owed right after it.
  partner_outstanding bigint not null,
  narration text,
  -- Who sent the money, for the review against money laundering.
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
  -- The movement that took it back.
  transaction_id text collate "C" not null,
  reason text not null,
  allow_negative boolean not null,
  reversed_by text not null,
  reversed_at timestamptz not null
);

grant select, insert on inbound_transactions, inbound_reversals to kissi_app;

-- How much a partner may owe is the floor of its clearing account from now on, where the ledger looks at it under lock.
update accounts set floor = -partners.outstanding_limit
from partners where accounts.id = partners.id and accounts.kind = 'partner_clearing';
