// The guide for messaging, pasted into a shell command by command: it works as written, and prints what it says it prints.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/gateway.ts';
import { runGuide } from '../support/guide.ts';
import { freePort } from '../support/service.ts';

/** Without what differs from run to run: ids and times. */
function lasting(reply: Json): string {
  return JSON.stringify(reply)
    .replaceAll(/msg_[0-9A-Z]{26}/g, 'msg_…')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '…');
}

test('the guide for messaging works as written, from the verification to an answer', async () => {
  const port = await freePort();
  // Where the reader says on which port the agents listen.
  process.env.AGENT_PORT = String(port);
  const {
    output: printed,
    replies,
    documentedReplies: shown,
  } = await runGuide('docs/guides/messaging.md', {
    MESSAGING_VERIFY_TOKEN: 'a token of the guide',
    MESSAGING_APP_SECRET: 'an app secret of the guide',
    AGENT_SERVICE_URL: `http://127.0.0.1:${port}/`,
    AGENT_SERVICE_NAME: 'kissi',
    SERVICE_SECRETS: '{"kissi": "the secret of kissi", "agent-service": "the secret of the agents"}',
  });
  assert.match(printed, /^1158201444$/m);
  assert.deepEqual(replies.map(lasting), shown.map(lasting));
});
