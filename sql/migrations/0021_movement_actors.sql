-- The caller that moved the money: a user, an API key, a service of the operator, the sender of a signed notification, or the
-- system itself. Null in movements of earlier versions.
alter table movements
  add column actor_type text,
  add column actor_id text collate "C";
