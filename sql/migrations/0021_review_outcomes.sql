-- How reviews of alerts ended, and what administrators confirmed before going live.

-- Null: the alert is open, or its review named none.
alter table compliance_alerts add column outcome text
  check (outcome in ('false_positive', 'customer_explained', 'confirmed_reported', 'confirmed_blocked'));

grant update (outcome) on compliance_alerts to kissi_app;

-- What the service cannot check itself, such as a restore that was practised. The audit log has the history.
create table going_live_confirmations (
  item text collate "C" primary key,
  note text not null,
  confirmed_by text collate "C" not null references users (id),
  confirmed_at timestamptz not null
);

grant select, insert, update, delete on going_live_confirmations to kissi_app;
