-- The schema, by area: users, approvals, subscribers, agents, processors, partners, API keys, the ledger, fees and compliance,
-- finance, messages, search, the lab and the audit log. Each area has its tables, indexes, functions, triggers and rights.
--
-- Ids are time-ordered in byte order, so their columns use the collation "C", and `id desc` is newest first. Amounts are in minor
-- units. Secrets are stored as hashes, or encrypted (`sealed_…`) with a key that is not in the database.
--
-- The service logs in as a member of kissi_app, never as the owner of the tables. Each table grants the rights that the service
-- needs: history is insert-only, and most records are never deleted.

create extension if not exists pg_trgm;

-- Databases created by PostgreSQL 14 or earlier let every role create tables.
revoke create on schema public from public;
grant usage on schema public to kissi_app;
-- The service checks that the schema is current. It does not migrate.
grant select on kysely_migration to kissi_app;

-- Users and logins ------------------------------------------------------------------------------------------------

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
  updated_at timestamptz not null,
  -- True if the user was suspended together with its agent or processor; only then does reactivating the owner restore the user's
  -- access. When an administrator changes the user's status directly, the flag is cleared.
  suspended_with_owner boolean not null default false,
  -- A generated password is temporary: outside development, its user must change it before anything else is possible.
  must_change_password boolean not null default false,
  -- Null: the user has no second factor. Kept on the user's row, which every request with a token reads.
  second_factor_at timestamptz,
  constraint users_suspended_with_owner check (status = 'suspended' or not suspended_with_owner)
);
create unique index users_email_key on users (lower(email));
-- To suspend or terminate the users of an agent or processor together with it.
create index users_agent_id on users (agent_id) where agent_id is not null;
create index users_processor_id on users (processor_id) where processor_id is not null;
-- Users of agents and processors can also log in by phone number: two such logins with one number could not.
create index users_phone_number on users (phone_number) where agent_id is not null or processor_id is not null;
create unique index users_owned_phone_key on users (phone_number)
  where (agent_id is not null or processor_id is not null) and status <> 'inactive';

grant select, insert, update on users to kissi_app;

-- A login creates a session; each refresh replaces its refresh token. Only token hashes are stored.
create table sessions (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_user_id on sessions (user_id);

-- Deleted with the session, by the foreign key.
create table refresh_tokens (
  token_hash bytea primary key,
  session_id text collate "C" not null references sessions (id) on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index refresh_tokens_session_id on refresh_tokens (session_id);

grant select, insert, update, delete on sessions to kissi_app;
grant select, insert, update on refresh_tokens to kissi_app;

-- Wrong passwords per name and guesser, per name and UTC day, and per name, network and UTC day, so that one network can use up
-- only a part of what a name has in a day. Keyed by email, not by user, so that unknown addresses are counted too and cannot be
-- told apart by the response.
create table login_attempts (
  email text not null,
  failures integer not null,
  window_started_at timestamptz not null,
  -- The network, or a browser or session that logged in before and has its own count.
  guesser text collate "C" not null,
  primary key (email, guesser)
);

create table login_failure_days (
  email text not null,
  day date not null,
  failures integer not null,
  -- The user was told that there were too many.
  told boolean not null default false,
  primary key (email, day)
);

create table login_network_days (
  email text not null,
  day date not null,
  -- /24 or /48.
  network text collate "C" not null,
  failures integer not null,
  primary key (email, day, network)
);

-- Browsers that nobody else can lock out. The token is in a cookie; users of one browser share it.
create table known_browsers (
  token_hash bytea not null,
  user_id text collate "C" not null references users (id),
  expires_at timestamptz not null,
  primary key (token_hash, user_id)
);
create index known_browsers_user_id on known_browsers (user_id, expires_at);

grant select, insert, update, delete on login_attempts, login_failure_days, login_network_days, known_browsers to kissi_app;

-- confirmed_at is set by the first valid code; until then the enrolment has no effect. last_step is the time step of the last
-- accepted code: a code is accepted once, and none that is older.
create table totp_enrolments (
  user_id text collate "C" primary key references users (id),
  sealed_secret bytea not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  last_step integer,
  constraint totp_enrolments_confirmed check ((confirmed_at is null) = (last_step is null))
);

-- Keyed hashes. A used code is deleted.
create table recovery_codes (
  user_id text collate "C" not null references users (id),
  salt bytea not null,
  hash bytea not null,
  primary key (user_id, hash)
);

create table passkeys (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id),
  name text not null,
  credential_id text collate "C" not null,
  public_key bytea not null,
  -- The authenticator's signature counter; it must grow, or the authenticator was cloned. Some always report 0.
  counter bigint not null check (counter >= 0),
  transports text[] not null default '{}',
  created_at timestamptz not null,
  last_used_at timestamptz
);
create unique index passkeys_credential_id_key on passkeys (credential_id);
create index passkeys_user_id on passkeys (user_id);

-- Logins that wait for a second factor. Only hashes of challenges are stored, so that any gateway can finish a login and the
-- table gives no access.
create table second_factor_challenges (
  challenge_hash bytea primary key,
  user_id text collate "C" not null references users (id),
  purpose text not null check (purpose in ('login', 'passkey')),
  wrong_tries smallint not null default 0,
  expires_at timestamptz not null,
  -- Issued while the name is locked: only a passkey answers it, and only then does the result of the password count. So the
  -- passkey's owner gets in, and nobody else learns whether a password is right.
  passkey_only boolean not null default false,
  password_right boolean not null default true,
  -- The owner of the database could plant a challenge, which stands for a right password. One without a valid MAC is refused.
  mac bytea
);
create index second_factor_challenges_user_id on second_factor_challenges (user_id);

grant select, insert, update, delete on totp_enrolments, recovery_codes, passkeys, second_factor_challenges to kissi_app;

-- Which staff have access to politically exposed persons (PEPs): one row per user who ever requested a code. When access ends,
-- code and access are cleared, but the number of codes sent is kept, so that logging out does not reset the rate limit.
create table pep_access (
  user_id text collate "C" primary key references users (id),
  code_salt bytea,
  code_hash bytea,
  code_expires_at timestamptz,
  tries_left smallint not null default 0 check (tries_left between 0 and 3),
  codes_sent integer not null,
  window_started_at timestamptz not null,
  open_until timestamptz,
  constraint pep_access_code_whole check (
    (code_hash is null) = (code_salt is null) and (code_hash is null) = (code_expires_at is null)
    and (code_hash is null) = (tries_left = 0)
  )
);

grant select, insert, update on pep_access to kissi_app;

-- Saved views of the console: screens with their filters, by user.
create table saved_views (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id),
  name text not null,
  screen text collate "C" not null,
  query text collate "C" not null,
  -- Staff with the same role see it too.
  shared boolean not null,
  created_at timestamptz not null,
  unique (user_id, screen, name)
);
create index saved_views_shared on saved_views (id) where shared;

grant select, insert, delete on saved_views to kissi_app;

-- Approvals (maker-checker) ---------------------------------------------------------------------------------------

-- An action without a row needs no approval.
create table approval_policies (
  action text collate "C" primary key,
  enabled boolean not null,
  -- Minor units per requester and UTC day; null: every request needs approval.
  threshold bigint check (threshold > 0),
  updated_by text collate "C" not null,
  updated_at timestamptz not null
);

-- Requests that wait for the decision of a second user, or got it.
create table approvals (
  id text collate "C" primary key,
  action text collate "C" not null,
  operation text collate "C" not null,
  -- approved: decided, and the movement is being posted.
  status text collate "C" not null check
    (status in ('pending', 'approved', 'executed', 'failed', 'rejected', 'withdrawn', 'expired')),
  requested_by text collate "C" not null references users (id),
  requested_at timestamptz not null,
  requested_ip text,
  -- As the client sent it. A retry finds the approval by it.
  request_id text collate "C",
  request_hash text,
  -- Contains the party for whom the request acts.
  input jsonb not null,
  -- The secret fields of the input, encrypted; erased with the decision.
  sealed_input bytea,
  summary jsonb not null,
  -- Digests of the records that the change is about, as they were at the request.
  record_states jsonb,
  -- The amount of a payment.
  amount bigint,
  -- The subscriber whose wallet or record the request is about.
  subscriber_id text collate "C",
  expires_at timestamptz not null,
  decided_by text collate "C",
  decided_at timestamptz,
  reason text,
  result jsonb,
  -- The secret fields of the result, encrypted; erased when the requester has collected them.
  sealed_result bytea,
  refusal jsonb,
  finished_at timestamptz
);
-- Request ids belong to the party for whom a request acts, not to the credential that sends it.
create unique index approvals_request_id on approvals ((input ->> 'party'), request_id) where request_id is not null;
create index approvals_status on approvals (status, id);
create index approvals_action on approvals (action, id);
create index approvals_requested_by on approvals (requested_by, id);
-- The open requests of a requester, for the totals of a day.
create index approvals_open on approvals (requested_by, action, requested_at) where status in ('pending', 'approved');
create index approvals_expiry on approvals (expires_at) where status = 'pending';
create index approvals_uncollected on approvals (finished_at) where sealed_result is not null;

