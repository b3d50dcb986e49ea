-- Look-ups of cards and accounts by API keys, and of customers by agents: how many distinct ones were answered.

create table lookups (
  id bigint generated always as identity primary key,
  -- The API key, or the agent.
  subject text collate "C" not null,
  -- The processor of the key, otherwise the subject itself.
  owner_id text collate "C" not null,
  -- 'card:' and the serial, 'account:' and the subscriber, or what was sought and not found.
  target text collate "C" not null,
  at timestamptz not null,
  found boolean not null,
  -- The card was used there with the right PIN. A payment does not write it: it is read from the movements when needed.
  paid boolean not null default false
);
create index lookups_by_subject on lookups (subject, at) where not paid;
create index lookups_by_owner on lookups (owner_id, at) where not paid;
create index lookups_by_time on lookups (at);
grant select, insert, update (paid), delete on lookups to kissi_app;
