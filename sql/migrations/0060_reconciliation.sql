-- Reconciliation of bank entries with the movements that stand for money at a bank.

-- A match is never changed, except that it is undone once and that its movements are entered. Protected record (audit log).
create table reconciliation_matches (
  id text collate "C" primary key,
  kind text collate "C" not null check (kind in ('reference', 'amount', 'day_sum', 'manual', 'write_off')),
  status text collate "C" not null check (status in ('matched', 'written_off', 'undone')),
  -- Sorted. A write-off may have items of one side only.
  bank_entry_ids text[] collate "C" not null,
  transaction_ids text[] collate "C" not null,
  -- Sums of the items, in minor units; equal unless it is a write-off.
  bank_amount bigint not null,
  books_amount bigint not null check (kind = 'write_off' or books_amount = bank_amount),
  -- Pay-outs less returned pay-outs: what the match moves from pay-outs in transit to the treasury.
  clears bigint not null default 0 check (kind <> 'write_off' or clears = 0),
  note text,
  -- The user; null: a run matched it.
  created_by text collate "C",
  run_id text collate "C",
  created_at timestamptz not null,
  undone_by text collate "C",
  undone_at timestamptz check ((undone_at is null) = (status <> 'undone')),
  -- The movements, once they are posted.
  cleared_transaction_id text collate "C",
  uncleared_transaction_id text collate "C"
);
create index reconciliation_matches_by_status on reconciliation_matches (status, id);
create index reconciliation_matches_by_time on reconciliation_matches (created_at);
create index reconciliation_matches_undone on reconciliation_matches (undone_at) where undone_at is not null;
-- Matches whose movements a stopped gateway did not post.
create index reconciliation_matches_unposted on reconciliation_matches (id) where clears <> 0
  and (cleared_transaction_id is null or (status = 'undone' and uncleared_transaction_id is null));
grant select, insert, update on reconciliation_matches to kissi_app;

-- One row per bank entry and per movement of the books' side, so that nothing is in two matches and lists are read by index.
-- It follows from bank_entries, movements and reconciliation_matches (ledger:verify proves it).
create table reconciliation_items (
  side text collate "C" not null check (side in ('bank', 'books')),
  item_id text collate "C" not null,
  -- The booking date, or the UTC day of the movement.
  dated date not null,
  -- Minor units, as the bank shows it: money that arrives is positive.
  amount bigint not null,
  status text collate "C" not null default 'unmatched' check (status in ('unmatched', 'suggested', 'matched', 'written_off')),
  -- The match that is not undone.
  match_id text collate "C" check ((match_id is not null) = (status in ('matched', 'written_off'))),
  suggestion_id text collate "C" check ((suggestion_id is not null) = (status = 'suggested')),
  -- A user undid a match of it: runs only suggest it.
  was_undone boolean not null default false,
  primary key (side, item_id)
);
create index reconciliation_items_by_status_and_side on reconciliation_items (status, side, dated, item_id);
create index reconciliation_items_by_status on reconciliation_items (status, dated, item_id);
create index reconciliation_items_by_side on reconciliation_items (side, dated, item_id);
create index reconciliation_items_by_date on reconciliation_items (dated, item_id);
create index reconciliation_items_by_match on reconciliation_items (match_id) where match_id is not null;
create index reconciliation_items_by_suggestion on reconciliation_items (suggestion_id) where suggestion_id is not null;
grant select, insert, update on reconciliation_items to kissi_app;

-- Proposals of the last run. They have no authority: accepting one makes every check of a manual match.
create table reconciliation_suggestions (
  id text collate "C" primary key,
  rule text collate "C" not null check (rule in ('reference', 'amount', 'day_sum')),
  bank_entry_ids text[] collate "C" not null,
  transaction_ids text[] collate "C" not null,
  amount bigint not null,
  created_at timestamptz not null
);
grant select, insert, delete on reconciliation_suggestions to kissi_app;

-- One run at a time over all gateways. A run whose gateway stopped loses its lease.
create table reconciliation_runs (
  id text collate "C" primary key,
  status text collate "C" not null check (status in ('running', 'finished', 'failed')),
  started_by text collate "C" not null,
  started_at timestamptz not null,
  lease_until timestamptz not null,
  finished_at timestamptz,
  matched integer not null default 0,
  suggested integer not null default 0
);
create unique index reconciliation_runs_running on reconciliation_runs (status) where status = 'running';
grant select, insert, update on reconciliation_runs to kissi_app;

-- Up to when bank entries and movements are listed in reconciliation_items. Changes of matches and items lock the row.
create table reconciliation_progress (
  single boolean primary key default true check (single),
  listed_until timestamptz not null
);
insert into reconciliation_progress (listed_until) values ('1970-01-01');
grant select, update on reconciliation_progress to kissi_app;
