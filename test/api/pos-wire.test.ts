// Signed requests bent on the wire, written byte by byte into a socket: what was signed is what counts, to the byte.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { test } from 'node:test';
import { bankForFile } from '../support/money.ts';
import { apiKey } from '../support/staff.ts';
import { terminalOf } from '../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const terminal = await terminalOf(kissi);
const card = await bank.card(await bank.wallet(1_000_000));

const PATH = '/api/v1/pos/verify-card';
const now = () => new Date(kissi.clock.now()).toISOString();

/** Everything that came back until the other side closed. */
async function exchange(bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(kissi.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', reject).on('close', () => resolve(received));
    socket.write(bytes);
  });
}

const statusOf = (received: string) => Number(/^HTTP\/1.1 (\d+)/.exec(received)?.[1]);

interface Wire {
  method?: string;
  target?: string;
  /** What is signed instead of what is sent. */
  signedTarget?: string;
  signedBody?: string;
  body?: string | Buffer;
  at?: string;
  /** Null: none. */
  contentType?: string | null;
  /** Added after the others; $SIGNATURE stands for the right one. */
  headers?: string[];
  without?: string;
  chunked?: true;
}

function wire({ method = 'POST', target = PATH, at = now(), contentType = 'application/json', ...bent }: Wire): Buffer {
  const body = Buffer.from(bent.body ?? JSON.stringify({ card_serial: card }));
  const head = Buffer.from(`${method}\n${bent.signedTarget ?? target}\n${at}\n`);
  const signed = Buffer.concat([head, Buffer.from(bent.signedBody ?? body)]);
  const signature = createHmac('sha256', terminal.key.secret).update(signed).digest('hex');
  const headers = [
    ...(contentType === null ? [] : [`Content-Type: ${contentType}`]),
    ...[`X-API-Key-ID: ${terminal.key.id}`, `X-Timestamp: ${at}`, `X-Signature: ${signature}`],
  ].filter((line) => !bent.without || !line.startsWith(bent.without));
  const added = (bent.headers ?? []).map((line) => line.replace('$SIGNATURE', signature));
  const length = bent.chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, ...added, length, '', ''];
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), bent.chunked ? inChunks(body) : body]);
}

