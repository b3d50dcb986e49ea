// Overload of the ledger: 50,000 posts at once, and a queue in front of a PostgreSQL that does not respond.
import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { Overloaded } from '../../src/kernel/bounded-concurrency.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { engineOf } from '../../src/ledger/posting/citus-engine.ts';
import { createLedger } from '../../src/ledger/posting/ledger.ts';
import { assertClean, balances, open, orderOf } from '../ledger/books.ts';
import { TEST_SHARDS } from '../support/citus.ts';
import { LONG_TIMEOUTS, testDatabase } from '../support/database.ts';
import { SEAL_KEYS } from '../support/ledger.ts';

const db = await testDatabase();
const database = openDatabase({
  url: db.url,
  poolSize: 4,
  role: APP_ROLE,
  timeouts: LONG_TIMEOUTS,
  shards: TEST_SHARDS,
});
await open(
  database.queries,
  Array.from({ length: 100 }, (_, n) => `w_${n}`),
);
await open(database.queries, ['bank'], { floor: null });
after(async () => {
  await assertClean(db.url);
  await database.close();
  await db.close();
});

test('posts or sheds each of 50,000 concurrent orders, and a shed order moves nothing', async () => {
  const ledger = createLedger({
    ...{ pool: database.pool, clock: systemClock, sealKeys: SEAL_KEYS, engine: engineOf(TEST_SHARDS) },
  });
  const outcomes: Record<string, number> = {};
  const posts = Array.from({ length: 50_000 }, async (_, n) => {
    const order = orderOf({ from: 'bank', to: `w_${n % 100}`, amount: 1 });
    const outcome = await ledger.post(order).then(
      (result) => result.outcome,
      (error: Error) => error.constructor.name,
    );
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  });
  await Promise.all(posts);
  const { posted = 0, Overloaded: shed = 0 } = outcomes;
  assert.equal(posted + shed, 50_000, JSON.stringify(outcomes));
  assert.ok(shed >= 30_000 - 256, 'the queue is bounded');
  const wallets = Array.from({ length: 100 }, (_, n) => `w_${n}`);
  const finalBalances = await balances(db.url, wallets);
  assert.equal(
    finalBalances.reduce((sum, balance) => sum + balance, 0),
    posted,
  );
});

test('while PostgreSQL does not respond, the orders behind the first batch are rejected without an attempt', async () => {
  // Accepts connections and never responds.
  const sockets = new Set<Socket>();
  const silentServer = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve));
  const { port } = silentServer.address() as { port: number };
  const url = `postgresql://x:y@127.0.0.1:${port}/z`;
  const unresponsive = openDatabase({ url, poolSize: 4, role: APP_ROLE, timeouts: { connectMs: 6_000 } });
  // Shorter than the time to connect: when the first attempt fails, all orders have waited too long.
  const ledger = createLedger({ pool: unresponsive.pool, clock: systemClock, sealKeys: SEAL_KEYS, timeoutMs: 2_000 });
  const posts = Array.from({ length: 1_000 }, () => ledger.post(orderOf({ from: 'bank', to: 'w_1', amount: 1 })));
  const outcomes = await Promise.allSettled(posts);
  await unresponsive.close();
  for (const socket of sockets) socket.destroy();
  silentServer.close();
  const overloaded = outcomes.filter((end) => end.status === 'rejected' && end.reason instanceof Overloaded);
  assert.deepEqual([outcomes.length, overloaded.length], [1_000, 1_000 - 256]);
  assert.equal(sockets.size, 1);
});
