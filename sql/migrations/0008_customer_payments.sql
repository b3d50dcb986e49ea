-- Payments of customers on their own channels: cash-out codes, and which request a payee was blocked by.

alter table holds drop constraint holds_purpose_check;
alter table holds add constraint holds_purpose_check check (purpose in ('card_payment', 'cash_out_code'));
-- Empty: whoever captures it is paid. Agents redeem cash-out codes.
comment on column holds.payee_id is 'empty if the hold does not say who is paid';

-- The code of each hold for a withdrawal in cash. The code itself is derived from the hold's id and the counter, with a key
-- from MASTER_KEY, and is not stored.
create table cash_out_codes (
  hold_id text collate "C" primary key,
  subscriber_id text collate "C" not null,
  -- Raised until no other code of the customer is the same.
  counter smallint not null check (counter >= 0),
  -- HMAC-SHA-256 of customer and code, and the key's id.
  code_hash bytea not null,
  key_id text not null,
  -- Codes that agents entered for the customer's number and that were wrong, while this one could be redeemed.
  wrong smallint not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- No agent can redeem it any more, even if the hold has not ended yet: too many wrong codes, or the customer's access ended.
  void boolean not null default false,
  unique (subscriber_id, code_hash)
);

create index cash_out_codes_by_expiry on cash_out_codes (expires_at);
create index cash_out_codes_void on cash_out_codes (hold_id) where void;

-- The request by which the payer came to block the payee: the payer never learns a payee's id.
alter table payment_request_blocks add column request_id text collate "C";

grant select, insert, delete on cash_out_codes to kissi_app;
grant update (wrong, void) on cash_out_codes to kissi_app;
