// The check that a payment does not cost clearly more than in the last release.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { access, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { judge, measureRatio } from '../../bench/release.ts';
import { checkOut } from '../../bench/release-checkout.ts';

async function measure(...ratios: number[]): Promise<{ ratio: number; rounds: number[] }> {
  const rounds: number[] = [];
  const ratio = await measureRatio(async (options) => {
    rounds.push(options.rounds);
    return ratios.shift() ?? Number.NaN;
  });
  return { ratio, rounds };
}

describe('the ratio to the last release', () => {
  test('is measured once if it is at most 1.15', async () => {
    assert.deepEqual(await measure(1.15), { ratio: 1.15, rounds: [5] });
  });

  test('is measured again with more rounds if it is higher, and the second result counts', async () => {
    assert.deepEqual(await measure(1.3, 1.02), { ratio: 1.02, rounds: [5, 11] });
    assert.deepEqual(await measure(1.3, 1.2), { ratio: 1.2, rounds: [5, 11] });
  });

  test('passes up to 1.15, fails above, and passes where CPU time cannot be read', () => {
    const results = [0.7, 1.15, 1.16, Number.NaN].map((ratio) => judge('0.5.0', ratio));
    assert.deepEqual(
      results.map(({ passed }) => passed),
      [true, true, false, true],
    );
    assert.match(
      results[2]?.text ?? '',
      /^A P2P payment costs 1\.16 of version 0\.5\.0's CPU time, more than the limit/,
    );
    assert.match(results[3]?.text ?? '', /^Not measured/);
  });
});

describe('the checkout of a release', () => {
  const isRepository = existsSync(new URL('../../.git', import.meta.url));

  test('imports its own packages, and is removed afterwards', { skip: !isRepository }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kissi-release-'));
    try {
      const checkout = await checkOut('HEAD', join(folder, 'checkout'));
      assert.ok(checkout);
      const link = join(checkout.root, 'node_modules/@kissi/signatures');
      assert.equal(await realpath(link), await realpath(join(checkout.root, 'packages/signatures')));
      await access(join(checkout.root, 'src/main.ts'));
      await checkout.remove();
      await assert.rejects(access(checkout.root), { code: 'ENOENT' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('of a commit that the clone does not have is null', async () => {
    assert.equal(await checkOut('0'.repeat(40)), null);
  });
});
