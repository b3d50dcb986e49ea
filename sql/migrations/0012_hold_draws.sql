-- Holds from which many payments draw, and holds of money for numbers without a wallet.

alter table holds drop constraint holds_purpose_check;
alter table holds add constraint holds_purpose_check
  check (purpose in ('card_payment', 'cash_out_code', 'bulk', 'unclaimed'));
comment on column holds.reserved is 'less what payments have drawn from it: the allowance draws-of:{id}';

-- Bulk payments that were stopped or cancelled, and whose holds and rows have not ended yet.
create index bulk_payments_to_end on bulk_payments (id) where status in ('stopped', 'cancelled') and ended_at is null;
create index bulk_payments_retries on bulk_payments (retry_of) where retry_of is not null;

-- The identity document with which an agent paid a code to a person without a wallet.
create table unclaimed_redemptions (
  hold_id text collate "C" primary key references holds (id),
  transaction_id text collate "C" not null unique,
  agent_id text collate "C" not null,
  id_type text not null,
  -- Encrypted: number and name.
  sealed_identity bytea not null,
  redeemed_at timestamptz not null,
  -- The batch of the ledger whose seal covers the row.
  batch bigint not null
);

grant select, insert on unclaimed_redemptions to kissi_app;
create index bulk_payment_rows_unclaimed on bulk_payment_rows (transaction_id) where status = 'unclaimed';
