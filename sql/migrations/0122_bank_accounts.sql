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

grant select, insert, update on bank_accounts to kissi_app;
