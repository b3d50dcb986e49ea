// Helpers of the ledger tests on a real PostgreSQL: open accounts, build orders, verify the books.
import assert from 'node:assert/strict';
import pg from 'pg';
import { SEALED } from '../../src/app/verification.ts';
import type { Queries } from '../../src/db/database.ts';
import { newId } from '../../src/kernel/ids.ts';
import { type AccountTerms, openAccount } from '../../src/ledger/accounts.ts';
import type { Order } from '../../src/ledger/posting/ledger.ts';
import { ROLLUPS } from '../../src/ledger/verification/rollups.ts';
import { reportOf, type Verification, verifyLedger } from '../../src/ledger/verification/verify.ts';
import { SEAL_KEYS, TEST_ACTOR } from '../support/ledger.ts';

export async function open(queries: Queries, ids: readonly string[], terms: Partial<AccountTerms> = {}): Promise<void> {
  for (const id of ids) await openAccount(queries, { id, kind: 'wallet', openedAt: new Date(0), ...terms });
}

export interface OrderSpec {
  from: string;
  to: string;
  amount: number;
  /** Charged to the payer on top of the amount; credited to the first stripe of fee income. */
  fee?: number;
  request?: { id: string; scope?: string; hash?: string };
}

/** Builds an order with a new movement id, as a gateway does for each request; the reply contains the id. */
export function orderOf({ from, to, amount, fee = 0, request }: OrderSpec): Order {
  const id = newId('txn');
  const legs = [
    { accountId: from, amount: -amount - fee, fee },
    { accountId: to, amount },
  ];
  return {
    movement: {
      id,
      type: 'transfer_p2p',
      fromAccount: from,
      toAccount: to,
      amount,
      fee,
      legs: fee === 0 ? legs : [...legs, { accountId: 'sys_fees_00', amount: fee }],
      request: request ? { scope: 'key_1', hash: '00', ...request } : null,
      reference: null,
      narration: null,
      metadata: null,
      relatedId: null,
      actor: TEST_ACTOR,
      details: {},
    },
    onPosted: ({ postings }) => ({
      reply: JSON.stringify({ transaction_id: id, balance: postings[0]?.balanceAfter }),
      rows: [],
    }),
  };
}

/** Runs the work as the owner of the tables, which has rights that the service's role lacks. */
export async function asOwner<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** For ledgers without parties: nothing above the ledger is verified. */
export const VERIFY_OPTIONS = { sealKeys: SEAL_KEYS, sealed: SEALED };

export function verified(url: string): Promise<Verification> {
  return verifyLedger(url, VERIFY_OPTIONS);
}

/** Also verifies the roll-ups. `expected`: faults that the test made. */
export async function assertClean(url: string, expected: readonly string[] = []): Promise<Verification> {
  const verification = await verifyLedger(url, { ...VERIFY_OPTIONS, checks: [ROLLUPS] });
  assert.deepEqual([...verification.broken.keys()], expected, reportOf(verification));
  return verification;
}

/** For movements that a test wrote with SQL (`insertHistory`). */
export const UNSEALED_HISTORY = ['row_unsealed'];

export async function balances(url: string, ids: readonly string[]): Promise<number[]> {
  const { rows } = await asOwner(url, (client) =>
    client.query('select id, balance from accounts where id = any($1)', [ids]),
  );
  const found = new Map(rows.map((row) => [row.id, Number(row.balance)]));
  return ids.map((id) => found.get(id) ?? Number.NaN);
}
