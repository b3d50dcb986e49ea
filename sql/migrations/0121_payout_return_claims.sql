-- Items that the return of a pay-out holds, from before its movement is posted: no match takes them meanwhile.
--
-- A pay-out that the bank has cleared is returned with the bank's credit, which stays with the return: the match of the two
-- cannot be undone. A pay-out in transit is held only until its return is posted.
create table payout_return_claims (
  side text not null check (side in ('bank', 'books')),
  item_id text collate "C" not null,
  payout_id text collate "C" not null,
  -- False: the return is posted and matched.
  open boolean not null default true,
  -- The user whose return it is.
  claimed_by text collate "C" not null,
  created_at timestamptz not null,
  primary key (side, item_id)
);
create index payout_return_claims_open on payout_return_claims (created_at) where open;

grant select, insert, update, delete on payout_return_claims to kissi_app;
