-- Attempts that gateways count together: wrong PINs per credential, requests per address.

-- A row is one window, which starts with its first attempt. `counted` is limited; `correct` raises the limit of API keys.
create table attempt_counts (
  subject text collate "C" primary key,
  started_at timestamptz not null,
  counted bigint not null,
  correct bigint not null
);
create index attempt_counts_started_at on attempt_counts (started_at);
grant select, insert, update, delete on attempt_counts to kissi_app;
