// Which replica answers and failures lead to the primary.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import type { Reader } from '../driver/reader.ts';
import { readTarget } from './read-target.ts';
import { createReplicas, type Replica, type ReplicaChange } from './replicas.ts';

const answering = (row: unknown) => ({ run: async () => [row] }) as unknown as Reader;
const primary = answering({ lsn: '0/0', timeline: 1 });
const replica = { reader: answering('replayed') } as Replica;

function readWith(state: string) {
  const replicas = createReplicas({ replicas: [replica], primary, maxLagMs: 1_000 });
  const result = replicas.read(async () => {
    if (!readTarget()) return 'primary';
    throw Object.assign(new pg.DatabaseError('failed', 6, 'error'), { code: state });
  });
  return { result, counts: replicas.counts };
}

// Read only, two of a refused login, two of cancelled queries, too many connections, out of memory, two of a shutdown.
for (const state of ['25006', '28000', '28P01', '40001', '40P01', '53300', '53200', '57P01', '57P03']) {
  test(`the primary answers after SQLSTATE ${state} of a replica`, async () => {
    const { result, counts } = readWith(state);
    assert.equal(await result, 'primary');
    assert.deepEqual(counts, { replica: 0, lagging: 0, failed: 1 });
  });
}

// A division by zero, and a query that took too long.
for (const state of ['22012', '57014']) {
  test(`SQLSTATE ${state} is reported, since the primary would fail in the same way`, async () => {
    const { result, counts } = readWith(state);
    await assert.rejects(result, { code: state });
    assert.deepEqual(counts, { replica: 0, lagging: 0, failed: 0 });
  });
}

test('a server that is no longer a replica, or in an earlier timeline, is not waited for', async (t) => {
  // Without time a wait would never end.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const promoted = { reader: answering('elsewhere') } as Replica;
  const replicas = createReplicas({ replicas: [promoted], primary, maxLagMs: 1_000 });
  assert.equal(await replicas.read(async () => (readTarget() ? 'replica' : 'primary')), 'primary');
  assert.deepEqual(replicas.counts, { replica: 0, lagging: 1, failed: 0 });
});

/** Replicas that fail or lag when told to, one request at a time, and a clock that only the test moves. */
function controlled(names: string[]) {
  const faults = new Map<string, 'elsewhere' | 'refused'>();
  const changes: ReplicaChange[] = [];
  let nowMs = 0;
  const replicaNamed = (name: string) =>
    ({
      name,
      reader: {
        async run() {
          const fault = faults.get(name);
          if (fault === 'refused') throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
          return [fault ?? 'replayed'];
        },
      },
    }) as unknown as Replica;
  const replicas = createReplicas({
    ...{ replicas: names.map(replicaNamed), primary, maxLagMs: 60_000 },
    onChange: (change) => void changes.push(change),
    now: () => nowMs,
  });
  const read = async (times: number) => {
    for (let done = 0; done < times; done += 1) await replicas.read(async () => undefined);
  };
  const aSecondLater = () => {
    nowMs += 1_000;
  };
  return { replicas, faults, changes, read, aSecondLater };
}

test('every request counts as failed while the only replica cannot be reached, even while it is not asked', async () => {
  const { replicas, faults, read, aSecondLater } = controlled(['b:5432']);
  faults.set('b:5432', 'refused');
  await read(5);
  aSecondLater();
  await read(5);
  assert.deepEqual(replicas.counts, { replica: 0, lagging: 0, failed: 10 });
});

test('requests count as lagging while one replica lags and the other cannot be reached', async () => {
  const { replicas, faults, read } = controlled(['b:5432', 'c:5432']);
  faults.set('b:5432', 'refused').set('c:5432', 'elsewhere');
  await read(5);
  assert.deepEqual(replicas.counts, { replica: 0, lagging: 4, failed: 1 });
});

test('a replica that is left, and one that is read from again, are reported once each', async () => {
  const { faults, changes, read, aSecondLater } = controlled(['b:5432', 'c:5432']);
  await read(4);
  assert.deepEqual(changes, []);
  faults.set('b:5432', 'refused');
  for (let second = 0; second < 3; second += 1) {
    await read(4);
    aSecondLater();
  }
  assert.deepEqual(changes, [{ server: 'b:5432', outcome: 'failed', reason: 'connect ECONNREFUSED' }]);
  faults.delete('b:5432');
  await read(4);
  assert.deepEqual(changes.slice(1), [{ server: 'b:5432', outcome: 'replica' }]);
});

test('a request that began before its replica was left does not report the replica as read from again', async () => {
  const { replicas, changes, faults, read } = controlled(['b:5432']);
  const slow = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  const reading = replicas.read(() => {
    began.resolve();
    return slow.promise;
  });
  await began.promise;
  faults.set('b:5432', 'refused');
  await read(1);
  slow.resolve();
  await reading;
  assert.deepEqual(
    changes.map(({ outcome }) => outcome),
    ['failed'],
  );
});
