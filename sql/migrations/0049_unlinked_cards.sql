-- Cards that were unlinked from a subscriber and can be linked again. 0052 has the index.

-- The last former holder. A payment that read the card before must not be posted to that holder's wallet afterwards, so the
-- card is among the cards that the wallet refuses until it is linked to the same subscriber again.
alter table cards add column unlinked_subscriber_id text collate "C" references subscribers (id);
