-- Movements of the types that may have no wallet on either side, by the subject that compliance rules count them for, and by
-- time. They are few. Velocity rules on agents, processors and partners read them. The index selects them by type, because it
-- cannot refer to accounts.kind. It replaces movements_without_wallet (0016), which gateways of the previous version still use;
-- a later migration drops that one.
create index movements_between_businesses on movements ((case when type in ('agent_return', 'agent_transfer', 'processor_transfer')
    then from_account else to_account end), at)
  where type in ('partner_settlement', 'agent_fund', 'agent_return', 'agent_transfer', 'processor_transfer');
