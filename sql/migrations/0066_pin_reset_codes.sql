-- A code that was used or guessed too often has no expiry, as in the other tables with codes.
alter table pin_resets alter column code_expires_at drop not null;
