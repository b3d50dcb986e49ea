// A commit whose connection dies: what became of it is looked up, never guessed, and the request has one effect.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { AUDIT_INBOX } from '../../src/audit/log.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Order } from '../../src/ledger/posting/ledger.ts';
import { LONG_TIMEOUTS, type TestDatabase, testDatabase } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';
import { waitFor } from '../support/wait.ts';
import { assertClean, balances, open, orderOf } from './books.ts';
import { type Connection, faultyPool } from './faulty.ts';

let db: TestDatabase;
let database: Database;
let owner: pg.Client;
let accounts = 0;

before(async () => {
  db = await testDatabase();
  database = openDatabase({ url: db.url, poolSize: 11, role: APP_ROLE, timeouts: LONG_TIMEOUTS });
  owner = new pg.Client({ connectionString: db.url });
  await owner.connect();
});

after(async () => {
  await assertClean(db.url);
  await owner.end();
  await database.close();
  await db.close();
});

/** Two new accounts, the first with 1,000. */
async function pair(): Promise<[string, string]> {
  accounts += 1;
  const [from, to, bank] = [`from_${accounts}`, `to_${accounts}`, `bank_${accounts}`] as const;
  await open(database.queries, [from, to]);
  await open(database.queries, [bank], { floor: null });
  await testLedger({ pool: database.pool, clock: systemClock }).post(orderOf({ from: bank, to: from, amount: 1_000 }));
  return [from, to];
}

async function isCommitted(movementId: string): Promise<boolean> {
  const { rowCount } = await owner.query('select from movements where id = $1', [movementId]);
  return rowCount === 1;
}

async function someoneWaitsForALock(): Promise<boolean> {
  const { rows } = await owner.query(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0].n > 0;
}

type AtCommit = (connection: Connection, movementId: string) => Promise<unknown>;

/** Posts 100 with this done at the first commit; later ones pass. */
async function postWith(atCommit: AtCommit, wish: { request?: { id: string } } = {}) {
  const [from, to] = await pair();
  const order = orderOf({ from, to, amount: 100, ...wish });
  const faulty = faultyPool(database.pool, (statement, connection) => {
    if (statement !== 'commit' || connection.number > 1) return connection.send();
    return atCommit(connection, order.movement.id);
  });
  const result = await testLedger({ pool: faulty.pool, clock: systemClock }).post(order);
  return { order, result, from, to, connections: faulty.connections() };
}

async function assertPostedOnce({ order, result, from, to }: Awaited<ReturnType<typeof postWith>>): Promise<void> {
  assert.equal(result.outcome, 'posted');
  const reply = JSON.stringify({ transaction_id: order.movement.id, balance: 900 });
  assert.equal(result.outcome === 'posted' && result.reply, reply);
  assert.deepEqual(await balances(db.url, [from, to]), [900, 100]);
}

const breakOff = new Error('broken off by the test');

