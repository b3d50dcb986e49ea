-- Movements that may have no wallet on either side, by the account that compliance rules count them for, and when. They are
-- few, and are read when a rule looks back over the payments of an agent, a processor or a partner. Their type decides, because
-- an index cannot contain the kind of an account. Replaces movements_without_wallet (0016), which a gateway of the version
-- before still uses; a later migration drops it.
create index movements_between_businesses on movements ((case when type in ('agent_return', 'agent_transfer', 'processor_transfer')
    then from_account else to_account end), at)
  where type in ('partner_settlement', 'agent_fund', 'agent_return', 'agent_transfer', 'processor_transfer');
