-- The service logs in as a role of its own, a member of kissi_app, and no longer as the owner of the tables.

-- The service checks that the schema is current. It does not migrate.
grant select on kysely_migration to kissi_app;

-- Rights that 0001 granted on all tables and that the service never uses. Refresh tokens are deleted with their session, by
-- the foreign key.
revoke delete on refresh_tokens, subscriber_counts, pins from kissi_app;
revoke insert on audit_head from kissi_app;

-- Databases created by PostgreSQL 14 or earlier let every role create tables.
revoke create on schema public from public;
