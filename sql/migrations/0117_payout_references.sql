-- Finds the bank entries that carry the reference of a pay-out, wherever and however the bank prints it.

-- The references of pay-outs (PO and twelve letters and digits) in the texts of an entry, whatever separates their characters.
-- They contain no O after the first one, so that every PO begins a reference of its own. It costs as much as thousands of
-- comparisons, which the planner has to know.
create function payout_references(reference text, counterparty text, description text)
returns text[] language sql immutable parallel safe cost 5000 as $$
  select array_agg('PO' || left(part, 12)) from unnest((string_to_array(
    regexp_replace(upper(normalize(coalesce(reference, '') || ' ' || coalesce(counterparty, '') || ' ' || coalesce(description, ''),
      nfkd) collate "C"), '[^A-Z0-9]', '', 'g'), 'PO'))[2:]) as parts (part) where length(part) >= 12
$$;

create index bank_entries_by_payout_reference on bank_entries using gin (payout_references(reference, counterparty, description));
