// Parsers read long input in linear time, not in quadratic time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../src/features/cards/csv.ts';
import { gatewayForFile } from '../support/gateway.ts';

const kissi = await gatewayForFile();

async function elapsedMs(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

test('an unterminated JSON string of a megabyte is refused within two seconds', async () => {
  const token = await kissi.adminToken();
  const ms = await elapsedMs(async () => {
    const raw = `"${'\\"'.repeat(500_000)}`;
    assert.equal((await kissi.call('POST', '/api/v1/admin/users', { raw, token })).status, 400);
  });
  assert.ok(ms < 2_000, `${ms} ms`);
});

test('400 CSV lines with unterminated quotes are read within half a second', async () => {
  const lines = ['"'.repeat(1_000), `${' '.repeat(999)}"`, `"${'""'.repeat(499)}`, `""${' '.repeat(997)}"`];
  const ms = await elapsedMs(() => {
    for (const line of lines) for (let n = 0; n < 100; n++) fieldsOf(line);
  });
  assert.ok(ms < 500, `${ms} ms`);
});
