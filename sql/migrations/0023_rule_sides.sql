-- Compliance rules of the side payee, and the activity window of what a wallet received.

-- payer: the account that the payment counts for, as before. payee: the account that is paid.
alter table compliance_rules add column side text not null default 'payer' check (side in ('payer', 'payee'));

-- The payments that a wallet received, in the format of recent, and the seq up to which they are valid: gateways of the
-- previous version post without updating them. Nothing is known about existing accounts; new ones have received nothing.
alter table accounts add column received text not null default '', add column received_seq bigint not null default 0;
alter table accounts alter column received set default '0';

-- Like the rules of 0012, these only flag.
insert into compliance_rules (id, name, kind, side, transaction_types, threshold, window_seconds, outcome, severity,
  enabled, created_at, updated_at)
select id, name, kind, side, types, threshold, seconds, 'flag', severity, true, now(), now()
from (values
  ('rule_01M8WK3T9F4V7Q2C6N8D0R5YB1', 'A large pay-out of a processor', 'amount', 'payer',
    '{processor_transfer}'::text[], 10000000, null::integer, 'MEDIUM'),
  ('rule_01M8WK3T9FAX3E9H5J7M1S4ZK2', 'Many pay-outs of processors within a day', 'velocity_count', 'payer',
    '{processor_transfer}', 20, 86400, 'HIGH'),
  ('rule_01M8WK3T9FD6P8T2W4G9V3QNX3', 'Many credits from businesses into a wallet within a day', 'velocity_count',
    'payee', '{vult_fund,inbound_credit,processor_transfer}', 20, 86400, 'HIGH'),
  ('rule_01M8WK3T9FG1R5Y7B2K6C8TPM4', 'Much money into a wallet within a day', 'velocity_amount', 'payee',
    '{transfer_p2p,agent_cashin,partner_cashin,vult_fund,inbound_credit,processor_transfer}', 40000000, 86400, 'HIGH')
) as shipped (id, name, kind, side, types, threshold, seconds, severity);
