-- Messages to and from a messaging platform.

-- local: no platform is configured and staff read the message; pending, sent and failed are delivery states. A text is deleted as
-- soon as it is no longer needed, because it can contain a password, a PIN or a code.
alter table messages
  alter column sealed_text drop not null,
  add column status text not null default 'local' check (status in ('local', 'pending', 'sent', 'failed')),
  add column attempts smallint not null default 0,
  add column next_attempt_at timestamptz,
  -- The lease holder and the end of the lease.
  add column lease text collate "C",
  add column leased_until timestamptz,
  add column finished_at timestamptz,
  -- The error of the last attempt, in our wording, not the platform's.
  add column last_error text,
  add constraint messages_pending_is_due check ((status = 'pending') = (next_attempt_at is not null)),
  add constraint messages_text_while_needed check ((status in ('local', 'pending')) = (sealed_text is not null));
create index messages_pending on messages (next_attempt_at, id) where status = 'pending';
create index messages_pending_recipient on messages (recipient, id) where status = 'pending';
create index messages_local on messages (id desc) where status = 'local';

-- The platform can deliver a message more than once; the primary key deduplicates. A row is kept after its message was answered
-- until the platform can no longer deliver it again.
create table incoming_messages (
  -- The platform's message id.
  id text collate "C" primary key,
  -- Our id, in order of arrival.
  place text collate "C" not null,
  -- The sender according to the platform, and the phone number (E.164) derived from it.
  platform_user text not null,
  sender text collate "C" not null,
  -- True if the message carried the platform's signature.
  verified boolean not null,
  -- Null once the message has been handled.
  sealed_text bytea,
  lease text collate "C",
  leased_until timestamptz,
  received_at timestamptz not null
);
create index incoming_messages_waiting on incoming_messages (place) where sealed_text is not null;
create index incoming_messages_waiting_sender on incoming_messages (sender, place) where sealed_text is not null;
create index incoming_messages_received_at on incoming_messages (received_at);

grant select, insert, update, delete on incoming_messages to kissi_app;
