-- Registrations whose phone number is not verified: a later one of the number replaces them, and they end after a day.
alter table subscribers drop constraint subscribers_status_check;
-- ENDED: replaced or not verified in time. The row stays as evidence of who registered the number; for the API it does not exist.
alter table subscribers add constraint subscribers_status_check check (status in ('ACTIVE', 'BLOCKED', 'PENDING', 'ENDED'));
create index subscribers_unverified on subscribers (created_at) where status = 'PENDING' and not phone_verified;

-- False: staff registered the subscriber as PENDING, so that the code verifies the number and does not activate the wallet.
alter table phone_verifications add column activates boolean not null default true;
