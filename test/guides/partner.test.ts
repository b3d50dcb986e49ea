// Tests the partner guide: runs its commands and compares the output with the guide.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Json } from '../support/gateway.ts';
import { runGuide } from '../support/guide.ts';
import { freePort } from '../support/service.ts';

const GUIDE = 'docs/guides/partner.md';

/** Replaces ids, times, tokens, signatures and account numbers, which differ between runs. */
function withoutVariableParts(reply: Json): string {
  return JSON.stringify(reply)
    .replaceAll(/(txn|inb|sub|ptn|evt)_(?:[0-9A-Z]{26}|…)/g, '$1_…')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g, '…')
    .replaceAll(/("beneficiary_ref":")[^"]+/g, '$1…')
    .replaceAll(/("account_number":")\d{10}/g, '$1…')
    .replaceAll(/\b[0-9a-f]{64}\b/g, '…');
}

test('the commands of the partner guide print the documented replies and text', async () => {
  // The commands of the guide read the port of the webhook receiver from this variable.
  process.env.HOOK_PORT = String(await freePort());
  const { output, replies, documentedReplies } = await runGuide(GUIDE, {
    WEBHOOK_ALLOW_PRIVATE: 'true',
    PARTNER_CASHIN_WEBHOOK_SECRET: 'a secret of the guide',
  });
  const [enquiry, credit, retried, ...rest] = replies;
  assert.deepEqual(retried, credit);
  assert.deepEqual([enquiry, credit, ...rest].map(withoutVariableParts), documentedReplies.map(withoutVariableParts));
  const guide = await readFile(new URL(`../../${GUIDE}`, import.meta.url), 'utf8');
  const texts = [...guide.matchAll(/```text\n([\s\S]*?)```/g)].map(([, text]) => text ?? '');
  assert.equal(texts.length, 2);
  for (const text of texts)
    assert.ok(withoutVariableParts(output).includes(withoutVariableParts(text).slice(1, -1)), `not printed: ${text}`);
});
