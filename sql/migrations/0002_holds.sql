-- Holds: parts of balances that are reserved until they are captured, released or expire. The balance does not change; the
-- available balance is the balance less `held`.

alter table accounts add column held bigint not null default 0;

create table holds (
  -- Also the transaction id of the authorisation.
  id text collate "C" primary key,
  -- The account whose balance is reserved, and the one that a capture pays.
  account_id text collate "C" not null,
  payee_id text collate "C" not null,
  purpose text not null check (purpose in ('card_payment')),
  -- The type of the movement that a capture posts.
  type text collate "C" not null,
  -- What can be captured, and what is reserved: the amount and the payer's fee.
  amount bigint not null check (amount > 0),
  reserved bigint not null check (reserved >= 0),
  -- The part that counts towards the daily limit, and on which UTC day (days since 1970).
  daily_use bigint not null,
  daily_on integer not null,
  expires_at timestamptz not null,
  -- What a capture needs: the movement's details, and the fee settings and commission tiers that price it.
  details json not null,
  prices json not null,
  narration text,
  -- JSON text as it was sent.
  metadata text,
  request_id text,
  actor_type text not null,
  actor_id text not null,
  at timestamptz not null,
  -- The batch of the ledger whose seal covers the row.
  batch bigint not null,
  -- Whether hold_ends has a row. The seal does not cover it.
  ended boolean not null default false
);

create index holds_by_account on holds (account_id, id);
create index holds_by_payee on holds (payee_id, id);
create index holds_active_by_account on holds (account_id) where not ended;
create index holds_active_by_expiry on holds (expires_at) where not ended;

-- How holds ended, at most one row for each.
create table hold_ends (
  hold_id text collate "C" primary key references holds (id),
  -- The movement of a capture; otherwise an id of its own.
  id text collate "C" not null unique,
  outcome text not null check (outcome in ('captured', 'released', 'expired')),
  captured bigint not null check (captured >= 0),
  request_id text,
  actor_type text not null,
  actor_id text not null,
  at timestamptz not null,
  batch bigint not null
);

-- What is printed on a slip.
create index hold_ends_by_code on hold_ends (right(hold_id, 6), hold_id) where outcome = 'captured';

create function end_hold() returns trigger language plpgsql as $$
begin
  update holds set ended = true where id = new.hold_id and not ended;
  if not found then
    raise exception 'hold % has ended before', new.hold_id;
  end if;
  return null;
end $$;

create trigger end_hold after insert on hold_ends for each row execute function end_hold();

grant select, insert, update (ended) on holds to kissi_app;
grant select, insert on hold_ends to kissi_app;
