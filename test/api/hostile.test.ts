// Generated nonsense at every route of the table: always a documented code and a sentence, never a 500.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { Endpoint, Row } from '../../src/http/endpoint.ts';
import { CATALOGUE } from '../../src/kernel/refusal.ts';
import { newAgent } from '../support/agents.ts';
import { raisedAlert } from '../support/compliance.ts';
import { type CallReply, type Json, testGateway } from '../support/gateway.ts';
import { APP_SECRET, hubHeaders } from '../support/messaging.ts';
import { bankOf } from '../support/money.ts';
import { inboundHeaders, partnerBank, partnerHeaders, webhookHeaders } from '../support/partner.ts';
import { signature, terminalOf } from '../support/terminal.ts';

const WEBHOOK_SECRET = 'a webhook secret of this test';
const kissi = await testGateway({
  env: { PARTNER_CASHIN_WEBHOOK_SECRET: WEBHOOK_SECRET, MESSAGING_APP_SECRET: APP_SECRET },
});
const admin = await kissi.adminToken();
const subscriberId = await someSubscriber();
const agent = await newAgent(kissi);
const shop = await terminalOf(kissi);
const card = await someCard();
const partner = await partnerBank(kissi);
const alert = await raisedAlert(kissi, { subscriber_id: subscriberId });
const ruleId = await someRule();
after(() => kissi.close());

const RUNS = Number(process.env.HOSTILE_RUNS ?? 25);

const nastyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    '🏦',
    "'; drop table users; --",
    '%',
    '_',
    '\\',
    '../../etc/passwd',
    '-1',
    'NaN',
  ),
  fc.constantFrom(
    '1e400',
    '0x10',
    '９９９９',
    '+232 76 123 456',
    '2026-02-31',
    'http://[::1',
    'a@b.c',
    'null',
    '__proto__',
  ),
  fc.string({ unit: fc.constantFrom('x'), minLength: 5_000, maxLength: 5_000 }),
);
const nastyNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.5, 1e21, 1e308, 2 ** 53, -(2 ** 53), Number.MAX_SAFE_INTEGER, 5e-324),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const nastyKey = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'length', '0', ''),
  fc.string({ maxLength: 10 }),
);
const nasty: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    nastyText,
    nastyNumber,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(nastyKey, tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** Bodies with the fields of the schema, so that the nonsense gets past the first check. */
function bodyFor(endpoint: Pick<Endpoint, 'body'>): fc.Arbitrary<unknown> {
  const properties = Object.keys((endpoint.body as Json)?.properties ?? {});
  const likely = Object.fromEntries(properties.map((name) => [name, fc.oneof(plausible(name), nasty)]));
  return fc.oneof(
    { weight: 3, arbitrary: oneNastyField(properties) },
    { weight: 2, arbitrary: fc.record(likely, { requiredKeys: [] }) },
    { weight: 1, arbitrary: nasty },
  );
}

/** All fields as they should be but one, which is how most faults are found. */
function oneNastyField(names: string[]): fc.Arbitrary<unknown> {
  // A PIN comes in one of two forms, never in both.
  const properties = names.includes('encrypted_pin') ? names.filter((name) => name !== 'pin') : names;
  const good = fc.record(Object.fromEntries(properties.map((name) => [name, plausible(name)])));
  if (properties.length === 0) return good;
  const spoilt = fc.tuple(good, fc.constantFrom(...properties), nasty);
  return spoilt.map(([body, name, value]) => ({ ...body, [name]: value }));
}

const PLAUSIBLE: { field: RegExp; value: fc.Arbitrary<unknown> }[] = [
  { field: /agent_id$/, value: fc.constant(agent.id) },
  { field: /^agent_type$/, value: fc.constantFrom('super_agent', 'sub_agent') },
  { field: /^(commission_tier|settlement_mode)$/, value: fc.constantFrom('standard', 'daily') },
  { field: /^card_serial$/, value: fc.constantFrom(card, 'CARD-1', 'CARD-2') },
  { field: /^(to_)?processor_id$/, value: fc.constant(shop.merchant.id) },
  { field: /^to_subscriber_id$/, value: fc.constant(subscriberId) },
  { field: /^merchant_id$/, value: fc.constantFrom(shop.merchant.merchantId, 'M-1') },
  { field: /^request_id$/, value: fc.uuid() },
  { field: /^metadata$/, value: fc.jsonValue() },
  { field: /^reference$/, value: fc.uuid() },
  { field: /^account_number$/, value: fc.constant('1234567897') },
  { field: /_url$/, value: fc.constant('https://example.com/x.png') },
  { field: /^date_of_birth$/, value: fc.constant('1990-01-31') },
  { field: /^id_type$/, value: fc.constant('PASSPORT') },
  { field: /^kyc_level$/, value: fc.constant(1) },
  { field: /^status$/, value: fc.constantFrom('PENDING', 'active', 'in_review') },
  { field: /^role$/, value: fc.constant('audit_user') },
  { field: /^(max_child_cards|rate_limit)$/, value: fc.constant(5) },
  { field: /^severity$/, value: fc.constantFrom('HIGH', 'LOW') },
  { field: /^kind$/, value: fc.constantFrom('amount', 'velocity_count') },
  { field: /^window_seconds$/, value: fc.constantFrom(null, 3_600) },
  { field: /^outcome$/, value: fc.constant('flag') },
  { field: /^transaction_type$/, value: fc.constant('transfer_p2p') },
  { field: /^subscriber_id$/, value: fc.constant(subscriberId) },
  { field: /amount|limit|value|threshold/, value: fc.integer({ min: 1, max: 1_000 }) },
  { field: /enabled|authorized/, value: fc.boolean() },
];

/** Values that pass for real ones, so that some requests get all the way through. */
function plausible(name: string): fc.Arbitrary<unknown> {
  if (name.includes('phone')) return fc.integer({ min: 30_000_000, max: 99_999_999 }).map((digits) => `+232${digits}`);
  if (name === 'encrypted_pin') return fc.constant(shop.encrypt(card));
  if (name.includes('pin')) return fc.integer({ min: 1000, max: 9999 }).map(String);
  if (name === 'email') return fc.integer().map((n) => `user${n}@example.com`);
  if (name === 'scopes') return fc.constant(['payments:read']);
  if (name === 'transaction_types') return fc.constant(['pos_payment']);
  const known = PLAUSIBLE.find(({ field }) => field.test(name));
  return known?.value ?? fc.constantFrom('Aminata', 'Abcdef1!', 'A reason');
}

interface Credential {
  token?: string;
  headers?: Record<string, string>;
}

/** What makes a request one of a caller who may: a token, or a signature over what is sent. */
function credential(row: Row, request: { method: string; path: string; body: string }): Credential {
  const { name } = row.authentication;
  const signed = { ...request, at: new Date(kissi.clock.now()).toISOString() };
  if (name === 'bearer' || name === 'bearer-or-service') return { token: admin };
  if (name === 'pos') return { headers: signature(shop.key, { ...request, at: signed.at }) };
  if (name === 'partner') return { headers: partnerHeaders(partner.key, partner.id, signed) };
  if (name === 'inbound') return { headers: inboundHeaders(partner.key, signed, { idempotencyKey: 'x' }) };
  if (name === 'webhook') return { headers: webhookHeaders(WEBHOOK_SECRET, request.body) };
  // From this machine.
  if (name === 'metrics') return {};
  if (name === 'hub') return { headers: hubHeaders(request.body) };
  assert.equal(name, 'none', `teach this test to sign for ${name}`);
  return {};
}

function assertCivil(reply: CallReply, what: string, envelope: string): void {
  assert.ok(reply.status < 500, `${what} answered ${reply.status} ${reply.text}`);
  if (reply.status < 400) return;
  const { success, status, code, error, message } = reply.json;
  assert.equal(envelope === 'bridge' ? status : success, envelope === 'bridge' ? 'error' : false);
  assert.ok((error ?? message).length > 5, what);
  // A webhook is answered with a message alone, the bridge with an error.
  if (envelope !== 'webhook' && envelope !== 'bridge')
    assert.ok(code in CATALOGUE, `${what} answered an unknown code: ${reply.text}`);
}

const contentType = fc.oneof(
  { weight: 9, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'text/csv', '*/*'),
  },
);

