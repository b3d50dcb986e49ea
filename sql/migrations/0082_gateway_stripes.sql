-- Each gateway process uses one of the 16 accounts for fees and for the treasury. It leases the number for as long as it
-- runs, so that no two gateways lock the same account row in every batch.
create table gateway_stripes (
  stripe smallint primary key check (stripe between 0 and 15),
  -- A random name that a gateway process gives itself.
  holder text,
  leased_until timestamptz not null default '-infinity'
);
insert into gateway_stripes (stripe) select generate_series(0, 15);
grant select, update on gateway_stripes to kissi_app;
