-- What was paid with a card, newest first, for whoever looks a card up. Other movements are not in it and pay nothing for it.
create index movements_by_card on movements ((details ->> 'card_serial') collate "C", id) where type = 'pos_payment';
