// Tests signature verification with raw and malformed HTTP requests: headers, path, body and timestamp as received.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { test } from 'node:test';
import { bankForFile } from '../../support/money.ts';
import { apiKey, assertStatus } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const terminal = await terminalOf(kissi);
const card = await bank.card(await bank.wallet(1_000_000));

const PATH = '/api/v1/pos/verify-card';
const now = () => new Date(kissi.clock.now()).toISOString();

/** Sends the bytes and returns everything received until the server closes the connection. */
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

interface RequestSpec {
  method?: string;
  target?: string;
  /** Signed instead of the target that is sent. */
  signedTarget?: string;
  signedBody?: string;
  body?: string | Buffer;
  at?: string;
  /** Null sends no Content-Type. */
  contentType?: string | null;
  /** Added after the others; $SIGNATURE is replaced by the correct signature. */
  headers?: string[];
  without?: string;
  chunked?: true;
}

function rawRequest({
  method = 'POST',
  target = PATH,
  at = now(),
  contentType = 'application/json',
  ...spec
}: RequestSpec): Buffer {
  const body = Buffer.from(spec.body ?? JSON.stringify({ card_serial: card }));
  const head = Buffer.from(`${method}\n${spec.signedTarget ?? target}\n${at}\n`);
  const signed = Buffer.concat([head, Buffer.from(spec.signedBody ?? body)]);
  const signature = createHmac('sha256', terminal.key.secret).update(signed).digest('hex');
  const headers = [
    ...(contentType === null ? [] : [`Content-Type: ${contentType}`]),
    ...[`X-API-Key-ID: ${terminal.key.id}`, `X-Timestamp: ${at}`, `X-Signature: ${signature}`],
  ].filter((line) => !spec.without || !line.startsWith(spec.without));
  const added = (spec.headers ?? []).map((line) => line.replace('$SIGNATURE', signature));
  const length = spec.chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, ...added, length, '', ''];
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), spec.chunked ? inChunks(body) : body]);
}

