-- USSD: the sessions of the menus, and the customers whom agents have entered but who have no wallet yet.

create table ussd_sessions (
  -- The gateway's id of the session.
  id text collate "C" primary key,
  gateway text not null,
  -- E.164. The session belongs to this number, gateway and service code.
  phone_number text collate "C" not null,
  service_code text not null,
  -- How much of what was typed has been answered; later callbacks have more.
  position integer not null,
  -- Raised with each page. Of two callbacks of a step, one writes.
  step integer not null,
  -- The state and the last page, encrypted: it holds names, numbers and codes, and never a PIN.
  sealed bytea not null,
  ended boolean not null,
  -- While a gateway executes the step.
  claimed_until timestamptz,
  expires_at timestamptz not null
);
create index ussd_sessions_expires_at on ussd_sessions (expires_at);

-- The customer opens the wallet by dialling, which proves the number, and chooses the PIN on their own phone.
create table ussd_invitations (
  -- E.164.
  phone_number text collate "C" primary key,
  first_name text not null,
  last_name text not null,
  agent_id text collate "C" not null references agents (id),
  expires_at timestamptz not null
);
create index ussd_invitations_expires_at on ussd_invitations (expires_at);

grant select, insert, update, delete on ussd_sessions, ussd_invitations to kissi_app;