grant select, insert, update on approval_policies, approvals to kissi_app;

-- Subscribers -----------------------------------------------------------------------------------------------------

create table subscribers (
  id text collate "C" primary key,
  account_number text collate "C" not null constraint subscribers_account_number_key unique,
  phone_number text collate "C" not null,
  first_name text not null,
  last_name text not null,
  email text,
  date_of_birth date,
  address text,
  kyc_level smallint not null default 1 check (kyc_level between 1 and 3),
  -- ENDED: a registration that was replaced, or not verified in time. The row stays as evidence of who registered the number; for
  -- the API it does not exist.
  status text not null check (status in ('ACTIVE', 'BLOCKED', 'PENDING', 'ENDED')),
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
  ) stored,
  -- A politically exposed person.
  is_pep boolean not null default false,
  -- The agent whose user registered the subscriber. Agents see the records of these subscribers only.
  registered_by_agent text collate "C",
  -- False: registered by the public, and the holder of the number has not confirmed it. Such a row does not occupy the number.
  phone_verified boolean not null default true,
  pin_reset_at timestamptz,
  -- The last change of the phone number; phone_changes has all of them.
  phone_changed_at timestamptz,
  phone_changed_by text collate "C"
);
-- The filter columns come first, so that a page is one short index scan.
create index subscribers_by_status on subscribers (status, id desc);
create index subscribers_by_kyc_level on subscribers (kyc_level, id desc);
create index subscribers_by_status_and_kyc_level on subscribers (status, kyc_level, id desc);
create index subscribers_by_agent on subscribers (registered_by_agent, id desc) where registered_by_agent is not null;
create index subscribers_search on subscribers using gin (search_text gin_trgm_ops);
-- Look-ups by phone use the unique index, lists the other one.
create unique index subscribers_phone_number_key on subscribers (phone_number) where phone_verified;
create index subscribers_by_phone on subscribers (phone_number);
-- Registrations that end after a day.
create index subscribers_unverified on subscribers (created_at) where status = 'PENDING' and not phone_verified;
-- New wallets per period.
create index subscribers_by_creation on subscribers (created_at);
-- PEPs are few, so this index is sufficient to count them and to exclude them from searches.
create index subscribers_pep on subscribers (id) where is_pep;

