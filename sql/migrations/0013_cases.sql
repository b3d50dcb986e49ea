-- Cases: what customers complain about, and the recall of transfers to the wrong wallet.

alter table holds drop constraint holds_purpose_check;
alter table holds add constraint holds_purpose_check
  check (purpose in ('card_payment', 'cash_out_code', 'bulk', 'unclaimed', 'recall'));

create table cases (
  id text collate "C" primary key,
  -- What people read out: the year, six random digits and a check digit. It tells nobody how many cases there are.
  number text collate "C" not null unique,
  kind text not null check (kind in ('wrong_transfer', 'failed_payment', 'fraud', 'agent', 'other')),
  state text not null
    check (state in ('open', 'waiting_customer', 'waiting_other_party', 'investigating', 'resolved', 'rejected')),
  channel text not null check (channel in ('staff', 'wallet', 'ussd', 'chat')),
  -- The customer whose case it is, and the payment it is about.
  subscriber_id text collate "C" not null,
  transaction_id text collate "C",
  description text not null,
  opened_by_type text not null,
  opened_by_id text not null,
  assignee_id text collate "C" references users (id),
  -- Complex cases have more time. The customer is told.
  is_complex boolean not null default false,
  -- By the clocks of the day on which the case was opened.
  acknowledge_by timestamptz not null,
  resolve_by timestamptz not null,
  acknowledged_at timestamptz,
  closed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((state in ('resolved', 'rejected')) = (closed_at is not null))
);

create index cases_by_subscriber on cases (subscriber_id, id);
create index cases_by_transaction on cases (transaction_id) where transaction_id is not null;
create index cases_by_assignee on cases (assignee_id, id) where closed_at is null;
create index cases_open_by_resolve on cases (resolve_by) where closed_at is null;
create index cases_open_by_acknowledge on cases (acknowledge_by) where closed_at is null and acknowledged_at is null;

-- The timeline. Rows are only added.
create table case_events (
  id text collate "C" primary key,
  case_id text collate "C" not null references cases (id),
  kind text not null,
  -- Whether the customer sees it.
  is_shown boolean not null,
  text text,
  details json not null,
  actor_type text not null,
  actor_id text,
  at timestamptz not null
);

create index case_events_by_case on case_events (case_id, id);

-- Each transfer is recalled once at most. The hold and the movement that returns the money are the ledger's.
create table recalls (
  case_id text collate "C" primary key references cases (id),
  transfer_id text collate "C" not null unique,
  sender_id text collate "C" not null,
  recipient_id text collate "C" not null,
  amount bigint not null check (amount > 0),
  -- placing: the hold is being made. asked: the recipient can answer.
  state text not null
    check (state in ('staff_decides', 'placing', 'asked', 'nothing_left', 'returned', 'contested', 'expired')),
  -- Why staff decide before any hold; null: the transfer is within the rules.
  outside_rule text,
  confirmed_at timestamptz not null,
  -- The user who decided that the recipient is asked although the transfer is outside the rules.
  decided_by text collate "C",
  -- Raised with each hold: an extension replaces the hold by a longer one.
  hold_number smallint not null default 0,
  hold_id text collate "C" unique,
  held bigint,
  asked_at timestamptz,
  expires_at timestamptz,
  contested_at timestamptz,
  -- Two users extended the hold for suspected fraud: a contest does not end it.
  extended_until timestamptz,
  extended_by text[],
  -- When its hold ended, or there was none.
  settled_at timestamptz
);

create index recalls_by_sender on recalls (sender_id, confirmed_at);
create index recalls_by_recipient on recalls (recipient_id, case_id);
create index recalls_unsettled on recalls (case_id) where settled_at is null and state <> 'staff_decides';

-- What was uploaded to a case: encrypted, and never changed.
create table case_files (
  id text collate "C" primary key,
  case_id text collate "C" not null references cases (id),
  name text not null,
  type text not null check (type in ('image/jpeg', 'image/png', 'application/pdf')),
  size integer not null,
  sha256 bytea not null,
  sealed bytea not null,
  uploaded_by text not null,
  created_at timestamptz not null
);

create index case_files_by_case on case_files (case_id, id);

-- How long cases may take, with the source of each number. A new row applies from its day on; rows are only added.
create table case_clocks (
  id text collate "C" primary key,
  valid_from date not null,
  acknowledge_days integer not null check (acknowledge_days between 1 and 60),
  resolve_days integer not null check (resolve_days between 1 and 120),
  complex_days integer not null check (complex_days between 1 and 120),
  -- ISO: 1 is Monday.
  working_days integer[] not null,
  holidays date[] not null,
  source text not null,
  created_by text collate "C" not null,
  created_at timestamptz not null
);

create index case_clocks_by_day on case_clocks (valid_from, id);

grant select, insert on cases, case_events, recalls, case_files, case_clocks to kissi_app;
grant update (state, assignee_id, is_complex, resolve_by, acknowledged_at, closed_at, updated_at) on cases to kissi_app;
grant update (state, decided_by, hold_number, hold_id, held, asked_at, expires_at, contested_at, extended_until,
  extended_by, settled_at) on recalls to kissi_app;
