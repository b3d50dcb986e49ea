// Tests the guide for staff logins: runs its commands and compares the output with the guide.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runGuide } from '../support/guide.ts';

test('the commands of the staff login guide print the documented replies', async () => {
  const { replies, documentedReplies } = await runGuide('docs/guides/staff-login.md');
  assert.equal(replies.length, 4);
  assert.deepEqual(replies, documentedReplies);
});
