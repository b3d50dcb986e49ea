-- Reports: counts of refused payments, and indexes for new wallets and for the accounts that are not wallets.

-- Counted in memory by each gateway and added every few seconds: a crash loses the last ones.
create table refusal_rollups (
  -- Hours since 1970, UTC.
  hour integer not null,
  code text collate "C" not null,
  count bigint not null,
  primary key (hour, code)
);
grant select, insert, update on refusal_rollups to kissi_app;

create index subscribers_by_creation on subscribers (created_at);

-- Payments between wallets do not touch it; the kind of an account never changes.
create index accounts_by_kind on accounts (kind, id) where kind <> 'wallet';
