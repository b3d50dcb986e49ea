-- Second factors of users: TOTP, recovery codes and passkeys, and the challenges of logins that wait for one.
-- Gateways of the previous version ignore them: a second factor is enforced by upgraded gateways only.

-- Null: the user has no second factor. Kept on the user's row, which every request with a token reads.
alter table users add column second_factor_at timestamptz;

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

-- Keyed hashes. A code that was used is deleted.
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

-- Only hashes of challenges are stored, so that any gateway can finish a login and the table gives no access.
create table second_factor_challenges (
  challenge_hash bytea primary key,
  user_id text collate "C" not null references users (id),
  purpose text not null check (purpose in ('login', 'passkey')),
  wrong_tries smallint not null default 0,
  expires_at timestamptz not null
);
create index second_factor_challenges_user_id on second_factor_challenges (user_id);

grant select, insert, update, delete on totp_enrolments, recovery_codes, passkeys, second_factor_challenges to kissi_app;
