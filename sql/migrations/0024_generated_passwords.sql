-- Generated passwords are temporary: outside development, a user who got one must change it before anything else is possible.
-- Gateways of the previous version ignore the column.
alter table users add column must_change_password boolean not null default false;
