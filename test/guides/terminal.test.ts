// The guides, pasted into a shell command by command: they work as written, and print what they say they print.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Json } from '../support/gateway.ts';
import { runGuide } from '../support/guide.ts';

/** Without what differs from run to run: ids, times, and the code and number that are made of them. */
function lasting(reply: Json): string {
  return JSON.stringify(reply)
    .replaceAll(/(txn|proc|sub|key)_[0-9A-Z]{26}/g, '$1_…')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{3}Z| UTC)/g, '…')
    .replaceAll(/("authorization_code":"|APPROVED +)[0-9A-Z]{6}/g, '$1…')
    .replaceAll(/("account_number":"\*{6})\d{4}/g, '$1…');
}

test('the guide for terminals works as written, from the key to a refund', async () => {
  const { replies, documentedReplies: shown } = await runGuide('docs/guides/terminal.md');
  const [card, paid, again, refunded, refused, lookup] = replies;
  assert.deepEqual(again, paid);
  assert.deepEqual([card, paid, refunded, refused, lookup].map(lasting), shown.map(lasting));
  assert.equal(refunded.remaining, 100_000);
  const guide = await readFile(new URL('../../docs/guides/terminal.md', import.meta.url), 'utf8');
  const receipt = /```text\n([\s\S]*?)\n```/.exec(guide)?.[1];
  assert.equal(lasting(paid.receipt), lasting(receipt));
});

test('the tour and the guides have people and cards of their own, so that one can be followed after another', async () => {
  const documents = ['README.md', 'docs/guides/terminal.md', 'docs/guides/partner.md', 'docs/guides/messaging.md'];
  const taken = new Map<string, string>();
  for (const document of documents) {
    const text = await readFile(new URL(`../../${document}`, import.meta.url), 'utf8');
    const made = text.matchAll(
      /\/(?:subscribers|processors|agents|cards\/link) ['"][^|]*?"(?:phone_number|card_serial)\\?": \\?"([^"\\]+)/g,
    );
    const registered = text.matchAll(/-d '\{"phone_number": "([^"]+)", "first_name"/g);
    const values = new Set([...made, ...registered].map(([, value = '']) => value));
    assert.ok(values.size > 0, document);
    for (const value of values) {
      assert.equal(taken.get(value), undefined, `${value} is in ${document} and in ${taken.get(value)}`);
      taken.set(value, document);
    }
  }
});
