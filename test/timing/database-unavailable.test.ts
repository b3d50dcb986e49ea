// With the timeouts of production, callers are answered within seconds while PostgreSQL does not respond.

import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startEmbeddedServer } from '@kissi/embedded-postgres';
import { serverProcesses } from '@kissi/testkit/faults';
import { runService, temporaryFolder } from '@kissi/testkit/service';
import pg from 'pg';
import { openDatabase } from '../../src/db/database.ts';
import { statement } from '../../src/db/driver/statement.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLedger } from '../../src/ledger/posting/ledger.ts';
import { open, orderOf } from '../ledger/books.ts';
import { register } from '../service/processes.ts';
import { testDatabase } from '../support/database.ts';
import { SEAL_KEYS } from '../support/ledger.ts';
import { startReplicas } from '../support/replicas.ts';

async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

describe('orders of the ledger', () => {
  test('are all rejected within ten seconds while PostgreSQL accepts connections and sends nothing', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const database = openDatabase({ url: `postgresql://x:y@127.0.0.1:${port}/z`, poolSize: 4, role: APP_ROLE });
    const ledger = createLedger({ pool: database.pool, clock: systemClock, sealKeys: SEAL_KEYS });
    const ms = await elapsedMs(async () => {
      const posts = Array.from({ length: 1_000 }, () => ledger.post(orderOf({ from: 'a', to: 'b', amount: 1 })));
      for (const { status } of await Promise.allSettled(posts)) assert.equal(status, 'rejected');
    });
    await database.close();
    for (const socket of sockets) socket.destroy();
    silent.close();
    assert.ok(ms < 10_000, `${ms} ms`);
  });

  test('on an account that another transaction locks are all rejected within five seconds', async () => {
    const db = await testDatabase();
    const database = openDatabase({ url: db.url, poolSize: 4, role: APP_ROLE });
    await open(database.queries, ['locked', 'other']);
    const owner = new pg.Client({ connectionString: db.url });
    await owner.connect();
    await owner.query(`begin; select from accounts where id = 'locked' for update`);
    const ledger = createLedger({ pool: database.pool, clock: systemClock, sealKeys: SEAL_KEYS });
    const ms = await elapsedMs(async () => {
      const orders = Array.from({ length: 7 }, () => orderOf({ from: 'locked', to: 'other', amount: 1 }));
      for (const { status } of await Promise.allSettled(orders.map(ledger.post))) assert.equal(status, 'rejected');
    });
    await owner.end();
    await database.close();
    await db.close();
    assert.ok(ms < 5_000, `${ms} ms`);
  });
});

test('with all of several servers gone a query fails within five seconds', async () => {
  const servers = await startReplicas();
  const database = openDatabase({ url: servers.address('a', 'b'), poolSize: 8 });
  const SELECT = statement('one', 'select 1');
  try {
    await database.pool.run(SELECT);
    await servers.primary.kill();
    await servers.standby.kill();
    const ms = await elapsedMs(() => assert.rejects(database.pool.run(SELECT)));
    assert.ok(ms < 5_000, `${ms} ms`);
  } finally {
    await database.close();
    await servers.remove();
  }
});

describe('requests to the service are answered within five seconds', () => {
  const MANY = { PUBLIC_REGISTRATION_PER_MINUTE: '100000' };

  test('while PostgreSQL is stopped', async () => {
    const folder = await temporaryFolder();
    const server = await startEmbeddedServer({ dataDir: folder.path, supervise: false, report: () => undefined });
    const service = await runService({ DATABASE_URL: server.url, DATA_DIR: folder.path });
    try {
      await server.stop();
      const ms = await elapsedMs(async () => assert.equal((await register(service, '076111444')).status, 500));
      assert.ok(ms < 5_000, `${ms} ms`);
    } finally {
      await service.stop('SIGTERM');
      await server.stop();
      await folder.remove();
    }
  });

  for (const signal of ['SIGSTOP', 'SIGKILL'] as const) {
    test(`when PostgreSQL gets ${signal} with many transactions in flight`, async () => {
      const folder = await temporaryFolder();
      const service = await runService({ DATA_DIR: folder.path, ...MANY });
      const processes = await serverProcesses(join(folder.path, 'postgres'));
      const registerAll = (from: number) =>
        Promise.all(Array.from({ length: 40 }, (_, n) => elapsedMs(() => register(service, `0764${from + n}`))));
      try {
        await registerAll(10_000);
        const inFlight = registerAll(20_000);
        for (const pid of signal === 'SIGSTOP' ? processes : processes.slice(0, 1)) process.kill(pid, signal);
        const times = [...(await inFlight), ...(await registerAll(30_000))];
        assert.ok(Math.max(...times) < 5_000, `the slowest took ${Math.max(...times)} ms`);
      } finally {
        if (signal === 'SIGSTOP') for (const pid of processes) process.kill(pid, 'SIGCONT');
        await service.stop('SIGTERM');
        await folder.remove();
      }
    });
  }
});
