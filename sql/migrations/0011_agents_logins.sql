-- Whether suspending the agent or processor a user belongs to took its access, kept on the user: only then does taking
-- its owner back give that access again. An administrator who decides about the user's status makes it a decision of its own.
alter table users add column suspended_with_owner boolean not null default false;
update users set suspended_with_owner = true
from agents where users.agent_id = agents.id and agents.login_suspended and users.status = 'suspended';
alter table users add constraint users_suspended_with_owner check (status = 'suspended' or not suspended_with_owner);

alter table agents
  drop constraint agents_held_while_suspended,
  drop column login_suspended,
  add constraint agents_held_while_suspended check (status = 'suspended' or not held_by_house);

-- Agents' and processors' users log in by telephone number too.
create index users_phone_number on users (phone_number) where agent_id is not null or processor_id is not null;
