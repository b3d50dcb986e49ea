-- Payment requests: what a merchant or a customer asks somebody to pay, its payments, and how it ended. The ledger writes
-- these three tables in its batches, and the seals cover their rows.

create table payment_requests (
  id text collate "C" primary key,
  payee_kind text not null check (payee_kind in ('processor', 'subscriber')),
  payee_id text collate "C" not null,
  -- Null: the payer chooses.
  amount bigint check (amount > 0),
  description text not null,
  reference text,
  -- The JSON text as it was sent.
  metadata text,
  -- Whom the payee asked, and the customer who had that number then.
  payer_phone text,
  payer_id text collate "C",
  single_use boolean not null,
  return_url text,
  code text collate "C" not null,
  expires_at timestamptz not null,
  request_id text,
  actor_type text not null,
  actor_id text not null,
  created_at timestamptz not null,
  -- Of the link: SHA-256 of its 128 random bits, and the bits encrypted, since the payee gets the link again. The seal does not
  -- cover the latter, which a new MASTER_KEY encrypts again.
  token_hash bytea not null,
  sealed_token bytea not null,
  batch bigint not null
);

create index payment_requests_by_payee on payment_requests (payee_id, id);
create index payment_requests_by_code on payment_requests (code, id);
create index payment_requests_by_reference on payment_requests (reference) where reference is not null;
create index payment_requests_by_payer_phone on payment_requests (payer_phone) where payer_phone is not null;
create unique index payment_requests_by_token on payment_requests (token_hash);
create index payment_requests_by_expiry on payment_requests (expires_at);

create table payment_request_payments (
  -- The movement.
  id text collate "C" primary key,
  request_id text collate "C" not null,
  payer_id text collate "C" not null,
  amount bigint not null check (amount > 0),
  at timestamptz not null,
  batch bigint not null
);

create index payment_request_payments_by_request on payment_request_payments (request_id, id);
create index payment_request_payments_by_payer on payment_request_payments (payer_id);

-- How requests ended, at most one row for each.
create table payment_request_ends (
  request_id text collate "C" primary key,
  outcome text not null check (outcome in ('paid', 'declined', 'expired', 'cancelled')),
  -- What the end used of the request's running total of payments: nothing if a payment ended it.
  used bigint not null check (used >= 0),
  -- Who paid or declined.
  payer_id text collate "C",
  actor_type text not null,
  actor_id text not null,
  at timestamptz not null,
  batch bigint not null
);

-- Few are cancelled, and the list of them must not read all that were paid.
create index payment_request_ends_cancelled on payment_request_ends (request_id) where outcome = 'cancelled';
create index payment_request_ends_declined on payment_request_ends (payer_id) where outcome = 'declined';

-- Every request that expired before that instant has ended: the search for others begins there.
create table payment_request_expiry (
  only_row boolean primary key default true check (only_row),
  recorded_until timestamptz not null
);

insert into payment_request_expiry (recorded_until) values ('-infinity');

-- The codes that payers type, each reserved for one request: gateways reserve some ahead.
create table payment_request_codes (
  code text collate "C" primary key,
  reserved_at timestamptz not null
);

-- Declines that did not end their request: it can be paid by others.
create table payment_request_declines (
  request_id text collate "C" not null references payment_requests (id),
  payer_id text collate "C" not null,
  payee_id text collate "C" not null,
  at timestamptz not null,
  primary key (request_id, payer_id)
);

create index payment_request_declines_by_payer on payment_request_declines (payer_id, payee_id);

-- The last refused payment of each payer, for the payer and for staff.
create table payment_request_refusals (
  request_id text collate "C" not null references payment_requests (id),
  payer_id text collate "C" not null,
  code text not null,
  count integer not null,
  at timestamptz not null,
  primary key (request_id, payer_id)
);

-- Payees from whom a payer wants no notices.
create table payment_request_blocks (
  payer_id text collate "C" not null,
  payee_id text collate "C" not null,
  at timestamptz not null,
  primary key (payer_id, payee_id)
);

-- What was asked to be sent to a payer's phone. Each request for a notice has a row, whether it was sent or not.
create table payment_request_notices (
  id text collate "C" primary key,
  request_id text collate "C" not null references payment_requests (id),
  payee_id text collate "C" not null,
  phone text not null,
  payer_id text collate "C",
  -- SHA-256 of the address of the visitor who asked on the page; null: the payee asked.
  visitor bytea,
  sent boolean not null,
  at timestamptz not null
);

create index payment_request_notices_by_time on payment_request_notices (at);
create index payment_request_notices_by_request on payment_request_notices (request_id, at);
create index payment_request_notices_by_payer on payment_request_notices (payer_id) where sent;

-- The hosts to which the page of a request may return the payer.
create table processor_return_hosts (
  processor_id text collate "C" primary key references processors (id),
  hosts text[] not null,
  updated_at timestamptz not null
);

grant select, update on payment_request_expiry to kissi_app;
grant select, insert on payment_requests, payment_request_payments, payment_request_ends to kissi_app;
grant select, insert, update on payment_request_codes, payment_request_refusals, processor_return_hosts to kissi_app;
grant select, insert on payment_request_declines to kissi_app;
grant select, insert, delete on payment_request_blocks, payment_request_notices to kissi_app;
