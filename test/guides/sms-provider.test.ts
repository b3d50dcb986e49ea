// Tests the guide on SMS providers: runs its commands and compares the output with the guide.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '@kissi/testkit/service';
import { runGuide } from '../support/guide.ts';

test('the commands of the guide on SMS providers print the documented text of a payment', async () => {
  const port = String(await freePort());
  // The commands of the guide read the port of the gateway from this variable.
  process.env.SMS_PORT = port;
  const { output, documentedTexts } = await runGuide('docs/guides/sms-provider.md', {
    NOTICES: 'all',
    SMS_PROVIDER: 'http',
    SMS_URL: `http://127.0.0.1:${port}/send`,
    SMS_SECRET: 'secret-of-this-guide',
    SMS_SENDER: 'KISSI',
    SMS_HEADERS: '{"Authorization":"Bearer {secret}"}',
    SMS_BODY: '{"to":"{to}","from":"{from}","text":"{text}","id":"{id}"}',
  });
  assert.deepEqual([output], documentedTexts);
});
