-- Limits of logins: wrong passwords per name and network, per name and UTC day, and browsers that nobody else can lock out.

-- `guesser`: the network, or a browser or session that logged in before and has its own count.
delete from login_attempts;
alter table login_attempts
  drop constraint login_attempts_pkey,
  add column guesser text collate "C" not null,
  add primary key (email, guesser);

-- Keyed by email, as above. `told`: the user was told that there were too many.
create table login_failure_days (
  email text not null,
  day date not null,
  failures integer not null,
  told boolean not null default false,
  primary key (email, day)
);

-- The token is in a cookie of the browser; users of one browser share it.
create table known_browsers (
  token_hash bytea not null,
  user_id text collate "C" not null references users (id),
  expires_at timestamptz not null,
  primary key (token_hash, user_id)
);
create index known_browsers_user_id on known_browsers (user_id, expires_at);

-- A challenge that is issued while the name is locked: only a passkey answers it, and only then the result of the password
-- counts. So the passkey's owner gets in, and nobody else learns whether a password is right.
alter table second_factor_challenges
  add column passkey_only boolean not null default false,
  add column password_right boolean not null default true;

grant select, insert, update, delete on login_failure_days, known_browsers to kissi_app;
