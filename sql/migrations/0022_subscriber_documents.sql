-- Photos of a customer's identity document and face: encrypted, and never changed. What compliance decides a KYC level on.

create table subscriber_documents (
  id text collate "C" primary key,
  subscriber_id text collate "C" not null,
  kind text not null check (kind in ('identity', 'face')),
  type text not null check (type in ('image/jpeg', 'image/png', 'application/pdf')),
  size integer not null,
  -- Of the stored bytes: what the reviewer sees.
  sha256 bytea not null,
  -- With the customer's own key; empty after erasure.
  sealed bytea not null,
  uploaded_by text not null,
  created_at timestamptz not null
);

-- A repeated upload stores nothing.
create unique index subscriber_documents_content on subscriber_documents (subscriber_id, kind, sha256);

grant select, insert on subscriber_documents to kissi_app;
-- Erasure overwrites the files; the hash of each stays: what a level was decided on.
create function erase_documents(erased text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update public.subscriber_documents set sealed = ''
  where subscriber_id = erased
    and exists (select from public.subscribers where id = erased and erased_at is not null)
$$;
revoke execute on function erase_documents(text) from public;
grant execute on function erase_documents(text) to kissi_app;

-- Registrations by request id, so that a client that got no reply can send one again.
create table registration_requests (
  -- The agent, else the user or API key.
  scope text collate "C" not null,
  request_id text collate "C" not null,
  subscriber_id text collate "C" not null,
  primary key (scope, request_id)
);

grant select, insert on registration_requests to kissi_app;
