// Tests fields that all payment routes share: amounts in their raw text, descriptions and the request id.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint, RouteGroup } from '../../../src/http/endpoint.ts';
import { RAW_TEXT } from '../../../src/http/validation.ts';
import { fundAgent, newAgent, newSubAgent } from '../../support/agents.ts';
import type { CallReply, Json } from '../../support/gateway.ts';
import { bankForFile, newAgentFloat, PIN } from '../../support/money.ts';
import { assertRefused, newMerchant } from '../../support/processors.ts';
import { newRequestId, sendSigned, terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const terminal = await terminalOf(kissi);
const admin = await kissi.adminToken();
const routes = await paymentRoutes();

/** Every route that moves money, with a valid body except for the fields that a test adds. */
async function paymentRoutes(): Promise<{ path: string; body: Record<string, unknown>; signed?: true }[]> {
  const [from, to] = [await bank.wallet(100_000), await bank.wallet()];
  const [card, payersCard] = [await bank.card(to), await bank.card(from)];
  const agent = await newAgent(kissi);
  const sub = await newSubAgent(kissi, agent);
  await fundAgent(kissi, agent, 100_000);
  const merchant = await newMerchant(kissi);
  const paid = await terminal.pay(payersCard, { amount: 100 });
  const payer = { sender_id: from.id, pin: PIN };
  return [
    { path: '/wallet/transfer', body: { ...payer, recipient_id: to.id } },
    { path: '/wallet/transfer-p2p', body: { ...payer, recipient_card_serial: card } },
    { path: '/wallet/fund-from-partner', body: { partner_id: bank.partnerId, subscriber_id: to.id } },
    { path: '/wallet/withdraw', body: { subscriber_id: from.id, agent_id: await newAgentFloat(kissi), pin: PIN } },
    { path: `/agents/${agent.id}/fund`, body: {} },
    { path: '/agents/cashin', body: { agent_id: agent.id, subscriber_id: to.id, pin: agent.pin } },
    { path: '/agents/transfer', body: { from_agent_id: agent.id, to_agent_id: sub.id, pin: agent.pin } },
    { path: `/processors/${terminal.merchant.id}/transfer`, body: { to_processor_id: merchant.id } },
    { path: `/admin/partners/${bank.partnerId}/settle`, body: {} },
    { path: '/pos/payment', body: { ...terminal.payment(payersCard), amount: undefined }, signed: true },
    { path: '/payment', body: { ...terminal.payment(payersCard), amount: undefined }, signed: true },
    {
      path: '/pos/refund',
      body: { request_id: newRequestId(), transaction_id: paid.json.transaction_id },
      signed: true,
    },
  ];
}

/** Fields that are not amounts, and one that is read-only. */
const OTHERS = ['limit', 'rate_limit', 'reduced_daily_limit'];

/** Sends the body unchanged. */
function send({ path, signed }: (typeof routes)[number], raw: string): Promise<CallReply> {
  const url = `/api/v1${path}`;
  return signed
    ? sendSigned(kissi, url, null, { key: terminal.key, raw })
    : kissi.call('POST', url, { raw, token: /^\/wallet\/(transfer|withdraw)/.test(path) ? bank.key : admin });
}

const rawBody = (body: object, name: string, value: string) =>
  `{${name}:${value},"metadata":{"amount":7},${JSON.stringify(body).slice(1)}`.replace(/,\}$/, '}');

async function movements(): Promise<number> {
  return (await kissi.db.query('select count(*)::int as n from movements')).rows[0].n;
}

