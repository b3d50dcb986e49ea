-- no-transaction
-- The settlements of an agent. Other movements do not enter the index.
create index concurrently if not exists movements_of_commission on movements (to_account, id)
  where type = 'commission_settlement';

alter table accounts validate constraint accounts_kind_check;
