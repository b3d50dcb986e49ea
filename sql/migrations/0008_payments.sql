-- Card payments by card, for card look-ups. A partial index: other movements are not indexed and have no overhead.
create index movements_by_card on movements ((details ->> 'card_serial') collate "C", id) where type = 'pos_payment';