-- Letters and digits only, in upper case: 'ab-12 3' and 'AB123' are one document. Code points instead of character classes, and
-- the collation "C", so that the index does not depend on the locale.
create function identity_number(number text) returns text language sql immutable strict parallel safe as $$
  select upper(regexp_replace(normalize(number, nfkc),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u2212\ufe00-\ufe0f\ufeff]', '', 'g') collate "C")
$$;

-- A verified identity document belongs to one subscriber.
create unique index subscribers_identity_key on subscribers (id_type, identity_number(id_number)) where kyc_level >= 2;

grant select, insert, update on subscribers to kissi_app;

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

grant select, insert, update on subscriber_counts to kissi_app;

-- Codes that confirm the phone number of a public registration.
create table phone_verifications (
  subscriber_id text collate "C" primary key references subscribers (id),
  -- The number that the code was sent to.
  phone_number text collate "C" not null,
  code_salt bytea,
  code_hash bytea,
  code_expires_at timestamptz,
  tries_left smallint not null,
  codes_sent smallint not null,
  sent_at timestamptz not null,
  verified_at timestamptz,
  -- False: staff registered the subscriber as PENDING, so that the code verifies the number and does not activate the wallet.
  activates boolean not null default true
);

-- Every change of the phone number of a subscriber or agent. Whoever requested or approved one never resets the holder's PIN.
create table phone_changes (
  id text collate "C" primary key,
  owner_id text collate "C" not null,
  changed_at timestamptz not null,
  -- The user or API key; under an approval policy, the requester.
  changed_by text collate "C" not null,
  approved_by text collate "C"
);
create index phone_changes_by_owner on phone_changes (owner_id);

-- Notes of staff about subscribers. The service adds them and can neither change nor delete them.
create table subscriber_notes (
  id text collate "C" primary key,
  subscriber_id text collate "C" not null references subscribers (id),
  author_id text collate "C" not null references users (id),
  text text not null check (char_length(text) between 1 and 2000),
  created_at timestamptz not null
);
create index subscriber_notes_subscriber on subscriber_notes (subscriber_id, id);

grant select, insert, update on phone_verifications to kissi_app;
grant select, insert on phone_changes, subscriber_notes to kissi_app;

-- PINs of subscribers and agents, in their own table so that no list query can return them.
-- version changes with every write (optimistic locking): a check made on an older version is repeated.
create table pins (
  owner_id text collate "C" primary key,
  salt bytea not null,
  hash bytea not null,
  failures smallint not null default 0,
  locked_until timestamptz,
  version bigint not null default 0,
  -- Wrong PINs of a UTC day, which a right PIN does not clear: guesses that are spread over merchants count together. The count
  -- ends at guesses_until, 00:00 UTC; null: none were counted yet.
  guesses smallint not null default 0,
  guesses_until timestamptz
);

-- Codes for a new PIN, which staff have sent to a holder's phone. One row per subscriber or agent; a new code replaces the last.
create table pin_resets (
  owner_id text collate "C" primary key,
  -- The number that the code was sent to.
  phone_number text collate "C" not null,
  -- Null once the code was used or guessed too often.
  code_salt bytea,
  code_hash bytea,
  code_expires_at timestamptz,
  tries_left smallint not null,
  requested_by text collate "C" not null,
  sent_at timestamptz not null
);

grant select, insert, update on pins, pin_resets to kissi_app;

-- NFC cards, in stock or linked to the subscribers whose wallets they access.
create table cards (
  -- Upper case: readers report hexadecimal serials in either case.
  -- Length and characters are checked separately, because one pattern with {4,64} takes longer than the rest of the insert.
  -- Without BETWEEN, which PostgreSQL keeps as an AND within an AND: a dump prints these as one AND, and ledger:verify would take
  -- the check of a restored database for a changed one.
  serial text collate "C" primary key check (length(serial) >= 4 and length(serial) <= 64 and serial !~ '[^A-Z0-9._:-]'),
  -- A card in stock is a parent card until it is issued as a child card.
  type text not null default 'parent' check (type in ('parent', 'child')),
  status text not null default 'unassigned' check (status in ('unassigned', 'active', 'blocked')),
  subscriber_id text collate "C" references subscribers (id),
  parent_serial text collate "C" references cards (serial),
  label text,
  -- Null: only the subscriber's limit applies.
  daily_limit bigint check (daily_limit > 0),
  linked_at timestamptz,
  created_at timestamptz not null,
  -- Unlinked and blocked for good, for example after a theft. The former holder is kept for the history of the card.
  retired_at timestamptz,
  retired_subscriber_id text collate "C" references subscribers (id),
  -- The last former holder of a card that can be linked again. A payment that read the card before must not be posted to that
  -- holder's wallet afterwards, so the wallet refuses the card until it is linked to the same subscriber again.
  unlinked_subscriber_id text collate "C" references subscribers (id),
  constraint cards_linked check ((subscriber_id is null) = (linked_at is null)),
  constraint cards_child_has_parent check ((type = 'child') = (parent_serial is not null)),
  -- A retired child card has no holder any more.
  constraint cards_child_is_linked check (type = 'parent' or subscriber_id is not null or retired_at is not null),
  -- A card in stock can be blocked too, for example after a theft.
  constraint cards_status_fits check (status = 'blocked' or (status = 'active') = (subscriber_id is not null)),
  constraint cards_retired check (retired_at is null or (status = 'blocked' and subscriber_id is null)),
  constraint cards_retired_holder check (retired_subscriber_id is null or retired_at is not null)
);
-- Newest first. The filter columns come first, so that a page is one short index scan.
create index cards_by_age on cards (created_at desc, serial);
create index cards_by_status on cards (status, created_at desc, serial);
create index cards_by_subscriber on cards (subscriber_id, created_at desc, serial) where subscriber_id is not null;
create index cards_by_parent on cards (parent_serial, created_at desc, serial) where parent_serial is not null;
-- The cards that a wallet refuses because they were retired or unlinked from it.
create index cards_by_retired_subscriber on cards (retired_subscriber_id) where retired_subscriber_id is not null;
create index cards_by_unlinked_subscriber on cards (unlinked_subscriber_id) where unlinked_subscriber_id is not null;

grant select, insert, update on cards to kissi_app;

-- Agents ----------------------------------------------------------------------------------------------------------

-- Super-agents and their sub-agents, who accept and pay out cash against a float.
create table agents (
  id text collate "C" primary key,
  type text not null check (type in ('super_agent', 'sub_agent')),
  parent_agent_id text collate "C" references agents (id),
  business_name text not null,
  first_name text not null,
  last_name text not null,
  phone_number text collate "C" not null constraint agents_phone_number_key unique,
  email text not null,
  location text,
  commission_tier text not null check (commission_tier in ('standard', 'premium', 'custom')),
  settlement_mode text not null check (settlement_mode in ('instant', 'daily', 'weekly')),
  status text not null default 'active' check (status in ('active', 'suspended', 'terminated')),
  -- Reason for the suspension or termination.
  status_reason text,
  -- True if the operator suspended the agent: its super-agent cannot lift that suspension.
  held_by_house boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- All searchable fields in one column, with an explicit collation, as in subscribers.
  search_text text not null generated always as (
    lower((business_name || ' ' || first_name || ' ' || last_name || ' ' || phone_number) collate "default")
  ) stored,
  pin_reset_at timestamptz,
  pin_reset_floor bigint,
  -- In the tier custom, ten-thousandths of a percent; null: as standard.
  commission_percent bigint check (commission_percent between 0 and 5000000),
  -- The last change of the phone number; phone_changes has all of them.
  phone_changed_at timestamptz,
  phone_changed_by text collate "C",
  constraint agents_sub_agent_has_parent check ((type = 'sub_agent') = (parent_agent_id is not null)),
  constraint agents_held_while_suspended check (status = 'suspended' or not held_by_house)
);
-- The filter columns come first, so that a page is one short index scan.
create index agents_by_status on agents (status, id desc);
create index agents_by_type on agents (type, id desc);
create index agents_by_parent on agents (parent_agent_id, id desc) include (status) where parent_agent_id is not null;
create index agents_search on agents using gin (search_text gin_trgm_ops);
-- Finds the highest percentage that an agent has.
create index agents_by_tier on agents (commission_tier, commission_percent) where status <> 'terminated';

-- Commission is held on an account of its own until it is settled.
create function open_commission_account() returns trigger language plpgsql as $$
begin
  insert into accounts (id, kind, opened_at) values ('commission_' || new.id, 'agent_commission', new.created_at);
  return null;
end $$;
create trigger open_commission_account after insert on agents for each row execute function open_commission_account();

-- Commission by tier. A tier without a row has its built-in percentage.
create table commission_tiers (
  tier text collate "C" primary key check (tier in ('standard', 'premium')),
  -- Ten-thousandths of a percent: 1,000,000 pays commissions as the fee settings have them.
  percent bigint not null check (percent between 0 and 5000000),
  updated_by text collate "C" not null,
  updated_at timestamptz not null
);

grant select, insert, update on agents, commission_tiers to kissi_app;

-- Processors ------------------------------------------------------------------------------------------------------

-- The merchants that receive POS and in-app payments.
create table processors (
  id text collate "C" primary key,
  -- The merchant's id on its terminals: stored as given, unique regardless of case. Without BETWEEN, as in cards.
  merchant_id text collate "C" not null
    check (length(merchant_id) >= 1 and length(merchant_id) <= 64 and merchant_id !~ '[^A-Za-z0-9._:/-]'),
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
create index processors_by_status on processors (status, id desc);
create index processors_search on processors using gin (search_text gin_trgm_ops);

-- Beneficiaries of pay-outs: the bank accounts of processors. Rows are never deleted, because pay-outs name them.
create table bank_accounts (
  id text collate "C" primary key,
  processor_id text collate "C" not null references processors (id),
  account_number text collate "C" not null,
  bank text not null,
  holder text not null,
  created_by text collate "C" not null,
  created_at timestamptz not null,
  removed_by text collate "C",
  removed_at timestamptz
);
create unique index bank_accounts_number_key on bank_accounts (processor_id, account_number) where removed_at is null;

grant select, insert, update on processors, bank_accounts to kissi_app;

-- Partners --------------------------------------------------------------------------------------------------------

create table partners (
  id text collate "C" primary key,
  name text not null,
  status text not null default 'active' check (status in ('active', 'suspended')),
  ip_allowlist text[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  webhook_url text,
  -- The limits of a single inbound credit.
  min_amount bigint not null default 1 check (min_amount > 0),
  max_amount bigint not null default 50000000,
  -- The most that the partner may owe. It is the floor of its clearing account, which the ledger checks under lock.
  outstanding_limit bigint not null default 1000000000 check (outstanding_limit >= 0),
  constraint partners_min_below_max check (min_amount <= max_amount)
);

-- Secrets that sign outgoing webhooks. After a rotation, the old secret stays valid until its valid_until.
create table partner_webhook_secrets (
  id bigint generated always as identity primary key,
  partner_id text collate "C" not null references partners (id),
  sealed_secret bytea not null,
  created_at timestamptz not null,
  valid_until timestamptz,
  -- When the secret begins to sign; null: when it was created.
  active_from timestamptz
);
create index partner_webhook_secrets_partner_id on partner_webhook_secrets (partner_id);

grant select, insert, update on partners to kissi_app;
grant select, insert, update, delete on partner_webhook_secrets to kissi_app;

-- Outgoing webhooks: an outbox, whose rows are committed together with the credit they describe.
-- No foreign key to partners: the rows are written with movements, which lock nothing but accounts.
-- No defaults: rows written with a movement specify every column, and a default would not apply to them.
create table webhook_deliveries (
  id text collate "C" primary key,
  partner_id text collate "C" not null,
  event text not null,
  reference text collate "C" not null,
  inbound_id text collate "C" not null,
  -- Delivery order per reference: an event waits for those with a smaller turn, or the same turn and a smaller id.
  turn smallint not null,
  -- The exact bytes that are sent and signed at every attempt.
  body text not null,
  status text not null check (status in ('pending', 'delivered', 'abandoned')),
  attempts integer not null check (attempts >= 0),
  -- Position of the next attempt in the retry schedule. A replay resets it, while attempts keeps counting.
  step smallint not null check (step >= 0),
  next_attempt_at timestamptz,
  -- The lease holder and the end of the lease. Not indexed, so that taking a lease updates no index.
  lease text collate "C",
  leased_until timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint webhook_deliveries_pending_is_due check ((status = 'pending') = (next_attempt_at is not null))
) with (fillfactor = 70);
create index webhook_deliveries_pending on webhook_deliveries (partner_id, next_attempt_at, id) where status = 'pending';
create index webhook_deliveries_reference on webhook_deliveries (reference, partner_id);
create index webhook_deliveries_partner on webhook_deliveries (partner_id, id desc);
create index webhook_deliveries_abandoned on webhook_deliveries (id desc) where status = 'abandoned';

-- What each attempt sent and received, so that staff can explain to a partner why a webhook failed. Null where nothing was sent
-- or received. Append-only; deleted only together with the delivery.
create table webhook_attempts (
  delivery_id text collate "C" not null,
  number integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  http_status integer,
  error text,
  url text,
  -- As sent, with the signatures. The body is that of the delivery.
  request_headers json,
  -- A few headers of the reply and the first bytes of its body. A reply without a body has an empty one.
  reply_headers json,
  reply_body bytea constraint webhook_attempts_reply_is_bounded check (octet_length(reply_body) <= 2000),
  -- The body is longer than the stored part, or did not end.
  reply_truncated boolean,
  primary key (delivery_id, number)
);

grant select, insert, update, delete on webhook_deliveries to kissi_app;
grant select, insert, delete on webhook_attempts to kissi_app;

-- Inbound credits from partner banks. Written once, in the transaction of the outcome, and never changed: a reversal is a separate
-- row. No foreign keys and no defaults, because the rows are written with movements. One outcome per reference.
create table inbound_transactions (
  id text collate "C" not null,
  partner_id text collate "C" not null,
  reference text collate "C" not null,
  -- The caller's API key and its X-Idempotency-Key, which is stored for tracing only.
  key_id text collate "C" not null,
  idempotency_key text not null,
  status text not null check (status in ('COMPLETED', 'REJECTED', 'FAILED')),
  failure_code text,
  -- The movement; null if no money moved.
  transaction_id text collate "C",
  -- How the request identified the beneficiary, and the subscriber found; null if there was none.
  identified_by text not null check (identified_by in ('account_number', 'msisdn', 'card_serial')),
  identifier text not null,
  subscriber_id text collate "C",
  account_number text,
  account_name text,
  amount bigint not null check (amount > 0),
  fee bigint not null,
  net_credited bigint not null,
  currency text not null,
  -- What the partner owed immediately afterwards.
  partner_outstanding bigint not null,
  narration text,
  -- The payer, for anti-money-laundering reviews.
  payer_name text,
  payer_account_masked text,
  payer_bank_code text,
  completed_at timestamptz not null,
  -- The batch of the ledger whose seal covers the row.
  batch bigint,
  primary key (reference, partner_id),
  check ((status = 'COMPLETED') = (transaction_id is not null)),
  check ((status = 'COMPLETED') = (failure_code is null))
);
create index inbound_transactions_id on inbound_transactions (id);
-- Lists, each in the order of ids.
create index inbound_transactions_by_partner on inbound_transactions (partner_id, id);
create index inbound_transactions_by_subscriber on inbound_transactions (subscriber_id, id) where subscriber_id is not null;
-- Most credits are completed: a scan finds them without an index of their own.
create index inbound_transactions_failed on inbound_transactions (status, id) where status <> 'COMPLETED';
create index inbound_transactions_failed_by_partner on inbound_transactions (partner_id, status, id)
  where status <> 'COMPLETED';

create table inbound_reversals (
  inbound_id text collate "C" primary key,
  -- The movement that reversed the credit.
  transaction_id text collate "C" not null,
  reason text not null,
  allow_negative boolean not null,
  reversed_by text not null,
  reversed_at timestamptz not null,
  -- The batch of the ledger whose seal covers the row.
  batch bigint
);

grant select, insert on inbound_transactions, inbound_reversals to kissi_app;

-- API keys --------------------------------------------------------------------------------------------------------

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
  created_at timestamptz not null,
  -- Whether a bearer value was issued. Keys of partners and processors have one only on request: they sign.
  bearer boolean not null default true,
  -- What a key that moves money of the treasury, a partner or a merchant may move in one UTC day.
  daily_limit bigint check (daily_limit > 0),
  -- The approval under which it was created: only such a key acts without a second user while a policy is enabled.
  approval_id text collate "C" references approvals (id)
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

grant select, insert, update on api_keys to kissi_app;
grant select, insert, update, delete on api_key_credentials, nonces to kissi_app;

-- Attempts that gateways count together: wrong PINs per credential, requests per address. A row is one window, which starts with
-- its first attempt. `counted` is limited; `correct` raises the limit of API keys.
create table attempt_counts (
  subject text collate "C" primary key,
  started_at timestamptz not null,
  counted bigint not null,
  correct bigint not null
);
create index attempt_counts_started_at on attempt_counts (started_at);

grant select, insert, update, delete on attempt_counts to kissi_app;

-- Look-ups of cards and accounts by API keys, and of customers by agents: how many distinct ones were answered.
create table lookups (
  id bigint generated always as identity primary key,
  -- The API key, or the agent.
  subject text collate "C" not null,
  -- The processor of the key, otherwise the subject itself.
  owner_id text collate "C" not null,
  -- 'card:' and the serial, 'account:' and the subscriber, or what was sought and not found.
  target text collate "C" not null,
  at timestamptz not null,
  found boolean not null,
  -- The card was used there with the right PIN. A payment does not write it: it is read from the movements when needed.
  paid boolean not null default false
);
create index lookups_by_subject on lookups (subject, at) where not paid;
create index lookups_by_owner on lookups (owner_id, at) where not paid;
create index lookups_by_time on lookups (at);

grant select, insert, update (paid), delete on lookups to kissi_app;

-- The recent requests of API keys, for the support of integrators. Unlogged: they are written in batches at little cost,
-- are lost if PostgreSQL crashes, and are not replicated. Rows are deleted after 24 hours.
-- A sequence of its own, which is logged: a follower's cursor stays valid after a crash that empties the table.
create sequence request_log_seq;

create unlogged table request_log (
  -- The order of writing. Gateways write one after another, so that no row appears before one that was read.
  seq bigint primary key default nextval('request_log_seq'),
  key_id text collate "C" not null,
  at timestamptz not null,
  -- False: the request named the key, and its signature was not accepted.
  verified boolean not null,
  method text not null,
  path text not null,
  status integer not null,
  code text,
  -- Why it was refused, if the reply may not say it.
  reason text,
  duration_ms double precision not null,
  request_id text not null,
  ip text not null,
  request_bytes integer not null,
  reply_bytes integer not null,
  -- Redacted and cut.
  request_body text,
  reply_body text,
  -- The subscribers that the request is about, as hashes of their ids: the log holds no ids. Staff without PEP access do not see
  -- those of politically exposed persons.
  subjects text[] not null default '{}'
);
create index request_log_key on request_log (key_id, seq);

-- Requests that were not kept, because too many arrived in one second.
create unlogged table request_log_omissions (
  key_id text collate "C" not null,
  -- Hours since 1970, UTC.
  hour integer not null,
  count bigint not null,
  primary key (key_id, hour)
);

grant usage on sequence request_log_seq to kissi_app;
grant select, insert, update, delete on request_log, request_log_omissions to kissi_app;

-- The ledger ------------------------------------------------------------------------------------------------------

-- Accounts, movements, their postings, and the requests that caused them. No foreign keys or triggers, and every unique constraint
-- contains the column by which its table can be distributed (accounts by id, postings by account, movements by id, requests by
-- request id): the same SQL then also runs on a distributed PostgreSQL such as Citus.

-- An account has the id of its owner; the operator's own accounts start with sys_.
-- The low fillfactor leaves room on each page for HOT updates: a balance changes with every payment.
create table accounts (
  id text collate "C" primary key,
  kind text not null check (kind in
    ('wallet', 'agent_float', 'agent_commission', 'processor', 'partner_clearing', 'fee_income', 'treasury', 'suspense',
      'payouts_in_transit')),
  balance bigint not null default 0,
  -- Lower and upper bound of the balance; null means unbounded.
  floor bigint default 0,
  ceiling bigint,
  -- daily_used is the total debited on the UTC day daily_on (days since 1970) and counts against daily_limit.
  daily_limit bigint,
  daily_used bigint not null default 0,
  daily_on integer not null default 0,
  frozen boolean not null default false,
  disabled_types text[] not null default '{}',
  -- seq of the newest posting, and the number of postings.
  last_seq bigint not null default 0,
  posting_count bigint not null default 0,
  opened_at timestamptz not null,
  -- Every card that cannot pay: blocked cards, child cards of blocked parents, and cards that were retired or unlinked. Stored on
  -- the account: a payment holds its lock, so it sees every block acknowledged before.
  barred text[] not null default '{}',
  -- The account's recent activity as the subject of payments, for compliance rules with a window (src/ledger/velocity), and the
  -- seq up to which it is valid. Empty, or behind last_seq: the time before the last posting is unknown.
  recent text not null default '',
  recent_seq bigint not null default 0,
  -- The same for the payments that a wallet received. A new account has received nothing.
  received text not null default '0',
  received_seq bigint not null default 0,
  -- After a PIN reset: until this time a wallet may pay a tenth of its daily limit, and a float only what it has above
  -- reduced_floor.
  reduced_until timestamptz,
  reduced_floor bigint
) with (fillfactor = 60);
-- The accounts that are not wallets. Payments between wallets do not touch it; the kind of an account never changes.
create index accounts_by_kind on accounts (kind, id) where kind <> 'wallet';
create index accounts_with_checkpoints on accounts (id) where kind in ('processor', 'agent_float', 'partner_clearing');

-- The operator's own accounts. Fee income and treasury are striped, so that gateways do not queue on one row.
insert into accounts (id, kind, floor, opened_at)
select 'sys_fees_' || lpad(n::text, 2, '0'), 'fee_income', null::bigint, now() from generate_series(0, 15) n
union all select 'sys_treasury_' || lpad(n::text, 2, '0'), 'treasury', null, now() from generate_series(0, 15) n
union all select 'sys_suspense', 'suspense', null, now()
-- Pay-outs of processors to bank accounts, until the bank has executed them.
union all select 'sys_payouts_in_transit', 'payouts_in_transit', null, now();

-- Each gateway process uses one of the 16 accounts for fees and for the treasury. It leases the number for as long as it
-- runs, so that no two gateways lock the same account row in every batch.
create table gateway_stripes (
  stripe smallint primary key check (stripe between 0 and 15),
  -- A random name that a gateway process gives itself.
  holder text,
  leased_until timestamptz not null default '-infinity'
);
insert into gateway_stripes (stripe) select generate_series(0, 15);

create table movements (
  id text collate "C" primary key,
  type text not null,
  from_account text collate "C" not null,
  to_account text collate "C" not null,
  amount bigint not null check (amount > 0),
  fee bigint not null check (fee >= 0),
  request_id text,
  reference text,
  narration text,
  -- json, not jsonb: it is returned exactly as the caller sent it.
  metadata json,
  -- The movement this one refunds or reverses.
  related_id text collate "C",
  details json not null,
  at timestamptz not null,
  -- The caller that moved the money: a user, an API key, a service of the operator, the sender of a signed notification, or the
  -- system itself.
  actor_type text,
  actor_id text collate "C",
  -- The batch whose seal covers the row.
  batch bigint
);
-- All indexes but the primary key are partial: a transfer between wallets enters none of them, so that the most frequent payment
-- costs nothing more. The primary key of requests finds a movement by its request id, and the primary key of postings finds the
-- movements of an account.
create index movements_by_reference on movements (reference collate "C", id) where reference is not null;
create index movements_by_related on movements (related_id, id) where related_id is not null;
create index movements_by_card on movements ((details ->> 'card_serial') collate "C", id) where type = 'pos_payment';
-- The authorization code of a card payment is the end of its id.
create index movements_by_authorization_code on movements ((right(id, 6)), id) where type = 'pos_payment';
-- The frequent types are found quickly without an index.
create index movements_by_type on movements (type collate "C", id)
  where type not in ('transfer_p2p', 'pos_payment', 'agent_cashin');
-- Movements of the types that may have no wallet on either side, by the subject that compliance rules count them for, and by
-- time. They are few. Velocity rules on agents, processors and partners read them, and can use the index only if it contains each
-- of these types. It selects them by type, because it cannot refer to accounts.kind.
create index movements_without_wallets on movements ((case when type in
    ('agent_return', 'agent_transfer', 'processor_transfer', 'processor_payout') then from_account else to_account end), at)
  where type in ('partner_settlement', 'agent_fund', 'agent_return', 'agent_transfer', 'processor_transfer',
    'commission_settlement', 'processor_payout', 'payout_returned', 'payout_cleared', 'payout_uncleared', 'suspense_resolution');
-- The settlements of an agent's commission, and the pay-outs of a processor.
create index movements_of_commission on movements (to_account, id) where type = 'commission_settlement';
create index movements_of_payouts on movements (from_account, id) where type = 'processor_payout';
-- The books' side of the reconciliation.
create index movements_at_banks on movements (id)
  where type in ('agent_fund', 'agent_return', 'partner_settlement', 'processor_payout', 'payout_returned');

-- seq is the time in microseconds since 1970, made strictly increasing per account. One index then serves the history, its
-- pagination, and the balance at a point in time.
create table postings (
  account_id text collate "C" not null,
  seq bigint not null,
  movement_id text collate "C" not null,
  -- Signed; zero only if a fee consumed the whole amount received.
  amount bigint not null,
  -- The part of the amount that is a fee paid by this account.
  fee bigint not null,
  balance_after bigint not null,
  primary key (account_id, seq)
);

-- Idempotency records of requests that moved money: a repeated request gets the same reply byte for byte, and a different
-- request with the same id is a conflict.
create table requests (
  request_id text collate "C" not null,
  -- The party for whom the request acts, the references of a partner, or the service itself.
  scope text collate "C" not null,
  hash bytea not null,
  -- For a stored refusal, the id of a movement that was never posted.
  movement_id text collate "C" not null,
  reply text not null,
  refused boolean not null default false,
  -- The batch whose seal covers the row.
  batch bigint,
  primary key (request_id, scope)
);

-- Running totals that movements update under lock: the refunded amount of a payment, the daily spending of a card.
create table allowances (
  id text collate "C" primary key,
  used bigint not null
);

grant select, insert, update on accounts, allowances to kissi_app;
grant select, update on gateway_stripes to kissi_app;
grant select, insert on movements, postings, requests to kissi_app;

-- Cumulative totals of an account's postings at certain points, by type and direction. A busy merchant's totals over any period
-- are then the difference of two checkpoints plus a few postings, instead of a scan over millions. Postings are append-only,
-- so checkpoints never become outdated.
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

grant select, insert on account_checkpoints to kissi_app;

-- Tamper evidence: each batch of the ledger ends with a seal, an HMAC over the previous seal and everything the batch wrote. The
-- key is derived from MASTER_KEY, so that not even the owner of the tables can change history without detection.

-- One chain per gateway process. Its MAC also covers the chain opened before and the newest seals of the other chains, so that
-- removing or shortening an earlier chain is detected.
create table seal_chains (
  -- Without gaps.
  id integer primary key,
  started_at timestamptz not null,
  -- The newest batch of every chain that no earlier row lists.
  heads bigint[] not null,
  mac bytea not null
);

create table seals (
  -- The chain times 2^32, plus the number of the batch in its chain, from 1.
  batch bigint primary key,
  format smallint not null,
  at timestamptz not null,
  -- SHA-256 of the batch's requests; null if it has none. The seal covers the digest, so that expired idempotency records can be
  -- deleted without breaking the chain.
  requests_digest bytea,
  mac bytea not null
);

grant select, insert on seal_chains, seals to kissi_app;

-- Sums per hour for reports, written in the commit of each batch. The gateway of each chain of seals has its own rows, so that
-- gateways never wait for each other. ledger:verify proves them against the movements.
-- Sums are numeric: no sum of amounts can overflow and refuse a payment.
create table movement_rollups (
  -- Hours since 1970, UTC. First in the key: reports read periods.
  hour integer not null,
  -- The chain of seals.
  chain integer not null,
  type text collate "C" not null,
  count bigint not null,
  amount numeric not null,
  fee numeric not null,
  -- Commission that the parties earned; negative where refunds took it back.
  commission numeric not null,
  primary key (hour, chain, type)
) with (fillfactor = 50);

create table account_rollups (
  -- Hours since 1970, UTC. Hour 0 is the sum of all hours.
  hour integer not null,
  chain integer not null,
  kind text collate "C" not null,
  -- Change of the balances of all accounts of the kind.
  change numeric not null,
  -- Accounts whose first posting of the hour, of the UTC day and of the ISO week was in this hour. The sum over a day or week is
  -- the exact number of accounts that were active in it. Zero in hour 0.
  active_in_hour bigint not null,
  active_in_day bigint not null,
  active_in_week bigint not null,
  primary key (hour, chain, kind)
) with (fillfactor = 50);

-- Refusals by code. Counted in memory by each gateway and added every few seconds: a crash loses the last ones.
create table refusal_rollups (
  -- Hours since 1970, UTC.
  hour integer not null,
  code text collate "C" not null,
  count bigint not null,
  primary key (hour, code)
);

grant select, insert, update on movement_rollups, account_rollups, refusal_rollups to kissi_app;

-- How far expired idempotency keys (IDEMPOTENCY_DAYS) are deleted.
create table request_pruning (
  -- Keys of movements before this instant may be missing.
  before timestamptz not null,
  -- HMAC of `before` with the key of the seals. Null: nothing was deleted yet.
  mac bytea,
  -- The next page of the table in the pass that is going on. Null: the pass is complete.
  page bigint
);
insert into request_pruning (before) values ('-infinity');

-- The size of the table of requests in pages. On a Citus cluster the table itself is empty: its rows are in shards on other
-- servers, and a deletion by page deletes those pages of every shard. A pass then ends where the largest shard ends.
create function request_pages() returns bigint language plpgsql set search_path = public, pg_temp as $$
declare
  size bigint := pg_relation_size('requests');
  largest bigint;
begin
  if to_regclass('pg_catalog.pg_dist_shard') is not null then
    -- What a shard answers instead of a number is an error.
    execute $citus$
      select max(shard.result::bigint)
      from (select distinct logicalrelid as id from pg_dist_shard where logicalrelid = 'requests'::regclass) distributed,
        run_command_on_shards(distributed.id, 'select pg_relation_size(''%s'')') shard
    $citus$ into largest;
  end if;
  return greatest(size, largest) / current_setting('block_size')::bigint;
end $$;

-- The service's role cannot delete requests; this function does it, for the keys of parties that are at least seven days old. The
-- references of partners and the keys of the service itself (settlements, matches, approvals) stay: they make a payment unique for
-- all time.
-- One step of a pass over the table, page by page: there is no index by time, which every payment would have to maintain. A pass
-- begins at most once a week. True: the pass is not complete.
-- Citus creates the function on the workers of a cluster too. They do not have request_pruning: without its schema the name would
-- be that of a temporary table of the caller, who could then delete any key.
create function prune_requests(until timestamptz, until_mac bytea, pages integer) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  state public.request_pruning;
  expired text collate "C";
begin
  select * into state from public.request_pruning for update skip locked;
  if not found then
    return false;
  end if;
  if state.page is null then
    if until < state.before + interval '7 days' then
      return false;
    end if;
    if until > now() - interval '7 days' or until_mac is null then
      raise exception 'idempotency keys are kept for at least seven days';
    end if;
    state.before := until;
    state.mac := until_mac;
    state.page := 0;
  end if;
  -- Movement ids begin with their time: ten characters of five bits each.
  select 'txn_' || string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
      1 + ((extract(epoch from state.before) * 1000)::bigint >> 5 * place & 31)::integer, 1), '' order by place desc)
    into expired from generate_series(0, 9) place;
  delete from public.requests
  where ctid >= format('(%s,0)', state.page)::tid and ctid < format('(%s,0)', state.page + pages)::tid
    and movement_id < expired and (scope = 'operator' or scope ~ '^(sub|agent|proc|ptn)_');
  state.page := state.page + pages;
  if state.page >= request_pages() then
    state.page := null;
  end if;
  update public.request_pruning set before = state.before, mac = state.mac, page = state.page;
  return state.page is not null;
end $$;

revoke execute on function request_pages() from public;
revoke execute on function prune_requests(timestamptz, bytea, integer) from public;
grant execute on function prune_requests(timestamptz, bytea, integer) to kissi_app;
grant select on request_pruning to kissi_app;

-- Archives of the ledger (npm run ledger:archive): movements and postings of old quarters are files outside of the database.
-- The checkpoints of the accounts at the end of the last archive are the opening balances of what remains.
create table ledger_archives (
  -- From 1, without gaps.
  number integer primary key,
  -- The archive has all movements before this instant that no earlier archive has.
  before timestamptz not null,
  movements bigint not null,
  postings bigint not null,
  -- SHA-256 of the lines of the file.
  sha256 bytea not null,
  -- SHA-256 of the opening balances.
  openings bytea not null,
  -- HMAC over the columns above and the MAC of the archive before, with the key of the seals.
  mac bytea not null,
  archived_at timestamptz not null,
  -- False while the archived rows are being deleted.
  complete boolean not null
);

grant select on ledger_archives to kissi_app;

-- Fees and compliance ---------------------------------------------------------------------------------------------

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

grant select, insert, update, delete on fee_settings to kissi_app;

-- The rules that payments are checked against.
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
  -- payer: the account that the payment counts for. payee: the account that is paid.
  side text not null default 'payer' check (side in ('payer', 'payee')),
  check ((kind = 'amount') = (window_seconds is null))
);

