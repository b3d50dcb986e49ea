// Wallets with a past: one with a million postings and one with a hundred, to page through.
import pg from 'pg';
import { writeCursor } from '../src/features/transactions/cursor.ts';

const TREASURY = 'sys_treasury_14';
const FIRST_SEQ = 1_710_000_000_000_000;
const STEP = 1_000;
const PAGE = 50;
const CURSORS = 2_000;

/** Many small payments from the treasury, before anything else happens to the wallet; the books stay whole. */
export async function writePast(url: string, accountId: string, payments: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  const past = `generate_series(1, $2::bigint) n`;
  const id = `'txn_0' || upper(lpad(to_hex(n), 8, '0')) || substr($1, length($1) - 16)`;
  await client.query(
    `insert into movements (id, type, from_account, to_account, amount, fee, details, at)
     select ${id}, 'vult_fund', '${TREASURY}', $1, 1, 0, '{}', to_timestamp((${FIRST_SEQ} + n * ${STEP}) / 1e6) from ${past}`,
    [accountId, payments],
  );
  for (const [account, change] of [
    [accountId, 1],
    [TREASURY, -1],
  ] as const) {
    const { rows } = await client.query('select balance, last_seq from accounts where id = $1', [account]);
    const seq = `(greatest(${FIRST_SEQ}, $4::bigint) + n * ${STEP})`;
    await client.query(
      `insert into postings (account_id, seq, movement_id, amount, fee, balance_after)
       select $5, ${seq}, ${id}, ${change}, 0, $3::bigint + ${change} * n from ${past}`,
      [accountId, payments, rows[0].balance, rows[0].last_seq, account],
    );
    await client.query(
      `update accounts set balance = balance + ${change} * $2::bigint, posting_count = posting_count + $2,
         last_seq = greatest(${FIRST_SEQ}, last_seq) + $2 * ${STEP} where id = $1`,
      [account, payments],
    );
  }
  await client.query('commit');
  await client.query('vacuum analyze postings, movements');
  await client.end();
}

/** Pages from all over the history. */
export function pagesOf(accountId: string, payments: number): string[] {
  const base = `/api/v1/transactions?subscriber_id=${accountId}&limit=${PAGE}`;
  return Array.from({ length: CURSORS }, (_, n) => {
    const from = PAGE + Math.floor(((payments - PAGE) * n) / CURSORS);
    return `${base}&cursor=${writeCursor({ position: String(FIRST_SEQ + from * STEP + 1), total: payments })}`;
  });
}
