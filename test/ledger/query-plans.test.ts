// Query plans: the statements of a batch and of long histories use only index scans, on empty tables and on full ones.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import pg from 'pg';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { HISTORY, RECORDS } from '../../src/ledger/queries/account-history.ts';
import { POSTINGS_OF_MOVEMENTS, POSTINGS_RANGE } from '../../src/ledger/queries/account-search.ts';
import { createCheckpoints, DUE_OF_PAGE, NEXT_CHECKPOINT } from '../../src/ledger/queries/checkpoints.ts';
import { RANGE_OF_TYPE, SKIP_AHEAD } from '../../src/ledger/queries/history-by-type.ts';
import { BY_SLIP } from '../../src/ledger/queries/movement-by-slip.ts';
import { FOLLOW_UPS, MOVEMENT, ORIGINAL, POSTINGS_NEAR, SEAL } from '../../src/ledger/queries/movement-details.ts';
import { MOVEMENTS, MOVEMENTS_BY_ID, MOVEMENTS_COUNT } from '../../src/ledger/queries/movement-list.ts';
import {
  IDS_OF_CODE,
  IDS_OF_REQUEST,
  SEARCH_ALL,
  SEARCH_IDS,
  SEARCH_REFERENCE,
  SEARCH_TYPE,
} from '../../src/ledger/queries/movement-search.ts';
import { SUM_OF_MOVEMENTS, SUM_OF_POSTINGS } from '../../src/ledger/queries/movement-sums.ts';
import { TOTALS } from '../../src/ledger/queries/totals.ts';
import { CHANGES } from '../../src/ledger/queries/trial-balance.ts';
import { RECEIVED_OF_WALLET, RECENT, RECENT_OF_BUSINESS } from '../../src/ledger/velocity/activity-store.ts';
import { PLAIN_CARDS } from '../../src/parties/card.ts';
import { HOLDERS_BY_PHONE } from '../../src/parties/subscriber.ts';
import { notOnCluster } from '../support/citus.ts';
import { LONG_TIMEOUTS, pgPool, type TestDatabase, testDatabase } from '../support/database.ts';
import { insertHistory } from '../support/history.ts';
import { testLedger } from '../support/ledger.ts';
import { assertClean, orderOf } from './books.ts';
import { faultyPool } from './faulty-pool.ts';

const TABLES = [
  'accounts',
  'cards',
  'subscribers',
  'movements',
  'postings',
  'requests',
  'allowances',
  'account_checkpoints',
];
/** Stands for the statement that locks accounts which other rows name: its name ends with a digest of its look-ups. */
const LOCK_NAMED = 'ledger-lock-named';
const STATEMENTS = [
  'ledger-lock',
  LOCK_NAMED,
  'holder-by-verified-phone',
  'plain-card',
  'ledger-known',
  'ledger-write',
  'ledger-seal-existing',
  'ledger-open-allowances',
  'ledger-lock-allowances',
  'ledger-use-allowances',
];
/** Upserts: they find existing rows through the index of their conflict clause, which the plan does not show. */
const WITHOUT_SCANS = ['ledger-open-allowances', 'ledger-use-allowances'];

const HISTORY_STATEMENTS = new Map(
  Object.entries({
    HISTORY,
    RECORDS,
    STRETCH: RANGE_OF_TYPE,
    LEAP: SKIP_AHEAD,
    TOTALS,
    NEXT_CHECKPOINT,
    DUE_OF_PAGE,
    MOVEMENTS,
    POSTINGS_RANGE,
    POSTINGS_OF_MOVEMENTS,
    IDS_OF_REQUEST,
    IDS_OF_CODE,
    FOLLOW_UPS,
    MOVEMENT,
    ORIGINAL,
    POSTINGS_NEAR,
    SEAL,
    SEARCH_ALL,
    SEARCH_IDS,
    SEARCH_REFERENCE,
    SEARCH_TYPE,
    BY_SLIP,
    MOVEMENTS_BY_ID,
    MOVEMENTS_COUNT,
    SUM_OF_MOVEMENTS,
    SUM_OF_POSTINGS,
    RECENT,
    RECENT_OF_BUSINESS,
    RECEIVED_OF_WALLET,
    CHANGES,
  }).map(([name, { text }]) => [name, text] as const),
);

/** The index that each search must use: the primary key would serve its bounds of ids, but read every movement. */
const SEARCH_INDEXES = {
  SEARCH_REFERENCE: 'movements_by_reference',
  SEARCH_TYPE: 'movements_by_type',
  FOLLOW_UPS: 'movements_by_related',
  IDS_OF_REQUEST: 'requests_pkey',
  POSTINGS_NEAR: 'postings_pkey',
};

let db: TestDatabase;
let database: Database;
let owner: pg.Client;

