-- Bulk payments: many rows that a merchant, a partner or the treasury pays with one decision.

create table bulk_payments (
  id text collate "C" primary key,
  -- uploading: its rows are still arriving; for the API it does not exist yet.
  status text collate "C" not null check (status in
    ('uploading', 'checking', 'checked', 'approved', 'running', 'completed', 'stopped', 'cancelled')),
  name text not null,
  payer_kind text not null check (payer_kind in ('processor', 'partner', 'treasury')),
  -- The processor's or partner's id, or 'treasury'.
  payer_id text collate "C" not null check ((payer_kind = 'treasury') = (payer_id = 'treasury')),
  -- The user or key that uploaded it and, of a key, the user who created it: neither may approve it.
  uploaded_by_type text not null check (uploaded_by_type in ('user', 'key')),
  uploaded_by text collate "C" not null,
  key_created_by text collate "C",
  created_at timestamptz not null,
  format text not null check (format in ('csv', 'json')),
  -- Of the bytes as they were uploaded. Null while they arrive; a retry has that of the rows it repeats.
  file_sha256 bytea check (length(file_sha256) = 32),
  -- SHA-256 over line, reference, recipient and amount of all rows, in order (features/bulk-payments/rows-digest.ts).
  rows_digest bytea check (length(rows_digest) = 32),
  -- The completed payment with the same file that this one pays again on purpose, and the one whose failed rows it retries.
  repeat_of text collate "C",
  retry_of text collate "C",
  -- Who shares its references: the payer, or only its repetition (payer and id).
  reference_scope text collate "C" not null,
  -- How rows for numbers without a wallet are paid. Null: not at all.
  unclaimed text check (unclaimed in ('code')),
  row_count integer not null default 0 check (row_count between 0 and 100000),
  -- The sum of all rows, in minor units.
  amount bigint not null default 0,
  -- What checking found. `checked_count` rows are done; fees are those that the payer pays on top.
  checked_count integer not null default 0,
  valid_count integer not null default 0,
  valid_amount bigint not null default 0,
  valid_fees bigint not null default 0,
  invalid_count integer not null default 0,
  invalid_amount bigint not null default 0,
  -- Of the valid rows: those that are paid as codes, and those whose name differs from the wallet's.
  code_count integer not null default 0,
  name_mismatch_count integer not null default 0,
  -- Valid rows whose wallet is paid by an earlier row too, and those that a compliance rule would flag or block by their amount.
  repeated_count integer not null default 0,
  compliance_count integer not null default 0,
  checked_at timestamptz,
  -- The payer's available balance when checking ended.
  available_at_check bigint,
  -- Execution.
  mode text check (mode in ('continue', 'all_or_nothing')),
  approved_by text collate "C",
  approved_at timestamptz,
  starts_at timestamptz,
  hold_id text collate "C",
  started_at timestamptz,
  -- Raised with the rows, in their commits. `paid_fees` is what the payer paid on top.
  paid_count integer not null default 0,
  paid_amount bigint not null default 0,
  paid_fees bigint not null default 0,
  failed_count integer not null default 0,
  failed_amount bigint not null default 0,
  unclaimed_count integer not null default 0,
  unclaimed_amount bigint not null default 0,
  returned_count integer not null default 0,
  returned_amount bigint not null default 0,
  cancelled_count integer not null default 0,
  cancelled_amount bigint not null default 0,
  ended_by text collate "C",
  ended_at timestamptz,
  -- It was cancelled, and its rows still have to be.
  rows_to_cancel boolean not null default false,
  -- The gateway that checks or pays, until its lease ends.
  lease text collate "C",
  leased_until timestamptz
);

create index bulk_payments_by_payer on bulk_payments (payer_id, id desc);
create index bulk_payments_by_status on bulk_payments (status, id desc);
-- A file is accepted once, and once more for each repetition of it.
create unique index bulk_payments_by_file on bulk_payments (payer_id, file_sha256, coalesce(repeat_of, ''))
  where status not in ('uploading', 'cancelled') and retry_of is null;
-- What background tasks have to do.
create index bulk_payments_unfinished on bulk_payments (id)
  where status in ('uploading', 'checking', 'approved', 'running') or rows_to_cancel;

create table bulk_payment_rows (
  bulk_payment_id text collate "C" not null references bulk_payments (id),
  -- In the file; from 1 for JSON.
  line integer not null check (line > 0),
  -- pending: not checked yet. paying: a gateway pays it. unclaimed: paid as a code that nobody has redeemed yet.
  status text collate "C" not null default 'pending' check (status in
    ('pending', 'valid', 'invalid', 'paying', 'paid', 'unclaimed', 'returned', 'failed', 'cancelled')),
  -- What the payer sent.
  reference text collate "C" not null,
  phone_number text collate "C",
  account_number text collate "C",
  given_name text,
  amount bigint not null check (amount > 0),
  description text,
  -- Whether other rows of the scope may not have its reference. False after 90 days.
  reference_scope text collate "C" not null,
  reserves_reference boolean not null default true,
  -- What checking found. Null: no wallet, or not checked.
  recipient_id text collate "C",
  -- Whether the name is the wallet's. Null: none was given, or there is no wallet.
  name_matches boolean,
  -- What the payer pays on top, as checked; then as paid.
  fee bigint,
  -- Codes of what may stop the row when it is paid.
  warnings text[] not null default '{}',
  -- Why it is invalid, failed or returned: the code, and the sentence for the payer.
  reason text,
  reason_text text,
  transaction_id text collate "C",
  paid_at timestamptz,
  primary key (bulk_payment_id, line),
  check (phone_number is not null or account_number is not null)
);

create index bulk_payment_rows_by_status on bulk_payment_rows (bulk_payment_id, status, line);
create index bulk_payment_rows_by_recipient on bulk_payment_rows (bulk_payment_id, recipient_id, line)
  where recipient_id is not null;
create index bulk_payment_rows_by_transaction on bulk_payment_rows (transaction_id) where transaction_id is not null;
-- A reference is paid once. Rows that cannot be paid any more free theirs by their status.
create unique index bulk_payment_rows_by_reference on bulk_payment_rows (reference_scope, reference)
  where reserves_reference and status in ('valid', 'paying', 'paid', 'unclaimed');

-- How many rows a payer may have checked and not paid in 30 days, beyond those paid, where staff raised it.
create table bulk_payment_limits (
  payer_id text collate "C" primary key,
  unpaid_rows integer not null check (unpaid_rows between 0 and 1000000),
  set_by text collate "C" not null,
  set_at timestamptz not null
);

grant select, insert, update, delete on bulk_payments, bulk_payment_rows to kissi_app;
grant select, insert, update on bulk_payment_limits to kissi_app;
