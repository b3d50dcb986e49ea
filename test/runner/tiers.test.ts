// Every test file belongs to exactly one tier.
import assert from 'node:assert/strict';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { ALONE, EXCEPTIONS, FIRST, TEST_FILES, tiersOf } from '../tiers.ts';

let files: string[];
before(async () => {
  const options = { cwd: join(import.meta.dirname, '../..'), exclude: ['**/node_modules/**'] };
  files = await Array.fromAsync(glob(TEST_FILES, options));
});

test('every test file belongs to exactly one tier', () => {
  assert.ok(files.length > 150);
  for (const path of files) assert.equal(tiersOf(path).length, 1, `${path}: ${tiersOf(path).join(', ') || 'no tier'}`);
});

test('every file named in test/tiers.ts exists', () => {
  const named = [...Object.keys(EXCEPTIONS), ...FIRST, ...ALONE];
  assert.deepEqual(
    named.filter((path) => !files.includes(path)),
    [],
  );
});

test('no test file is outside the directories that are searched', async () => {
  const options = { cwd: join(import.meta.dirname, '../..'), exclude: ['**/node_modules/**', '.git/**'] };
  const everywhere = await Array.fromAsync(glob('**/*.test.{ts,mts,js,mjs}', options));
  assert.deepEqual(everywhere.sort(), files.toSorted());
});