-- The default rules only flag. Within the limits of the KYC levels nothing is blocked until an operator decides so.
insert into compliance_rules (id, name, kind, side, transaction_types, threshold, window_seconds, outcome, severity,
  enabled, created_at, updated_at)
select id, name, kind, side, types, threshold, seconds, 'flag', severity, true, now(), now()
from (values
  ('rule_01M7FA7YY45VYPGM17H90JAFFR', 'A large payment out of a wallet', 'amount', 'payer',
    '{transfer_p2p,pos_payment,wallet_withdraw}'::text[], 5000000, null::integer, 'MEDIUM'),
  ('rule_01M7FA7YYAFSSTBT4F2757TSW5', 'A large deposit', 'amount', 'payer',
    '{agent_cashin,partner_cashin,vult_fund,inbound_credit}', 10000000, null, 'MEDIUM'),
  ('rule_01M7FA7YYAFSSTBT4F3YJJG8QH', 'Many transfers within an hour', 'velocity_count', 'payer',
    '{transfer_p2p}', 20, 3600, 'HIGH'),
  ('rule_01M7FA7YYAFSSTBT4F54TWMTA0', 'Many cash deposits within a day', 'velocity_count', 'payer',
    '{agent_cashin,partner_cashin}', 10, 86400, 'HIGH'),
  ('rule_01M7FA7YYAFSSTBT4F5XKZFMDQ', 'Much money out of a wallet within a day', 'velocity_amount', 'payer',
    '{transfer_p2p,pos_payment,wallet_withdraw}', 40000000, 86400, 'HIGH'),
  ('rule_01M8WK3T9F4V7Q2C6N8D0R5YB1', 'A large pay-out of a processor', 'amount', 'payer',
    '{processor_transfer}', 10000000, null, 'MEDIUM'),
  ('rule_01M8WK3T9FAX3E9H5J7M1S4ZK2', 'Many pay-outs of processors within a day', 'velocity_count', 'payer',
    '{processor_transfer}', 20, 86400, 'HIGH'),
  ('rule_01M8WK3T9FD6P8T2W4G9V3QNX3', 'Many credits from businesses into a wallet within a day', 'velocity_count',
    'payee', '{vult_fund,inbound_credit,processor_transfer}', 20, 86400, 'HIGH'),
  ('rule_01M8WK3T9FG1R5Y7B2K6C8TPM4', 'Much money into a wallet within a day', 'velocity_amount', 'payee',
    '{transfer_p2p,agent_cashin,partner_cashin,vult_fund,inbound_credit,processor_transfer}', 40000000, 86400, 'HIGH')
) as shipped (id, name, kind, side, types, threshold, seconds, severity);

