-- The trace that a webhook's event belongs to (the header traceparent), so that its deliveries become part of it, whichever
-- gateway makes them. Null if tracing is off.
alter table webhook_deliveries add column traceparent text collate "C";
