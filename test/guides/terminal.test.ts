// Tests the terminal guide: runs its commands and compares the output; and that all guides use distinct test data.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Json } from '../support/gateway.ts';
import { runGuide } from '../support/guide.ts';

/** Replaces ids, times, authorization codes and account numbers, which differ between runs. */
function withoutVariableParts(reply: Json): string {
  return JSON.stringify(reply)
    .replaceAll(/(txn|proc|sub|key)_[0-9A-Z]{26}/g, '$1_…')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{3}Z| UTC)/g, '…')
    .replaceAll(/("authorization_code":"|APPROVED +)[0-9A-Z]{6}/g, '$1…')
    .replaceAll(/("account_number":"\*{6})\d{4}/g, '$1…');
}

test('the commands of the terminal guide print the documented replies and receipt', async () => {
  const { replies, documentedReplies } = await runGuide('docs/guides/terminal.md');
  const [card, paid, again, refunded, refused, lookup] = replies;
  assert.deepEqual(again, paid);
  assert.deepEqual(
    [card, paid, refunded, refused, lookup].map(withoutVariableParts),
    documentedReplies.map(withoutVariableParts),
  );
  assert.equal(refunded.remaining, 100_000);
  const guide = await readFile(new URL('../../docs/guides/terminal.md', import.meta.url), 'utf8');
  const receipt = /```text\n([\s\S]*?)\n```/.exec(guide)?.[1];
  assert.equal(withoutVariableParts(paid.receipt), withoutVariableParts(receipt));
});

test('the tour and the guides use distinct phone numbers and cards, so that they can run on one service', async () => {
  const guides = ['terminal', 'partner', 'messaging', 'approvals', 'staff', 'finance'].map(
    (name) => `docs/guides/${name}.md`,
  );
  const documents = ['README.md', ...guides];
  const usedIn = new Map<string, string>();
  for (const document of documents) {
    const text = await readFile(new URL(`../../${document}`, import.meta.url), 'utf8');
    const created = text.matchAll(
      /\/(?:subscribers|processors|agents|cards\/link) ['"][^|]*?"(?:phone_number|card_serial)\\?": \\?"([^"\\]+)/g,
    );
    const registered = text.matchAll(/-d '\{"phone_number": "([^"]+)", "first_name"/g);
    // The guide for finance registers its agents by a function of the shell.
    const passed = text.matchAll(/\$\(agent '[^']+' '([^']+)'/g);
    const values = new Set([...created, ...registered, ...passed].map(([, value = '']) => value));
    values.delete('$2');
    assert.ok(values.size > 0, document);
    for (const value of values) {
      assert.equal(usedIn.get(value), undefined, `${value} is in ${document} and in ${usedIn.get(value)}`);
      usedIn.set(value, document);
    }
  }
});
