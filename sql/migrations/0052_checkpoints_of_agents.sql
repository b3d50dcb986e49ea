-- The background task keeps checkpoints of agents and partners too: their histories can be filtered by type and day.
create index accounts_with_checkpoints on accounts (id) where kind in ('processor', 'agent_float', 'partner_clearing');
drop index accounts_of_processors;
