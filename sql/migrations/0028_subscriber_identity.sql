-- Identity of subscribers: who registered them, unique identity documents, and phone numbers that are not verified yet.
alter table subscribers
  -- The agent whose user registered the subscriber. Agents see the records of these subscribers only.
  add column registered_by_agent text collate "C",
  -- Shared its document with an older verified subscriber when the index below was built. Cleared by the next change of the
  -- document or the level, which is then checked.
  add column identity_duplicate boolean not null default false,
  -- False: registered by the public, and the holder of the number has not confirmed it. Such a row does not occupy the number.
  add column phone_verified boolean not null default true;

update subscribers set registered_by_agent = users.agent_id
from (
  select resource_id, actor_id from audit_log where action = 'subscriber.register' and actor_type = 'user'
  union all select resource_id, actor_id from audit_inbox where action = 'subscriber.register' and actor_type = 'user'
) registered
join users on users.id = registered.actor_id and users.agent_id is not null
where subscribers.id = registered.resource_id;

create index subscribers_by_agent on subscribers (registered_by_agent, id desc) where registered_by_agent is not null;

-- Letters and digits only, in upper case: 'ab-12 3' and 'AB123' are one document. Code points instead of character classes, and
-- the collation "C", so that the index does not depend on the locale.
create function identity_number(number text) returns text language sql immutable strict parallel safe as $$
  select upper(regexp_replace(normalize(number, nfkc),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u2212\ufe00-\ufe0f\ufeff]', '', 'g') collate "C")
$$;

update subscribers set identity_duplicate = true
from (
  select id, row_number() over (partition by id_type, identity_number(id_number) order by id) as number
  from subscribers where kyc_level >= 2 and id_type is not null and id_number is not null
) documents
where subscribers.id = documents.id and documents.number > 1;

create unique index subscribers_identity_key on subscribers (id_type, identity_number(id_number))
  where kyc_level >= 2 and not identity_duplicate;

-- Look-ups by phone use the unique index; lists, and gateways of the previous version, the other one.
alter table subscribers drop constraint subscribers_phone_number_key;
create unique index subscribers_phone_number_key on subscribers (phone_number) where phone_verified;
create index subscribers_by_phone on subscribers (phone_number);

-- Codes that confirm the phone number of a public registration. The code is hashed with a key that is not in the database.
create table phone_verifications (
  subscriber_id text collate "C" primary key references subscribers (id),
  -- The number that the code was sent to.
  phone_number text collate "C" not null,
  code_salt bytea,
  code_hash bytea,
  code_expires_at timestamptz,
  tries_left smallint not null,
  codes_sent smallint not null,
  sent_at timestamptz not null,
  verified_at timestamptz
);
grant select, insert, update on phone_verifications to kissi_app;
