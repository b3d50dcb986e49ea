-- no-transaction
-- Entries by kind of actor. Most entries are those of API keys, which a list finds without an index.

create index concurrently if not exists audit_log_actor_type on audit_log (actor_type, seq desc) where actor_type <> 'key';
