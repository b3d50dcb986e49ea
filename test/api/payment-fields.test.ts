// What the bodies of all routes that move money have in common: amounts as they were written, descriptions of one line,
// and where the request id is sent.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint, RouteGroup } from '../../src/http/endpoint.ts';
import { RAW_TEXT } from '../../src/http/validation.ts';
import { fundAgent, newAgent, newSubAgent } from '../support/agents.ts';
import type { CallReply, Json } from '../support/gateway.ts';
import { bankForFile, newAgentFloat, PIN } from '../support/money.ts';
import { assertRefused, newMerchant } from '../support/processors.ts';
import { newRequestId, sendSigned, terminalOf } from '../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const shop = await terminalOf(kissi);
const admin = await kissi.adminToken();
const routes = await everyRoute();

/** Every route that moves money, with a body that is right but for what a test puts into it. */
async function everyRoute(): Promise<{ path: string; body: Record<string, unknown>; signed?: true }[]> {
  const [from, to] = [await bank.wallet(100_000), await bank.wallet()];
  const [card, payersCard] = [await bank.card(to), await bank.card(from)];
  const agent = await newAgent(kissi);
  const sub = await newSubAgent(kissi, agent);
  await fundAgent(kissi, agent, 100_000);
  const merchant = await newMerchant(kissi);
  const paid = await shop.pay(payersCard, { amount: 100 });
  const payer = { sender_id: from.id, pin: PIN };
  return [
    { path: '/wallet/transfer', body: { ...payer, recipient_id: to.id } },
    { path: '/wallet/transfer-p2p', body: { ...payer, recipient_card_serial: card } },
    { path: '/wallet/fund-from-partner', body: { partner_id: bank.partnerId, subscriber_id: to.id } },
    { path: '/wallet/withdraw', body: { subscriber_id: from.id, agent_id: await newAgentFloat(kissi), pin: PIN } },
    { path: `/agents/${agent.id}/fund`, body: {} },
    { path: '/agents/cashin', body: { agent_id: agent.id, subscriber_id: to.id, pin: agent.pin } },
    { path: '/agents/transfer', body: { from_agent_id: agent.id, to_agent_id: sub.id, pin: agent.pin } },
    { path: `/processors/${shop.merchant.id}/transfer`, body: { to_processor_id: merchant.id } },
    { path: `/admin/partners/${bank.partnerId}/settle`, body: {} },
    { path: '/pos/payment', body: { ...shop.payment(payersCard), amount: undefined }, signed: true },
    { path: '/payment', body: { ...shop.payment(payersCard), amount: undefined }, signed: true },
    {
      path: '/pos/refund',
      body: { request_id: newRequestId(), transaction_id: paid.json.transaction_id },
      signed: true,
    },
  ];
}

/** As the bytes of the body. */
function send({ path, signed }: (typeof routes)[number], raw: string): Promise<CallReply> {
  const url = `/api/v1${path}`;
  return signed
    ? sendSigned(kissi, url, null, { key: shop.key, raw })
    : kissi.call('POST', url, { raw, token: path.startsWith('/wallet') ? bank.key : admin });
}

const written = (body: object, name: string, value: string) =>
  `{${name}:${value},"metadata":{"amount":7},${JSON.stringify(body).slice(1)}`.replace(/,\}$/, '}');

async function movements(): Promise<number> {
  return (await kissi.db.query('select count(*)::int as n from movements')).rows[0].n;
}