beforeEach(async () => {
  db = await testDatabase();
  // One connection: the plans cached on empty tables are still in use when the tables are full.
  database = openDatabase({ url: db.url, poolSize: 1, role: APP_ROLE, timeouts: LONG_TIMEOUTS });
  owner = new pg.Client({ connectionString: db.url });
  await owner.connect();
});

afterEach(async () => {
  await owner.end();
  await database.close();
  await db.close();
});

/** A batch's statements. Its first commit is lost, so that they include the look-up of a commit in doubt. */
async function statementsOfABatch(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const faulty = faultyPool(database.pool, async (statement, { send, text, number }) => {
    const name = statement.replace(/^ledger-lock-[0-9a-f]{8}$/, LOCK_NAMED);
    if (STATEMENTS.includes(name)) texts.set(name, text);
    if (statement === 'commit' && number === 1) throw new Error('lost');
    return send();
  });
  const spec = { from: 'sys_suspense', to: 'sys_treasury_00', amount: 1, fee: 1, request: { id: 'first' } };
  const { movement, ...order } = orderOf(spec);
  const allowances = [{ id: 'card:1:20000', amount: 1, limit: 5 }];
  const ledger = testLedger({ pool: faulty.pool, clock: systemClock });
  await ledger.post({ ...order, movement: { ...movement, allowances } });
  const reads = [HOLDERS_BY_PHONE, PLAIN_CARDS].map((lookup) => ({ lookup, key: '' }));
  await ledger.postDraft({ request: null, reads, accountIds: [], allowanceIds: [], complete: () => null });
  assert.deepEqual([...texts.keys()].toSorted(), STATEMENTS.toSorted());
  return texts;
}

/** Runs EXPLAIN on the service's own connection, whose settings rule out other plans. */
async function assertByIndex(when: string, texts: Map<string, string>): Promise<void> {
  for (const [statement, text] of texts) {
    const { rows } = await pgPool(database.pool).query(`explain (generic_plan) ${text}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    // Rows that were locked are updated by their position. A full index scan, as for a merge join, is no better than a sequential scan.
    assert.doesNotMatch(plan, /Seq Scan|Hash Join|Merge Join/, `${statement} ${when}:\n${plan}`);
    const scans = plan.split('\n').filter((line) => /Index (?:Only )?Scan|Bitmap Index Scan|Tid Scan/.test(line));
    const conditions = plan.split('\n').filter((line) => /(Index|TID) Cond: /.test(line));
    assert.ok(scans.length > 0 || WITHOUT_SCANS.includes(statement), plan);
    assert.equal(conditions.length, scans.length, `${statement} ${when}:\n${plan}`);
    const index = SEARCH_INDEXES[statement as keyof typeof SEARCH_INDEXES];
    if (index)
      assert.deepEqual(
        scans.map(indexOf),
        scans.map(() => index),
        `${statement} ${when}:\n${plan}`,
      );
  }
}

/** "Index Scan Backward using movements_pkey on movements" → movements_pkey */
function indexOf(scan: string): string | undefined {
  return /(?:using|Bitmap Index Scan on) (\w+)/.exec(scan)?.[1];
}

async function sequentialScans(): Promise<number> {
  // Flushes the statistics of the service's only connection before they are read.
  await pgPool(database.pool).query('select pg_stat_force_next_flush()');
  await owner.query('select pg_stat_clear_snapshot()');
  const text = 'select sum(seq_scan)::int as scans from pg_stat_user_tables where relname = any($1)';
  return (await owner.query(text, [TABLES])).rows[0].scans;
}

async function addAccounts(): Promise<void> {
  await owner.query(`insert into accounts (id, kind, floor, opened_at)
    select 'wallet_' || n, 'wallet', null, now() from generate_series(0, 9999) n`);
}

const ONE_SERVER = notOnCluster('the plans of a coordinator do not show those of its workers');

test('plans use only indexes on empty, analyzed and full tables', ONE_SERVER, async () => {
  const texts = new Map([...(await statementsOfABatch()), ...HISTORY_STATEMENTS]);
  await assertByIndex('on empty tables', texts);
  await owner.query('analyze');
  await assertByIndex('on analyzed, nearly empty tables', texts);
  await addAccounts();
  await insertHistory(db.url, { accountId: 'wallet_1', postings: 5_000, type: `'pos_payment'` });
  await createCheckpoints(database.pool, { every: 10, waitMs: 60_000 }).catchUp('wallet_1');
  await assertByIndex('on full tables before analyze', texts);
  await owner.query('analyze');
  await assertByIndex('on analyzed full tables', texts);
});

test('plans cached on empty tables cause no sequential scan while the tables fill', ONE_SERVER, async () => {
  const ledger = testLedger({ pool: database.pool, clock: systemClock });
  let posted = 0;
  async function post(count: number, account: (n: number) => string): Promise<void> {
    const orders = Array.from({ length: count }, () => {
      posted += 1;
      const spec = { from: account(posted), to: account(posted + 1), amount: 1, request: { id: `r${posted}` } };
      const { movement, ...order } = orderOf(spec);
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
