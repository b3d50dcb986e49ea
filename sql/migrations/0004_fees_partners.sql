-- The operator's fee settings, and the terms of partners: limits, webhooks, clearing accounts.

-- One setting per transaction type and party; without one the built-in default applies.
create table fee_settings (
  id integer generated always as identity primary key,
  transaction_type text not null,
  party_type text not null,
  fee_type text not null check (fee_type in ('percentage', 'flat')),
  -- Ten-thousandths of a percent, or minor units.
  value bigint not null check (value >= 0),
  debit_enabled boolean not null,
  credit_enabled boolean not null,
  updated_at timestamptz not null,
  updated_by text not null,
  constraint fee_settings_type_party_key unique (transaction_type, party_type)
);

-- In minor units: the limits of a single inbound credit, and the most a partner may owe.
alter table partners
  add column webhook_url text,
  add column min_amount bigint not null default 1 check (min_amount > 0),
  add column max_amount bigint not null default 50000000,
  add column outstanding_limit bigint not null default 1000000000 check (outstanding_limit >= 0),
  add constraint partners_min_below_max check (min_amount <= max_amount);

-- Secrets that sign outgoing webhooks. After a rotation, the old secret stays valid until its valid_until.
create table partner_webhook_secrets (
  id bigint generated always as identity primary key,
  partner_id text collate "C" not null references partners (id),
  sealed_secret bytea not null,
  created_at timestamptz not null,
  valid_until timestamptz
);
create index partner_webhook_secrets_partner_id on partner_webhook_secrets (partner_id);

-- Clearing accounts of existing partners. A negative balance is what a partner owes, so the ceiling is zero.
insert into accounts (id, kind, floor, ceiling, opened_at)
select id, 'partner_clearing', null, 0, created_at from partners;

grant select, insert, update, delete on fee_settings, partner_webhook_secrets to kissi_app;
