-- The timeline of a transaction finds the requests that posted it, or that are about it.

create index approvals_transactions on approvals using gin ((array[result ->> 'transaction_id',
  result ->> 'original_transaction_id', input -> 'params' ->> 'transaction_id']));
