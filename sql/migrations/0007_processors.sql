-- Processors: the merchants that receive POS and in-app payments.

create table processors (
  id text collate "C" primary key,
  -- The merchant's id on its terminals: stored as given, unique regardless of case.
  merchant_id text collate "C" not null check (length(merchant_id) between 1 and 64 and merchant_id !~ '[^A-Za-z0-9._:/-]'),
  business_name text not null,
  contact_name text not null,
  phone_number text collate "C" not null constraint processors_phone_number_key unique,
  email text not null,
  status text not null default 'active' check (status in ('active', 'suspended')),
  suspend_reason text,
  suspended_at timestamptz,
  suspended_by text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- All searchable fields in one column, with an explicit collation, as in subscribers.
  search_text text not null generated always as (
    lower((business_name || ' ' || contact_name || ' ' || merchant_id || ' ' || phone_number || ' ' || email)
      collate "default")
  ) stored,
  constraint processors_suspension_is_whole check ((status = 'suspended') = (suspended_at is not null))
);
create unique index processors_merchant_id_key on processors (lower(merchant_id));
create unique index processors_email_key on processors (lower(email));
-- Ids are time-ordered, so id desc is newest first.
create index processors_by_status on processors (status, id desc);
create index processors_search on processors using gin (search_text gin_trgm_ops);
-- Finds the users of a processor.
create index users_processor_id on users (processor_id) where processor_id is not null;

grant select, insert, update on processors to kissi_app;

-- Cumulative totals of an account's postings at certain points, by type and direction. A busy merchant's totals over any period
-- are then the difference of two checkpoints plus a few postings, instead of a scan over millions. Postings are append-only,
-- so checkpoints never become outdated. As in the rest of the ledger: no foreign keys, and unique per account.
create table account_checkpoints (
  account_id text collate "C" not null,
  -- Includes all postings up to and including this one.
  seq bigint not null,
  type text collate "C" not null,
  -- True if the account was the payer, false if it was the recipient.
  paid boolean not null,
  count bigint not null,
  amount bigint not null,
  fee bigint not null,
  change bigint not null,
  -- seq of the newest posting of this type and direction.
  newest bigint not null,
  primary key (account_id, seq, type, paid)
);
create index accounts_of_processors on accounts (id) where kind = 'processor';

grant select, insert on account_checkpoints to kissi_app;
