-- no-transaction
-- Webhook endpoints of merchants and partners: several for each, with the events that each one chose. Their deliveries share the
-- outbox of the partners' webhook_url, and its engine.

create table if not exists webhook_endpoints (
  id text collate "C" primary key,
  -- The owner: one of the two.
  processor_id text collate "C" references processors (id),
  partner_id text collate "C" references partners (id),
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  -- Encrypted. After a rotation the previous secret signs too, until previous_valid_until.
  sealed_secret bytea not null,
  previous_secret bytea,
  previous_valid_until timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhook_endpoints_one_owner check (num_nonnulls(processor_id, partner_id) = 1),
  constraint webhook_endpoints_previous_ends check ((previous_secret is null) = (previous_valid_until is null))
);

create index if not exists webhook_endpoints_processor on webhook_endpoints (processor_id, id) where processor_id is not null;

create index if not exists webhook_endpoints_partner on webhook_endpoints (partner_id, id) where partner_id is not null;

grant select, insert, update, delete on webhook_endpoints to kissi_app;

-- The endpoints and their events, so that a payment reads them with its merchant or partner; null: there are none. Kept by the
-- trigger below. json: a list of { id, events }. The limit is for payments, which must not wait behind the change of the table.
do $$ begin
  perform set_config('lock_timeout', '500ms', true);
  alter table processors add column if not exists webhook_endpoints json;
  alter table partners add column if not exists webhook_endpoints json;
end $$;

create or replace function list_webhook_endpoints() returns trigger language plpgsql as $$
declare
  owner record;
begin
  if tg_op = 'DELETE' then owner := old; else owner := new; end if;
  update processors set webhook_endpoints = (
    select json_agg(json_build_object('id', id, 'events', events) order by id) from webhook_endpoints where processor_id = owner.processor_id)
  where id = owner.processor_id;
  update partners set webhook_endpoints = (
    select json_agg(json_build_object('id', id, 'events', events) order by id) from webhook_endpoints where partner_id = owner.partner_id)
  where id = owner.partner_id;
  return null;
end $$;

create or replace trigger list_webhook_endpoints after insert or update of events or delete on webhook_endpoints
  for each row execute function list_webhook_endpoints();

-- A delivery is for a partner's webhook_url, or for an endpoint of a merchant or partner. Only credits have an inbound_id.
-- subscriber_id is the customer whom a payment's event is about; credits have theirs in the body.
do $$ begin
  perform set_config('lock_timeout', '500ms', true);
  alter table webhook_deliveries alter column partner_id drop not null;
  alter table webhook_deliveries alter column inbound_id drop not null;
  alter table webhook_deliveries add column if not exists processor_id text collate "C";
  alter table webhook_deliveries add column if not exists endpoint_id text collate "C";
  alter table webhook_deliveries add column if not exists subscriber_id text collate "C";
end $$;

-- Claims go from owner to owner. webhook_deliveries_pending stays for gateways of the previous version.
create index concurrently if not exists webhook_deliveries_due on webhook_deliveries
  (coalesce(partner_id, processor_id), next_attempt_at, id) where status = 'pending';

create index concurrently if not exists webhook_deliveries_processor on webhook_deliveries (processor_id, id desc)
  where processor_id is not null;

create index concurrently if not exists webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, id desc)
  where endpoint_id is not null;
