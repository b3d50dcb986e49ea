// Totals of an account over any period equal the sums of its postings, wherever its checkpoints are and whatever writes them.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import type { StatementRunner } from '../../src/db/driver/statement.ts';
import { Overloaded } from '../../src/kernel/bounded-concurrency.ts';
import { SECOND_MS } from '../../src/kernel/clock.ts';
import type { MovementType } from '../../src/ledger/movement-types.ts';
import { type CheckpointOptions, createCheckpoints } from '../../src/ledger/queries/checkpoints.ts';
import { createFilteredSums } from '../../src/ledger/queries/movement-sums.ts';
import { createAccountTotals, type TotalsQuery, type TypeTotals } from '../../src/ledger/queries/totals.ts';
import { testClock } from '../support/clock.ts';
import { testDatabase } from '../support/database.ts';
import { insertHistory } from '../support/history.ts';
import { testLedger } from '../support/ledger.ts';
import { asOwner, assertClean, open, orderOf, verified } from './books.ts';

const EVERY = 7;
const TYPES: readonly MovementType[] = ['pos_payment', 'agent_cashin', 'processor_transfer'];
const clock = testClock();
const start = clock.now();
const db = await testDatabase();
await open(db.database.queries, ['proc_1', 'proc_2'], { kind: 'processor', floor: null });
await open(db.database.queries, ['sub_1'], { floor: null });
after(() => db.close());

/** Posts movements, three at a time within one millisecond. */
async function postSome(count: number): Promise<void> {
  const ledger = testLedger({ pool: db.database.pool, clock });
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

/** Computes the totals from all postings, without SQL aggregates. */
async function bruteForce({ accountId, type, from, to }: TotalsQuery): Promise<TypeTotals[]> {
  const { rows } = await db.query(
    `with p as materialized (select * from postings where account_id = $1)
     select m.type, m.from_account = p.account_id as paid, m.amount, p.fee, p.amount as change, p.seq
     from p join movements m on m.id = p.movement_id order by p.seq`,
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
    const { rows, complete } = await totals.byType(asked);
    assert.ok(complete);
    assert.deepEqual(inOrder(rows), inOrder(await bruteForce(asked)));
  });
  await fc.assert(property, { numRuns: 150 });
}

const checkpoints = async (): Promise<string[]> => {
  const { rows } = await db.query('select distinct account_id, seq from account_checkpoints');
  return rows.map(({ account_id }) => account_id);
};

/** No time passes: rounds are not cut short, except those without any time. */
const UNHURRIED = { every: EVERY, now: () => 0 };
const writer = (options: CheckpointOptions = {}) => createCheckpoints(db.database.pool, { ...UNHURRIED, ...options });

test('totals are exact for any period and type, without, with some and with all due checkpoints', async () => {
  await postSome(60);
  await assertTotals();
  // One processor is a party to all 60 movements, the other to half of them.
  assert.equal(await writer().write(), Math.floor(60 / EVERY) + Math.floor(30 / EVERY));
  await assertTotals();
  await postSome(20);
  await assertTotals();
  await writer().write();
  await assertTotals();
  assert.equal(await writer().write(), 0, 'nothing is due');
  assert.ok(!(await checkpoints()).includes('sub_1'), 'wallets have none');
});

test('several gateways that write checkpoints during payments leave the same checkpoints as one', async () => {
  const before = (await checkpoints()).length;
  const writers = Array.from({ length: 4 }, async () => {
    for (let n = 0; n < 10; n++) await writer().write();
  });
  await Promise.all([...writers, postSome(80)]);
  await writer().write();
  assert.ok((await checkpoints()).length > before);
  const { rows } = await db.query(
    'select account_id, seq, sum(count)::int as count from account_checkpoints group by 1, 2 order by 1, 2',
  );
  for (const { account_id, count } of rows) assert.equal(count % EVERY, 0, account_id);
  await assertTotals();
  await assertClean(db.url);
});

