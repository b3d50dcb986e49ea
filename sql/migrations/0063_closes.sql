-- Daily closes: signed documents with the figures of a day, each naming the hash of the one before. Insert-only for the service.

-- The public keys that signed closes. They stay published for good.
create table close_keys (
  -- First digits of the SHA-256 of the public key.
  id text collate "C" primary key,
  -- 32 bytes in base64url.
  public_key text collate "C" not null unique,
  created_at timestamptz not null
);
grant select, insert on close_keys to kissi_app;

create table closes (
  id text collate "C" primary key,
  -- The place in the chain, from 1, without gaps.
  number integer not null unique check (number > 0),
  date date not null,
  -- The exact text that is signed: canonical JSON.
  document text not null,
  sha256 text collate "C" not null unique,
  -- Null only in the first one. Unique: the chain has no branches.
  previous_sha256 text collate "C" unique check ((previous_sha256 is null) = (number = 1)),
  -- The close that this one corrects. A close is corrected once; the correction can be corrected.
  corrects text collate "C" unique references closes (id),
  signature text collate "C" not null,
  key_id text collate "C" not null references close_keys (id),
  -- The user, or system.
  created_by text collate "C" not null,
  created_at timestamptz not null
);
-- A day closes once, whichever gateway is first.
create unique index closes_once_a_day on closes (date) where corrects is null;
create index closes_by_date on closes (date, number);
grant select, insert on closes to kissi_app;
