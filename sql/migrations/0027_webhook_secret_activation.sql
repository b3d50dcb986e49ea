-- Rotated webhook secrets can begin to sign at a later time.

-- Null: since the secret was created.
alter table partner_webhook_secrets add column active_from timestamptz;

-- The ledger checks the account, not the partner: freezes the accounts of partners that were suspended by a version that
-- did not freeze them.
update accounts set frozen = true from partners
where accounts.id = partners.id and accounts.kind = 'partner_clearing' and not accounts.frozen
  and partners.status = 'suspended';
