// Orders that are defective in ways other than a reply that throws: each must fail alone, and leave nothing behind.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type pg from 'pg';
import { AUDIT_INBOX } from '../../src/audit/log.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { type OutboxRow, OutboxTable } from '../../src/db/outbox-table.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Order } from '../../src/ledger/posting/ledger.ts';
import { asOwner, assertClean, balances, open, orderOf } from '../ledger/books.ts';
import { LONG_TIMEOUTS, type TestDatabase, testDatabase } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';
import { waitFor } from '../support/wait.ts';

let db: TestDatabase;
let database: Database;
let n = 0;
before(async () => {
  db = await testDatabase();
  database = openDatabase({ url: db.url, poolSize: 4, role: APP_ROLE, timeouts: LONG_TIMEOUTS });
});
after(async () => {
  await database.close();
  await db.close();
});

async function two(): Promise<[string, string, string, string]> {
  n += 1;
  const ids = ['a', 'b', 'c', 'd'].map((x) => `${x}_${n}`) as [string, string, string, string];
  await open(database.queries, ids);
  await open(database.queries, [`bank_${n}`], { floor: null });
  const ledger = testLedger({ pool: database.pool, clock: systemClock });
  for (const id of [ids[0], ids[2]]) await ledger.post(orderOf({ from: `bank_${n}`, to: id, amount: 1_000 }));
  return ids;
}
const show = (results: PromiseSettledResult<{ outcome: string }>[]) =>
  results.map((r) => (r.status === 'fulfilled' ? r.value.outcome : `rejected: ${r.reason}`));

async function nobodyAtWork(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(`select from pg_stat_activity where datname = current_database()
    and pid <> pg_backend_pid() and xact_start is not null and backend_type = 'client backend'`);
  return rowCount === 0;
}

/** The defective one from a to b, the sound one from c to d, in one batch. */
async function batch(spoil: (order: Order) => Order) {
  const [a, b, c, d] = await two();
  const ledger = testLedger({ pool: database.pool, clock: systemClock });
  const bad = spoil(orderOf({ from: a, to: b, amount: 100, request: { id: `bad-${n}` } }));
  const good = orderOf({ from: c, to: d, amount: 100, request: { id: `good-${n}` } });
  const results = await Promise.allSettled([ledger.post(bad), ledger.post(good)]);
  await waitFor('nothing of it is still under way', () => asOwner(db.url, nobodyAtWork));
  const { rows } = await asOwner(db.url, (client) =>
    client.query(
      `select (select count(*)::int from movements where id = $1) as moved,
      (select count(*)::int from requests where request_id = $2) as remembered,
      (select count(*)::int from allowances where used > 0 and id = $3) as used`,
      [bad.movement.id, `bad-${n}`, `refund:${n}`],
    ),
  );
  return { outcomes: show(results), balances: await balances(db.url, [a, b, c, d]), left: rows[0] };
}

const withRows = (rows: OutboxRow[]) => () => ({ reply: '{}', rows });

describe('a defective order in a batch', () => {
  test('details that cannot be JSON: fails alone, and takes nothing of its allowance', async () => {
    const done = await batch((order) => ({
      ...order,
      movement: {
        ...order.movement,
        details: { amount: 10n },
        allowances: [{ id: `refund:${n}`, amount: 100, limit: 100 }],
      },
    }));
    assert.deepEqual(done.left, { moved: 0, remembered: 0, used: 0 }, 'nothing is left of it');
    assert.equal(done.outcomes[1], 'posted', 'the sound one is posted');
  });

  test('a side row that cannot be JSON: nothing is posted without the rows that belong to it', async () => {
    const done = await batch((order) => ({
      ...order,
      onPosted: withRows([{ table: AUDIT_INBOX, row: { details: 10n } }]),
    }));
    assert.equal(done.outcomes[1], 'posted', 'the sound one is posted');
    assert.equal(done.left.moved, 0, 'nothing is posted without its rows');
    assert.match(done.outcomes[0] ?? '', /^rejected/);
  });

  test('a side table that is not known: nothing is posted without the rows that belong to it', async () => {
    const done = await batch((order) => ({
      ...order,
      onPosted: withRows([{ table: new OutboxTable('outbox'), row: {} }]),
    }));
    assert.equal(done.left.moved, 0, 'nothing is posted without its rows');
    assert.match(done.outcomes[0] ?? '', /^rejected/);
  });

  test('a side row that is there already (23505 for ever): the sound one is posted', async () => {
    const row = {
      id: 'aud_same',
      at: new Date(),
      actor_type: 'user',
      actor_id: 'x',
      action: 'x',
      resource_type: null,
      resource_id: null,
      ip: null,
      request_id: null,
      details: {},
    };
    await batch((order) => ({ ...order, onPosted: withRows([{ table: AUDIT_INBOX, row }]) }));
    const done = await batch((order) => ({ ...order, onPosted: withRows([{ table: AUDIT_INBOX, row }]) }));
    assert.equal(done.outcomes[1], 'posted', 'the sound one is posted');
  });

  test('a narration with U+0000', async () => {
    const done = await batch((order) => ({ ...order, movement: { ...order.movement, narration: 'a\0b' } }));
    assert.equal(done.outcomes[1], 'posted');
    assert.deepEqual(done.left, { moved: 0, remembered: 0, used: 0 });
  });

  test('an account spoilt beyond 2^53: the sound one is posted', async () => {
    const done = await batch((order) => order).then(async () => {
      const [a, b, c, d] = await two();
      await asOwner(db.url, (client) =>
        client.query('update accounts set ceiling = 9007199254740993 where id = $1', [b]),
      );
      const ledger = testLedger({ pool: database.pool, clock: systemClock });
      const results = await Promise.allSettled([
        ledger.post(orderOf({ from: a, to: b, amount: 100 })),
        ledger.post(orderOf({ from: c, to: d, amount: 100 })),
      ]);
      return show(results);
    });
    assert.equal(done[1], 'posted');
  });

  test('the books are in order', async () => {
    await assertClean(db.url);
  });
});
