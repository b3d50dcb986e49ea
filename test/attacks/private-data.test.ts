// Calls every operation of the OpenAPI document as users of agents and merchants: no reply shows private data of others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentToken, newAgent, newSubAgent } from '../support/agents.ts';
import type { Json } from '../support/gateway.ts';
import { bankForFile, PIN } from '../support/money.ts';
import { resolvedDocument } from '../support/openapi.ts';
import { merchantToken, newMerchant } from '../support/processors.ts';
import { staffToken } from '../support/staff.ts';

const { kissi, bank } = await bankForFile();
const PRIVATE = {
  last_name: 'Privatelast',
  address: 'Privatestreet 1',
  email: 'privatemail@example.com',
  date_of_birth: '1971-03-05',
  id_number: 'PRIVATE77',
  id_type: 'PASSPORT',
};
const NARRATION = 'Privatenarration';
const BALANCE = 987_654;
const SECRETS = [
  PRIVATE.last_name,
  PRIVATE.address,
  PRIVATE.email,
  PRIVATE.date_of_birth,
  PRIVATE.id_number,
  NARRATION,
];

const stranger = await bank.wallet(BALANCE + 1, PRIVATE);
const card = await bank.card(stranger);
const payee = await bank.wallet();
const paid = { sender_id: stranger.id, recipient_id: payee.id, amount: 1, pin: PIN, description: NARRATION };
assert.equal((await bank.post('/wallet/transfer', paid)).status, 200);
const foreign = await newAgent(kissi, { business_name: 'Privateagents' });
const foreignMerchant = await newMerchant(kissi, { business_name: 'Privatemerchant' });
const shown = [...SECRETS, 'Privateagents', 'Privatemerchant', String(BALANCE), '9,876.54'];

/** A balance counts only as a whole number: an id or a duration may contain its digits by chance. */
function shows(text: string, secret: string): boolean {
  return /^\d+$/.test(secret) ? new RegExp(`(?<![\\w.])${secret}(?!\\w)`).test(text) : text.includes(secret);
}

const today = new Date(kissi.clock.now()).toISOString().slice(0, 10);
/** Values of body fields and query parameters that name the stranger. */
const VALUES: Record<string, string> = {
  ...{ subscriber_id: stranger.id, sender_id: stranger.id, recipient_id: payee.id, card_serial: card },
  ...{ phone_number: stranger.phone, parent_serial: card, search: PRIVATE.last_name, resource_id: stranger.id },
  ...{ agent_id: foreign.id, parent_agent_id: foreign.id, processor_id: foreignMerchant.id, from: today, to: today },
  ...{ transaction_type: 'transfer_p2p', amount: '1', reason: 'x', email: 'other@example.com' },
};

function idFor(path: string): string {
  if (path.includes('/agents/')) return foreign.id;
  return path.includes('/processors/') ? foreignMerchant.id : stranger.id;
}

interface Request {
  method: string;
  path: string;
  body?: Record<string, string>;
}

function requestsOf(path: string, method: string, operation: Json): Request[] {
  const id = idFor(path);
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'serial' ? card : id));
  const properties = operation.requestBody?.content?.['application/json']?.schema?.properties;
  const named = Object.entries(VALUES).filter(([name]) => name in (properties ?? {}));
  const content = properties ? { body: Object.fromEntries(named) } : {};
  const parameters: { in: string; name: string }[] = operation.parameters ?? [];
  const queries = parameters.filter(({ in: place, name }) => place === 'query' && name in VALUES);
  const targets = [
    target,
    ...queries.map(({ name }) => `${target}?${new URLSearchParams({ [name]: VALUES[name] ?? '' })}`),
  ];
  return targets.map((each) => ({ method: method.toUpperCase(), path: each, ...content }));
}

const document: Json = resolvedDocument(kissi.gateway.app.openApi());
const requests = Object.entries<Json>(document.paths).flatMap(([path, operations]) =>
  Object.entries<Json>(operations).flatMap(([method, operation]) => requestsOf(path, method, operation)),
);

const agent = await newAgent(kissi);
const callers: [string, () => Promise<string>][] = [
  ['a super-agent', () => agentToken(kissi, agent)],
  ['a sub-agent', async () => agentToken(kissi, await newSubAgent(kissi, agent))],
  ['a user without an agent', () => staffToken(kissi, 'sub_agent')],
  ['a merchant', async () => merchantToken(kissi, await newMerchant(kissi))],
];

for (const [name, tokenOf] of callers) {
  test(`${name} gets no private data of others from any operation`, async () => {
    const token = await tokenOf();
    let answered = 0;
    for (const { method, path, body } of requests) {
      const { status, text } = await kissi.call(method, path, { token, ...(body ? { body } : {}) });
      const sent = JSON.stringify([path, body]);
      const leaked = shown.filter((secret) => shows(text, secret) && !sent.includes(secret));
      assert.deepEqual(leaked, [], `${method} ${path} ${status} ${text}`);
      answered += Number(status === 200);
    }
    assert.ok(answered > 5, `${answered} of ${requests.length} requests were answered`);
  });
}

test('the same requests by an administrator find these data, so that the test would notice them', async () => {
  const token = await kissi.adminToken();
  const reads = requests.filter(({ method, path }) => method === 'GET' || path.endsWith('/account-statement'));
  const texts: string[] = [];
  for (const { method, path, body } of reads) {
    texts.push((await kissi.call(method, path, { token, ...(body ? { body } : {}) })).text);
  }
  const missing = shown.filter((secret) => !texts.some((text) => shows(text, secret)));
  assert.deepEqual(missing, []);
});
