-- The lab, in development and staging only: requests that it refused once, and certification runs of partners.

create table lab_requests (
  key_id text collate "C" not null,
  -- The reference or request_id.
  request text not null,
  at timestamptz not null,
  primary key (key_id, request)
);

create table lab_certifications (
  id text collate "C" primary key,
  partner_id text collate "C" not null references partners (id),
  key_id text collate "C" not null references api_keys (id),
  started_by text not null,
  started_at timestamptz not null,
  -- When the wrongly signed webhook was sent.
  forged_at timestamptz,
  finished_at timestamptz,
  result text check (result in ('passed', 'failed')),
  -- The signed report: canonical JSON, its Ed25519 signature in base64, and the key that signed.
  document text,
  signature text,
  signing_key_id text
);
-- One run of a partner at a time: observations belong to it.
create unique index lab_certifications_running on lab_certifications (partner_id) where finished_at is null;

create table lab_observations (
  id bigint generated always as identity primary key,
  certification_id text collate "C" not null references lab_certifications (id),
  at timestamptz not null,
  kind text not null,
  details jsonb not null
);
create index lab_observations_certification on lab_observations (certification_id, id);

grant select, insert, delete on lab_requests to kissi_app;
grant select, insert, update on lab_certifications to kissi_app;
grant select, insert on lab_observations to kissi_app;
