-- What a key that moves money of the treasury, a partner or a merchant may move in one UTC day, and the approval under which it
-- was created: only such a key acts without a second user while a policy is enabled.
alter table api_keys
  add column daily_limit bigint check (daily_limit > 0),
  add column approval_id text collate "C" references approvals (id);
