-- Politically exposed persons: which subscribers are, and which members of staff have opened access to them.

alter table subscribers add column is_pep boolean not null default false;
-- They are few: counted and left out of searches by this index alone.
create index subscribers_pep on subscribers (id) where is_pep;

-- One row for each user who ever asked for a code; only a keyed hash of the code is kept. Whatever ends access takes the
-- code and the access away and leaves the count of codes, which nobody gets rid of by logging out.
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
