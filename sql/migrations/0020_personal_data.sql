-- Personal data of customers: their own keys, and who was erased.

-- Status ENDED: nothing of the identity is left, and the number is free.
alter table subscribers add column erased_at timestamptz;

-- A customer's own key encrypts files about them, and free text about them in the audit log, whose entries never change. Erasure
-- destroys it, which makes both unreadable.
create table customer_keys (
  subscriber_id text collate "C" primary key,
  -- Encrypted with a key derived from MASTER_KEY.
  sealed_key bytea,
  created_at timestamptz not null,
  destroyed_at timestamptz,
  check ((sealed_key is null) = (destroyed_at is not null))
);

grant select, insert, update (sealed_key, destroyed_at) on customer_keys to kissi_app;

-- What erasure overwrites in tables whose rows are otherwise never changed or never deleted.
grant update (text) on subscriber_notes to kissi_app;
grant update (description) on cases to kissi_app;
grant update (text, details) on case_events to kissi_app;
grant update (name, sealed) on case_files to kissi_app;

-- The service cannot change what an alert says. Of an erased customer, the text that a person wrote is overwritten.
create function erase_alert_texts(erased text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update public.compliance_alerts set description = '[erased]'
  where subscriber_id = erased and batch is null and rule_id is null
    and exists (select from public.subscribers where id = erased and erased_at is not null)
$$;
revoke execute on function erase_alert_texts(text) from public;
grant execute on function erase_alert_texts(text) to kissi_app;
