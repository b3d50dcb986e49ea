-- Saved views of the console: screens with their filters, by user.
create table saved_views (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id),
  name text not null,
  screen text collate "C" not null,
  query text collate "C" not null,
  -- Staff with the same role see it too.
  shared boolean not null,
  created_at timestamptz not null,
  unique (user_id, screen, name)
);
create index saved_views_shared on saved_views (id) where shared;

grant select, insert, delete on saved_views to kissi_app;
