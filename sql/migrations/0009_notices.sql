-- Notices to customers: what each wants to be told, messages by SMS beside the chat, and how far the committed movements were read.

-- What holders chose; one without a row has the defaults: English, the operator's channel, payments and balances for customers,
-- and no notices of payments for merchants and agents.
create table notice_preferences (
  -- A subscriber, an agent or a processor.
  owner_id text collate "C" primary key,
  language text not null check (language in ('en', 'kri')),
  -- Null: the operator's default.
  channels text[] check (channels <@ array['sms', 'chat'] and cardinality(channels) > 0),
  payments boolean not null,
  shows_balance boolean not null,
  updated_at timestamptz not null
);

-- The gateway that tells customers about payments on a channel, until its lease ends.
create table notice_readers (
  channel text primary key check (channel in ('sms', 'chat')),
  lease text collate "C",
  leased_until timestamptz
);

-- How far the payments of each chain of seals were told on the channel.
create table notice_positions (
  channel text not null,
  chain integer not null,
  -- All payments up to this batch.
  batch bigint not null,
  -- Of the batch after it, all up to this movement; empty: none.
  movement text collate "C" not null,
  primary key (channel, chain)
);

grant select, insert, update, delete on notice_preferences, notice_readers, notice_positions to kissi_app;

-- The range of a batch's movements and changes of holds, so that a reader of batches finds them by their primary keys. Not sealed:
-- it tells nothing that they do not. Empty: there are none. Null: written by an earlier version.
alter table seals add column first_movement text collate "C", add column last_movement text collate "C";

-- dropped: it could not be sent before it was worth nothing any more.
alter table messages drop constraint messages_status_check;
alter table messages
  add constraint messages_status_check check (status in ('local', 'pending', 'sent', 'failed', 'dropped')),
  add column channel text not null default 'chat' check (channel in ('sms', 'chat')),
  -- Null: it is tried until its attempts are used up.
  add column expires_at timestamptz;
drop index messages_pending;
create index messages_pending on messages (channel, next_attempt_at, id) where status = 'pending';
create index messages_local_recipient on messages (recipient, id desc) where status = 'local';
