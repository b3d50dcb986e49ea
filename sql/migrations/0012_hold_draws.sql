-- Holds from which many payments draw, and holds of money for numbers without a wallet.

alter table holds drop constraint holds_purpose_check;
alter table holds add constraint holds_purpose_check
  check (purpose in ('card_payment', 'cash_out_code', 'bulk', 'unclaimed'));
comment on column holds.reserved is 'less what payments have drawn from it: the allowance draws-of:{id}';

-- Unclaimed payments are between businesses too.
drop index movements_without_wallets;
create index movements_without_wallets on movements ((case when type in
    ('agent_return', 'agent_transfer', 'processor_transfer', 'processor_payout') then from_account else to_account end), at)
  where type in ('partner_settlement', 'agent_fund', 'agent_return', 'agent_transfer', 'processor_transfer',
    'commission_settlement', 'processor_payout', 'payout_returned', 'payout_cleared', 'payout_uncleared', 'suspense_resolution',
    'unclaimed_payment');
-- What the treasury pays to wallets is money that a bank has received.
drop index movements_at_banks;
create index movements_at_banks on movements (id)
  where type in ('agent_fund', 'agent_return', 'partner_settlement', 'processor_payout', 'payout_returned')
    or type in ('processor_transfer', 'unclaimed_payment') and from_account like 'sys\_treasury\_%';

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
  redeemed_at timestamptz not null
);

grant select, insert on unclaimed_redemptions to kissi_app;
create index bulk_payment_rows_unclaimed on bulk_payment_rows (transaction_id) where status = 'unclaimed';