grant select, insert, update on compliance_rules to kissi_app;

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
  resolution text,
  -- The batch whose seal covers the row; null if no payment raised the alert.
  batch bigint
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
create index compliance_alerts_by_transaction on compliance_alerts (transaction_id) where transaction_id is not null;
-- Open alerts by deadline; a small fraction of all alerts. In the queue, those without a deadline come last.
create index compliance_alerts_due on compliance_alerts (due_at) where status in ('open', 'in_review');
create index compliance_alerts_queue on compliance_alerts (coalesce(due_at, 'infinity'), id)
  where status in ('open', 'in_review');

-- The content of an alert is immutable; only its handling can be updated.
grant select, insert, update (status, notes, updated_at, resolved_at, resolved_by, resolution) on compliance_alerts
  to kissi_app;

-- The reviewer of each alert. In a table of its own, because alerts are sealed.
create table compliance_alert_assignees (
  alert_id text collate "C" primary key references compliance_alerts (id),
  -- A user, or the API key of a case-management system.
  assignee_id text collate "C" not null,
  assigned_at timestamptz not null
);
create index compliance_alert_assignees_by_assignee on compliance_alert_assignees (assignee_id, alert_id);

grant select, insert, update, delete on compliance_alert_assignees to kissi_app;

-- Finance: trust accounts, reconciliation, daily closes -----------------------------------------------------------

