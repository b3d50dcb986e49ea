-- no-transaction
-- The index of movements between businesses (0017) with the type suspense_resolution: velocity rules search by all types that may
-- have no wallet on either side, and can use the index only if it contains each of them. Gateways of the previous version still
-- use the index of 0017; a later migration drops that one.
create index concurrently if not exists movements_between_businesses_2 on movements
  ((case when type in ('agent_return', 'agent_transfer', 'processor_transfer')
    then from_account else to_account end), at)
  where type in ('partner_settlement', 'agent_fund', 'agent_return', 'agent_transfer', 'processor_transfer',
    'suspense_resolution', 'commission_settlement', 'processor_payout', 'payout_cleared');