describe('a connection that dies at the commit', () => {
  test('before the server has it: nothing happened, and it is done again', async () => {
    const done = await postWith(({ socket }) => {
      socket.destroy(breakOff);
      return Promise.reject(breakOff);
    });
    await assertPostedOnce(done);
    assert.equal(done.connections, 2);
  });

  test('after the server did it: that is found out, and it is not done again', async () => {
    const done = await postWith(async ({ send, socket }, movementId) => {
      // The answer is not read.
      socket.pause();
      const sent = send();
      await waitFor('the server has committed', () => isCommitted(movementId));
      socket.destroy(breakOff);
      return sent;
    });
    await assertPostedOnce(done);
    assert.equal(done.connections, 2);
  });

  test('at the very moment, forty times: each has one effect', async () => {
    for (let round = 0; round < 40; round++) {
      const done = await postWith(async ({ send, socket }) => {
        const sent = send();
        if (round % 4 === 1) await null;
        if (round % 4 === 2) await new Promise((resolve) => setImmediate(resolve));
        if (round % 4 === 3) socket.end();
        else socket.destroy(breakOff);
        return sent;
      });
      await assertPostedOnce(done);
    }
  });

  test('with any of the errors a system has for it: it is not done again', async () => {
    for (const code of ['EPIPE', 'ECONNRESET', 'ETIMEDOUT', '08006', '57P01', '57P02', undefined]) {
      const done = await postWith(async ({ send, socket }) => {
        await send();
        socket.destroy(breakOff);
        throw Object.assign(new Error('lost'), code ? { code } : {});
      });
      await assertPostedOnce(done);
    }
  });

  test('a commit that the server answers with a rollback is not taken for one', async () => {
    const done = await postWith(async ({ send, client }) => {
      await assert.rejects(client.query('select 1 / 0'));
      return send();
    });
    await assertPostedOnce(done);
    assert.equal(done.connections, 2);
  });

  test('killed by an administrator after the commit: it is not done again', async () => {
    const done = await postWith(async ({ send, client }, movementId) => {
      await send();
      assert.ok(await isCommitted(movementId));
      const { processID } = client as unknown as { processID: number };
      await owner.query('select pg_terminate_backend($1, 5000)', [processID]);
      throw Object.assign(new Error('terminating connection'), { code: '57P01' });
    });
    await assertPostedOnce(done);
  });
});

describe('a server that is still at it', () => {
  for (const ending of ['commit', 'rollback']) {
    test(`the next attempt waits for the ${ending} of the one before`, async () => {
      let finished: Promise<unknown> = Promise.resolve();
      const done = await postWith(({ client }) => {
        // To the ledger the connection is lost; the server knows nothing of it yet.
        const release = client.release.bind(client);
        client.release = () => {
          finished = waitFor('the next attempt waits', someoneWaitsForALock)
            .then(() => client.query(ending))
            .then(() => release());
        };
        return Promise.reject(breakOff);
      });
      await finished;
      await assertPostedOnce(done);
    });
  }
});

describe('an order that cannot be written', () => {
  test('fails alone: those of its batch are posted, each once', async () => {
    const [from, to] = await pair();
    const broken = [
      { ...orderOf({ from, to, amount: 10 }), onPosted: () => assert.fail('a defect') },
      {
        ...orderOf({ from, to, amount: 10 }),
        onPosted: () => ({ reply: '{}', rows: [{ table: AUDIT_INBOX, row: { id: null } }] }),
      },
      orderOf({ from, to, amount: 10, request: { id: 'not-hexadecimal', hash: 'zz' } }),
    ];
    const ledger = testLedger({ pool: database.pool, clock: systemClock });
    const good = [orderOf({ from, to, amount: 100 }), orderOf({ from, to, amount: 200 })];
    const results = await Promise.allSettled([good[0], ...broken, good[1]].map((order) => ledger.post(order as Order)));
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value.outcome : 'failed')),
      ['posted', 'failed', 'failed', 'failed', 'posted'],
    );
    assert.deepEqual(await balances(db.url, [from, to]), [700, 300]);
  });

  test('an account that somebody else holds fails the batch as a whole, not one order after another', async () => {
    const [from, to] = await pair();
    const [other, another] = await pair();
    await owner.query('begin');
    await owner.query('select from accounts where id = $1 for update', [from]);
    const timeouts = { ...LONG_TIMEOUTS, statementMs: 200 };
    const hasty = openDatabase({ url: db.url, poolSize: 4, role: APP_ROLE, timeouts });
    let attempts = 0;
    const counting = faultyPool(hasty.pool, (statement, { send }) => {
      if (statement === 'ledger-lock') attempts += 1;
      return send();
    });
    const held = testLedger({ pool: counting.pool, clock: systemClock });
    const orders = Array.from({ length: 6 }, () => orderOf({ from, to, amount: 1 }));
    const results = await Promise.allSettled(
      [...orders, orderOf({ from: other, to: another, amount: 1 })].map(held.post),
    );
    await owner.query('rollback');
    await hasty.close();
    assert.equal(attempts, 5);
    assert.ok(results.every(({ status }) => status === 'rejected'));
    assert.deepEqual(await balances(db.url, [from, other]), [1_000, 1_000]);
    const ledger = testLedger({ pool: database.pool, clock: systemClock });
    assert.equal((await ledger.post(orderOf({ from, to, amount: 1 }))).outcome, 'posted');
  });

  test('a batch that may have been committed is never tried order by order: nobody is told what is not so', async () => {
    const [from, to] = await pair();
    const [other, another] = await pair();
    const faulty = faultyPool(database.pool, async (statement, { send, socket, number }) => {
      if (number === 1 && statement === 'commit') {
        await send();
        socket.destroy(breakOff);
        throw breakOff;
      }
      if (number > 1 && statement === 'ledger-lock') throw Object.assign(new Error('too slow'), { code: '57014' });
      return send();
    });
    const ledger = testLedger({ pool: faulty.pool, clock: systemClock });
    const orders = [orderOf({ from, to, amount: 900 }), orderOf({ from: other, to: another, amount: 300 })];
    const results = await Promise.allSettled(orders.map(ledger.post));
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.deepEqual(await balances(db.url, [from, to, other, another]), [100, 900, 700, 300]);
  });
});

