-- no-transaction
-- Indexes of the reconciliation and of pay-outs. A transfer between wallets enters none of them.

-- The movements of the books' side, in the order of their ids.
create index concurrently if not exists movements_at_banks on movements (id)
  where type in ('agent_fund', 'agent_return', 'partner_settlement', 'processor_payout', 'payout_returned');

-- The pay-outs of a processor.
create index concurrently if not exists movements_of_payouts on movements (from_account, id) where type = 'processor_payout';

-- Movements of the types that may have no wallet on either side, pay-outs included. Replaces movements_between_businesses (0017),
-- which gateways of the previous version still use; a later migration drops that one.
create index concurrently if not exists movements_without_wallets on movements ((case when type in
    ('agent_return', 'agent_transfer', 'processor_transfer', 'processor_payout') then from_account else to_account end), at)
  where type in ('partner_settlement', 'agent_fund', 'agent_return', 'agent_transfer', 'processor_transfer',
    'commission_settlement', 'processor_payout', 'payout_returned', 'payout_cleared', 'payout_uncleared', 'suspense_resolution');
