// A commit whose connection breaks: the ledger looks up the outcome, never guesses it, and the request has one effect.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { AUDIT_INBOX } from '../../src/audit/log.ts';
import { openDatabase } from '../../src/db/database.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Order } from '../../src/ledger/posting/ledger.ts';
import { lockWaiters, TEST_SHARDS } from '../support/citus.ts';
import { LONG_TIMEOUTS, testDatabase } from '../support/database.ts';
import { testLedger } from '../support/ledger.ts';
import { waitFor } from '../support/wait.ts';
import { assertClean, balances, open, orderOf } from './books.ts';
import { type Connection, faultyPool } from './faulty-pool.ts';

let accounts = 0;

const db = await testDatabase();
const database = openDatabase({
  url: db.url,
  poolSize: 11,
  role: APP_ROLE,
  timeouts: LONG_TIMEOUTS,
  shards: TEST_SHARDS,
});
const owner = new pg.Client({ connectionString: db.url });
await owner.connect();

after(async () => {
  await assertClean(db.url);
  await owner.end();
  await database.close();
  await db.close();
});

/** Opens two accounts and funds the first with 1,000. */
async function openPair(): Promise<[string, string]> {
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

async function someSessionWaitsForALock(): Promise<boolean> {
  return (await lockWaiters(owner)) > 0;
}

type AtCommit = (connection: Connection, movementId: string) => Promise<unknown>;

/** Posts 100 and runs `atCommit` instead of the first commit; later commits are sent unchanged. */
async function postWith(atCommit: AtCommit, spec: { request?: { id: string } } = {}) {
  const [from, to] = await openPair();
  const order = orderOf({ from, to, amount: 100, ...spec });
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

const connectionLost = new Error('broken by the test');

describe('a connection that breaks at the commit', () => {
  test('before the server receives it: the ledger posts the movement again', async () => {
    const posted = await postWith(({ socket }) => {
      socket.destroy(connectionLost);
      return Promise.reject(connectionLost);
    });
    await assertPostedOnce(posted);
    assert.equal(posted.connections, 2);
  });

  test('after the server committed: the ledger finds the movement and does not post it again', async () => {
    const posted = await postWith(async ({ send, socket }, movementId) => {
      // The client does not read the reply.
      socket.pause();
      const sent = send();
      await waitFor('the server has committed', () => isCommitted(movementId));
      socket.destroy(connectionLost);
      return sent;
    });
    await assertPostedOnce(posted);
    assert.equal(posted.connections, 2);
  });

  test('while the server commits, forty times: each movement has one effect', async () => {
    for (let round = 0; round < 40; round++) {
      const posted = await postWith(async ({ send, socket }) => {
        const sent = send();
        if (round % 4 === 1) await null;
        if (round % 4 === 2) await new Promise((resolve) => setImmediate(resolve));
        if (round % 4 === 3) socket.end();
        else socket.destroy(connectionLost);
        return sent;
      });
      await assertPostedOnce(posted);
    }
  });

  test('with any connection error: the ledger does not post the movement again', async () => {
    for (const code of ['EPIPE', 'ECONNRESET', 'ETIMEDOUT', '08006', '57P01', '57P02', undefined]) {
      const posted = await postWith(async ({ send, socket }) => {
        await send();
        socket.destroy(connectionLost);
        throw Object.assign(new Error('lost'), code ? { code } : {});
      });
      await assertPostedOnce(posted);
    }
  });

  test('a commit that the server answers with ROLLBACK does not count as committed', async () => {
    const posted = await postWith(async ({ send, client }) => {
      await assert.rejects(client.query('select 1 / 0'));
      return send();
    });
    await assertPostedOnce(posted);
    assert.equal(posted.connections, 2);
  });

  test('terminated by an administrator after the commit: the ledger does not post the movement again', async () => {
    const posted = await postWith(async ({ send, client }, movementId) => {
      await send();
      assert.ok(await isCommitted(movementId));
      const { processID } = client as unknown as { processID: number };
      await owner.query('select pg_terminate_backend($1::integer, 5000)', [processID]);
      throw Object.assign(new Error('terminating connection'), { code: '57P01' });
    });
    await assertPostedOnce(posted);
  });
});

describe('a transaction that is still open on the server', () => {
  for (const ending of ['commit', 'rollback']) {
    test(`makes the next attempt wait for its ${ending}`, async () => {
      let finished: Promise<unknown> = Promise.resolve();
      const posted = await postWith(({ client }) => {
        // The ledger sees a lost connection; the server has not noticed it yet.
        const release = client.release.bind(client);
        client.release = () => {
          finished = waitFor('the next attempt waits', someSessionWaitsForALock)
            .then(() => client.query(ending))
            .then(() => release());
        };
        return Promise.reject(connectionLost);
      });
      await finished;
      await assertPostedOnce(posted);
    });
  }
});

describe('an order that cannot be written', () => {
  test('fails alone: the others of its batch are posted once each', async () => {
    const [from, to] = await openPair();
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

  test('a locked account fails the batch as a whole instead of each order in turn', async () => {
    const [from, to] = await openPair();
    const [other, another] = await openPair();
    await owner.query('begin');
    await owner.query('select from accounts where id = $1 for update', [from]);
    const timeouts = { ...LONG_TIMEOUTS, statementMs: 200 };
    const shortTimeout = openDatabase({ url: db.url, poolSize: 4, role: APP_ROLE, timeouts, shards: TEST_SHARDS });
    const attempts = new Set<number>();
    const counting = faultyPool(shortTimeout.pool, (statement, { send, number }) => {
      if (statement === 'ledger-lock') attempts.add(number);
      return send();
    });
    const held = testLedger({ pool: counting.pool, clock: systemClock });
    const orders = Array.from({ length: 6 }, () => orderOf({ from, to, amount: 1 }));
    const results = await Promise.allSettled(
      [...orders, orderOf({ from: other, to: another, amount: 1 })].map(held.post),
    );
    await owner.query('rollback');
    await shortTimeout.close();
    assert.equal(attempts.size, 5);
    assert.ok(results.every(({ status }) => status === 'rejected'));
    assert.deepEqual(await balances(db.url, [from, other]), [1_000, 1_000]);
    const ledger = testLedger({ pool: database.pool, clock: systemClock });
    assert.equal((await ledger.post(orderOf({ from, to, amount: 1 }))).outcome, 'posted');
  });

  test('a batch in doubt is never retried order by order, so that no client gets a wrong outcome', async () => {
    const [from, to] = await openPair();
    const [other, another] = await openPair();
    const faulty = faultyPool(database.pool, async (statement, { send, socket, number }) => {
      if (number === 1 && statement === 'commit') {
        await send();
        socket.destroy(connectionLost);
        throw connectionLost;
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

describe('an outcome that cannot be determined', () => {
  test('a deadlock at the next attempt leaves the earlier commit in doubt', async () => {
    const [from, to] = await openPair();
    const deadlock = Object.assign(new pg.DatabaseError('deadlock detected', 17, 'error'), { code: '40P01' });
    const faulty = faultyPool(database.pool, async (statement, { send, socket, number }) => {
      if (number === 1 && statement === 'commit') {
        await send();
        socket.destroy(connectionLost);
        throw connectionLost;
      }
      if (number === 2 && statement === 'ledger-lock') throw deadlock;
      return send();
    });
    const result = await testLedger({ pool: faulty.pool, clock: systemClock }).post(orderOf({ from, to, amount: 100 }));
    assert.equal(result.outcome, 'posted');
    assert.equal(faulty.connections(), 3);
    assert.deepEqual(await balances(db.url, [from, to]), [900, 100]);
  });

  test('is reported as an error, and the same request later returns the stored reply byte for byte', async () => {
    const [from, to] = await openPair();
    const request = { id: 'in-doubt' };
    const order = orderOf({ from, to, amount: 100, request });
    const faulty = faultyPool(database.pool, async (statement, { send, socket, number }) => {
      if (statement === 'commit') await send();
      if (statement !== 'commit' && number === 1) return send();
      socket.destroy(connectionLost);
      throw connectionLost;
    });
    await assert.rejects(testLedger({ pool: faulty.pool, clock: systemClock }).post(order), connectionLost);
    assert.equal(faulty.connections(), 5);

    const ledger = testLedger({ pool: database.pool, clock: systemClock });
    const again = await ledger.post(orderOf({ from, to, amount: 100, request }));
    const reply = JSON.stringify({ transaction_id: order.movement.id, balance: 900 });
    assert.deepEqual(again, { outcome: 'replayed', reply, movementId: order.movement.id });
    assert.deepEqual(await balances(db.url, [from, to]), [900, 100]);
  });

  test('a failed batch does not prevent the next ones from being posted', async () => {
    const [from, to] = await openPair();
    let broken = true;
    const faulty = faultyPool(database.pool, async (_statement, { send, socket }) => {
      if (!broken) return send();
      socket.destroy(connectionLost);
      throw connectionLost;
    });
    const ledger = testLedger({ pool: faulty.pool, clock: systemClock });
    await assert.rejects(ledger.post(orderOf({ from, to, amount: 100 })), connectionLost);
    broken = false;
    assert.equal((await ledger.post(orderOf({ from, to, amount: 100 }))).outcome, 'posted');
    assert.deepEqual(await balances(db.url, [from, to]), [900, 100]);
  });
});