function inChunks(body: Buffer): Buffer {
  const half = body.length >> 1;
  const chunk = (bytes: Buffer) => [Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')];
  const chunks = [...chunk(body.subarray(0, half)), ...chunk(body.subarray(half))];
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}

async function assertAnswers(cases: Record<string, [Wire, number]>): Promise<void> {
  for (const [what, [bent, status]] of Object.entries(cases)) {
    const received = await exchange(wire(bent));
    assert.equal(statusOf(received), status, `${what}: ${received}`);
  }
}

test('the three headers come once each, by their names, with nothing but blanks around them', () =>
  assertAnswers({
    'all as it should be': [{}, 200],
    'the signature twice': [{ headers: ['X-Signature: $SIGNATURE'] }, 401],
    'a wrong signature before the right one': [
      { without: 'X-Signature', headers: [`X-Signature: ${'0'.repeat(64)}`, 'X-Signature: $SIGNATURE'] },
      401,
    ],
    'another key id after the right one': [{ headers: ['X-API-Key-ID: other'] }, 401],
    'another timestamp after the right one': [{ headers: ['X-Timestamp: 2026-03-01T12:00:00Z'] }, 401],
    'an underscore in the name': [{ without: 'X-Signature', headers: ['X_Signature: $SIGNATURE'] }, 401],
    'an empty signature': [{ without: 'X-Signature', headers: ['X-Signature:'] }, 401],
    '0x before the signature': [{ without: 'X-Signature', headers: ['X-Signature: 0x$SIGNATURE'] }, 401],
    'tabs and blanks around it': [{ without: 'X-Signature', headers: ['X-Signature: \t $SIGNATURE \t '] }, 200],
    'headers that would rewrite the request': [
      { headers: ['X-HTTP-Method-Override: GET', 'X-Original-URL: /api/v1/pos/payment', 'X-Partner-ID: ptn_x'] },
      200,
    ],
  }));

test('the path is signed as it is sent, and is not tidied up', () =>
  assertAnswers({
    'a query, signed': [{ target: `${PATH}?a=1` }, 200],
    'a query, not signed': [{ target: `${PATH}?a=1`, signedTarget: PATH }, 401],
    'a question mark, not signed': [{ target: `${PATH}?`, signedTarget: PATH }, 401],
    'an encoded letter, signed as sent': [{ target: '/api/v1/pos/verify%2dcard' }, 200],
    'an encoded letter, signed decoded': [{ target: '/api/v1/pos/verify%2dcard', signedTarget: PATH }, 401],
    'a segment that is one dot': [{ target: '/api/v1/pos/%2e/verify-card' }, 404],
    'a segment that is two dots': [{ target: '/api/v1/pos/../pos/verify-card' }, 404],
    'two slashes': [{ target: '/api/v1//pos/verify-card' }, 404],
    'two slashes first': [{ target: `/${PATH}` }, 404],
    'a slash last': [{ target: `${PATH}/` }, 404],
    capitals: [{ target: PATH.toUpperCase() }, 404],
    'another method': [{ method: 'GET' }, 405],
  }));

test('the body is signed as it is sent, whichever way it travels', () =>
  assertAnswers({
    'in chunks': [{ chunked: true }, 200],
    'blanks after it, not signed': [{ body: '{"card_serial":"x"}  \n', signedBody: '{"card_serial":"x"}' }, 401],
    'none, signed': [{ body: '' }, 400],
    'a byte order mark': [{ body: '\uFEFF{"card_serial":"CARD-UNKNOWN"}' }, 404],
    'broken UTF-8': [{ body: Buffer.from([0x7b, 0xff, 0x7d]) }, 400],
    'text/plain': [{ contentType: 'text/plain' }, 415],
    'no content type': [{ contentType: null }, 415],
    'two content types in one': [{ contentType: 'text/plain, application/json' }, 415],
    'a content type that is none': [{ contentType: ';;;' }, 415],
    'two lengths at once': [{ headers: ['Transfer-Encoding: chunked'] }, 400],
  }));

test('the timestamp is an instant in any of its forms', () =>
  assertAnswers({
    'in small letters': [{ at: now().toLowerCase() }, 200],
    'of another time zone': [{ at: new Date(kissi.clock.now() + 3_600_000).toISOString().replace('Z', '+01:00') }, 200],
    'of the year 0': [{ at: '0000-01-01T00:00:00Z' }, 401],
    'in milliseconds': [{ at: String(kissi.clock.now()) }, 401],
  }));

test('a key id that no key has is 401, whatever it is made of', async () => {
  for (const id of ["' or 1=1--", '%', '\xe9\xff', 'a'.repeat(8_000), 'key_%', '__proto__', '{}', 'key_a,key_b']) {
    const headers = [`X-API-Key-ID: ${id}`];
    const received = await exchange(wire({ without: 'X-API-Key-ID', headers }));
    assert.equal(statusOf(received), 401, received);
  }
});

test('the body of a request that takes none is passed over, and is no request of its own', async () => {
  const { key } = await apiKey(kissi, ['payments:read']);
  const head = (path: string, length: number) =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${length}\r\n`;
  for (const body of ['{"limit":5}', 'x'.repeat(70_000), 'GET /api/v1/processors HTTP/1.1\r\nHost: x\r\n\r\n']) {
    const path = `/api/v1/processors/${terminal.merchant.id}`;
    const received = await exchange(`${head(path, body.length)}Content-Type: application/json\r\n\r\n${body}`);
    assert.equal(statusOf(received), 200, received);
    assert.equal(received.match(/HTTP\/1\.1 /g)?.length, 1, received);
  }
});

test('a rotated key answers what it answered before; the old secret and a revoked key answer nothing', async () => {
  const shop = await terminalOf(kissi);
  const token = await kissi.adminToken();
  const body = shop.payment(card, { amount: 5 });
  const first = await shop.send('/pos/payment', body);
  assert.equal(first.status, 200, first.text);
  const path = `/api/v1/admin/api-keys/${shop.key.id}`;
  const rotated = await kissi.call('POST', `${path}/rotate?overlap_seconds=0`, { token });
  assert.equal(rotated.status, 200, rotated.text);
  kissi.clock.advance(1_000);
  assert.equal((await shop.send('/pos/payment', body)).status, 401);
  const key = { id: shop.key.id, secret: rotated.json.secret };
  const again = await shop.send('/pos/payment', body, { key });
  assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [first.text, 'true']);
  await kissi.call('DELETE', path, { token });
  assert.equal((await shop.send('/pos/payment', body, { key })).status, 401);
});