create table trust_accounts (
  id text collate "C" primary key,
  name text not null,
  bank text not null,
  -- Letters and digits, without spaces: the form in which it is compared with the statements.
  account_number text not null,
  currency text not null,
  status text not null default 'active' check (status in ('active', 'closed')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (bank, account_number)
);

-- The bank's statements. Statements and entries are insert-only for the service. ledger:verify compares the entries with
-- entries_digest, and the statements with the audit log.
create table bank_statements (
  id text collate "C" primary key,
  trust_account_id text collate "C" not null references trust_accounts (id),
  format text not null check (format in ('camt.053', 'mt940', 'csv')),
  file_sha256 bytea not null check (length(file_sha256) = 32),
  from_date date not null,
  to_date date not null check (to_date >= from_date),
  -- Negative where the account was overdrawn.
  opening_balance bigint not null,
  closing_balance bigint not null,
  entry_count integer not null check (entry_count >= 0),
  -- SHA-256 over all entries in order (features/finance/trust-accounts/entries-digest.ts).
  entries_digest bytea not null check (length(entries_digest) = 32),
  -- The uploaded bytes, compressed with gzip.
  file bytea not null,
  uploaded_by text not null,
  uploaded_at timestamptz not null,
  unique (trust_account_id, file_sha256),
  -- For the foreign key of the entries.
  unique (id, trust_account_id)
);
-- The file is compressed already.
alter table bank_statements alter column file set storage external;
-- The last statement up to a day. Statements of one account do not overlap.
create unique index bank_statements_by_date on bank_statements (trust_account_id, to_date);

create table bank_entries (
  id text collate "C" primary key,
  trust_account_id text collate "C" not null,
  statement_id text collate "C" not null,
  -- From 1, in the order of the file.
  position integer not null check (position > 0),
  booked_on date not null,
  -- Credits are positive.
  amount bigint not null,
  reference text,
  counterparty text,
  description text,
  unique (statement_id, position),
  foreign key (statement_id, trust_account_id) references bank_statements (id, trust_account_id)
);
create index bank_entries_by_date on bank_entries (trust_account_id, booked_on, id);

-- The references of pay-outs (PO and twelve letters and digits) in the texts of an entry, wherever and however the bank prints
-- them. They contain no O after the first one, so that every PO begins a reference of its own. It costs as much as thousands of
-- comparisons, which the planner has to know.
create function payout_references(reference text, counterparty text, description text)
returns text[] language sql immutable parallel safe cost 5000 as $$
  select array_agg('PO' || left(part, 12)) from unnest((string_to_array(
    regexp_replace(upper(normalize(coalesce(reference, '') || ' ' || coalesce(counterparty, '') || ' ' || coalesce(description, ''),
      nfkd) collate "C"), '[^A-Z0-9]', '', 'g'), 'PO'))[2:]) as parts (part) where length(part) >= 12
$$;

create index bank_entries_by_payout_reference on bank_entries using gin (payout_references(reference, counterparty, description));

grant select, insert, update on trust_accounts to kissi_app;
grant select, insert on bank_statements, bank_entries to kissi_app;

-- Bank entries and the movements that stand for money at a bank, matched. A match is never changed, except that it is undone once
-- and that its movements are entered. Protected record (audit log).
create table reconciliation_matches (
  id text collate "C" primary key,
  kind text collate "C" not null check (kind in ('reference', 'amount', 'day_sum', 'manual', 'write_off')),
  status text collate "C" not null check (status in ('matched', 'written_off', 'undone')),
  -- Sorted. A write-off may have items of one side only.
  bank_entry_ids text[] collate "C" not null,
  transaction_ids text[] collate "C" not null,
  -- Sums of the items; equal unless it is a write-off.
  bank_amount bigint not null,
  books_amount bigint not null check (kind = 'write_off' or books_amount = bank_amount),
  -- Pay-outs less returned pay-outs: what the match moves from pay-outs in transit to the treasury.
  clears bigint not null default 0 check (kind <> 'write_off' or clears = 0),
  note text,
  -- The user; null: a run matched it.
  created_by text collate "C",
  run_id text collate "C",
  created_at timestamptz not null,
  undone_by text collate "C",
  undone_at timestamptz check ((undone_at is null) = (status <> 'undone')),
  -- The movements, once they are posted.
  cleared_transaction_id text collate "C",
  uncleared_transaction_id text collate "C",
  -- The numbers of the changes that made and undid it (reconciliation_progress).
  made_change bigint,
  undone_change bigint
);
create index reconciliation_matches_by_status on reconciliation_matches (status, id);
create index reconciliation_matches_by_time on reconciliation_matches (created_at);
create index reconciliation_matches_undone on reconciliation_matches (undone_at) where undone_at is not null;
-- Matches whose movements a stopped gateway did not post.
create index reconciliation_matches_unposted on reconciliation_matches (id) where clears <> 0
  and (cleared_transaction_id is null or (status = 'undone' and uncleared_transaction_id is null));

-- One row per bank entry and per movement of the books' side, so that nothing is in two matches and lists are read by index.
-- It follows from bank_entries, movements and reconciliation_matches (ledger:verify proves it).
create table reconciliation_items (
  side text collate "C" not null check (side in ('bank', 'books')),
  item_id text collate "C" not null,
  -- The booking date, or the UTC day of the movement.
  dated date not null,
  -- As the bank shows it: money that arrives is positive.
  amount bigint not null,
  status text collate "C" not null default 'unmatched' check (status in ('unmatched', 'suggested', 'matched', 'written_off')),
  -- The match that is not undone.
  match_id text collate "C" check ((match_id is not null) = (status in ('matched', 'written_off'))),
  suggestion_id text collate "C" check ((suggestion_id is not null) = (status = 'suggested')),
  -- A user undid a match of it: runs only suggest it.
  was_undone boolean not null default false,
  -- The member of staff who works on an open item. It stays with the item when it is matched.
  owner_id text collate "C",
  owned_since timestamptz,
  primary key (side, item_id)
);
-- Lists without a side merge the two sides.
create index reconciliation_items_by_status_and_side on reconciliation_items (status, side, dated, item_id);
create index reconciliation_items_by_side on reconciliation_items (side, dated, item_id);
create index reconciliation_items_by_match on reconciliation_items (match_id) where match_id is not null;
create index reconciliation_items_by_suggestion on reconciliation_items (suggestion_id) where suggestion_id is not null;
-- Few items have an owner.
create index reconciliation_items_by_owner on reconciliation_items (owner_id, side, dated, item_id) where owner_id is not null;

-- Proposals of the last run. They have no authority: accepting one makes every check of a manual match.
create table reconciliation_suggestions (
  id text collate "C" primary key,
  rule text collate "C" not null check (rule in ('reference', 'amount', 'day_sum')),
  bank_entry_ids text[] collate "C" not null,
  transaction_ids text[] collate "C" not null,
  amount bigint not null,
  created_at timestamptz not null
);

-- One run at a time over all gateways. A run whose gateway stopped loses its lease.
create table reconciliation_runs (
  id text collate "C" primary key,
  status text collate "C" not null check (status in ('running', 'finished', 'failed')),
  started_by text collate "C" not null,
  started_at timestamptz not null,
  lease_until timestamptz not null,
  finished_at timestamptz,
  matched integer not null default 0,
  suggested integer not null default 0
);
create unique index reconciliation_runs_running on reconciliation_runs (status) where status = 'running';

-- Up to when bank entries and movements are listed in reconciliation_items. Changes of matches and items lock the row.
create table reconciliation_progress (
  single boolean primary key default true check (single),
  listed_until timestamptz not null,
  -- Changes of matches are numbered, so that a daily close can name the last one that its figures contain. The number is taken
  -- under the lock, so that the numbers are in the order of the commits.
  changes bigint not null default 0
);
insert into reconciliation_progress (listed_until) values ('1970-01-01');

-- Items that the return of a pay-out holds, from before its movement is posted until it is matched: no match takes them until then.
-- A pay-out that the bank has cleared is returned with the bank's credit. Once the return is posted, its movement names the
-- credit and the claim is deleted; the match of the two cannot be undone.
create table payout_return_claims (
  side text not null check (side in ('bank', 'books')),
  item_id text collate "C" not null,
  payout_id text collate "C" not null,
  -- Of the request that claimed last: one that gives up removes only its own claim.
  id text collate "C" not null,
  -- The user whose return it is.
  claimed_by text collate "C" not null,
  created_at timestamptz not null,
  primary key (side, item_id)
);
create index payout_return_claims_by_time on payout_return_claims (created_at);

grant select, insert, update on reconciliation_matches, reconciliation_items, reconciliation_runs to kissi_app;
grant select, insert, delete on reconciliation_suggestions to kissi_app;
grant select, update on reconciliation_progress to kissi_app;
grant select, insert, update, delete on payout_return_claims to kissi_app;

-- The public keys that signed daily closes. They stay published for good.
create table close_keys (
  -- First digits of the SHA-256 of the public key.
  id text collate "C" primary key,
  -- 32 bytes in base64url.
  public_key text collate "C" not null unique,
  created_at timestamptz not null
);

-- Daily closes: signed documents with the figures of a day, each naming the hash of the one before.
create table closes (
  id text collate "C" primary key,
  -- The place in the chain, from 1, without gaps.
  number integer not null unique check (number > 0),
  date date not null,
  -- The exact text that is signed: canonical JSON.
  document text not null,
  sha256 text collate "C" not null unique,
  -- Null only in the first one. Unique: the chain has no branches.
  previous_sha256 text collate "C" unique check ((previous_sha256 is null) = (number = 1)),
  -- The close that this one corrects. A close is corrected once; the correction can be corrected.
  corrects text collate "C" unique references closes (id),
  signature text collate "C" not null,
  key_id text collate "C" not null references close_keys (id),
  -- The user, or system.
  created_by text collate "C" not null,
  created_at timestamptz not null
);
-- A day closes once, whichever gateway is first.
create unique index closes_once_a_day on closes (date) where corrects is null;
create index closes_by_date on closes (date, number);

grant select, insert on close_keys, closes to kissi_app;

-- Messages --------------------------------------------------------------------------------------------------------

-- Outgoing messages. local: no platform is configured and staff read the message; pending, sent and failed are delivery states.
create table messages (
  id text collate "C" primary key,
  recipient text not null,
  kind text not null,
  -- Encrypted because it can contain a password, a PIN or a code; deleted as soon as it is no longer needed.
  sealed_text bytea,
  created_at timestamptz not null,
  status text not null default 'local' check (status in ('local', 'pending', 'sent', 'failed')),
  attempts smallint not null default 0,
  next_attempt_at timestamptz,
  -- The lease holder and the end of the lease.
  lease text collate "C",
  leased_until timestamptz,
  finished_at timestamptz,
  -- The error of the last attempt, in our wording, not the platform's.
  last_error text,
  constraint messages_pending_is_due check ((status = 'pending') = (next_attempt_at is not null)),
  constraint messages_text_while_needed check ((status in ('local', 'pending')) = (sealed_text is not null))
);
create index messages_pending on messages (next_attempt_at, id) where status = 'pending';
create index messages_pending_recipient on messages (recipient, id) where status = 'pending';
create index messages_local on messages (id desc) where status = 'local';

-- The platform can deliver a message more than once; the primary key deduplicates. A row is kept after its message was answered
-- until the platform can no longer deliver it again.
create table incoming_messages (
  -- The platform's message id.
  id text collate "C" primary key,
  -- Our id, in order of arrival.
  place text collate "C" not null,
  -- The sender according to the platform, and the phone number (E.164) derived from it.
  platform_user text not null,
  sender text collate "C" not null,
  -- True if the message carried the platform's signature.
  verified boolean not null,
  -- Null once the message has been handled.
  sealed_text bytea,
  lease text collate "C",
  leased_until timestamptz,
  received_at timestamptz not null
);
create index incoming_messages_waiting on incoming_messages (place) where sealed_text is not null;
create index incoming_messages_waiting_sender on incoming_messages (sender, place) where sealed_text is not null;
create index incoming_messages_received_at on incoming_messages (received_at);

grant select, insert, update, delete on messages, incoming_messages to kissi_app;

-- Search ----------------------------------------------------------------------------------------------------------

-- The words of names: any word, by its start, whatever its case and accents. Payments change no names, so they do not write here.

-- The first eight distinct words, in lower case and without accents. Apostrophes are dropped: N'Diaye is one word. Code points
-- instead of character classes, so that the words do not depend on the locale. The length is bounded for the index.
create function search_words(name text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(word order by position), '{}') from (
    select left(word, 64) collate "C" as word, min(position) as position
    from regexp_split_to_table(
      lower(regexp_replace(normalize(name, nfkd), '[\u0027\u02bc\u2018\u2019\u0300-\u036f]', '', 'g') collate "default"),
      '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u2212\ufeff]+') with ordinality as split (word, position)
    where word <> '' group by 1 order by 2 limit 8) words
$$;

-- Every word followed by every other word, or a single word alone. One range of the primary key then finds the names with a word
-- that starts with a text, or with a word and another word that starts with a text, in either order.
create function search_keys(name text) returns setof text language sql immutable strict parallel safe as $$
  select one.word || coalesce(' ' || other.word, '')
  from unnest(search_words(name)) with ordinality as one (word, position)
  left join unnest(search_words(name)) with ordinality as other (word, position) on other.position <> one.position
$$;

create table search_names (
  kind text collate "C" not null,
  key text collate "C" not null,
  record_id text collate "C" not null,
  primary key (kind, key, record_id)
);

grant select, insert, delete on search_names to kissi_app;

-- A trigger maintains the words. Its arguments are the kind and the columns.
create function index_names() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from search_names using search_keys((select string_agg(to_jsonb(old) ->> name, ' ' order by position)
      from unnest(tg_argv) with ordinality as argument (name, position) where position > 1)) as former (key)
    where search_names.kind = tg_argv[0] and search_names.key = former.key and search_names.record_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into search_names (kind, key, record_id)
    select tg_argv[0], key, new.id from search_keys((select string_agg(to_jsonb(new) ->> name, ' ' order by position)
      from unnest(tg_argv) with ordinality as argument (name, position) where position > 1)) as current (key)
    on conflict do nothing;
  end if;
  return null;
end $$;

create trigger index_names after insert or delete or update of first_name, last_name on subscribers
for each row execute function index_names('subscriber', 'first_name', 'last_name');
create trigger index_names after insert or delete or update of business_name, first_name, last_name on agents
for each row execute function index_names('agent', 'business_name', 'first_name', 'last_name');
create trigger index_names after insert or delete or update of business_name, contact_name, merchant_id on processors
for each row execute function index_names('processor', 'business_name', 'contact_name', 'merchant_id');
create trigger index_names after insert or delete or update of name on partners
for each row execute function index_names('partner', 'name');

-- The lab: development and staging only ---------------------------------------------------------------------------

-- Requests that the lab refused once.
create table lab_requests (
  key_id text collate "C" not null,
  -- The reference or request_id.
  request text not null,
  at timestamptz not null,
  primary key (key_id, request)
);

-- Certification runs of partners.
create table lab_certifications (
  id text collate "C" primary key,
  partner_id text collate "C" not null references partners (id),
  key_id text collate "C" not null references api_keys (id),
  started_by text not null,
  started_at timestamptz not null,
  -- When the wrongly signed webhook was sent.
  forged_at timestamptz,
  finished_at timestamptz,
  result text check (result in ('passed', 'failed')),
  -- The signed report: canonical JSON, its Ed25519 signature in base64, and the key that signed.
  document text,
  signature text,
  signing_key_id text
);
-- One run of a partner at a time: observations belong to it.
create unique index lab_certifications_running on lab_certifications (partner_id) where finished_at is null;

create table lab_observations (
  id bigint generated always as identity primary key,
  certification_id text collate "C" not null references lab_certifications (id),
  at timestamptz not null,
  kind text not null,
  details jsonb not null
);
create index lab_observations_certification on lab_observations (certification_id, id);

grant select, insert, delete on lab_requests to kissi_app;
grant select, insert, update on lab_certifications to kissi_app;
grant select, insert on lab_observations to kissi_app;

-- The audit log ---------------------------------------------------------------------------------------------------

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
  details jsonb not null,
  -- Per changed record: kind, id, and keyed digests of it before and after the change. Null: no protected record changed.
  state jsonb,
  -- By the gateway that wrote the entry. An entry without a valid one is not the service's.
  mac bytea
);

