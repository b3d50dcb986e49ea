// Connections that die with many statements on them, and batches that overlap: no answer to another's question, nothing twice.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { textArray } from '../../src/db/driver/binary-arrays.ts';
import { statement } from '../../src/db/driver/statement.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Order, Result } from '../../src/ledger/posting/ledger.ts';
import { assertClean, open, orderOf } from '../ledger/books.ts';
import { LONG_TIMEOUTS, type TestDatabase, testDatabase } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';

let db: TestDatabase;
let database: Database;
let owner: pg.Client;
before(async () => {
  db = await testDatabase();
  database = openDatabase({ url: db.url, poolSize: 8, role: APP_ROLE, timeouts: LONG_TIMEOUTS });
  owner = new pg.Client({ connectionString: db.url });
  await owner.connect();
});
after(async () => {
  await owner.end();
  await database.close();
  await assertClean(db.url);
  await db.close();
});

const KILL = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and usename is not null and application_name = 'kissi'`;

/** Kills every connection of the service again and again while the work lasts. */
async function underFire<T>(work: Promise<T>): Promise<T> {
  let over = false;
  const done = work.finally(() => {
    over = true;
  });
  while (!over) {
    await owner.query(KILL);
    await owner.query('select pg_sleep(0.03)');
  }
  return done;
}

const ECHO = statement('echo', 'select unnest($1::text[])', ([text]) => text);
const NO_TABLE = statement('no-table', 'select * from there_is_none');
const NO_NUMBER = statement('no-number', 'select ($1::text)::int');
const LATE = statement('late', 'select n from late_table');

const echo = async (n: number) => (await database.reader.run(ECHO, [textArray([`q${n}`])]))[0];

/** Of this name one is wrong: it cannot be parsed, or it fails where it is carried out. */
const failing = (n: number) => (n % 2 ? database.reader.run(NO_TABLE) : database.reader.run(NO_NUMBER, [`not ${n}`]));

test('each statement gets its own answer, whatever fails beside it and however often the connection dies', async () => {
  const asked = async () => {
    const answers: PromiseSettledResult<unknown>[] = [];
    for (let round = 0; round < 40; round++) {
      const some = Array.from({ length: 50 }, (_, n) => (n % 5 === 4 ? failing(n) : echo(round * 50 + n)));
      answers.push(...(await Promise.allSettled(some)));
    }
    return answers;
  };
  for (const [index, answer] of (await underFire(asked())).entries()) {
    if (index % 5 === 4) assert.equal(answer.status, 'rejected', `statement ${index}`);
    else if (answer.status === 'fulfilled') assert.equal(answer.value, `q${index}`);
  }
  // A name that failed while others waited behind it is not lost for ever.
  for (const n of [1, 2]) await assert.rejects(failing(n), { code: n % 2 ? '42P01' : '22P02' });
  assert.equal(await echo(7), 'q7');
});

test('a statement whose table comes back is prepared again', async () => {
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

/** Between accounts that only some batches share; every request is sent three times, by then in other batches. */
function wishes(): (() => Order)[] {
  return Array.from({ length: 400 }, (_, n) => {
    const [from, to] = [ACCOUNTS[n % 12] as string, ACCOUNTS[(n * 7 + 5) % 12] as string];
    const wish = { from, to: to === from ? (ACCOUNTS[(n + 1) % 12] as string) : to, amount: 1 + (n % 9), fee: n % 2 };
    return () => orderOf({ ...wish, request: { id: `over-${n}`, hash: '0a' } });
  });
}

test('batches that overlap under fire post each request once, and all who are told are told the same', async () => {
  await open(database.queries, ACCOUNTS, { floor: null });
  const ledgers = [1, 2].map(() => testLedger({ pool: database.ledgerPool, clock: systemClock, maxBatch: 7 }));
  const told = new Map<string, Set<string>>();
  let unknown = 0;
  const note = (order: Order, result: Result) => {
    assert.ok(result.outcome === 'posted' || result.outcome === 'replayed', result.outcome);
    const id = order.movement.request?.id ?? '';
    told.set(id, (told.get(id) ?? new Set()).add(result.reply));
  };
  const post = async (make: () => Order, ledger = ledgers[0]) => {
    const order = make();
    try {
      note(order, (await ledger?.post(order)) as Result);
    } catch {
      unknown += 1;
    }
  };
  const all = wishes();
  const sending = async () => {
    for (let from = 0; from < all.length; from += 40) {
      const some = all.slice(from, from + 40);
      await Promise.all([...some, ...some.toReversed(), ...some].map((make, n) => post(make, ledgers[n % 2])));
    }
  };
  await underFire(sending());
  const before = unknown;
  // When all is quiet, whoever was not told finds out, and nobody is told otherwise than before.
  await Promise.all(all.map((make) => post(make)));
  assert.equal(unknown, before);
  assert.deepEqual(
    [...told.values()].filter((replies) => replies.size !== 1),
    [],
  );
  assert.equal(told.size, all.length);
  const { rows } = await owner.query(`select count(*)::int as n from movements where request_id like 'over-%'`);
  assert.equal(rows[0].n, all.length);
});
