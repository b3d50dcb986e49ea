-- Trust accounts, the bank's statements of them, and the statements' entries. Statements and entries are insert-only for the
-- service. ledger:verify compares the entries with entries_digest, and the statements with the audit log.

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
grant select, insert, update on trust_accounts to kissi_app;

create table bank_statements (
  id text collate "C" primary key,
  trust_account_id text collate "C" not null references trust_accounts (id),
  format text not null check (format in ('camt.053', 'mt940', 'csv')),
  file_sha256 bytea not null check (length(file_sha256) = 32),
  from_date date not null,
  to_date date not null check (to_date >= from_date),
  -- Minor units; negative where the account was overdrawn.
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
grant select, insert on bank_statements to kissi_app;

create table bank_entries (
  id text collate "C" primary key,
  trust_account_id text collate "C" not null,
  statement_id text collate "C" not null,
  -- From 1, in the order of the file.
  position integer not null check (position > 0),
  booked_on date not null,
  -- Minor units; credits are positive.
  amount bigint not null,
  reference text,
  counterparty text,
  description text,
  unique (statement_id, position),
  foreign key (statement_id, trust_account_id) references bank_statements (id, trust_account_id)
);
create index bank_entries_by_date on bank_entries (trust_account_id, booked_on, id);
grant select, insert on bank_entries to kissi_app;
