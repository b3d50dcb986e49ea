// Breaks connections during pipelined statements and overlapping batches: no caller gets another's result, no request posts twice.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { openDatabase } from '../../src/db/database.ts';
import { textArray } from '../../src/db/driver/binary-arrays.ts';
import { statement } from '../../src/db/driver/statement.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Order, Result } from '../../src/ledger/posting/ledger.ts';
import { assertClean, open, orderOf } from '../ledger/books.ts';
import { TEST_SHARDS } from '../support/citus.ts';
import { LONG_TIMEOUTS, testDatabase } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';

const db = await testDatabase();
const database = openDatabase({
  url: db.url,
  poolSize: 8,
  role: APP_ROLE,
  timeouts: LONG_TIMEOUTS,
  shards: TEST_SHARDS,
});
const owner = new pg.Client({ connectionString: db.url });
await owner.connect();
after(async () => {
  await owner.end();
  await database.close();
  await assertClean(db.url);
  await db.close();
});

const TERMINATE_CONNECTIONS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and usename is not null and application_name = 'kissi'`;

/** Terminates every connection of the service repeatedly while the work runs. */
async function whileTerminatingConnections<T>(work: Promise<T>): Promise<T> {
  let finished = false;
  const done = work.finally(() => {
    finished = true;
  });
  while (!finished) {
    await owner.query(TERMINATE_CONNECTIONS);
    await owner.query('select pg_sleep(0.03)');
  }
  return done;
}

const ECHO = statement('echo', 'select unnest($1::text[])', ([text]) => text);
const MISSING_TABLE = statement('no-table', 'select * from there_is_none');
const INVALID_NUMBER = statement('no-number', 'select ($1::text)::int');
const LATE = statement('late', 'select n from late_table');

const echo = async (n: number) => (await database.reader.run(ECHO, [textArray([`q${n}`])]))[0];

/** Runs a statement that fails when it is parsed (odd `n`) or executed (even `n`). */
const failing = (n: number) =>
  n % 2 ? database.reader.run(MISSING_TABLE) : database.reader.run(INVALID_NUMBER, [`not ${n}`]);

test('each statement gets its own result while others fail and connections break', async () => {
  const runStatements = async () => {
    const results: PromiseSettledResult<unknown>[] = [];
    for (let round = 0; round < 40; round++) {
      const some = Array.from({ length: 50 }, (_, n) => (n % 5 === 4 ? failing(n) : echo(round * 50 + n)));
      results.push(...(await Promise.allSettled(some)));
    }
    return results;
  };
  for (const [index, result] of (await whileTerminatingConnections(runStatements())).entries()) {
    if (index % 5 === 4) assert.equal(result.status, 'rejected', `statement ${index}`);
    else if (result.status === 'fulfilled') assert.equal(result.value, `q${index}`);
  }
  // A prepared statement that failed with others queued behind it can be used again.
  for (const n of [1, 2]) await assert.rejects(failing(n), { code: n % 2 ? '42P01' : '22P02' });
  assert.equal(await echo(7), 'q7');
});

test('a statement whose table was missing is prepared again once the table exists', async () => {
  const rows = () => database.reader.run(LATE);
  for (const outcome of await Promise.allSettled(Array.from({ length: 30 }, rows))) {
    assert.equal(outcome.status, 'rejected');
  }
  await owner.query(
    `create table late_table (n int); grant select on late_table to ${APP_ROLE}; insert into late_table values (1)`,
  );
  for (let round = 0; round < 3; round++) {
    for (const [row] of await Promise.all(Array.from({ length: 30 }, rows))) assert.deepEqual(row, ['1']);
  }
});

const ACCOUNTS = Array.from({ length: 12 }, (_, n) => `over_${n}`);

/** Requests between 12 accounts, so that concurrent batches overlap in some of them. Each call makes a new order for its request. */
function orderFactories(): (() => Order)[] {
  return Array.from({ length: 400 }, (_, n) => {
    const [from, to] = [ACCOUNTS[n % 12] as string, ACCOUNTS[(n * 7 + 5) % 12] as string];
    const spec = { from, to: to === from ? (ACCOUNTS[(n + 1) % 12] as string) : to, amount: 1 + (n % 9), fee: n % 2 };
    return () => orderOf({ ...spec, request: { id: `over-${n}`, hash: '0a' } });
  });
}

test('overlapping batches on breaking connections post each request once, with one reply', async () => {
  await open(database.queries, ACCOUNTS, { floor: null });
  const ledgers = [1, 2].map(() => testLedger({ pool: database.ledgerPool, clock: systemClock, maxBatch: 7 }));
  const replies = new Map<string, Set<string>>();
  let failed = 0;
  const record = (order: Order, result: Result) => {
    assert.ok(result.outcome === 'posted' || result.outcome === 'replayed', result.outcome);
    const id = order.movement.request?.id ?? '';
    replies.set(id, (replies.get(id) ?? new Set()).add(result.reply));
  };
  const post = async (makeOrder: () => Order, n: number) => {
    const order = makeOrder();
    try {
      record(order, (await ledgers[n % 2]?.post(order)) as Result);
    } catch {
      failed += 1;
    }
  };
  const all = orderFactories();
  // Sends each request three times, to both ledgers.
  const sendAll = async () => {
    for (let from = 0; from < all.length; from += 40) {
      const some = all.slice(from, from + 40);
      await Promise.all([...some, ...some.toReversed(), ...some].map(post));
    }
  };
  await whileTerminatingConnections(sendAll());
  const failedBefore = failed;
  // With stable connections every request gets a reply, and it equals earlier replies.
  await Promise.all(all.map((makeOrder) => post(makeOrder, 0)));
  assert.equal(failed, failedBefore);
  assert.deepEqual(
    [...replies.values()].filter(({ size }) => size !== 1),
    [],
  );
  assert.equal(replies.size, all.length);
  const { rows } = await owner.query(`select count(*)::int as n from movements where request_id like 'over-%'`);
  assert.equal(rows[0].n, all.length);
});
