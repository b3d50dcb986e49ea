-- The reviewer of each alert. In a table of its own, because alerts are sealed.
create table compliance_alert_assignees (
  alert_id text collate "C" primary key references compliance_alerts (id),
  -- A user, or the API key of a case-management system.
  assignee_id text collate "C" not null,
  assigned_at timestamptz not null
);
create index compliance_alert_assignees_by_assignee on compliance_alert_assignees (assignee_id, alert_id);
grant select, insert, update, delete on compliance_alert_assignees to kissi_app;
