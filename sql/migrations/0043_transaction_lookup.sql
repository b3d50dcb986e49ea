-- no-transaction
-- Look-ups of movements by reference, authorization code, original and type. All indexes are partial: a transfer between
-- wallets enters none of them, so that the most frequent payment costs nothing more. The primary key of requests finds a
-- movement by its request id, and the primary key of postings finds the movements of an agent, processor or partner.
create index concurrently if not exists movements_by_reference on movements (reference collate "C", id)
  where reference is not null;

-- The authorization code of a card payment is the end of its id.
create index concurrently if not exists movements_by_authorization_code on movements ((right(id, 6)), id)
  where type = 'pos_payment';

create index concurrently if not exists movements_by_related on movements (related_id, id) where related_id is not null;

-- The frequent types are found quickly without an index.
create index concurrently if not exists movements_by_type on movements (type collate "C", id)
  where type not in ('transfer_p2p', 'pos_payment', 'agent_cashin');
