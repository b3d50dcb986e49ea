-- The recent requests of API keys, for the support of integrators. Unlogged: they are written in batches at little cost,
-- are lost if PostgreSQL crashes, and are not replicated. Rows are deleted after 24 hours.

-- A sequence of its own, which is logged: a follower's cursor stays valid after a crash that empties the table.
create sequence request_log_seq;

create unlogged table request_log (
  -- The order of writing. Gateways write one after another, so that no row appears before one that was read.
  seq bigint primary key default nextval('request_log_seq'),
  key_id text collate "C" not null,
  at timestamptz not null,
  -- False: the request named the key, and its signature was not accepted.
  verified boolean not null,
  method text not null,
  path text not null,
  status integer not null,
  code text,
  -- Why it was refused, if the reply may not say it.
  reason text,
  duration_ms double precision not null,
  request_id text not null,
  ip text not null,
  request_bytes integer not null,
  reply_bytes integer not null,
  -- Redacted and cut.
  request_body text,
  reply_body text
);
create index request_log_key on request_log (key_id, seq);

-- Requests that were not kept, because too many arrived in one second.
create unlogged table request_log_omissions (
  key_id text collate "C" not null,
  -- Hours since 1970, UTC.
  hour integer not null,
  count bigint not null,
  primary key (key_id, hour)
);

grant usage on sequence request_log_seq to kissi_app;
grant select, insert, update, delete on request_log to kissi_app;
grant select, insert, update, delete on request_log_omissions to kissi_app;
