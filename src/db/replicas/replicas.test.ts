// Which answers and failures of a replica lead to the primary.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import type { Reader } from '../driver/reader.ts';
import { readTarget } from './read-target.ts';
import { createReplicas, type Replica } from './replicas.ts';

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

test('a server that is no replica any more, or in an earlier timeline, is not waited for', async (t) => {
  // Without time a wait would never end.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const promoted = { reader: answering('elsewhere') } as Replica;
  const replicas = createReplicas({ replicas: [promoted], primary, maxLagMs: 1_000 });
  assert.equal(await replicas.read(async () => (readTarget() ? 'replica' : 'primary')), 'primary');
  assert.deepEqual(replicas.counts, { replica: 0, lagging: 1, failed: 0 });
});
