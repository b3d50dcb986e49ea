-- The few movements without a wallet, by subject and time: for velocity rules on an account that also takes part in very many
-- wallet payments. Replaced by movements_between_businesses (0017).
create index movements_without_wallet on movements ((case when starts_with(from_account, 'agent_')
    or starts_with(from_account, 'proc_') then from_account else to_account end), at)
  where not starts_with(from_account, 'sub_') and not starts_with(to_account, 'sub_');
