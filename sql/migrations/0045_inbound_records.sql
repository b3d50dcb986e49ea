-- no-transaction
-- Indexes for the list of inbound credits, each in list order (ids are time-ordered). Only inbound credits pay for them.
create index concurrently if not exists inbound_transactions_by_partner on inbound_transactions (partner_id, id);

create index concurrently if not exists inbound_transactions_by_subscriber on inbound_transactions (subscriber_id, id)
  where subscriber_id is not null;

-- Most credits are completed: a scan finds them without an index of their own.
create index concurrently if not exists inbound_transactions_failed on inbound_transactions (status, id)
  where status <> 'COMPLETED';

create index concurrently if not exists inbound_transactions_failed_by_partner on inbound_transactions
  (partner_id, status, id) where status <> 'COMPLETED';
