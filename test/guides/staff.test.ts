// Tests the guides for staff: the texts of the console that one names, and the commands of the other.
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runGuide } from '../support/guide.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test("the texts in bold of the staff guide are the console's texts", async () => {
  const catalogues = await Array.fromAsync(glob('packages/console/src/locales/**/en.po', { cwd: ROOT }));
  const texts = await Promise.all(catalogues.map((path) => readFile(`${ROOT}/${path}`, 'utf8')));
  const known = new Set(texts.flatMap((text) => [...text.matchAll(/^msgid "(.+)"$/gm)].map(([, id]) => id)));
  const guide = await readFile(`${ROOT}/docs/guides/staff.md`, 'utf8');
  const named = [...guide.matchAll(/\*\*([^*]+)\*\*/g)].map(([, text = '']) => text.replaceAll(/\s+/g, ' '));
  assert.ok(named.length > 20);
  assert.deepEqual(
    named.filter((text) => !known.has(text)),
    [],
  );
});

test('the commands of the staff guide for the API print the documented replies', async () => {
  const { replies, documentedReplies } = await runGuide('docs/guides/staff-api.md');
  assert.equal(replies.length, 15);
  assert.deepEqual(replies, documentedReplies);
});
