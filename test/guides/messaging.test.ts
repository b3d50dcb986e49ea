// Tests the messaging guide: runs its commands and compares the output with the guide.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '@kissi/testkit/service';
import type { Json } from '../support/gateway.ts';
import { runGuide } from '../support/guide.ts';

/** Replaces ids and times, which differ between runs. */
function withoutVariableParts(reply: Json): string {
  return JSON.stringify(reply)
    .replaceAll(/msg_[0-9A-Z]{26}/g, 'msg_…')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '…');
}

test('the commands of the messaging guide print the documented replies', async () => {
  const port = await freePort();
  // The commands of the guide read the port of the agent service from this variable.
  process.env.AGENT_PORT = String(port);
  const { output, replies, documentedReplies } = await runGuide('docs/guides/messaging.md', {
    MESSAGING_VERIFY_TOKEN: 'verify token for this guide',
    MESSAGING_APP_SECRET: 'app secret for this guide',
    AGENT_SERVICE_URL: `http://127.0.0.1:${port}/`,
    AGENT_SERVICE_NAME: 'kissi',
    SERVICE_SECRETS: '{"kissi": "the kissi service secret", "agent-service": "the agent service secret"}',
  });
  assert.match(output, /^1158201444$/m);
  assert.deepEqual(replies.map(withoutVariableParts), documentedReplies.map(withoutVariableParts));
});
