-- Wrong passwords per name, network and UTC day: one network can use up only a part of what a name has in a day.

-- Keyed by email, as login_attempts. `network`: /24 or /48.
create table login_network_days (
  email text not null,
  day date not null,
  network text collate "C" not null,
  failures integer not null,
  primary key (email, day, network)
);
grant select, insert, update, delete on login_network_days to kissi_app;
