-- no-transaction
-- The queue of alerts that are not closed, by due time. Those without one come last.

create index concurrently if not exists compliance_alerts_queue on compliance_alerts (coalesce(due_at, 'infinity'), id)
  where status in ('open', 'in_review');
