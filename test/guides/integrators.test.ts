// Tests the guides for integrators: runs their commands and programs on one service and compares the output.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { assertTextsPrinted, guideService, withoutVariableParts } from '../support/guide.ts';

/** The quick start is first: the others use its login. */
const GUIDES = ['quick-start', 'terminal', 'app', 'partner', 'webhooks', 'errors-and-retries', 'going-live'];

/** The shop's program runs any number of times, also after runs that were interrupted: a merchant has at most five endpoints. */
const AGAIN = {
  ...{ from: '\n## 3. ', to: '\n## 5. ' },
  after: `for n in 1 2 3 4 5 6; do
  : > work/killed.log
  scripts/node work/books.ts >> work/killed.log &
  BOOKS=$!
  until grep -q prq_ work/killed.log; do kill -0 $BOOKS; sleep 0.1; done
  kill -9 $BOOKS
  wait $BOOKS || true
done`,
};

const service = await guideService({
  LAB: 'on',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  PARTNER_CASHIN_WEBHOOK_SECRET: 'a secret of the guide',
});
after(() => service.stop());

for (const name of GUIDES) {
  test(`the commands and programs of ${name}.md print the documented replies and text`, async () => {
    const run = await service.run(`docs/guides/${name}.md`, name === 'quick-start' ? AGAIN : undefined);
    assertTextsPrinted(run);
    if (name === 'quick-start') assert.equal(run.output.match(/^paid 125\.00/gm)?.length, 2, run.output);
    // A repeated payment prints the first reply again, which is shown once.
    const replies = new Set(run.replies.map((reply) => JSON.stringify(reply)));
    assert.deepEqual([...replies].map(withoutVariableParts), run.documentedReplies.map(withoutVariableParts));
  });
}

test('the programs of the guides have no type errors', async () => {
  assert.equal(await service.typeErrors(), '');
});

test('every block of commands or code in the guides is run, except for passwords, ports and long-running programs', async () => {
  const allowed =
    /^(?:npm ci\n|[A-Z_]+=(?:'…'|\S+)\n|[A-Z_a-z='" ]*npm start\n|npx kissi (?:listen|trigger) .*\n|npm run build -w packages\/client\n|cd \S+ && npm install \S+\n)+$/;
  for (const name of GUIDES) {
    const text = await readFile(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8');
    for (const [, mark = '', block = ''] of text.matchAll(/^```(\S.*)\n([\s\S]*?)^```$/gm))
      assert.ok(/^(sh tour|ts work\/[\w-]+\.ts|json|text)$/.test(mark) || allowed.test(block), `${name}.md: ${block}`);
  }
});

test('the tour and the guides use distinct phone numbers and cards, so that they can run on one service', async () => {
  const guides = [...GUIDES, 'messaging', 'approvals', 'staff-api', 'finance'].map((name) => `docs/guides/${name}.md`);
  const usedIn = new Map<string, string>();
  for (const document of ['docs/guides/tour.md', ...guides]) {
    const text = await readFile(new URL(`../../${document}`, import.meta.url), 'utf8');
    for (const value of createdIn(text)) {
      assert.equal(usedIn.get(value), undefined, `${value} is in ${document} and in ${usedIn.get(value)}`);
      usedIn.set(value, document);
    }
  }
  assert.ok(usedIn.size > 20, String(usedIn.size));
});

/** The phone numbers and cards of the records that a document creates. */
function createdIn(text: string): Set<string> {
  const patterns = [
    /\/(?:subscribers|processors|agents|cards\/link) ['"][^|]*?"(?:phone_number|card_serial)\\?": \\?"([^"\\]+)/g,
    /-d '\{"phone_number": "([^"]+)", "first_name"/g,
    // The guide for finance registers its agents by a function of the shell.
    /\$\(agent '[^']+' '([^']+)'/g,
    /kissi (?:subscribers register|processors create)[^|]*?--phone-number '([^']+)'/g,
    /kissi cards link --card-serial (\S+)/g,
    /subscribers\.register\(\{ phone_number: '([^']+)'/g,
  ];
  const values = new Set(patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, value = '']) => value)));
  values.delete('$2');
  return values;
}
