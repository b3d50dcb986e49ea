-- The ground: who may call (users, sessions, keys, partners), who is called upon (subscribers), and what was done (audit).
-- Identifiers sort by time in byte order, so they collate as "C".

create extension if not exists pg_trgm;

-- People and machines that call -----------------------------------------------------------------------------------

create table users (
  id text collate "C" primary key,
  email text not null,
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  phone_number text,
  role text not null,
  status text not null default 'active' check (status in ('active', 'inactive', 'suspended')),
  agent_id text collate "C",
  processor_id text collate "C",
  pep_access_authorized boolean not null default false,
  last_login_at timestamptz,
  -- Access tokens issued before this instant are dead (password changed).
  tokens_valid_from timestamptz not null default 'epoch',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index users_email_key on users (lower(email));

-- A login begins a family; each refresh replaces its token. Only hashes of tokens are kept.
create table sessions (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_user_id on sessions (user_id);

create table refresh_tokens (
  token_hash bytea primary key,
  session_id text collate "C" not null references sessions (id) on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index refresh_tokens_session_id on refresh_tokens (session_id);

-- By email rather than by user, so that an unknown name counts, and answers, like a known one.
create table login_attempts (
  email text primary key,
  failures integer not null,
  window_started_at timestamptz not null
);

create table partners (
  id text collate "C" primary key,
  name text not null,
  status text not null default 'active' check (status in ('active', 'suspended')),
  ip_allowlist text[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table api_keys (
  id text collate "C" primary key,
  name text not null,
  scopes text[] not null,
  environment text not null check (environment in ('live', 'test')),
  partner_id text collate "C" references partners (id),
  processor_id text collate "C",
  rate_limit integer check (rate_limit > 0),
  expires_at timestamptz,
  revoked_at timestamptz,
  created_by text collate "C" not null,
  created_at timestamptz not null
);

-- What a key is known by: after a rotation the old pair stays valid until its own end.
create table api_key_credentials (
  bearer_hash bytea primary key,
  key_id text collate "C" not null references api_keys (id),
  sealed_secret bytea not null,
  created_at timestamptz not null,
  valid_until timestamptz
);
create index api_key_credentials_key_id on api_key_credentials (key_id);

-- Numbers used once; a row outlives the time window in which its request could be replayed.
create table nonces (
  key_id text collate "C" not null,
  nonce text collate "C" not null,
  expires_at timestamptz not null,
  primary key (key_id, nonce)
);
create index nonces_expires_at on nonces (expires_at);

-- A mark made with each long-lived secret: a service started with another one notices before it does harm.
create table secret_checks (
  name text primary key,
  mark bytea not null
);

-- Subscribers -----------------------------------------------------------------------------------------------------

create table subscribers (
  id text collate "C" primary key,
  account_number text collate "C" not null constraint subscribers_account_number_key unique,
  phone_number text collate "C" not null constraint subscribers_phone_number_key unique,
  first_name text not null,
  last_name text not null,
  email text,
  date_of_birth date,
  address text,
  kyc_level smallint not null default 1 check (kyc_level between 1 and 3),
  status text not null check (status in ('ACTIVE', 'BLOCKED', 'PENDING')),
  disabled_transaction_types text[] not null default '{}',
  id_number text,
  id_type text check (id_type in ('NATIONAL_ID', 'PASSPORT', 'DRIVERS_LICENSE')),
  id_document_url text,
  selfie_url text,
  partner_wallet_id text constraint subscribers_partner_wallet_id_key unique,
  max_child_cards integer not null default 4,
  block_reason text,
  blocked_at timestamptz,
  blocked_by text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- What the search looks through, in one column so that one index serves it.
  search_text text not null generated always as (
    -- Collated aloud: beside columns that collate as "C", lower() would know the letters A to Z only.
    lower((first_name || ' ' || last_name || ' ' || phone_number || ' ' || account_number || ' ' || coalesce(email, ''))
      collate "default")
  ) stored
);
-- Newest first, which the id is in order of; the filters in front so that a page is one short index walk.
create index subscribers_by_status on subscribers (status, id desc);
create index subscribers_by_kyc_level on subscribers (kyc_level, id desc);
create index subscribers_by_status_and_kyc_level on subscribers (status, kyc_level, id desc);
create index subscribers_search on subscribers using gin (search_text gin_trgm_ops);

-- How many subscribers there are of each kind, in stripes so that registrations do not queue on one row:
-- a list's total_count is then a sum of a few rows and not a walk over a million.
create table subscriber_counts (
  status text not null,
  kyc_level smallint not null,
  stripe smallint not null,
  count bigint not null,
  primary key (status, kyc_level, stripe)
);

create function count_subscribers() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.status = new.status and old.kyc_level = new.kyc_level then
    return null;
  end if;
  -- Always in the same order: a block and an unblock that share a stripe would otherwise wait for each other.
  insert into subscriber_counts (status, kyc_level, stripe, count)
  select status, kyc_level, pg_backend_pid() % 32, delta
  from (values (old.status, old.kyc_level, -1), (new.status, new.kyc_level, 1)) as moved (status, kyc_level, delta)
  where status is not null
  order by status, kyc_level
  on conflict (status, kyc_level, stripe) do update set count = subscriber_counts.count + excluded.count;
  return null;
end $$;

create trigger count_subscribers after insert or update of status, kyc_level or delete on subscribers
for each row execute function count_subscribers();

-- PINs of subscribers and agents, apart from the records so that no listing can carry them along.
-- version changes with every write: a decision made on an older one is made again.
create table pins (
  owner_id text collate "C" primary key,
  salt bytea not null,
  hash bytea not null,
  failures smallint not null default 0,
  locked_until timestamptz,
  version bigint not null default 0
);

-- What was done --------------------------------------------------------------------------------------------------

-- Entries arrive here in the transaction of the change they speak of, and are moved into audit_log, in order and
-- chained, right after: the chain then costs no lock that changes would queue on.
create table audit_inbox (
  id text collate "C" primary key,
  at timestamptz not null,
  actor_type text not null,
  actor_id text,
  action text not null,
  resource_type text,
  resource_id text,
  ip text,
  request_id text,
  details jsonb not null
);

create table audit_log (
  seq bigint primary key,
  id text collate "C" not null,
  at timestamptz not null,
  actor_type text not null,
  actor_id text,
  action text not null,
  resource_type text,
  resource_id text,
  ip text,
  request_id text,
  details jsonb not null,
  prev_hash bytea not null,
  hash bytea not null
);
create index audit_log_actor on audit_log (actor_id, seq desc);
create index audit_log_action on audit_log (action, seq desc);
create index audit_log_resource on audit_log (resource_id, seq desc);
create index audit_log_at on audit_log (at, seq desc);

-- The end of the chain; its lock makes the sealing of entries one after another.
create table audit_head (
  singleton boolean primary key default true check (singleton),
  seq bigint not null,
  hash bytea not null
);
insert into audit_head (seq, hash) values (0, decode(repeat('00', 32), 'hex'));

-- The chain only grows.
create function audit_head_moves_on() returns trigger language plpgsql as $$
begin
  if new.seq < old.seq then raise exception 'the end of the audit chain does not move back'; end if;
  return new;
end $$;

create trigger audit_head_moves_on before update on audit_head for each row execute function audit_head_moves_on();

-- Outgoing messages; the text is sealed because it carries credentials and codes.
create table messages (
  id text collate "C" primary key,
  recipient text not null,
  kind text not null,
  sealed_text bytea not null,
  created_at timestamptz not null
);

-- The service's role ----------------------------------------------------------------------------------------------

grant usage on schema public to kissi_app;
grant select, insert, update, delete on all tables in schema public to kissi_app;
-- What was written there stays as it was written.
revoke update, delete on audit_log, secret_checks from kissi_app;
revoke update on audit_inbox from kissi_app;
revoke all on kysely_migration, kysely_migration_lock from kissi_app;
revoke delete on subscribers, users, api_keys, partners, audit_head from kissi_app;
