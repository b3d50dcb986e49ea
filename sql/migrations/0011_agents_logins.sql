-- True if the user was suspended together with its agent or processor; only then does reactivating the owner restore the user's
-- access. When an administrator changes the user's status directly, the flag is cleared.
alter table users add column suspended_with_owner boolean not null default false;
update users set suspended_with_owner = true
from agents where users.agent_id = agents.id and agents.login_suspended and users.status = 'suspended';
alter table users add constraint users_suspended_with_owner check (status = 'suspended' or not suspended_with_owner);

alter table agents
  drop constraint agents_held_while_suspended,
  drop column login_suspended,
  add constraint agents_held_while_suspended check (status = 'suspended' or not held_by_house);

-- Users of agents and processors can also log in by phone number.
create index users_phone_number on users (phone_number) where agent_id is not null or processor_id is not null;
