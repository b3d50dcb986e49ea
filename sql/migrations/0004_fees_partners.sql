-- Fee settings of the operator's own, and what partners are agreed upon: limits, webhooks, clearing accounts.

-- One setting for each type of transaction and party; without one the built-in default holds.
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

-- Amounts are minor units: what one inbound credit may be, and how much a partner may owe.
alter table partners
  add column webhook_url text,
  add column min_amount bigint not null default 1 check (min_amount > 0),
  add column max_amount bigint not null default 50000000,
  add column outstanding_limit bigint not null default 1000000000 check (outstanding_limit >= 0),
  add constraint partners_min_below_max check (min_amount <= max_amount);

-- What outgoing webhooks are signed with: after a rotation the old secret stays in force until its own end.
create table partner_webhook_secrets (
  id bigint generated always as identity primary key,
  partner_id text collate "C" not null references partners (id),
  sealed_secret bytea not null,
  created_at timestamptz not null,
  valid_until timestamptz
);
create index partner_webhook_secrets_partner_id on partner_webhook_secrets (partner_id);

-- Clearing accounts of the partners there are already. Below zero is what a partner owes, so zero is the ceiling.
insert into accounts (id, kind, floor, ceiling, opened_at)
select id, 'partner_clearing', null, 0, created_at from partners;

grant select, insert, update, delete on fee_settings, partner_webhook_secrets to kissi_app;
