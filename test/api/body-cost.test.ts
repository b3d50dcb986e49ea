// What one request may cost everybody else: while the gateway's one thread reads a megabyte, or writes metadata back, no
// payment moves. Measured as the time that this thread computed, so that a busy machine does not count.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint, RouteGroup } from '../../src/http/endpoint.ts';
import { bankForFile, PIN } from '../support/money.ts';
import { signatureHeaders, terminalOf } from '../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const shop = await terminalOf(kissi);
const admin = await kissi.adminToken();

/** Twice what was measured at worst; parsing all of it would take two to twenty times as long. */
const LIMIT_MS = 100;
const ATTEMPTS = 5;
const MEBIBYTE = 1024 * 1024;

/** The least of a few: what comes by, such as collecting garbage or compiling, is not the request's doing. */
async function computingMs(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && least > LIMIT_MS; attempt++) {
    const start = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(start);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/** As much of it as fits into a body beside the other fields. */
function filled(open: string, close: string, part: (index: number) => string): string {
  const parts: string[] = [];
  for (let length = 0; length < MEBIBYTE - 1_000; length += (parts.at(-1)?.length ?? 0) + 1) {
    parts.push(part(parts.length));
  }
  return `${open}${parts.join(',')}${close}`;
}

const SHAPES: Record<string, string> = {
  numbers: filled('[', ']', () => '1'),
  'empty objects': filled('[', ']', () => '{}'),
  'objects of all shapes': filled('[', ']', (index) => `{"${index.toString(36)}":0}`),
  'one object of many members': filled('{', '}', (index) => `"${index.toString(36)}":0`),
  'members written with escapes': filled('{', '}', () => '"\\u0061":0'),
  'deep nests': filled('[', ']', () => '['.repeat(60) + ']'.repeat(60)),
  'short texts': filled('[', ']', (index) => `"${index.toString(36)}"`),
  'one text': `"${'é'.repeat(MEBIBYTE / 2 - 500)}"`,
  escapes: `"${'\\u0041'.repeat(MEBIBYTE / 6 - 200)}"`,
  digits: '1'.repeat(MEBIBYTE - 1_000),
};

/** In this process and without a socket: what is measured is the gateway. */
async function send(
  row: RouteGroup,
  { method, path }: Endpoint,
  payload: string,
): Promise<{ status: number; text: string }> {
  assert.ok(payload.length <= MEBIBYTE);
  const url = (row.prefix + path).replace(/:\w+/g, 'sub_x');
  const at = new Date(kissi.clock.now()).toISOString();
  const credential =
    row.authentication.name === 'pos'
      ? signatureHeaders(shop.key, { method, path: url, body: payload, at })
      : { authorization: `Bearer ${admin}` };
  const headers = { 'content-type': 'application/json', ...credential };
  const reply = await kissi.gateway.app.inject({ method, url, payload, headers });
  return { status: reply.statusCode, text: reply.body };
}

function found(wanted: string): [RouteGroup, Endpoint] {
  for (const row of kissi.gateway.rows) {
    const endpoint = row.endpoints.find(({ path }) => row.prefix + path === wanted);
    if (endpoint) return [row, endpoint];
  }
  throw new Error(`no route ${wanted}`);
}

describe('a body of a megabyte', () => {
  test('of whatever shape, in a field that is asked for or in another, does not hold the gateway up', async () => {
    const [row, endpoint] = found('/api/v1/wallet/transfer');
    const right = `"sender_id":"sub_x","recipient_id":"sub_y","pin":"${PIN}","amount":1.0,"escaped":"\\u0041"`;
    for (const [shape, value] of Object.entries(SHAPES)) {
      for (const field of ['other', 'amount', 'description', 'recipient_id']) {
        const payload = `{${right},"${field}":${value}}`;
        const ms = await computingMs(async () => {
          const { status, text } = await send(row, endpoint, payload);
          // Refused as what it is; where all fields are right, the sender is looked for.
          assert.ok(status === 400 || text.includes('SUBSCRIBER_NOT_FOUND'), text);
        });
        assert.ok(ms < LIMIT_MS, `${shape} in ${field}: ${ms} ms`);
      }
    }
  });

  test('does not hold the gateway up on any route', async () => {
    for (const row of kissi.gateway.rows) {
      for (const endpoint of row.endpoints.filter(({ body }) => body)) {
        const payload = `{"escaped":"\\u0041","other":${SHAPES['objects of all shapes']}}`;
        const ms = await computingMs(async () => {
          const { status, text } = await send(row, endpoint, payload);
          // A webhook without a secret says so whatever it is sent.
          assert.ok(status < 500 || text.includes('not configured'), text);
        });
        assert.ok(ms < LIMIT_MS, `${endpoint.method} ${endpoint.path}: ${ms} ms`);
      }
    }
  });
});

describe('metadata made of numbers', () => {
  test('is written into a page of history, and passed over for a statement, without being parsed', async () => {
    const wallet = await bank.wallet(1_000);
    const card = await bank.card(wallet);
    const metadata = Array(8_190).fill(1);
    const pays = Array.from({ length: 100 }, () => shop.payInApp(card, { amount: 1, metadata }));
    for (const { status, text } of await Promise.all(pays)) assert.equal(status, 200, text);
    const day = new Date(kissi.clock.now()).toISOString().slice(0, 10);
    const get = (url: string) =>
      kissi.gateway.app.inject({ method: 'GET', url: `/api/v1${url}`, headers: { authorization: `Bearer ${admin}` } });
    const asked = {
      house: () => get('/transactions?limit=100'),
      wallet: () => get(`/transactions?limit=100&subscriber_id=${wallet.id}`),
      processor: () => get(`/processors/${shop.merchant.id}/transactions?limit=100`),
      statement: () =>
        kissi.gateway.app.inject({
          method: 'POST',
          url: '/api/v1/wallet/account-statement',
          headers: { authorization: `Bearer ${bank.key}` },
          payload: { subscriber_id: wallet.id, from: day, to: day },
        }),
    };
    for (const [what, ask] of Object.entries(asked)) {
      const ms = await computingMs(async () => {
        const { statusCode, body } = await ask();
        assert.equal(statusCode, 200);
        assert.equal(body.length > 1_600_000, what !== 'statement');
      });
      assert.ok(ms < LIMIT_MS, `${what}: ${ms} ms`);
    }
  });
});
