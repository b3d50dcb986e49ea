-- Compliance: the rules that payments are held against, the alerts they raise, and what an account lately did.

create table compliance_rules (
  id text collate "C" primary key,
  name text not null,
  -- One payment, how many payments in a window, or how much in a window; more than the threshold triggers it.
  kind text not null check (kind in ('amount', 'velocity_count', 'velocity_amount')),
  transaction_types text[] not null check (cardinality(transaction_types) > 0),
  -- Minor units, or a number of payments.
  threshold bigint not null check (threshold between 1 and 9007199254740991),
  window_seconds integer check (window_seconds between 1 and 2678400),
  outcome text not null check (outcome in ('flag', 'block')),
  severity text not null check (severity in ('CRITICAL', 'HIGH', 'MEDIUM', 'LOW')),
  enabled boolean not null,
  -- One more with every change: alerts name the version that raised them.
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((kind = 'amount') = (window_seconds is null))
);

-- No references and no defaults: most rows are written beside movements of money.
create table compliance_alerts (
  id text collate "C" primary key,
  severity text not null check (severity in ('CRITICAL', 'HIGH', 'MEDIUM', 'LOW')),
  status text not null check (status in ('open', 'in_review', 'resolved', 'dismissed')),
  type text not null,
  -- Whom it is about; null where not about one.
  subscriber_id text collate "C",
  agent_id text collate "C",
  processor_id text collate "C",
  -- The movement; null where nothing moved.
  transaction_id text collate "C",
  rule_id text collate "C",
  rule_version integer,
  description text not null,
  notes text,
  -- What triggered it: the payment, and each rule with what it counted.
  figures jsonb not null,
  created_at timestamptz not null,
  -- When its review is expected; null: no immediate action.
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
-- What is still to be reviewed, by when: few beside all there ever were.
create index compliance_alerts_due on compliance_alerts (due_at) where status in ('open', 'in_review');
create index compliance_alerts_by_transaction on compliance_alerts (transaction_id) where transaction_id is not null;

-- What the account lately did as the one a payment is about, for the rules that look at a window; in the words of
-- src/ledger/recent.ts. Empty: nothing is known of what was before its last posting.
alter table accounts add column recent text not null default '';

-- The rules that ship only flag: within the limits of the KYC levels nothing is refused until an operator says so.
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
-- What an alert says stays as it was; what becomes of it is added.
grant select, insert, update (status, notes, updated_at, resolved_at, resolved_by, resolution) on compliance_alerts
  to kissi_app;
