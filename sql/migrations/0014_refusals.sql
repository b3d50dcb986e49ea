-- Refused payments, as customers, merchants and agents see them and as support explains them. Each party has a row of its own: what
-- one of them may see depends on no other.
create table refusals (
  id text collate "C" primary key,
  -- A subscriber, a processor or an agent. Not a foreign key: rows are written in the background, and deleted by their age.
  party_id text collate "C" not null,
  -- Where a customer was refused: a processor or an agent.
  place_id text collate "C",
  -- The customer of a merchant's or an agent's row: hides those of politically exposed persons, and is shown to nobody.
  subscriber_id text collate "C",
  type text not null,
  channel text not null,
  code text not null,
  -- Null: there was no valid one, or the row stands for several attempts.
  amount bigint,
  -- By how much the payment exceeds the balance or limit of this party.
  excess bigint,
  at timestamptz not null,
  -- Of the last attempt that the row stands for, and how many these are.
  last_at timestamptz not null,
  attempts bigint not null check (attempts > 0)
);
create index refusals_party_id on refusals (party_id, id desc);

grant select, insert, update, delete on refusals to kissi_app;
