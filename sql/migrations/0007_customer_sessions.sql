-- Customers' own sessions: the codes of a login, the phones they know, and the tokens of both.

-- Wrong PINs on the holder's own channels since the last right one there. At nine, these channels wait for a PIN reset.
alter table pins add column own_failures smallint not null default 0;

-- A login that waits for its code and the PIN. There is one for every number that was sent, registered or not.
create table customer_challenges (
  -- SHA-256 of what the caller got.
  token_hash bytea primary key,
  -- E.164.
  phone_number text collate "C" not null,
  -- Null: nobody has the number.
  subscriber_id text collate "C" references subscribers (id),
  -- Null: no code was sent, as beyond the limit of the number.
  code_salt bytea,
  code_hash bytea,
  code_expires_at timestamptz,
  tries_left smallint not null,
  expires_at timestamptz not null
);
create index customer_challenges_subscriber_id on customer_challenges (subscriber_id);
create index customer_challenges_expires_at on customer_challenges (expires_at);

-- The code that a customer asked for by USSD. It opens any challenge of their number.
create table customer_ussd_codes (
  subscriber_id text collate "C" primary key references subscribers (id),
  phone_number text collate "C" not null,
  code_salt bytea,
  code_hash bytea,
  code_expires_at timestamptz,
  tries_left smallint not null,
  sent_at timestamptz not null
);

-- A phone or browser that logged in with a code. Ended ones are kept for the history.
create table customer_devices (
  id text collate "C" primary key,
  subscriber_id text collate "C" not null references subscribers (id),
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  -- Until then it can do less, and what it pays counts towards this running total, which all devices share that are new together.
  restricted_until timestamptz not null,
  total_id text not null,
  ended_at timestamptz,
  end_reason text,
  check ((ended_at is null) = (end_reason is null))
);
create index customer_devices_subscriber_id on customer_devices (subscriber_id, created_at);

create table customer_sessions (
  id text collate "C" primary key,
  subscriber_id text collate "C" not null references subscribers (id),
  device_id text collate "C" not null references customer_devices (id),
  created_at timestamptz not null,
  -- When it ends if it is no longer used.
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index customer_sessions_device_id on customer_sessions (device_id);
create index customer_sessions_expires_at on customer_sessions (expires_at);

-- Tokens that work once: a device's, for the next login, and a session's, for the next access token. Used ones are kept, so that
-- their reuse is noticed.
create table customer_tokens (
  -- SHA-256 of 256 random bits.
  token_hash bytea primary key,
  device_id text collate "C" not null references customer_devices (id),
  -- Null: the device's.
  session_id text collate "C" references customer_sessions (id) on delete cascade,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index customer_tokens_device_id on customer_tokens (device_id);
create index customer_tokens_session_id on customer_tokens (session_id);
create index customer_tokens_expires_at on customer_tokens (expires_at);

-- Cards that their holder blocked, who may unblock them again. The row goes when somebody else decides on the card.
create table customer_card_blocks (
  serial text collate "C" primary key references cards (serial),
  subscriber_id text collate "C" not null references subscribers (id),
  at timestamptz not null
);
create index customer_card_blocks_subscriber_id on customer_card_blocks (subscriber_id);

grant select, insert, delete on customer_card_blocks to kissi_app;
grant select, insert, update, delete on customer_challenges, customer_ussd_codes to kissi_app;
grant select, insert, update on customer_devices to kissi_app;
grant select, insert, update, delete on customer_sessions, customer_tokens to kissi_app;
