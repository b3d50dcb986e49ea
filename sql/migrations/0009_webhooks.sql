-- What partners are told: an outbox whose rows are written in the commit of the credit they speak of, and every attempt
-- to deliver one.

-- No reference to partners: the rows are written beside movements of money, which take no other locks than accounts'.
-- All columns are given by who writes: a default would hold here but not for rows written beside a movement.
create table webhook_deliveries (
  id text collate "C" primary key,
  partner_id text collate "C" not null,
  event text not null,
  reference text collate "C" not null,
  inbound_id text collate "C" not null,
  -- An event waits for those of its reference that have a smaller turn, or the same one and a smaller id.
  turn smallint not null,
  -- The bytes that are sent and signed, the same at every attempt.
  body text not null,
  status text not null check (status in ('pending', 'delivered', 'abandoned')),
  attempts integer not null check (attempts >= 0),
  -- Which place of the schedule the next attempt has; the count of attempts goes on when a delivery is begun again.
  step smallint not null check (step >= 0),
  next_attempt_at timestamptz,
  -- Who is at it, and until when nobody else may be. In no index, so that taking one writes to none.
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
  -- Of the answer; null when there was none.
  http_status integer,
  error text,
  primary key (delivery_id, number)
);

grant select, insert, update, delete on webhook_deliveries to kissi_app;
-- What was tried stays as it was, until it is forgotten with its delivery.
grant select, insert, delete on webhook_attempts to kissi_app;
