-- Items that the return of a pay-out holds, from before its movement is posted until it is matched: no match takes them meanwhile.
--
-- A pay-out that the bank has cleared is returned with the bank's credit. Once the return is posted, its movement names the
-- credit and the claim is deleted; the match of the two cannot be undone.
create table payout_return_claims (
  side text not null check (side in ('bank', 'books')),
  item_id text collate "C" not null,
  payout_id text collate "C" not null,
  -- Of the request that claimed last: one that gives up removes only its own claim.
  id text collate "C" not null,
  -- The user whose return it is.
  claimed_by text collate "C" not null,
  created_at timestamptz not null,
  primary key (side, item_id)
);
create index payout_return_claims_by_time on payout_return_claims (created_at);

grant select, insert, update, delete on payout_return_claims to kissi_app;