function inChunks(body: Buffer): Buffer {
  const half = body.length >> 1;
  const chunk = (bytes: Buffer) => [Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')];
  const chunks = [...chunk(body.subarray(0, half)), ...chunk(body.subarray(half))];
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}

async function assertStatuses(cases: Record<string, [RequestSpec, number]>): Promise<void> {
  for (const [label, [spec, status]] of Object.entries(cases)) {
    const received = await exchange(rawRequest(spec));
    assert.equal(statusOf(received), status, `${label}: ${received}`);
  }
}

test('each signature header must occur once, with its exact name; surrounding whitespace is ignored', () =>
  assertStatuses({
    'a valid request': [{}, 200],
    'the signature twice': [{ headers: ['X-Signature: $SIGNATURE'] }, 401],
    'a wrong signature before the correct one': [
      { without: 'X-Signature', headers: [`X-Signature: ${'0'.repeat(64)}`, 'X-Signature: $SIGNATURE'] },
      401,
    ],
    'another key id after the correct one': [{ headers: ['X-API-Key-ID: other'] }, 401],
    'another timestamp after the correct one': [{ headers: ['X-Timestamp: 2026-03-01T12:00:00Z'] }, 401],
    'an underscore in the name': [{ without: 'X-Signature', headers: ['X_Signature: $SIGNATURE'] }, 401],
    'an empty signature': [{ without: 'X-Signature', headers: ['X-Signature:'] }, 401],
    '0x before the signature': [{ without: 'X-Signature', headers: ['X-Signature: 0x$SIGNATURE'] }, 401],
    'tabs and spaces around it': [{ without: 'X-Signature', headers: ['X-Signature: \t $SIGNATURE \t '] }, 200],
    'headers that would rewrite the request': [
      { headers: ['X-HTTP-Method-Override: GET', 'X-Original-URL: /api/v1/pos/payment', 'X-Partner-ID: ptn_x'] },
      200,
    ],
  }));

test('the path is verified as received, without normalization', () =>
  assertStatuses({
    // The signature is right, but the route has no such parameter.
    'a query, signed': [{ target: `${PATH}?a=1` }, 400],
    'a query, not signed': [{ target: `${PATH}?a=1`, signedTarget: PATH }, 401],
    'a question mark, not signed': [{ target: `${PATH}?`, signedTarget: PATH }, 401],
    'an encoded letter, signed as sent': [{ target: '/api/v1/pos/verify%2dcard' }, 200],
    'an encoded letter, signed decoded': [{ target: '/api/v1/pos/verify%2dcard', signedTarget: PATH }, 401],
    'a dot segment': [{ target: '/api/v1/pos/%2e/verify-card' }, 404],
    'a double-dot segment': [{ target: '/api/v1/pos/../pos/verify-card' }, 404],
    'a double slash': [{ target: '/api/v1//pos/verify-card' }, 404],
    'a leading double slash': [{ target: `/${PATH}` }, 404],
    'a trailing slash': [{ target: `${PATH}/` }, 404],
    'upper case': [{ target: PATH.toUpperCase() }, 404],
    'another method': [{ method: 'GET' }, 405],
  }));

test('the body is verified as received, for every transfer encoding', () =>
  assertStatuses({
    chunked: [{ chunked: true }, 200],
    'unsigned trailing whitespace': [{ body: '{"card_serial":"x"}  \n', signedBody: '{"card_serial":"x"}' }, 401],
    'an empty body, signed': [{ body: '' }, 400],
    'a byte order mark': [{ body: '\uFEFF{"card_serial":"CARD-UNKNOWN"}' }, 404],
    'invalid UTF-8': [{ body: Buffer.from([0x7b, 0xff, 0x7d]) }, 400],
    'text/plain': [{ contentType: 'text/plain' }, 415],
    'no content type': [{ contentType: null }, 415],
    'two content types in one header': [{ contentType: 'text/plain, application/json' }, 415],
    'an invalid content type': [{ contentType: ';;;' }, 415],
    'Content-Length and Transfer-Encoding': [{ headers: ['Transfer-Encoding: chunked'] }, 400],
  }));

test('the timestamp may have any RFC 3339 form', () =>
  assertStatuses({
    'lower case': [{ at: now().toLowerCase() }, 200],
    'another time zone': [{ at: new Date(kissi.clock.now() + 3_600_000).toISOString().replace('Z', '+01:00') }, 200],
    'the year 0': [{ at: '0000-01-01T00:00:00Z' }, 401],
    'Unix milliseconds': [{ at: String(kissi.clock.now()) }, 401],
  }));

test('an unknown key id gets 401, whatever characters it contains', async () => {
  for (const id of ["' or 1=1--", '%', '\xe9\xff', 'a'.repeat(8_000), 'key_%', '__proto__', '{}', 'key_a,key_b']) {
    const headers = [`X-API-Key-ID: ${id}`];
    const received = await exchange(rawRequest({ without: 'X-API-Key-ID', headers }));
    assert.equal(statusOf(received), 401, received);
  }
});

test('the body of a GET request is skipped and not parsed as another request', async () => {
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

test('a rotated key still gets replays; the old secret and a revoked key get 401', async () => {
  const rotatedTerminal = await terminalOf(kissi);
  const token = await kissi.adminToken();
  const body = rotatedTerminal.payment(card, { amount: 5 });
  const first = assertStatus(await rotatedTerminal.send('/pos/payment', body), 200);
  const path = `/api/v1/admin/api-keys/${rotatedTerminal.key.id}`;
  const rotated = assertStatus(await kissi.call('POST', `${path}/rotate?overlap_seconds=0`, { token }), 200);
  kissi.clock.advance(1_000);
  assert.equal((await rotatedTerminal.send('/pos/payment', body)).status, 401);
  const key = { id: rotatedTerminal.key.id, secret: rotated.json.secret };
  const again = await rotatedTerminal.send('/pos/payment', body, { key });
  assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [first.text, 'true']);
  await kissi.call('DELETE', path, { token });
  assert.equal((await rotatedTerminal.send('/pos/payment', body, { key })).status, 401);
});
