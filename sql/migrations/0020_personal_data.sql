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

-- The service cannot change what a note, an alert or a case says. Of an erased customer, the texts that people wrote are overwritten.
create function erase_note_texts(erased text) returns setof text
language sql security definer set search_path = public, pg_temp as $$
  update public.subscriber_notes set text = '[erased]'
  where subscriber_id = erased
    and exists (select from public.subscribers where id = erased and erased_at is not null)
  returning id
$$;
revoke execute on function erase_note_texts(text) from public;
grant execute on function erase_note_texts(text) to kissi_app;

create function erase_alert_texts(erased text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update public.compliance_alerts set description = '[erased]'
  where subscriber_id = erased and batch is null and rule_id is null
    and exists (select from public.subscribers where id = erased and erased_at is not null)
$$;
revoke execute on function erase_alert_texts(text) from public;
grant execute on function erase_alert_texts(text) to kissi_app;

-- The steps of a case, their times and who took them stay. Files of earlier versions are not encrypted with the customer's own key.
create function erase_case_texts(erased text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update public.cases set description = '[erased]'
  where subscriber_id = erased and exists (select from public.subscribers where id = erased and erased_at is not null);
  update public.case_events set text = '[erased]'
  where text is not null and case_id in (select c.id from public.cases c join public.subscribers s on s.id = c.subscriber_id
    where s.id = erased and s.erased_at is not null);
  update public.case_files set name = '[erased]', sealed = ''
  where case_id in (select c.id from public.cases c join public.subscribers s on s.id = c.subscriber_id
    where s.id = erased and s.erased_at is not null);
$$;
revoke execute on function erase_case_texts(text) from public;
grant execute on function erase_case_texts(text) to kissi_app;