describe('amounts', () => {
  test('are validated as raw text on every route: decimal points, exponents and unsafe integers are rejected', async () => {
    const before = await movements();
    const invalid = [
      '1e2',
      '1E2',
      '100.0',
      '1.0e2',
      '0.1e1',
      '1e400',
      '-1e400',
      `1${'0'.repeat(400)}`,
      '-0',
      '0',
      '-5',
    ];
    for (const route of routes) {
      for (const amount of [...invalid, '9007199254740992', '9007199254740993', '"1e2"']) {
        const reply = await send(route, rawBody(route.body, '"amount"', amount));
        assertRefused(reply, 400, 'INVALID_AMOUNT', `${route.path} ${amount}`);
      }
      const escaped = await send(route, rawBody(route.body, '"\\u0061mount"', '1e2'));
      assertRefused(escaped, 400, 'INVALID_AMOUNT', `${route.path}, field name with an escape`);
    }
    assert.equal(await movements(), before);
  });

  test('of another JSON type are rejected with INVALID_REQUEST', async () => {
    for (const route of routes) {
      for (const amount of ['null', 'true', '[]', '{}', '[1]', '{"amount":1}']) {
        // A refund without an amount is a full refund.
        if (amount === 'null' && route.path === '/pos/refund') continue;
        assertRefused(await send(route, rawBody(route.body, '"amount"', amount)), 400, 'INVALID_REQUEST', route.path);
      }
    }
  });

  test('are read from the top level of the body; the last duplicate counts', async () => {
    for (const route of routes.filter(({ signed }) => !signed)) {
      const body = rawBody(route.body, '"amount":1e9,"x":{"amount":1e3},"y":"\\"amount\\":1e3","amount"', '50');
      const reply = await send(route, body.replace('"metadata":{"amount":7}', '"metadata":{"amount":1.5}'));
      assert.equal(reply.status, 200, `${route.path} ${reply.text}`);
      assert.ok([50, '0.50 SLE'].includes(reply.json.amount), reply.text);
    }
  });

  test('come with one request_id or reference: a second one is refused, whatever its value', async () => {
    for (const route of routes) {
      const name = 'reference' in route.body ? 'reference' : 'request_id';
      for (const second of ['null', '"other"', '"same"']) {
        const raw = JSON.stringify({ ...route.body, amount: 50, [name]: 'same' }).replace(
          /}$/,
          `,"${name}":${second}}`,
        );
        const reply = assertRefused(await send(route, raw), 400, 'INVALID_REQUEST', `${route.path} ${second}`);
        assert.equal(reply.json.error ?? reply.json.message, `The body has ${name} more than once.`);
      }
    }
  });

  test('are declared as raw text in every endpoint schema', () => {
    const names = new Set<string>();
    for (const { path, fields } of bodies()) {
      for (const [name, field] of Object.entries(fields)) {
        if (!/(?:^|_)(?:amount|limit)$/.test(name) || OTHERS.includes(name)) continue;
        assert.equal(field[RAW_TEXT], 'number', `${path} ${name}`);
        names.add(name);
      }
    }
    for (const name of ['amount', 'daily_limit', 'min_amount', 'outstanding_limit']) assert.ok(names.has(name), name);
  });
});

describe('a description', () => {
  test('is accepted with line breaks, and refused with more than 500 characters, on every route', async () => {
    const unsigned = routes.filter(({ signed }) => !signed);
    assert.equal(unsigned.length, 9);
    for (const route of unsigned) {
      const before = await movements();
      const long = await send(route, JSON.stringify({ ...route.body, amount: 1, description: 'x'.repeat(501) }));
      assertRefused(long, 400, 'INVALID_REQUEST', route.path);
      assert.match(long.json.error, /^description must be text of at most 500 characters/);
      assert.equal(await movements(), before);
      const reply = await send(route, JSON.stringify({ ...route.body, amount: 1, description: 'two\r\n\u001blines' }));
      assert.equal(reply.status, 200, `${route.path} ${reply.text}`);
      const text = 'select narration from movements where id = $1';
      const { rows } = await kissi.db.query(text, [reply.json.transaction_id]);
      assert.equal(rows[0].narration, 'two lines', route.path);
    }
  });

  test('has the same schema in all endpoints', () => {
    // A case's is what happened.
    const ofPayments = bodies().filter(({ path }) => !path.endsWith('/cases'));
    const schemas = ofPayments.flatMap(({ fields }) => (fields.description ? [fields.description] : []));
    assert.ok(schemas.length >= 9);
    for (const schema of schemas) assert.deepEqual(schema, schemas[0]);
  });
});

test('OpenAPI offers X-Request-ID only where request_id is not required in the body', () => {
  let required = 0;
  for (const { path, fields, row, body } of bodies()) {
    if (!fields.request_id) continue;
    const inBody = (body.required ?? []).includes('request_id');
    const isOwn = path.startsWith('/me/') || path === '/agents/cashout-code';
    assert.equal(inBody, isOwn || row.authentication.name === 'pos', path);
    assert.equal(/X-Request-ID is an alternative/.test(fields.request_id.description), !inBody, path);
    required += Number(inBody);
  }
  assert.equal(required, 15);
});

/** All request bodies except those of compliance, whose descriptions are not payment descriptions. */
function bodies(): { path: string; row: RouteGroup; body: Json; fields: Record<string, Json> }[] {
  return kissi.gateway.routeGroups.flatMap((row) =>
    row.endpoints.flatMap(({ path, body }: Endpoint) =>
      body && !path.startsWith('/compliance/')
        ? [{ path, row, body, fields: (body as Json).properties as Record<string, Json> }]
        : [],
    ),
  );
}
