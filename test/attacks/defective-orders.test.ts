// Orders that cannot be written because of a defect: each fails alone, leaves no rows, and the rest of its batch is posted.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type pg from 'pg';
import { AUDIT_INBOX } from '../../src/audit/log.ts';
import { openDatabase } from '../../src/db/database.ts';
import { type OutboxRow, OutboxTable } from '../../src/db/outbox-table.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Order } from '../../src/ledger/posting/ledger.ts';
import { asOwner, assertClean, balances, open, orderOf } from '../ledger/books.ts';
import { TEST_SHARDS } from '../support/citus.ts';
import { LONG_TIMEOUTS, testDatabase } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';
import { waitFor } from '../support/wait.ts';

/** Makes the ids of each batch unique. */
let n = 0;
const db = await testDatabase();
const database = openDatabase({
  url: db.url,
  poolSize: 4,
  role: APP_ROLE,
  timeouts: LONG_TIMEOUTS,
  shards: TEST_SHARDS,
});
after(async () => {
  await database.close();
  await db.close();
});

async function openTwoPairs(): Promise<[string, string, string, string]> {
  n += 1;
  const ids = ['a', 'b', 'c', 'd'].map((x) => `${x}_${n}`) as [string, string, string, string];
  await open(database.queries, ids);
  await open(database.queries, [`bank_${n}`], { floor: null });
  const ledger = testLedger({ pool: database.pool, clock: systemClock });
  for (const id of [ids[0], ids[2]]) await ledger.post(orderOf({ from: `bank_${n}`, to: id, amount: 1_000 }));
  return ids;
}
const outcomesOf = (results: PromiseSettledResult<{ outcome: string }>[]) =>
  results.map((r) => (r.status === 'fulfilled' ? r.value.outcome : `rejected: ${r.reason}`));

async function noOpenTransactions(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(`select from pg_stat_activity where datname = current_database()
    and pid <> pg_backend_pid() and xact_start is not null and backend_type = 'client backend'`);
  return rowCount === 0;
}

/** Posts a defective order from a to b and a valid one from c to d in one batch. */
async function postBatch(makeDefective: (order: Order) => Order) {
  const [a, b, c, d] = await openTwoPairs();
  const ledger = testLedger({ pool: database.pool, clock: systemClock });
  const bad = makeDefective(orderOf({ from: a, to: b, amount: 100, request: { id: `bad-${n}` } }));
  const good = orderOf({ from: c, to: d, amount: 100, request: { id: `good-${n}` } });
  const results = await Promise.allSettled([ledger.post(bad), ledger.post(good)]);
  await waitFor('no transaction is open', () => asOwner(db.url, noOpenTransactions));
  const { rows } = await asOwner(db.url, (client) =>
    client.query(
      `select (select count(*)::int from movements where id = $1) as moved,
      (select count(*)::int from requests where request_id = $2) as stored,
      (select count(*)::int from allowances where used > 0 and id = $3) as used`,
      [bad.movement.id, `bad-${n}`, `refund:${n}`],
    ),
  );
  return { outcomes: outcomesOf(results), balances: await balances(db.url, [a, b, c, d]), rowsLeft: rows[0] };
}

const withRows = (rows: OutboxRow[]) => () => ({ reply: '{}', rows });

describe('a defective order in a batch', () => {
  test('with details that are not serializable fails alone and does not use its allowance', async () => {
    const result = await postBatch((order) => ({
      ...order,
      movement: {
        ...order.movement,
        details: { amount: 10n },
        allowances: [{ id: `refund:${n}`, amount: 100, limit: 100 }],
      },
    }));
    assert.deepEqual(result.rowsLeft, { moved: 0, stored: 0, used: 0 }, 'the defective order leaves no rows');
    assert.equal(result.outcomes[1], 'posted', 'the valid order is posted');
  });

  test('with an outbox row that is not serializable is not posted', async () => {
    const result = await postBatch((order) => ({
      ...order,
      onPosted: withRows([{ table: AUDIT_INBOX, row: { details: 10n } }]),
    }));
    assert.equal(result.outcomes[1], 'posted', 'the valid order is posted');
    assert.equal(result.rowsLeft.moved, 0, 'the movement is not posted without its rows');
    assert.match(result.outcomes[0] ?? '', /^rejected/);
  });

  test('with an unknown outbox table is not posted', async () => {
    const result = await postBatch((order) => ({
      ...order,
      onPosted: withRows([{ table: new OutboxTable('outbox'), row: {} }]),
    }));
    assert.equal(result.rowsLeft.moved, 0, 'the movement is not posted without its rows');
    assert.match(result.outcomes[0] ?? '', /^rejected/);
  });

  test('with an outbox row that always violates a unique key does not stop the valid order', async () => {
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
    await postBatch((order) => ({ ...order, onPosted: withRows([{ table: AUDIT_INBOX, row }]) }));
    const result = await postBatch((order) => ({ ...order, onPosted: withRows([{ table: AUDIT_INBOX, row }]) }));
    assert.equal(result.outcomes[1], 'posted', 'the valid order is posted');
  });

  test('with U+0000 in its narration fails alone and leaves no rows', async () => {
    const result = await postBatch((order) => ({ ...order, movement: { ...order.movement, narration: 'a\0b' } }));
    assert.equal(result.outcomes[1], 'posted');
    assert.deepEqual(result.rowsLeft, { moved: 0, stored: 0, used: 0 });
  });

  test('to an account with a bound above 2^53 does not stop the valid order', async () => {
    const [a, b, c, d] = await openTwoPairs();
    await asOwner(db.url, (client) =>
      client.query('update accounts set ceiling = 9007199254740993 where id = $1', [b]),
    );
    const ledger = testLedger({ pool: database.pool, clock: systemClock });
    const results = await Promise.allSettled([
      ledger.post(orderOf({ from: a, to: b, amount: 100 })),
      ledger.post(orderOf({ from: c, to: d, amount: 100 })),
    ]);
    assert.equal(outcomesOf(results)[1], 'posted');
  });
});

test('verification of the ledger passes after all defective orders', async () => {
  await assertClean(db.url);
});
