-- PIN resets: codes that staff have sent to a holder's phone, and reduced outgoing payments for 24 hours afterwards.

-- The code is hashed with a key that is not in the database. One row per subscriber or agent; a new code replaces the last.
create table pin_resets (
  owner_id text collate "C" primary key,
  -- The number that the code was sent to.
  phone_number text collate "C" not null,
  -- Null once the code was used.
  code_salt bytea,
  code_hash bytea,
  code_expires_at timestamptz not null,
  tries_left smallint not null,
  requested_by text collate "C" not null,
  sent_at timestamptz not null
);
grant select, insert, update on pin_resets to kissi_app;

alter table subscribers add column pin_reset_at timestamptz;
alter table agents add column pin_reset_at timestamptz, add column pin_reset_floor bigint;

-- Until this time a wallet may pay a tenth of its daily limit, and a float only what it has above reduced_floor.
alter table accounts add column reduced_until timestamptz, add column reduced_floor bigint;
