// Workers of a Citus cluster that hang, were interrupted or cannot be reached: payments go on, and closes wait.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { interruptedCommits } from '../../src/db/citus/queries.ts';
import { ShardMap } from '../../src/db/citus/shard-map.ts';
import { beginSnapshot, JOIN_COMMITS } from '../../src/db/citus/snapshot.ts';
import { openConnection, openDatabase } from '../../src/db/database.ts';
import type { Connection } from '../../src/db/driver/connection.ts';
import { notOnCluster } from '../support/citus.ts';
import { LONG_TIMEOUTS, testDatabase } from '../support/database.ts';
import { asOwner } from './books.ts';

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
    // On a slow machine the limit may have passed by then.
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

const ofTheTest = notOnCluster('the answers of workers are those of the test');
test('a close counts interrupted commits of all workers, and one that cannot be reached', ofTheTest, async () => {
  const shards = new ShardMap([-(2 ** 31)]);
  const database = openDatabase({ url: db.url, poolSize: 1, timeouts: LONG_TIMEOUTS, shards });
  const countOf = async (...answers: [success: boolean, result: string][]) => {
    const rows = answers.map(([success, result]) => `(${success}, '${result}')`).join();
    await asOwner(db.url, (owner) =>
      owner.query(`create or replace function run_command_on_workers(text) returns table (success boolean, result text)
        language sql as $$ values ${rows} $$`),
    );
    return interruptedCommits(database.queries);
  };
  try {
    assert.equal(await countOf([true, '0'], [true, '0']), 0);
    assert.equal(await countOf([true, '2'], [true, '1']), 3);
    assert.equal(await countOf([true, '0'], [false, 'failed to connect to 127.0.0.1']), 1);
  } finally {
    await database.close();
  }
});