test('the service may not change or delete checkpoints', async () => {
  for (const statement of ['update account_checkpoints set count = 0', 'delete from account_checkpoints']) {
    await assert.rejects(db.query(statement), /permission denied/);
  }
});

describe('totals of an account without checkpoints', () => {
  const LONG = 500;
  const totalsQuery = (id: string, options: CheckpointOptions) => {
    const totals = createAccountTotals(db.database.pool, { checkpoints: writer(options), edge: 10, longEdge: 20 });
    return () => totals.byType({ accountId: id, type: 'pos_payment' });
  };
  const newAccount = async (id: string) => {
    await open(db.database.queries, [id], { floor: null });
    await insertHistory(db.url, {
      accountId: id,
      postings: LONG,
      type: `case when n % 2 = 0 then 'pos_payment' else 'gift' end`,
    });
  };
  const count = (rows: TypeTotals[]) => rows.reduce((sum, row) => sum + row.count, 0);

  test("a query writes the missing checkpoints, a wallet's included, and returns complete totals", async () => {
    await newAccount('sub_queried');
    const { rows, complete } = await totalsQuery('sub_queried', {})();
    assert.deepEqual([count(rows), complete], [LONG / 2, true]);
    assert.deepEqual(inOrder(rows), inOrder(await bruteForce({ accountId: 'sub_queried', type: 'pos_payment' })));
    const written = (await checkpoints()).filter((id) => id === 'sub_queried');
    assert.equal(written.length, Math.floor(LONG / EVERY));
  });

  test('a query without time returns a lower bound that grows with each call until it is complete', async () => {
    await newAccount('sub_no_time');
    const query = totalsQuery('sub_no_time', { waitMs: 0 });
    const counts: number[] = [];
    for (let sums = await query(); ; sums = await query()) {
      counts.push(count(sums.rows));
      if (sums.complete) break;
    }
    assert.ok(counts.length > 20, 'one checkpoint at a time');
    assert.ok(counts.every((each, index) => each >= (counts[index - 1] ?? 0) && each <= LONG / 2));
    assert.equal(counts.at(-1), LONG / 2);
  });

  test('concurrent queries share one run', async () => {
    await newAccount('sub_concurrent');
    let statements = 0;
    const counting: StatementRunner = {
      run(statement, values) {
        statements += 1;
        return db.database.pool.run(statement, values);
      },
      execute: () => assert.fail('the job only calls run'),
    };
    const shared = createCheckpoints(counting, UNHURRIED);
    await Promise.all(Array.from({ length: 8 }, () => shared.catchUp('sub_concurrent')));
    assert.equal(statements, Math.floor(LONG / EVERY) + 1);
  });

  test('a query that cannot write checkpoints returns incomplete totals', async () => {
    await newAccount('sub_denied');
    await asOwner(db.url, (client) => client.query('revoke insert on account_checkpoints from kissi_app'));
    const { rows, complete } = await totalsQuery('sub_denied', {})();
    await asOwner(db.url, (client) => client.query('grant insert on account_checkpoints to kissi_app'));
    assert.ok(!complete);
    assert.ok(count(rows) > 0 && count(rows) < LONG / 2);
    // The history was inserted without the ledger.
    assert.deepEqual([...(await verified(db.url)).broken.keys()], ['row_unsealed']);
  });
});

test('sums over filters never keep more than two connections, and further ones are refused', async () => {
  let [running, most] = [0, 0];
  const pool: StatementRunner = {
    execute: (...statement) => db.database.pool.execute(...statement),
    async run(...statement) {
      running += 1;
      most = Math.max(most, running);
      return db.database.pool.run(...statement).finally(() => {
        running -= 1;
      });
    },
  };
  const sums = createFilteredSums(pool);
  const all = await Promise.allSettled(
    Array.from({ length: 14 }, (_, n) => (n % 2 ? sums.all({}) : sums.ofAccount({ accountId: 'proc_1' }))),
  );
  const refused = all.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  assert.deepEqual([most, refused.length], [2, 4]);
  for (const { reason } of refused) assert.ok(reason instanceof Overloaded);
});
