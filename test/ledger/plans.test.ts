// The statements of a batch, and those that read long histories, find their rows by index alone, from the first movement
// on empty books to the books of many.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import pg from 'pg';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { HISTORY, RECORDS } from '../../src/ledger/queries/account-history.ts';
import { createCheckpoints, DUE_OF_PAGE, NEXT_CHECKPOINT } from '../../src/ledger/queries/checkpoints.ts';
import { RANGE_OF_TYPE, SKIP_AHEAD } from '../../src/ledger/queries/history-by-type.ts';
import {
  MOVEMENTS,
  MOVEMENTS_BY_ID,
  MOVEMENTS_COUNT,
  MOVEMENTS_RANGE,
} from '../../src/ledger/queries/movement-list.ts';
import { TOTALS } from '../../src/ledger/queries/totals.ts';
import { RECENT, RECENT_OF_BUSINESS } from '../../src/ledger/velocity/activity-store.ts';
import { LONG_TIMEOUTS, pgPool, type TestDatabase, testDatabase } from '../support/database.ts';
import { insertHistory } from '../support/history.ts';
import { testLedger } from '../support/ledger.ts';
import { assertClean, orderOf } from './books.ts';
import { faultyPool } from './faulty.ts';

const TABLES = ['accounts', 'movements', 'postings', 'requests', 'allowances', 'account_checkpoints'];
const STATEMENTS = [
  'ledger-lock',
  'ledger-known',
  'ledger-write',
  'ledger-committed',
  'ledger-open-allowances',
  'ledger-lock-allowances',
  'ledger-use-allowances',
];
/** What they insert finds what is there by the index that it conflicts with. */
const WITHOUT_SCANS = ['ledger-open-allowances', 'ledger-use-allowances'];

const READING = new Map(
  Object.entries({
    HISTORY,
    RECORDS,
    STRETCH: RANGE_OF_TYPE,
    LEAP: SKIP_AHEAD,
    TOTALS,
    NEXT_CHECKPOINT,
    DUE_OF_PAGE,
    MOVEMENTS,
    MOVEMENTS_STRETCH: MOVEMENTS_RANGE,
    MOVEMENTS_BY_ID,
    MOVEMENTS_COUNT,
    RECENT,
    RECENT_OF_BUSINESS,
  }).map(([name, { text }]) => [name, text] as const),
);

let db: TestDatabase;
let database: Database;
let owner: pg.Client;

beforeEach(async () => {
  db = await testDatabase();
  // One connection: the plans it makes on empty books are the ones it has when they are full.
  database = openDatabase({ url: db.url, poolSize: 1, role: APP_ROLE, timeouts: LONG_TIMEOUTS });
  owner = new pg.Client({ connectionString: db.url });
  await owner.connect();
});

afterEach(async () => {
  await owner.end();
  await database.close();
  await db.close();
});

/** What the ledger sends for a batch; its first commit is lost, so that it also looks that up. */
async function statementsOfABatch(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const faulty = faultyPool(database.pool, async (statement, { send, text, number }) => {
    if (STATEMENTS.includes(statement)) texts.set(statement, text);
    if (statement === 'commit' && number === 1) throw new Error('lost');
    return send();
  });
  const wish = { from: 'sys_suspense', to: 'sys_treasury_00', amount: 1, fee: 1, request: { id: 'first' } };
  const { movement, ...order } = orderOf(wish);
  const allowances = [{ id: 'card:1:20000', amount: 1, limit: 5 }];
  await testLedger({ pool: faulty.pool, clock: systemClock }).post({
    ...order,
    movement: { ...movement, allowances },
  });
  assert.deepEqual([...texts.keys()].toSorted(), STATEMENTS.toSorted());
  return texts;
}

/** Asked over the service's own connection, whose settings are what rules other plans out. */
async function assertByIndex(when: string, texts: Map<string, string>): Promise<void> {
  for (const [statement, text] of texts) {
    const { rows } = await pgPool(database.pool).query(`explain (generic_plan) ${text}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    // A whole index read from end to end, as for a merge, is no better than the table.
    assert.doesNotMatch(plan, /Seq Scan|Hash Join|Merge Join/, `${statement} ${when}:\n${plan}`);
    const scans = plan.split('\n').filter((line) => /Index (?:Only )?Scan|Bitmap Index Scan/.test(line));
    const conditions = plan.split('\n').filter((line) => line.includes('Index Cond: '));
    assert.ok(scans.length > 0 || WITHOUT_SCANS.includes(statement), plan);
    assert.equal(conditions.length, scans.length, `${statement} ${when}:\n${plan}`);
  }
}

async function sequentialScans(): Promise<number> {
  // The service's one connection reports what it did before it is asked.
  await pgPool(database.pool).query('select pg_stat_force_next_flush()');
  await owner.query('select pg_stat_clear_snapshot()');
  const text = 'select sum(seq_scan)::int as scans from pg_stat_user_tables where relname = any($1)';
  return (await owner.query(text, [TABLES])).rows[0].scans;
}

async function addAccounts(): Promise<void> {
  await owner.query(`insert into accounts (id, kind, floor, opened_at)
    select 'wallet_' || n, 'wallet', null, now() from generate_series(0, 9999) n`);
}

test('the plans use indexes alone on fresh, on analyzed and on full books', async () => {
  const texts = new Map([...(await statementsOfABatch()), ...READING]);
  await assertByIndex('on fresh books', texts);
  await owner.query('analyze');
  await assertByIndex('on analyzed, nearly empty books', texts);
  await addAccounts();
  await insertHistory(db.url, { accountId: 'wallet_1', postings: 5_000, type: `'pos_payment'` });
  await createCheckpoints(database.pool, { every: 10, waitMs: 60_000 }).catchUp('wallet_1');
  await assertByIndex('after many came', texts);
  await owner.query('analyze');
  await assertByIndex('on analyzed books of many', texts);
});

test('plans made on empty books stay good while these fill: no table is read from end to end', async () => {
  const ledger = testLedger({ pool: database.pool, clock: systemClock });
  let posted = 0;
  async function post(count: number, account: (n: number) => string): Promise<void> {
    const orders = Array.from({ length: count }, () => {
      posted += 1;
      const wish = { from: account(posted), to: account(posted + 1), amount: 1, request: { id: `r${posted}` } };
      const { movement, ...order } = orderOf(wish);
      const allowances = [{ id: `card:${posted % 50}:20000`, amount: 1, limit: 1_000_000 }];
      return { ...order, movement: { ...movement, allowances } };
    });
    await Promise.all(orders.map((order) => ledger.post(order)));
  }
  await owner.query('analyze');
  // More than the five executions after which PostgreSQL keeps a plan.
  for (let n = 0; n < 10; n++) await post(1, (each) => (each % 2 === 0 ? 'sys_suspense' : 'sys_treasury_00'));
  await addAccounts();
  const before = await sequentialScans();
  for (let n = 0; n < 10; n++) await post(200, (each) => `wallet_${(each * 37) % 10_000}`);
  assert.equal(await sequentialScans(), before);
  await assertClean(db.url);
});
