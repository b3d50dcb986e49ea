-- Notes of staff about subscribers. The service adds them and can neither change nor delete them.
create table subscriber_notes (
  id text collate "C" primary key,
  subscriber_id text collate "C" not null references subscribers (id),
  author_id text collate "C" not null references users (id),
  text text not null check (char_length(text) between 1 and 2000),
  created_at timestamptz not null
);
create index subscriber_notes_subscriber on subscriber_notes (subscriber_id, id);

grant select, insert on subscriber_notes to kissi_app;
