-- Messages that go out to a messaging platform, and those that come in from it.

-- local: there is no platform, staff read it; the others are on their way, arrived, or given up. A text is kept no longer than
-- it is needed: it may hold a password, a PIN or a code.
alter table messages
  alter column sealed_text drop not null,
  add column status text not null default 'local' check (status in ('local', 'pending', 'sent', 'failed')),
  add column attempts smallint not null default 0,
  add column next_attempt_at timestamptz,
  -- Who is at it, and until when nobody else may be.
  add column lease text collate "C",
  add column leased_until timestamptz,
  add column finished_at timestamptz,
  -- What went wrong at the last attempt, in our words.
  add column last_error text,
  add constraint messages_pending_is_due check ((status = 'pending') = (next_attempt_at is not null)),
  add constraint messages_text_while_needed check ((status in ('local', 'pending')) = (sealed_text is not null));
create index messages_pending on messages (next_attempt_at, id) where status = 'pending';
create index messages_pending_recipient on messages (recipient, id) where status = 'pending';
create index messages_local on messages (id desc) where status = 'local';

-- The platform delivers a message as often as it likes; its id is taken once. A row stays after its message was answered, until
-- the platform can no longer deliver it again.
create table incoming_messages (
  -- The platform's.
  id text collate "C" primary key,
  -- Ours, in the order of arrival.
  place text collate "C" not null,
  -- Whom the platform says it is from, and the telephone number (E.164) that makes.
  platform_user text not null,
  sender text collate "C" not null,
  -- Whether the platform's signature was on it.
  verified boolean not null,
  -- Null: nothing more is to be done about it.
  sealed_text bytea,
  lease text collate "C",
  leased_until timestamptz,
  received_at timestamptz not null
);
create index incoming_messages_waiting on incoming_messages (place) where sealed_text is not null;
create index incoming_messages_waiting_sender on incoming_messages (sender, place) where sealed_text is not null;
create index incoming_messages_received_at on incoming_messages (received_at);

grant select, insert, update, delete on incoming_messages to kissi_app;
