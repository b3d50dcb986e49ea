// Tests the guide for finance: runs its commands and compares the output with the guide.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runGuide } from '../support/guide.ts';

test('the commands of the finance guide print the documented replies', async () => {
  const { replies, documentedReplies } = await runGuide('docs/guides/finance.md');
  assert.equal(replies.length, 17);
  assert.deepEqual(replies, documentedReplies);
});
