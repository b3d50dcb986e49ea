-- Requests of sub-agents for float from their super-agent.

create table float_requests (
  id text collate "C" primary key,
  agent_id text collate "C" not null references agents (id),
  -- The super-agent at the time of the request.
  super_agent_id text collate "C" not null references agents (id),
  amount bigint not null check (amount > 0),
  note text,
  -- accepting: the transfer is being made, or its gateway stopped before it was recorded.
  state text not null check (state in ('open', 'accepting', 'accepted', 'declined', 'cancelled')),
  -- The asking agent's.
  request_id text,
  requested_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  claimed_at timestamptz,
  decided_by text,
  decided_at timestamptz,
  reason text,
  transaction_id text collate "C",
  check ((state = 'accepted') = (transaction_id is not null))
);

create unique index float_requests_request on float_requests (agent_id, request_id) where request_id is not null;
create index float_requests_by_agent on float_requests (agent_id, id);
create index float_requests_by_super_agent on float_requests (super_agent_id, id);

grant select, insert on float_requests to kissi_app;
grant update (state, claimed_at, decided_by, decided_at, reason, transaction_id) on float_requests to kissi_app;
