// Inserts a long transaction history for a wallet, and builds the paths of pages all over it.
import type pg from 'pg';
import { withClient } from './client.ts';
import { writeCursor } from './cursors.ts';

const TREASURY = 'sys_treasury_14';
const FIRST_SEQ = 1_710_000_000_000_000;
const STEP = 1_000;
const PAGE_SIZE = 50;
const PAGES = 2_000;

/** Inserts payments from the treasury that predate all others of the wallet. The ledger stays balanced. */
export function insertHistory(url: string, accountId: string, payments: number): Promise<void> {
  return withClient(url, (client) => insertPayments(client, accountId, payments));
}

async function insertPayments(client: pg.Client, accountId: string, payments: number): Promise<void> {
  await client.query('begin');
  const numbers = `generate_series(1, $2::bigint) n`;
  const id = `'txn_0' || upper(lpad(to_hex(n), 8, '0')) || substr($1, length($1) - 16)`;
  await client.query(
    `insert into movements (id, type, from_account, to_account, amount, fee, details, at)
     select ${id}, 'vult_fund', '${TREASURY}', $1, 1, 0, '{}', to_timestamp((${FIRST_SEQ} + n * ${STEP}) / 1e6) from ${numbers}`,
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
       select $5, ${seq}, ${id}, ${change}, 0, $3::bigint + ${change} * n from ${numbers}`,
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
}

/** Paths of pages spread evenly over the history. */
export function historyPagePaths(accountId: string, payments: number): string[] {
  const base = `/api/v1/transactions?subscriber_id=${accountId}&limit=${PAGE_SIZE}`;
  return Array.from({ length: PAGES }, (_, n) => {
    const from = PAGE_SIZE + Math.floor(((payments - PAGE_SIZE) * n) / PAGES);
    return `${base}&cursor=${writeCursor({ position: String(FIRST_SEQ + from * STEP + 1), total: payments })}`;
  });
}
