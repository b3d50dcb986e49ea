-- no-transaction
-- The checks of 0003 and 0007 without BETWEEN, which PostgreSQL keeps as an AND within an AND: a dump prints these as one AND, so
-- that ledger:verify took the checks of a restored database for changed ones. Both forms accept the same rows.

-- Adding a check unvalidated takes the lock for a moment; payments that queue behind this step wait half a second at most.
set local lock_timeout = '500ms';
alter table cards drop constraint cards_serial_check, add constraint cards_serial_check
  check (length(serial) >= 4 and length(serial) <= 64 and serial !~ '[^A-Z0-9._:-]') not valid;

alter table cards validate constraint cards_serial_check;

set local lock_timeout = '500ms';
alter table processors drop constraint processors_merchant_id_check, add constraint processors_merchant_id_check
  check (length(merchant_id) >= 1 and length(merchant_id) <= 64 and merchant_id !~ '[^A-Za-z0-9._:/-]') not valid;

alter table processors validate constraint processors_merchant_id_check;