-- The chain: hashes are HMACs with a key derived from MASTER_KEY, which the owner of the database does not have.
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
  hash bytea not null,
  state jsonb,
  -- 1: written by a gateway. 2: the entry arrived without a valid MAC.
  format smallint not null
);
create index audit_log_actor on audit_log (actor_id, seq desc);
create index audit_log_action on audit_log (action, seq desc);
create index audit_log_resource on audit_log (resource_id, seq desc);
create index audit_log_at on audit_log (at, seq desc);
-- Most entries are those of API keys, which a list finds without an index.
create index audit_log_actor_type on audit_log (actor_type, seq desc) where actor_type <> 'key';
-- An entry that was sealed already is not sealed again.
create index audit_log_id on audit_log (id);

-- The end of the chain. Its row lock serializes appends.
create table audit_head (
  singleton boolean primary key default true check (singleton),
  seq bigint not null,
  hash bytea not null,
  mac bytea
);
insert into audit_head (seq, hash) values (0, decode(repeat('00', 32), 'hex'));

-- The chain is append-only.
create function audit_head_moves_on() returns trigger language plpgsql as $$
begin
  if new.seq < old.seq then raise exception 'the end of the audit chain does not move back'; end if;
  return new;
end $$;

create trigger audit_head_moves_on before update on audit_head for each row execute function audit_head_moves_on();

grant select, insert, delete on audit_inbox to kissi_app;
grant select, insert on audit_log to kissi_app;
grant select, update on audit_head to kissi_app;

-- A value derived from each long-lived secret, so that a service started with a wrong secret refuses to run.
create table secret_checks (
  name text primary key,
  mark bytea not null
);

grant select, insert on secret_checks to kissi_app;
