// Runs the examples of the README as they are written, against the service.
import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { bankForFile } from '../../../test/support/money.ts';
import { newMerchant } from '../../../test/support/processors.ts';
import { apiKey } from '../../../test/support/staff.ts';
import { TERMINAL_SCOPES } from '../../../test/support/terminal.ts';

// Signatures are made with the machine's clock.
const { kissi: gateway, bank } = await bankForFile();
gateway.clock.set(Date.now());

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/^## (.+)$|```ts run\n([\s\S]*?)```/gm)];

/** What the examples take from their surroundings. */
async function surroundings(): Promise<Record<string, unknown>> {
  const [sender, recipient] = [await bank.customer(100_000), await bank.customer(0)];
  const merchant = await newMerchant(gateway);
  const { id: keyId, secret } = await apiKey(gateway, TERMINAL_SCOPES);
  return {
    ...{ baseUrl: gateway.url, apiKey: bank.key, keyId, secret, webhookSecrets: ['secret'] },
    ...{ senderId: sender.wallet.id, recipientId: recipient.wallet.id, recipientCard: recipient.card },
    ...{ card: sender.card, merchantId: merchant.merchantId, processorId: merchant.id },
  };
}

const OUTPUT: Record<string, RegExp> = {
  'the beginning': /^txn_\w+ 87312$/,
  Credentials: /^PARTIALLY_REFUNDED$/,
  Retries: /^true$/,
  Lists: /^1\ntxn_\w+ 100000$/,
  Webhooks: /^$/,
  Amounts: /^125050\n125000\n1,250\.50 SLE$/,
  'Small programs': /^1,000\.00 SLE$/,
};

// Inside the repository, so that Node.js finds the package, but not where other tests look for files.
const FOLDER = new URL('../.examples/', import.meta.url);
await mkdir(FOLDER, { recursive: true });
after(() => rm(FOLDER, { recursive: true, force: true }));

const seen: string[] = [];
let section = 'the beginning';
for (const [n, [, heading, code]] of examples.entries()) {
  if (heading) section = heading;
  if (!code) continue;
  const name = section;
  seen.push(name);
  test(`the example of ${name} runs`, async (t) => {
    const file = new URL(`${n}.ts`, FOLDER);
    const given = Object.entries(await surroundings()).map(
      ([key, value]) => `const ${key} = ${JSON.stringify(value)};`,
    );
    await writeFile(file, `// Example of the README.\n${given.join('\n')}\n${code}`);
    const lines: string[] = [];
    t.mock.method(console, 'log', (...values: unknown[]) => void lines.push(values.join(' ')));
    await import(file.href);
    assert.match(lines.join('\n'), OUTPUT[name] ?? assert.fail(`${name} has no expected output`));
  });
}

test('all examples are run', () => {
  assert.deepEqual(seen, Object.keys(OUTPUT));
});
