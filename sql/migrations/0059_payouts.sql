-- no-transaction
-- Pay-outs of processors to bank accounts are on an account of their own until the bank has executed them.

-- Adding the constraint without a check, and checking it afterwards, does not make payments wait.
alter table accounts drop constraint accounts_kind_check, add constraint accounts_kind_check check (kind in
  ('wallet', 'agent_float', 'agent_commission', 'processor', 'partner_clearing', 'fee_income', 'treasury', 'suspense',
    'payouts_in_transit')) not valid;

alter table accounts validate constraint accounts_kind_check;

insert into accounts (id, kind, floor, opened_at) values ('sys_payouts_in_transit', 'payouts_in_transit', null, now())
on conflict do nothing;
