-- Outgoing webhooks: an outbox, whose rows are committed together with the credit they describe, and the delivery attempts.

-- No foreign key to partners: the rows are written with movements, which lock nothing but accounts.
-- No defaults: rows written with a movement specify every column, and a default would not apply to them.
create table webhook_deliveries (
  id text collate "C" primary key,
  partner_id text collate "C" not null,
  event text not null,
  reference text collate "C" not null,
  inbound_id text collate "C" not null,
  -- Delivery order per reference: an event waits for those with a smaller turn, or the same turn and a smaller id.
  turn smallint not null,
  -- The exact bytes that are sent and signed at every attempt.
  body text not null,
  status text not null check (status in ('pending', 'delivered', 'abandoned')),
  attempts integer not null check (attempts >= 0),
  -- Position of the next attempt in the retry schedule. A replay resets it, while attempts keeps counting.
  step smallint not null check (step >= 0),
  next_attempt_at timestamptz,
  -- The lease holder and the end of the lease. Not indexed, so that taking a lease updates no index.
  lease text collate "C",
  leased_until timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint webhook_deliveries_pending_is_due check ((status = 'pending') = (next_attempt_at is not null))
) with (fillfactor = 70);
create index webhook_deliveries_pending on webhook_deliveries (partner_id, next_attempt_at, id) where status = 'pending';
create index webhook_deliveries_reference on webhook_deliveries (reference, partner_id);
create index webhook_deliveries_partner on webhook_deliveries (partner_id, id desc);
create index webhook_deliveries_abandoned on webhook_deliveries (id desc) where status = 'abandoned';

create table webhook_attempts (
  delivery_id text collate "C" not null,
  number integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  -- Null if there was no response.
  http_status integer,
  error text,
  primary key (delivery_id, number)
);

grant select, insert, update, delete on webhook_deliveries to kissi_app;
-- Append-only; deleted only together with the delivery.
grant select, insert, delete on webhook_attempts to kissi_app;
