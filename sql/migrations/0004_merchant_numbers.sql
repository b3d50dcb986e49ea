-- Merchant numbers: what customers type, and what static QR codes contain, to pay a merchant. Null until the service has assigned
-- one, which it audits: to processors from before this migration, at the next start; to those that a gateway of the previous
-- version registers during an upgrade, within a minute.

alter table processors add column merchant_number text collate "C"
  -- Seven digits that do not begin with 0. The last one is a Luhn digit.
  constraint processors_merchant_number_check check (length(merchant_number) = 7 and merchant_number !~ '[^0-9]|^0');

create unique index processors_merchant_number_key on processors (merchant_number);
create index processors_without_number on processors (id) where merchant_number is null;