const segment = (value: unknown) => encodeURIComponent(String(value).toWellFormed()).slice(0, 400) || 'x';

for (const row of kissi.gateway.rows) {
  for (const endpoint of row.endpoints) {
    test(`${endpoint.method} ${row.prefix}${endpoint.path} survives whatever is thrown at it`, () =>
      throwAt(row, endpoint));
  }
}

async function throwAt(row: Row, { method, path, ...endpoint }: Endpoint): Promise<void> {
  const id = fc.oneof(fc.constantFrom(subscriberId, agent.id, shop.merchant.id, alert.id, ruleId), nastyText);
  const names = Object.keys((endpoint.query as Json)?.properties ?? {});
  const query = fc.array(fc.tuple(fc.constantFrom(...names, 'x'), nastyText), { maxLength: 3 });
  const property = fc.asyncProperty(bodyFor(endpoint), id, query, contentType, async (body, idValue, pairs, type) => {
    const headers: Record<string, string> = { 'content-type': type };
    const url = (row.prefix + path).replace(/:\w+/g, segment(idValue));
    const search = pairs.map(([key, value]) => `${key}=${segment(value)}`).join('&');
    const target = search ? `${url}?${search}` : url;
    const bodyless = method === 'GET' || method === 'DELETE';
    const raw = bodyless ? '' : (JSON.stringify(body) ?? 'null');
    const { headers: signed = {}, ...token } = credential(row, { method, path: target, body: raw });
    const payload = bodyless ? { headers: signed } : { raw, headers: { ...headers, ...signed } };
    const reply = await kissi.call(method, target, { ...payload, ...token });
    assertCivil(reply, `${method} ${url}`, row.envelope.name);
  });
  await fc.assert(property, { numRuns: RUNS });
}

async function someSubscriber(): Promise<string> {
  const body = { phone_number: '077000001', first_name: 'Fatu', last_name: 'Sesay', pin: '1234' };
  return (await kissi.call('POST', '/api/v1/public/subscribers', { body })).json.subscriber_id;
}

async function someRule(): Promise<string> {
  return (await kissi.call('GET', '/api/v1/compliance/rules', { token: admin })).json.rules[0].id;
}

/** With money behind it, so that some payments are made. */
async function someCard(): Promise<string> {
  const bank = await bankOf(kissi);
  return bank.card(await bank.wallet(1_000_000));
}
