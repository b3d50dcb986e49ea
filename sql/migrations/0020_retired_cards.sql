-- Retired cards: unlinked and blocked for good, for example after a theft. The former holder is kept for the history of the card.
alter table cards
  add column retired_at timestamptz,
  add column retired_subscriber_id text collate "C" references subscribers (id);

alter table cards
  drop constraint cards_child_is_linked,
  -- A retired child card has no holder any more.
  add constraint cards_child_is_linked check (type = 'parent' or subscriber_id is not null or retired_at is not null),
  -- Also keeps gateways of the previous version from unblocking or linking a retired card.
  add constraint cards_retired check (retired_at is null or (status = 'blocked' and subscriber_id is null)),
  add constraint cards_retired_holder check (retired_subscriber_id is null or retired_at is not null);

create index cards_by_retired_subscriber on cards (retired_subscriber_id) where retired_subscriber_id is not null;

-- accounts.barred now lists every card that cannot pay: blocked cards, child cards of blocked parents, and retired cards.
-- Before, it listed only the cards that were blocked one by one.
update accounts set barred = unusable.serials
from (
  select card.subscriber_id, array_agg(card.serial order by card.serial) as serials
  from cards card left join cards parent on parent.serial = card.parent_serial
  where card.subscriber_id is not null and (card.status = 'blocked' or parent.status = 'blocked')
  group by card.subscriber_id
) unusable
where accounts.id = unusable.subscriber_id and accounts.barred <> unusable.serials;
