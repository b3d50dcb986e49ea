-- no-transaction
-- Drops indexes that no query uses any more.

-- Of movements: replaced by movements_between_businesses (0017), which the previous version uses, and that by
-- movements_without_wallets (0061). Gateways of no released version use one of these two.
drop index concurrently if exists movements_without_wallet;

drop index concurrently if exists movements_between_businesses_2;

-- Of items of the reconciliation: lists without a side merge the two sides.
drop index concurrently if exists reconciliation_items_by_status;

drop index concurrently if exists reconciliation_items_by_date;