describe('amounts', () => {
  test('count as they were written, on every route: points, exponents and what no number can hold are no amounts', async () => {
    const before = await movements();
    const none = ['1e2', '1E2', '100.0', '1.0e2', '0.1e1', '1e400', '-1e400', `1${'0'.repeat(400)}`, '-0', '0', '-5'];
    for (const route of routes) {
      for (const amount of [...none, '9007199254740992', '9007199254740993', '"1e2"']) {
        const reply = await send(route, written(route.body, '"amount"', amount));
        assertRefused(reply, 400, 'INVALID_AMOUNT', `${route.path} ${amount}`);
      }
      const escaped = await send(route, written(route.body, '"\\u0061mount"', '1e2'));
      assertRefused(escaped, 400, 'INVALID_AMOUNT', `${route.path}, its name written with an escape`);
    }
    assert.equal(await movements(), before);
  });

  test('of another type have not the shape of one', async () => {
    for (const route of routes) {
      for (const amount of ['null', 'true', '[]', '{}', '[1]', '{"amount":1}']) {
        assertRefused(await send(route, written(route.body, '"amount"', amount)), 400, 'INVALID_REQUEST', route.path);
      }
    }
  });

  test('are those of the body itself, the last of several, and not those in metadata', async () => {
    for (const route of routes.filter(({ signed }) => !signed)) {
      const body = written(route.body, '"amount":1e9,"x":{"amount":1e3},"y":"\\"amount\\":1e3","amount"', '50');
      const reply = await send(route, body.replace('"metadata":{"amount":7}', '"metadata":{"amount":1.5}'));
      assert.equal(reply.status, 200, `${route.path} ${reply.text}`);
      assert.ok([50, '0.50 SLE'].includes(reply.json.amount), reply.text);
    }
  });

  test('are read so wherever the table has one', () => {
    const names = new Set<string>();
    for (const { path, fields } of bodies()) {
      for (const [name, field] of Object.entries(fields)) {
        if (!/(?:^|_)(?:amount|limit)$/.test(name) || name === 'rate_limit' || name === 'limit') continue;
        assert.equal(field[RAW_TEXT], 'number', `${path} ${name}`);
        names.add(name);
      }
    }
    for (const name of ['amount', 'daily_limit', 'min_amount', 'outstanding_limit']) assert.ok(names.has(name), name);
  });
});

describe('a description', () => {
  test('is one line of text on every route that takes one', async () => {
    const before = await movements();
    const nasty = [
      'two\nlines',
      'a\rb',
      'ok\r\n2026-03-01,txn_X,credit',
      '\u001b[2J',
      'a\u202eb',
      'a\u2028b',
      '\t',
      ' ',
    ];
    const taking = routes.filter(({ signed }) => !signed);
    assert.equal(taking.length, 9);
    for (const route of taking) {
      for (const description of nasty) {
        const reply = await send(route, JSON.stringify({ ...route.body, amount: 1, description }));
        assertRefused(reply, 400, 'INVALID_REQUEST', `${route.path} ${JSON.stringify(description)}`);
        assert.match(reply.json.error, /^description must be one line of 1 to 200 characters/);
      }
    }
    assert.equal(await movements(), before);
    const [transfer] = taking;
    assert.ok(transfer);
    const fine = { ...transfer.body, amount: 1, description: ' École – “rent” 🏦 =1+1 ' };
    assert.equal((await send(transfer, JSON.stringify(fine))).status, 200);
  });

  test('has one form in the whole table', () => {
    const forms = bodies().flatMap(({ fields }) => (fields.description ? [fields.description] : []));
    assert.ok(forms.length >= 9);
    for (const form of forms) assert.deepEqual(form, forms[0]);
  });
});

test('where the request id must be in the body, the document does not offer a header', () => {
  let required = 0;
  for (const { path, fields, row, body } of bodies()) {
    if (!fields.request_id) continue;
    const inBody = body.required.includes('request_id');
    assert.equal(inBody, row.authentication.name === 'pos', path);
    assert.equal(/X-Request-ID serves/.test(fields.request_id.description), !inBody, path);
    required += Number(inBody);
  }
  assert.equal(required, 4);
});

/** Every body of the table that asks for a payment or names one; what is said about alerts is no line of a payment. */
function bodies(): { path: string; row: RouteGroup; body: Json; fields: Record<string, Json> }[] {
  return kissi.gateway.rows.flatMap((row) =>
    row.endpoints.flatMap(({ path, body }: Endpoint) =>
      body && !path.startsWith('/compliance/')
        ? [{ path, row, body, fields: (body as Json).properties as Record<string, Json> }]
        : [],
    ),
  );
}
