// CPU time that one request may take: the gateway has one thread, and while it parses a 1 MiB body or serializes
// metadata, no payment proceeds. Measures the thread's CPU time, so that load on the machine does not count.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint, RouteGroup } from '../../src/http/endpoint.ts';
import { bankForFile, PIN } from '../support/money.ts';
import { signatureHeaders, terminalOf } from '../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const terminal = await terminalOf(kissi);
const admin = await kissi.adminToken();

/** Twice the worst measured value. Parsing the whole body would take 2 to 20 times as long. */
const LIMIT_MS = 100;
const ATTEMPTS = 5;
const MEBIBYTE = 1024 * 1024;

/** The minimum of several attempts, to exclude garbage collection and compilation. */
async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  let minimumMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && minimumMs > LIMIT_MS; attempt++) {
    const start = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(start);
    minimumMs = Math.min(minimumMs, (user + system) / 1_000);
  }
  return minimumMs;
}

/** Repeats `part` until the value fills a 1 MiB body, leaving room for the other fields. */
function fillBody(open: string, close: string, part: (index: number) => string): string {
  const parts: string[] = [];
  for (let length = 0; length < MEBIBYTE - 1_000; length += (parts.at(-1)?.length ?? 0) + 1) {
    parts.push(part(parts.length));
  }
  return `${open}${parts.join(',')}${close}`;
}

const SHAPES: Record<string, string> = {
  numbers: fillBody('[', ']', () => '1'),
  'empty objects': fillBody('[', ']', () => '{}'),
  'objects with distinct keys': fillBody('[', ']', (index) => `{"${index.toString(36)}":0}`),
  'one object with many members': fillBody('{', '}', (index) => `"${index.toString(36)}":0`),
  'escaped member names': fillBody('{', '}', () => '"\\u0061":0'),
  'deep nesting': fillBody('[', ']', () => '['.repeat(60) + ']'.repeat(60)),
  'short strings': fillBody('[', ']', (index) => `"${index.toString(36)}"`),
  'one long string': `"${'é'.repeat(MEBIBYTE / 2 - 500)}"`,
  'escape sequences': `"${'\\u0041'.repeat(MEBIBYTE / 6 - 200)}"`,
  'one long number': '1'.repeat(MEBIBYTE - 1_000),
};

/** Uses inject instead of a socket, so that only the gateway is measured. */
async function send(
  group: RouteGroup,
  { method, path }: Endpoint,
  payload: string,
): Promise<{ status: number; text: string }> {
  assert.ok(payload.length <= MEBIBYTE);
  const url = (group.prefix + path).replace(/:\w+/g, 'sub_x');
  const at = new Date(kissi.clock.now()).toISOString();
  const credential =
    group.authentication.name === 'pos'
      ? signatureHeaders(terminal.key, { method, path: url, body: payload, at })
      : { authorization: `Bearer ${admin}` };
  const headers = { 'content-type': 'application/json', ...credential };
  const reply = await kissi.gateway.app.inject({ method, url, payload, headers });
  return { status: reply.statusCode, text: reply.body };
}

function findEndpoint(path: string): [RouteGroup, Endpoint] {
  for (const group of kissi.gateway.routeGroups) {
    const endpoint = group.endpoints.find((each) => group.prefix + each.path === path);
    if (endpoint) return [group, endpoint];
  }
  throw new Error(`no route ${path}`);
}

describe('a 1 MiB body', () => {
  test('takes bounded CPU time for every JSON shape, in known and unknown fields', async () => {
    const [group, endpoint] = findEndpoint('/api/v1/wallet/transfer');
    const validFields = `"sender_id":"sub_x","recipient_id":"sub_y","pin":"${PIN}","amount":1.0,"escaped":"\\u0041"`;
    for (const [shape, value] of Object.entries(SHAPES)) {
      for (const field of ['other', 'amount', 'description', 'recipient_id']) {
        const payload = `{${validFields},"${field}":${value}}`;
        const ms = await cpuMs(async () => {
          const { status, text } = await send(group, endpoint, payload);
          // Either the value is invalid, or all fields are valid and the sender does not exist.
          assert.ok(status === 400 || text.includes('SUBSCRIBER_NOT_FOUND'), text);
        });
        assert.ok(ms < LIMIT_MS, `${shape} in ${field}: ${ms} ms`);
      }
    }
  });

  test('takes bounded CPU time on every route', async () => {
    for (const group of kissi.gateway.routeGroups) {
      for (const endpoint of group.endpoints.filter(({ body }) => body)) {
        const payload = `{"escaped":"\\u0041","other":${SHAPES['objects with distinct keys']}}`;
        const ms = await cpuMs(async () => {
          const { status, text } = await send(group, endpoint, payload);
          // A webhook without a configured secret returns 500 for every body.
          assert.ok(status < 500 || text.includes('not configured'), text);
        });
        assert.ok(ms < LIMIT_MS, `${endpoint.method} ${endpoint.path}: ${ms} ms`);
      }
    }
  });
});

describe('large metadata', () => {
  test('is copied into transaction lists and skipped for statements without being parsed', async () => {
    const wallet = await bank.wallet(1_000);
    const card = await bank.card(wallet);
    const metadata = Array(8_190).fill(1);
    const payments = Array.from({ length: 100 }, () => terminal.payInApp(card, { amount: 1, metadata }));
    for (const { status, text } of await Promise.all(payments)) assert.equal(status, 200, text);
    const day = new Date(kissi.clock.now()).toISOString().slice(0, 10);
    const get = (url: string) =>
      kissi.gateway.app.inject({ method: 'GET', url: `/api/v1${url}`, headers: { authorization: `Bearer ${admin}` } });
    const requests = {
      operator: () => get('/transactions?limit=100'),
      wallet: () => get(`/transactions?limit=100&subscriber_id=${wallet.id}`),
      processor: () => get(`/processors/${terminal.merchant.id}/transactions?limit=100`),
      statement: () =>
        kissi.gateway.app.inject({
          method: 'POST',
          url: '/api/v1/wallet/account-statement',
          headers: { authorization: `Bearer ${bank.key}` },
          payload: { subscriber_id: wallet.id, from: day, to: day },
        }),
    };
    for (const [name, send] of Object.entries(requests)) {
      const ms = await cpuMs(async () => {
        const { statusCode, body } = await send();
        assert.equal(statusCode, 200);
        assert.equal(body.length > 1_600_000, name !== 'statement');
      });
      assert.ok(ms < LIMIT_MS, `${name}: ${ms} ms`);
    }
  });
});
