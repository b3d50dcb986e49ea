-- Receipts whose public link staff have withdrawn. The links themselves are not stored: they are derived from the transaction ids.

create table receipt_revocations (
  transaction_id text collate "C" primary key,
  reason text not null,
  -- The user.
  revoked_by text collate "C" not null,
  revoked_at timestamptz not null
);

grant select, insert on receipt_revocations to kissi_app;
