-- Every change of the phone number of a subscriber or agent. Who requested or approved one never resets the PIN of that holder.
-- Rows are only added.
create table phone_changes (
  id text collate "C" primary key,
  owner_id text collate "C" not null,
  changed_at timestamptz not null,
  -- The user or API key; under an approval policy, the requester.
  changed_by text collate "C" not null,
  approved_by text collate "C"
);
create index phone_changes_by_owner on phone_changes (owner_id);
grant select, insert on phone_changes to kissi_app;
