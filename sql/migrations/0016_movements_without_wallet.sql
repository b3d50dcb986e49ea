-- Movements without a wallet, by their subject and time. They are few. Compliance rules use this index to look back over an account
-- that also takes part in a very large number of wallet payments.
create index movements_without_wallet on movements ((case when starts_with(from_account, 'agent_')
    or starts_with(from_account, 'proc_') then from_account else to_account end), at)
  where not starts_with(from_account, 'sub_') and not starts_with(to_account, 'sub_');
