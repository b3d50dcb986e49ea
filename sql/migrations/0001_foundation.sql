-- Base schema: callers (users, sessions, API keys, partners), subscribers, and the audit log.
-- Ids are time-ordered in byte order, so their columns use the collation "C".

create extension if not exists pg_trgm;

-- Callers ---------------------------------------------------------------------------------------------------------

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
  -- Access tokens issued earlier are invalid, for example after a password change.
  tokens_valid_from timestamptz not null default 'epoch',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index users_email_key on users (lower(email));

-- A login creates a session; each refresh replaces its refresh token. Only token hashes are stored.
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

-- Keyed by email, not by user, so that unknown addresses are counted too and cannot be told apart by the response.
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

-- Credentials of a key. After a rotation, the old pair stays valid until its valid_until.
create table api_key_credentials (
  bearer_hash bytea primary key,
  key_id text collate "C" not null references api_keys (id),
  sealed_secret bytea not null,
  created_at timestamptz not null,
  valid_until timestamptz
);
create index api_key_credentials_key_id on api_key_credentials (key_id);

-- Used nonces. A row is kept until the time window in which its request could be replayed has passed.
create table nonces (
  key_id text collate "C" not null,
  nonce text collate "C" not null,
  expires_at timestamptz not null,
  primary key (key_id, nonce)
);
create index nonces_expires_at on nonces (expires_at);

-- A value derived from each long-lived secret, so that a service started with a wrong secret refuses to run.
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
  -- All searchable fields in one column, so that one index serves the search.
  search_text text not null generated always as (
    -- Explicit collation: with "C", inherited from the columns, lower() would change only the letters A to Z.
    lower((first_name || ' ' || last_name || ' ' || phone_number || ' ' || account_number || ' ' || coalesce(email, ''))
      collate "default")
  ) stored
);
-- Ids are time-ordered, so id desc is newest first. The filter columns come first, so that a page is one short index scan.
create index subscribers_by_status on subscribers (status, id desc);
create index subscribers_by_kyc_level on subscribers (kyc_level, id desc);
create index subscribers_by_status_and_kyc_level on subscribers (status, kyc_level, id desc);
create index subscribers_search on subscribers using gin (search_text gin_trgm_ops);

-- Number of subscribers by status and KYC level, striped so that registrations do not queue on one row.
-- The total_count of a list is then the sum of a few rows instead of a scan over a million.
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

-- PINs of subscribers and agents, in their own table so that no list query can return them.
-- version changes with every write (optimistic locking): a check made on an older version is repeated.
create table pins (
  owner_id text collate "C" primary key,
  salt bytea not null,
  hash bytea not null,
  failures smallint not null default 0,
  locked_until timestamptz,
  version bigint not null default 0
);

-- Audit log ------------------------------------------------------------------------------------------------------

-- Entries are written here in the transaction of the change they describe. A separate step then moves them to audit_log in
-- order and chains their hashes, so that changes do not queue on a lock for the chain.
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

-- The end of the hash chain. Its row lock serializes appends.
create table audit_head (
  singleton boolean primary key default true check (singleton),
  seq bigint not null,
  hash bytea not null
);
insert into audit_head (seq, hash) values (0, decode(repeat('00', 32), 'hex'));

-- The chain is append-only.
create function audit_head_moves_on() returns trigger language plpgsql as $$
begin
  if new.seq < old.seq then raise exception 'the end of the audit chain does not move back'; end if;
  return new;
end $$;

create trigger audit_head_moves_on before update on audit_head for each row execute function audit_head_moves_on();

-- Outgoing messages. The text is encrypted because it contains credentials and codes.
create table messages (
  id text collate "C" primary key,
  recipient text not null,
  kind text not null,
  sealed_text bytea not null,
  created_at timestamptz not null
);

-- Privileges of the service's role --------------------------------------------------------------------------------

grant usage on schema public to kissi_app;
grant select, insert, update, delete on all tables in schema public to kissi_app;
-- Append-only tables.
revoke update, delete on audit_log, secret_checks from kissi_app;
revoke update on audit_inbox from kissi_app;
revoke all on kysely_migration, kysely_migration_lock from kissi_app;
revoke delete on subscribers, users, api_keys, partners, audit_head from kissi_app;
