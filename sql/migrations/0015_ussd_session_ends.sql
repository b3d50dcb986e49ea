-- A block, a new PIN or another number ends the open USSD sessions of the wallet's number.
create index ussd_sessions_open on ussd_sessions (phone_number) where not ended;
