// Tests the guide for approvals: runs its commands and compares the output with the guide.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runGuide } from '../support/guide.ts';

test('the commands of the approvals guide print the documented replies', async () => {
  const { replies, documentedReplies } = await runGuide('docs/guides/approvals.md');
  assert.equal(replies.length, 13);
  assert.deepEqual(replies, documentedReplies);
});
