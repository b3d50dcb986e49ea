-- The phone number of an agent's or processor's login is also its name: two such logins with one number could not log in with it.
create unique index users_owned_phone_key on users (phone_number)
  where (agent_id is not null or processor_id is not null) and status <> 'inactive';
