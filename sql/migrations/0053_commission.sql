-- Commission of agents: percentages by tier, and an account per agent that holds commission until it is settled.

-- A tier without a row has its built-in percentage.
create table commission_tiers (
  tier text collate "C" primary key check (tier in ('standard', 'premium')),
  -- Ten-thousandths of a percent: 1,000,000 pays commissions as the fee settings have them.
  percent bigint not null check (percent between 0 and 5000000),
  updated_by text collate "C" not null,
  updated_at timestamptz not null
);
grant select, insert, update on commission_tiers to kissi_app;

-- Of agents of the tier custom; null: as standard.
alter table agents add column commission_percent bigint check (commission_percent between 0 and 5000000);
-- Finds the highest percentage that an agent has.
create index agents_by_tier on agents (commission_tier, commission_percent) where status <> 'terminated';

-- Validated by 0054, which does not block payments.
alter table accounts drop constraint accounts_kind_check, add constraint accounts_kind_check check (kind in
  ('wallet', 'agent_float', 'agent_commission', 'processor', 'partner_clearing', 'fee_income', 'treasury', 'suspense',
    'payouts_in_transit')) not valid;

insert into accounts (id, kind, opened_at) select 'commission_' || id, 'agent_commission', created_at from agents;

-- A trigger, because gateways of the previous version register agents too while the service is upgraded.
create function open_commission_account() returns trigger language plpgsql as $$
begin
  insert into accounts (id, kind, opened_at) values ('commission_' || new.id, 'agent_commission', new.created_at);
  return null;
end $$;
create trigger open_commission_account after insert on agents for each row execute function open_commission_account();
