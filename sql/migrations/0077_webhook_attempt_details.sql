-- What each delivery attempt sent and received, so that staff can explain to a partner why a webhook failed.
-- Null for attempts of earlier versions, and where nothing was sent or received.
alter table webhook_attempts
  add column url text,
  -- As sent, with the signatures. The body is the one of the delivery.
  add column request_headers json,
  -- A few headers of the reply and the first bytes of its body. A reply without a body has an empty one.
  add column reply_headers json,
  add column reply_body bytea,
  -- The body is longer than the stored part, or did not end.
  add column reply_truncated boolean;
-- Not validated, so that the rows of earlier versions are not read under the lock. New rows are checked.
alter table webhook_attempts
  add constraint webhook_attempts_reply_is_bounded check (octet_length(reply_body) <= 2000) not valid;
