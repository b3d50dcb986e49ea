-- NFC cards, in stock or linked to the subscribers whose wallets they access.

create table cards (
  -- Upper case: readers report hexadecimal serials in either case.
  -- Length and characters are checked separately, because one pattern with {4,64} takes longer than the rest of the insert.
  serial text collate "C" primary key check (length(serial) between 4 and 64 and serial !~ '[^A-Z0-9._:-]'),
  -- A card in stock is a parent card until it is issued as a child card.
  type text not null default 'parent' check (type in ('parent', 'child')),
  status text not null default 'unassigned' check (status in ('unassigned', 'active', 'blocked')),
  subscriber_id text collate "C" references subscribers (id),
  parent_serial text collate "C" references cards (serial),
  label text,
  -- Minor units; null: only the subscriber's limit applies.
  daily_limit bigint check (daily_limit > 0),
  linked_at timestamptz,
  created_at timestamptz not null,
  constraint cards_linked check ((subscriber_id is null) = (linked_at is null)),
  constraint cards_child_has_parent check ((type = 'child') = (parent_serial is not null)),
  constraint cards_child_is_linked check (type = 'parent' or subscriber_id is not null),
  -- A card in stock can be blocked too, for example after a theft.
  constraint cards_status_fits check (status = 'blocked' or (status = 'active') = (subscriber_id is not null))
);
-- Newest first. The filter columns come first, so that a page is one short index scan.
create index cards_by_age on cards (created_at desc, serial);
create index cards_by_status on cards (status, created_at desc, serial);
create index cards_by_subscriber on cards (subscriber_id, created_at desc, serial) where subscriber_id is not null;
create index cards_by_parent on cards (parent_serial, created_at desc, serial) where parent_serial is not null;

grant select, insert, update on cards to kissi_app;
