// Whom a wallet has paid lately, from its postings: payments themselves write nothing for it.
import { text } from '../../db/driver/columns.ts';
import { onCitus, type StatementRunner, statement } from '../../db/driver/statement.ts';

/** A wallet with more payments in an hour is known by these. */
const NEWEST = 500;
const MICROSECONDS = 1_000;

const POSTINGS = `select movement_id from postings where account_id = $1 and seq >= $2::bigint
    order by seq desc limit ${NEWEST}`;

// LATERAL with LIMIT forces an index scan, even if the planner last saw the table empty.
const PAID = onCitus(
  statement(
    'paid-payees',
    `select distinct m.to_account from (${POSTINGS}) p
  cross join lateral (select to_account from movements where id = p.movement_id and from_account = $1 limit 1) m`,
    ([payee]) => text(payee),
  ),
  `with p as materialized (${POSTINGS})
  select distinct to_account from p join movements on id = p.movement_id where from_account = $1`,
);

export function createPaidPayees(pool: StatementRunner): (walletId: string, since: number) => Promise<string[]> {
  return (walletId, since) => pool.run(PAID, [walletId, since * MICROSECONDS]);
}
