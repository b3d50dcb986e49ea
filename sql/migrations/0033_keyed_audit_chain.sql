-- The audit chain becomes keyed: hashes are HMACs with a key derived from MASTER_KEY, which the owner of the database does not
-- have. Entries also record the states of the records they changed.

alter table audit_inbox
  -- Per changed record: kind, id, and keyed digests of it before and after the change. Null: no protected record changed.
  add column state jsonb,
  -- By the gateway that wrote the entry. An entry without a valid one is not the service's.
  add column mac bytea;

alter table audit_log
  add column state jsonb,
  -- 0: SHA-256 without a key, before the switch. 1: keyed. 2: keyed, but the entry arrived without a valid MAC.
  add column format smallint not null default 0;

alter table audit_head add column mac bytea;

-- An entry that was sealed already is not sealed again.
create index audit_log_id on audit_log (id);
