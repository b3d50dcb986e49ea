-- Keys that can be changed: which key wrote what, which keys each gateway has, and where each key ended.

-- The key of MASTER_KEY that the chain's MACs, or the archive's, are made with.
alter table seal_chains add column key_id text not null default 'k1';
alter table ledger_archives add column key_id text not null default 'k1';

-- Where an old key ended: the last state of a chain under it, with a MAC under the old key and one under its successor.
create table key_closings (
  chain text collate "C" not null check (chain in ('audit', 'ledger')),
  -- Per chain, from 1, without gaps.
  number integer not null check (number > 0),
  old_key text not null,
  new_key text not null,
  at timestamptz not null,
  -- audit: seq and hash of the last entry. ledger: the last batches, chain and archive, and how far requests are pruned.
  content jsonb not null,
  old_mac bytea not null,
  new_mac bytea not null,
  primary key (chain, number),
  unique (chain, old_key),
  check (old_key <> new_key)
);

-- Written by keys:rotate, which has the owner's login.
grant select on key_closings to kissi_app;

-- Keys that no stored secret needs any more. Old master keys are kept, encrypted under the new one, to verify history and to
-- read what was given out under them, such as links to receipts.
create table retired_keys (
  name text collate "C" not null check (name in ('MASTER_KEY', 'PIN_PEPPER')),
  id text not null,
  -- Null for PIN_PEPPER: nothing reads an old pepper.
  sealed_key bytea,
  retired_at timestamptz not null,
  primary key (name, id),
  check ((name = 'MASTER_KEY') = (sealed_key is not null))
);

-- A gateway could retire the key that all others need: they would not start.
grant select on retired_keys to kissi_app;

-- The keys of each running gateway process. A new key is written under once all of them have it.
create table gateway_keys (
  -- The random name that the process gave itself.
  holder text collate "C" not null,
  name text collate "C" not null check (name in ('MASTER_KEY', 'PIN_PEPPER')),
  ids text[] not null,
  -- The one it writes under, and since when.
  writes text not null,
  writes_since timestamptz not null,
  announced_until timestamptz not null,
  primary key (holder, name)
);

grant select, insert, update, delete on gateway_keys to kissi_app;
