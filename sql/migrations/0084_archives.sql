-- Archives of the ledger (npm run ledger:archive): movements and postings of old quarters are files outside of the database.
-- The checkpoints of the accounts at the end of the last archive are the opening balances of what remains.
create table ledger_archives (
  -- From 1, without gaps.
  number integer primary key,
  -- The archive has all movements before this instant that no earlier archive has.
  before timestamptz not null,
  movements bigint not null,
  postings bigint not null,
  -- SHA-256 of the lines of the file.
  sha256 bytea not null,
  -- SHA-256 of the opening balances.
  openings bytea not null,
  -- HMAC over the columns above and the MAC of the archive before, with the key of the seals.
  mac bytea not null,
  archived_at timestamptz not null,
  -- False while the archived rows are being deleted.
  complete boolean not null
);
grant select on ledger_archives to kissi_app;
