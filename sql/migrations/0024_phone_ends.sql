-- Staff find a record by the last digits of its phone number.

create index subscribers_phone_end on subscribers (reverse(phone_number));
create index agents_phone_end on agents (reverse(phone_number));
create index processors_phone_end on processors (reverse(phone_number));
