-- Politically exposed persons (PEPs): which subscribers are PEPs, and which staff users have access to them.

alter table subscribers add column is_pep boolean not null default false;
-- PEPs are few, so this index is sufficient to count them and to exclude them from searches.
create index subscribers_pep on subscribers (id) where is_pep;

-- One row per user who ever requested a code. Only a keyed hash of the code is stored. When access ends, code and access are
-- cleared, but the number of codes sent is kept, so that logging out does not reset the rate limit.
create table pep_access (
  user_id text collate "C" primary key references users (id),
  code_salt bytea,
  code_hash bytea,
  code_expires_at timestamptz,
  tries_left smallint not null default 0 check (tries_left between 0 and 3),
  codes_sent integer not null,
  window_started_at timestamptz not null,
  open_until timestamptz,
  constraint pep_access_code_whole check (
    (code_hash is null) = (code_salt is null) and (code_hash is null) = (code_expires_at is null)
    and (code_hash is null) = (tries_left = 0)
  )
);

grant select, insert, update on pep_access to kissi_app;
