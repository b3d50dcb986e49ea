-- Approvals (maker-checker): the policies, and the requests that wait for the decision of a second user.

-- An action without a row needs no approval.
create table approval_policies (
  action text collate "C" primary key,
  enabled boolean not null,
  -- Minor units per requester and UTC day; null: every request needs approval.
  threshold bigint check (threshold > 0),
  updated_by text collate "C" not null,
  updated_at timestamptz not null
);

create table approvals (
  id text collate "C" primary key,
  action text collate "C" not null,
  operation text collate "C" not null,
  -- approved: decided, and the movement is being posted.
  status text collate "C" not null check
    (status in ('pending', 'approved', 'executed', 'failed', 'rejected', 'withdrawn', 'expired')),
  requested_by text collate "C" not null references users (id),
  requested_at timestamptz not null,
  requested_ip text,
  -- As the client sent it. A retry finds the approval by it.
  request_id text collate "C",
  request_hash text,
  input jsonb not null,
  -- The secret fields of the input, encrypted; erased with the decision.
  sealed_input bytea,
  summary jsonb not null,
  -- Digests of the records that the change is about, as they were at the request.
  record_states jsonb,
  -- Of a payment, in minor units.
  amount bigint,
  -- The subscriber whose wallet or record the request is about.
  subscriber_id text collate "C",
  expires_at timestamptz not null,
  decided_by text collate "C",
  decided_at timestamptz,
  reason text,
  result jsonb,
  -- The secret fields of the result, encrypted; erased when the requester has collected them.
  sealed_result bytea,
  refusal jsonb,
  finished_at timestamptz
);
create unique index approvals_request_id on approvals (requested_by, request_id) where request_id is not null;
create index approvals_status on approvals (status, id);
create index approvals_action on approvals (action, id);
create index approvals_requested_by on approvals (requested_by, id);
-- The open requests of a requester, for the totals of a day.
create index approvals_open on approvals (requested_by, action, requested_at) where status in ('pending', 'approved');
create index approvals_expiry on approvals (expires_at) where status = 'pending';
create index approvals_uncollected on approvals (finished_at) where sealed_result is not null;

grant select, insert, update on approval_policies, approvals to kissi_app;
