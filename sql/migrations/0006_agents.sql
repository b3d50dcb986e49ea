-- Agents: super-agents and their sub-agents, who accept and pay out cash against a float.

create table agents (
  id text collate "C" primary key,
  type text not null check (type in ('super_agent', 'sub_agent')),
  parent_agent_id text collate "C" references agents (id),
  business_name text not null,
  first_name text not null,
  last_name text not null,
  phone_number text collate "C" not null constraint agents_phone_number_key unique,
  email text not null,
  location text,
  commission_tier text not null check (commission_tier in ('standard', 'premium', 'custom')),
  settlement_mode text not null check (settlement_mode in ('instant', 'daily', 'weekly')),
  status text not null default 'active' check (status in ('active', 'suspended', 'terminated')),
  -- Reason for the suspension or termination.
  status_reason text,
  -- True if the operator suspended the agent: its super-agent cannot lift that suspension.
  held_by_house boolean not null default false,
  -- True if the suspension also suspended the agent's user; only then does reactivation restore the user's access.
  login_suspended boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- All searchable fields in one column, with an explicit collation, as in subscribers.
  search_text text not null generated always as (
    lower((business_name || ' ' || first_name || ' ' || last_name || ' ' || phone_number) collate "default")
  ) stored,
  constraint agents_sub_agent_has_parent check ((type = 'sub_agent') = (parent_agent_id is not null)),
  constraint agents_held_while_suspended check (status = 'suspended' or not (held_by_house or login_suspended))
);
-- Ids are time-ordered, so id desc is newest first. The filter columns come first, so that a page is one short index scan.
create index agents_by_status on agents (status, id desc);
create index agents_by_type on agents (type, id desc);
create index agents_by_parent on agents (parent_agent_id, id desc) include (status) where parent_agent_id is not null;
create index agents_search on agents using gin (search_text gin_trgm_ops);
-- Finds the users of an agent, to suspend or terminate them with it.
create index users_agent_id on users (agent_id) where agent_id is not null;

grant select, insert, update on agents to kissi_app;
