// Tests the guide for staff: runs its commands and compares the output with the guide.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runGuide } from '../support/guide.ts';

test('the commands of the staff guide print the documented replies', async () => {
  const { replies, documentedReplies } = await runGuide('docs/guides/staff.md');
  assert.equal(replies.length, 15);
  assert.deepEqual(replies, documentedReplies);
});
