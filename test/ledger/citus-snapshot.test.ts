// A snapshot of a Citus cluster stops commits for a moment, and never for longer than its limit.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { beginSnapshot, JOIN_COMMITS } from '../../src/db/citus/snapshot.ts';
import { openConnection } from '../../src/db/database.ts';
import type { Connection } from '../../src/db/driver/connection.ts';
import { testDatabase } from '../support/database.ts';

const LIMIT_MS = 200;

const db = await testDatabase();
after(() => db.close());

/** Its first read from the shards begins, and is answered when `answer` is called. */
function hanging(connection: Connection): { begun: Promise<void>; answer(): void } {
  const [begun, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const run = connection.run.bind(connection);
  connection.run = async (statement, values) => {
    if (statement.name === 'citus-first-read') {
      begun.resolve();
      await answered.promise;
    }
    return run(statement, values);
  };
  return { begun: begun.promise, answer: answered.resolve };
}

test('payments commit again although a worker does not answer a verification', { timeout: 120_000 }, async () => {
  const connections = await Promise.all(['reader', 'barrier', 'payment'].map((name) => openConnection(db.url, name)));
  const [reader, barrier, payment] = connections as [Connection, Connection, Connection];
  try {
    const { begun, answer } = hanging(reader);
    const failed = assert.rejects(beginSnapshot(reader, barrier, LIMIT_MS));
    // On a slow machine the limit may be over before.
    await Promise.race([begun, failed]);
    await payment.begin();
    await payment.run(JOIN_COMMITS);
    await payment.commit();
    answer();
    await failed;
  } finally {
    for (const connection of connections) connection.discard();
  }
});
