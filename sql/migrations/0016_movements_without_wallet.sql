-- Movements that are about no wallet: whom they are about, and when. Few, and read where a compliance rule looks back over an
-- account that also has a part in very many payments of wallets.
create index movements_without_wallet on movements ((case when starts_with(from_account, 'agent_')
    or starts_with(from_account, 'proc_') then from_account else to_account end), at)
  where not starts_with(from_account, 'sub_') and not starts_with(to_account, 'sub_');
