-- no-transaction
-- Indexes for reports, corrections and checkpoints.

-- The cards that a wallet refuses because they were unlinked from it (0049).
create index concurrently if not exists cards_by_unlinked_subscriber on cards (unlinked_subscriber_id)
  where unlinked_subscriber_id is not null;

-- New wallets per period.
create index concurrently if not exists subscribers_by_creation on subscribers (created_at);

-- The accounts that are not wallets. Payments between wallets do not touch it; the kind of an account never changes.
create index concurrently if not exists accounts_by_kind on accounts (kind, id) where kind <> 'wallet';

-- The background task keeps checkpoints of agents and partners too: their histories can be filtered by type and day.
create index concurrently if not exists accounts_with_checkpoints on accounts (id)
  where kind in ('processor', 'agent_float', 'partner_clearing');

drop index concurrently if exists accounts_of_processors;
