// Totals of an account over any period are those of its postings, wherever checkpoints lie and whoever writes them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { SECOND_MS } from '../../src/kernel/clock.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import {
  createAccountTotals,
  createCheckpoints,
  NEXT_CHECKPOINT,
  TOTALS,
  type TotalsQuery,
  type TypeTotals,
} from '../../src/ledger/totals.ts';
import { testClock } from '../support/clock.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { assertClean, open, orderOf } from './books.ts';

const EVERY = 7;
const TYPES = ['pos_payment', 'pos_refund', 'processor_transfer'];

let db: TestDatabase;
const clock = testClock();
const start = clock.now();
before(async () => {
  db = await testDatabase();
  await open(db.database.queries, ['proc_1', 'proc_2'], { kind: 'processor', floor: null });
  await open(db.database.queries, ['sub_1'], { floor: null });
});
after(() => db.close());

/** Several within one millisecond, then some time later. */
async function postSome(count: number): Promise<void> {
  const ledger = createLedger({ pool: db.database.pool, clock });
  for (let n = 0; n < count; n++) {
    if (n % 3 === 0) clock.advance(SECOND_MS);
    const parties = [
      ['sub_1', 'proc_1'],
      ['proc_1', 'sub_1'],
      ['proc_1', 'proc_2'],
      ['proc_2', 'proc_1'],
    ][n % 4] as [string, string];
    const order = orderOf({ from: parties[0], to: parties[1], amount: 100 + n, fee: n % 5 });
    const type = TYPES[n % 4] ?? 'processor_transfer';
    await ledger.post({ ...order, movement: { ...order.movement, type } });
  }
}

/** From all postings, without SQL that sums. */
async function bruteForce({ accountId, type, from, to }: TotalsQuery): Promise<TypeTotals[]> {
  const { rows } = await db.database.pool.query(
    `select m.type, m.from_account = p.account_id as paid, m.amount, p.fee, p.amount as change, p.seq
     from postings p join movements m on m.id = p.movement_id where p.account_id = $1 order by p.seq`,
    [accountId],
  );
  const groups = new Map<string, TypeTotals>();
  for (const row of rows) {
    const at = Math.floor(row.seq / 1_000);
    if ((type && row.type !== type) || at < (from ?? 0) || at > (to ?? Number.POSITIVE_INFINITY)) continue;
    const key = `${row.type} ${row.paid}`;
    const sum = groups.get(key) ?? {
      type: row.type,
      paid: row.paid,
      count: 0,
      amount: 0,
      fee: 0,
      change: 0,
      newest: 0,
    };
    sum.count += 1;
    for (const field of ['amount', 'fee', 'change'] as const) sum[field] += row[field];
    groups.set(key, { ...sum, newest: row.seq });
  }
  return [...groups.values()];
}

const inOrder = (totals: TypeTotals[]) =>
  totals.toSorted((a, b) => `${a.type} ${a.paid}`.localeCompare(`${b.type} ${b.paid}`));

async function assertTotals(): Promise<void> {
  const totals = createAccountTotals(db.database.pool);
  const instant = fc.option(fc.integer({ min: start - SECOND_MS, max: clock.now() + 2 * SECOND_MS }), {
    nil: undefined,
  });
  const query = fc.record({
    accountId: fc.constantFrom('proc_1', 'proc_2', 'sub_1', 'nobody'),
    type: fc.constantFrom(undefined, ...TYPES, 'gift'),
    from: instant,
    to: instant,
  });
  const property = fc.asyncProperty(query, async (given) => {
    const asked = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as unknown as TotalsQuery;
    assert.deepEqual(inOrder(await totals.byType(asked)), inOrder(await bruteForce(asked)));
  });
  await fc.assert(property, { numRuns: 150 });
}

const checkpoints = async (): Promise<string[]> => {
  const { rows } = await db.database.pool.query('select distinct account_id, seq from account_checkpoints');
  return rows.map(({ account_id }) => account_id);
};

test('the statements find their rows by index alone, from empty books on', async () => {
  for (const text of [TOTALS, NEXT_CHECKPOINT]) {
    const { rows } = await db.database.pool.query(`explain (generic_plan) ${text}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.doesNotMatch(plan, /Seq Scan|Hash Join|Merge Join/, plan);
  }
});

test('without checkpoints, with some, and with all that are due, for any period and type', async () => {
  await postSome(60);
  await assertTotals();
  // One processor took part in all 60, the other in half of them.
  assert.equal(
    await createCheckpoints(db.database.pool, EVERY).write(),
    Math.floor(60 / EVERY) + Math.floor(30 / EVERY),
  );
  await assertTotals();
  await postSome(20);
  await assertTotals();
  await createCheckpoints(db.database.pool, EVERY).write();
  await assertTotals();
  assert.equal(await createCheckpoints(db.database.pool, EVERY).write(), 0, 'nothing is due');
  assert.ok(!(await checkpoints()).includes('sub_1'), 'wallets have none');
});

test('several gateways that write them at once, while payments arrive, leave the same as one', async () => {
  const before = (await checkpoints()).length;
  const writers = Array.from({ length: 4 }, async () => {
    for (let n = 0; n < 10; n++) await createCheckpoints(db.database.pool, EVERY).write();
  });
  await Promise.all([...writers, postSome(80)]);
  await createCheckpoints(db.database.pool, EVERY).write();
  assert.ok((await checkpoints()).length > before);
  const { rows } = await db.database.pool.query(
    'select account_id, seq, sum(count)::int as count from account_checkpoints group by 1, 2 order by 1, 2',
  );
  for (const { account_id, count } of rows) assert.equal(count % EVERY, 0, account_id);
  await assertTotals();
  await assertClean(db.url);
});

test('what is written stays: the service may not change it', async () => {
  for (const statement of ['update account_checkpoints set count = 0', 'delete from account_checkpoints']) {
    await assert.rejects(db.database.pool.query(statement), /permission denied/);
  }
});
