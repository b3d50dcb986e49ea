-- Processors: the merchants that receive what is paid at points of sale and in apps.

create table processors (
  id text collate "C" primary key,
  -- What terminals name the merchant by: kept as it was given, one whatever its case.
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
  -- What the search looks through, in one column so that one index serves it; collated aloud, as with subscribers.
  search_text text not null generated always as (
    lower((business_name || ' ' || contact_name || ' ' || merchant_id || ' ' || phone_number || ' ' || email)
      collate "default")
  ) stored,
  constraint processors_suspension_is_whole check ((status = 'suspended') = (suspended_at is not null))
);
create unique index processors_merchant_id_key on processors (lower(merchant_id));
create unique index processors_email_key on processors (lower(email));
-- Newest first, which the id is in order of.
create index processors_by_status on processors (status, id desc);
create index processors_search on processors using gin (search_text gin_trgm_ops);
-- A processor has its users: whoever lists or ends them finds them by it.
create index users_processor_id on users (processor_id) where processor_id is not null;

grant select, insert, update on processors to kissi_app;

-- Sums of an account's postings up to some of them, by type and direction: a busy merchant's totals over any period are
-- then the difference of two of these and a few postings, not a walk over millions. Postings are only ever appended, so
-- what is written here stays true. As in the rest of the ledger: no foreign keys, and unique by account.
create table account_checkpoints (
  account_id text collate "C" not null,
  -- Everything up to and including this posting.
  seq bigint not null,
  type text collate "C" not null,
  -- Whether the account paid; otherwise it was paid.
  paid boolean not null,
  count bigint not null,
  amount bigint not null,
  fee bigint not null,
  change bigint not null,
  -- The seq of the newest posting of this type and direction.
  newest bigint not null,
  primary key (account_id, seq, type, paid)
);
create index accounts_of_processors on accounts (id) where kind = 'processor';

grant select, insert on account_checkpoints to kissi_app;
