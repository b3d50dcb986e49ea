-- Forgotten passwords of users, replaced with a code that is sent to their phone.

-- When the password was last replaced with such a code: for a day, the user approves nothing.
alter table users add column password_recovered_at timestamptz;

-- A recovery that waits for its code. There is one for every name that was sent, known or not.
create table password_recoveries (
  -- SHA-256 of what the caller got.
  token_hash bytea primary key,
  -- Null: nobody active with a phone number has the name, or beyond the limit of the name.
  user_id text collate "C" references users (id),
  -- The number that the code was sent to.
  phone_number text collate "C",
  code_salt bytea,
  code_hash bytea,
  code_expires_at timestamptz,
  tries_left smallint not null,
  expires_at timestamptz not null
);
create index password_recoveries_user_id on password_recoveries (user_id);
create index password_recoveries_expires_at on password_recoveries (expires_at);

grant select, insert, update, delete on password_recoveries to kissi_app;