describe('what cannot be found out', () => {
  test('a deadlock at the next attempt says nothing of the commit before it', async () => {
    const [from, to] = await pair();
    const deadlock = Object.assign(new pg.DatabaseError('deadlock detected', 17, 'error'), { code: '40P01' });
    const faulty = faultyPool(database.pool, async (statement, { send, socket, number }) => {
      if (number === 1 && statement === 'commit') {
        await send();
        socket.destroy(breakOff);
        throw breakOff;
      }
      if (number === 2 && statement === 'ledger-lock') throw deadlock;
      return send();
    });
    const result = await testLedger({ pool: faulty.pool, clock: systemClock }).post(orderOf({ from, to, amount: 100 }));
    assert.equal(result.outcome, 'posted');
    assert.equal(faulty.connections(), 3);
    assert.deepEqual(await balances(db.url, [from, to]), [900, 100]);
  });

  test('is said so, and the same request tells later what happened, with the same bytes', async () => {
    const [from, to] = await pair();
    const request = { id: 'in-doubt' };
    const order = orderOf({ from, to, amount: 100, request });
    const faulty = faultyPool(database.pool, async (statement, { send, socket, number }) => {
      if (statement === 'commit') await send();
      if (statement !== 'commit' && number === 1) return send();
      socket.destroy(breakOff);
      throw breakOff;
    });
    await assert.rejects(testLedger({ pool: faulty.pool, clock: systemClock }).post(order), breakOff);
    assert.equal(faulty.connections(), 5);

    const ledger = testLedger({ pool: database.pool, clock: systemClock });
    const again = await ledger.post(orderOf({ from, to, amount: 100, request }));
    const reply = JSON.stringify({ transaction_id: order.movement.id, balance: 900 });
    assert.deepEqual(again, { outcome: 'replayed', reply });
    assert.deepEqual(await balances(db.url, [from, to]), [900, 100]);
  });

  test('a batch that was lost does not keep the next ones from being posted', async () => {
    const [from, to] = await pair();
    let broken = true;
    const faulty = faultyPool(database.pool, async (_statement, { send, socket }) => {
      if (!broken) return send();
      socket.destroy(breakOff);
      throw breakOff;
    });
    const ledger = testLedger({ pool: faulty.pool, clock: systemClock });
    await assert.rejects(ledger.post(orderOf({ from, to, amount: 100 })), breakOff);
    broken = false;
    assert.equal((await ledger.post(orderOf({ from, to, amount: 100 }))).outcome, 'posted');
    assert.deepEqual(await balances(db.url, [from, to]), [900, 100]);
  });
});
