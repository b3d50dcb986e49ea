-- The member of staff who works on an open item of the reconciliation. It stays with the item when it is matched.
alter table reconciliation_items
  add column owner_id text collate "C",
  add column owned_since timestamptz;
-- Lists of the items of one user. Few items have an owner.
create index reconciliation_items_by_owner on reconciliation_items (owner_id, side, dated, item_id) where owner_id is not null;
