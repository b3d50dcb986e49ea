-- no-transaction
-- Staff find a record by the last digits of its phone number. Customers are registered while the indexes are built.

create index concurrently if not exists subscribers_phone_end on subscribers (reverse(phone_number));

create index concurrently if not exists agents_phone_end on agents (reverse(phone_number));

create index concurrently if not exists processors_phone_end on processors (reverse(phone_number));
