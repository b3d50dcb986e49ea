-- no-transaction
-- Unclaimed payments are between businesses too, and what the treasury pays to wallets is money that a bank has received. Both
-- indexes of movements are built anew beside payments. What an interrupted run left is built again.

drop index concurrently if exists movements_without_wallets_new;

create index concurrently movements_without_wallets_new on movements ((case when type in
    ('agent_return', 'agent_transfer', 'processor_transfer', 'processor_payout') then from_account else to_account end), at)
  where type in ('partner_settlement', 'agent_fund', 'agent_return', 'agent_transfer', 'processor_transfer',
    'commission_settlement', 'processor_payout', 'payout_returned', 'payout_cleared', 'payout_uncleared', 'suspense_resolution',
    'unclaimed_payment');

drop index concurrently if exists movements_without_wallets;

alter index movements_without_wallets_new rename to movements_without_wallets;

drop index concurrently if exists movements_at_banks_new;

create index concurrently movements_at_banks_new on movements (id)
  where type in ('agent_fund', 'agent_return', 'partner_settlement', 'processor_payout', 'payout_returned')
    or type in ('processor_transfer', 'unclaimed_payment') and from_account like 'sys\_treasury\_%';

drop index concurrently if exists movements_at_banks;

alter index movements_at_banks_new rename to movements_at_banks;
