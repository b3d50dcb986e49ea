-- Compliance: the rules that payments are checked against, the alerts they raise, and the recent activity of accounts.

create table compliance_rules (
  id text collate "C" primary key,
  name text not null,
  -- Amount of one payment, number of payments in a window, or their total; a rule triggers above its threshold.
  kind text not null check (kind in ('amount', 'velocity_count', 'velocity_amount')),
  transaction_types text[] not null check (cardinality(transaction_types) > 0),
  -- In minor units, or a number of payments.
  threshold bigint not null check (threshold between 1 and 9007199254740991),
  window_seconds integer check (window_seconds between 1 and 2678400),
  outcome text not null check (outcome in ('flag', 'block')),
  severity text not null check (severity in ('CRITICAL', 'HIGH', 'MEDIUM', 'LOW')),
  enabled boolean not null,
  -- Incremented with every change; alerts name the version that raised them.
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((kind = 'amount') = (window_seconds is null))
);

-- No foreign keys and no defaults, because most rows are written with movements.
create table compliance_alerts (
  id text collate "C" primary key,
  severity text not null check (severity in ('CRITICAL', 'HIGH', 'MEDIUM', 'LOW')),
  status text not null check (status in ('open', 'in_review', 'resolved', 'dismissed')),
  type text not null,
  -- The subject of the alert; the others are null.
  subscriber_id text collate "C",
  agent_id text collate "C",
  processor_id text collate "C",
  -- The movement; null if no money moved.
  transaction_id text collate "C",
  rule_id text collate "C",
  rule_version integer,
  description text not null,
  notes text,
  -- What triggered the alert: the payment, and each rule with the values it computed.
  figures jsonb not null,
  created_at timestamptz not null,
  -- Deadline of the review; null if no immediate action is required.
  due_at timestamptz,
  updated_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by text collate "C",
  resolution text
);
create index compliance_alerts_newest on compliance_alerts (created_at desc, id desc);
create index compliance_alerts_by_status on compliance_alerts (status, created_at desc, id desc);
create index compliance_alerts_by_subscriber on compliance_alerts (subscriber_id, created_at desc, id desc)
  where subscriber_id is not null;
create index compliance_alerts_by_agent on compliance_alerts (agent_id, created_at desc, id desc)
  where agent_id is not null;
create index compliance_alerts_by_processor on compliance_alerts (processor_id, created_at desc, id desc)
  where processor_id is not null;
create index compliance_alerts_by_rule on compliance_alerts (rule_id, created_at desc, id desc) where rule_id is not null;
-- Open alerts by deadline; a small fraction of all alerts.
create index compliance_alerts_due on compliance_alerts (due_at) where status in ('open', 'in_review');
create index compliance_alerts_by_transaction on compliance_alerts (transaction_id) where transaction_id is not null;

-- The account's recent activity as the subject of payments, for rules with a window; the format is defined in
-- src/ledger/velocity. Empty: nothing is known about the time before its last posting.
alter table accounts add column recent text not null default '';

-- The default rules only flag. Within the limits of the KYC levels nothing is blocked until an operator decides so.
insert into compliance_rules (id, name, kind, transaction_types, threshold, window_seconds, outcome, severity, enabled,
  created_at, updated_at)
select id, name, kind, types, threshold, seconds, 'flag', severity, true, now(), now()
from (values
  ('rule_01M7FA7YY45VYPGM17H90JAFFR', 'A large payment out of a wallet', 'amount',
    '{transfer_p2p,pos_payment,wallet_withdraw}'::text[], 5000000, null::integer, 'MEDIUM'),
  ('rule_01M7FA7YYAFSSTBT4F2757TSW5', 'A large deposit', 'amount',
    '{agent_cashin,partner_cashin,vult_fund,inbound_credit}', 10000000, null, 'MEDIUM'),
  ('rule_01M7FA7YYAFSSTBT4F3YJJG8QH', 'Many transfers within an hour', 'velocity_count',
    '{transfer_p2p}', 20, 3600, 'HIGH'),
  ('rule_01M7FA7YYAFSSTBT4F54TWMTA0', 'Many cash deposits within a day', 'velocity_count',
    '{agent_cashin,partner_cashin}', 10, 86400, 'HIGH'),
  ('rule_01M7FA7YYAFSSTBT4F5XKZFMDQ', 'Much money out of a wallet within a day', 'velocity_amount',
    '{transfer_p2p,pos_payment,wallet_withdraw}', 40000000, 86400, 'HIGH')
) as shipped (id, name, kind, types, threshold, seconds, severity);

grant select, insert, update on compliance_rules to kissi_app;
-- The content of an alert is immutable; only its handling can be updated.
grant select, insert, update (status, notes, updated_at, resolved_at, resolved_by, resolution) on compliance_alerts
  to kissi_app;
