// Clients that try to exhaust the gateway: bodies that never end, replies that are not read, slow uploads, early disconnects.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, beforeEach, test } from 'node:test';
import { testGateway } from '../support/gateway.ts';
import { apiKey } from '../support/staff.ts';
import { waitFor } from '../support/wait.ts';
import { Wire, type WireRequest } from '../support/wire.ts';

const MEBIBYTE = 1024 * 1024;
let sockets: Socket[] = [];
const kissi = await testGateway();
beforeEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  await kissi.close();
});

/** Opens a connection that sends the given data and does not read. */
function open(...sent: (string | Buffer)[]): Socket {
  const { hostname, port } = new URL(kissi.url);
  const socket = connect({ host: hostname, port: Number(port) }).on('error', () => undefined);
  sockets.push(socket);
  for (const part of sent) socket.write(part);
  return socket;
}

/** The status of the first reply, or null if there was none. */
function statusOf(socket: Socket): Promise<number | null> {
  return new Promise((resolve) => {
    socket.once('data', (bytes) => resolve(Number(bytes.toString('latin1').slice(9, 12))));
    socket.once('close', () => resolve(null));
  });
}

const HEAD = 'POST /api/v1/pos/payment HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
const unfinished = () => open(`${HEAD}content-length: ${MEBIBYTE}\r\n\r\n`, Buffer.alloc(MEBIBYTE - 1, ' '));

/** Sends an unsigned payment of the given size; the reply shows whether its body was read. */
async function statusOfPayment(bytes: number): Promise<number> {
  const reply = await kissi.call('POST', '/api/v1/pos/payment', { raw: `{"a":"${'x'.repeat(bytes)}"}` });
  return reply.status;
}

test('unfinished bodies share a budget; beyond it large ones are rejected with 503 and small ones are served', async () => {
  const statuses = Array.from({ length: 100 }, () => statusOf(unfinished()));
  await waitFor('large bodies are refused', async () => (await statusOfPayment(1_040_000)) === 503);
  assert.equal(await statusOfPayment(8_000), 401);
  for (const socket of sockets) socket.destroy();
  const answers = await Promise.all(statuses);
  assert.ok(answers.filter((status) => status === 503).length >= 30, String(answers));
  assert.equal(answers.filter((status) => status !== 503 && status !== null).length, 0);
  // The budget is released.
  await waitFor('large bodies are read again', async () => (await statusOfPayment(1_040_000)) === 401);
  assert.doesNotMatch(kissi.logs(), /request failed/);
});

test('a body in chunks of one byte is refused before it uses a hundred times its size', async () => {
  const socket = open(`${HEAD}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'.repeat(100_000));
  const [reply] = await once(socket, 'data');
  assert.match(String(reply), /^HTTP\/1.1 400.*too many small chunks/s);
});

test('unread replies of the API documents share their bytes', async () => {
  await kissi.call('GET', '/openapi.json');
  const before = process.memoryUsage();
  for (const path of ['/openapi.json', '/docs/js/scalar.js']) {
    for (let n = 0; n < 5; n++) open(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(100)).pause();
  }
  // These are queued behind them in the event loop: when they are answered, the other replies exist.
  for (let n = 0; n < 3; n++) await kissi.call('GET', '/health/ready');
  const { external, heapUsed } = process.memoryUsage();
  const grownMiB = (external + heapUsed - before.external - before.heapUsed) / MEBIBYTE;
  assert.ok(grownMiB < 100, `${grownMiB} MiB more than before`);
});

test('the API documents are served with any Host header', async () => {
  const wire = new Wire(kissi.url);
  for (const target of ['/docs', '/docs/', '/docs/js/scalar.js', '/openapi.json']) {
    const request: WireRequest = { method: 'GET', target, headers: [['host', '[']], body: Buffer.alloc(0), bare: true };
    const reply = await wire.send(request);
    assert.ok(typeof reply !== 'string' && [200, 301].includes(reply.status), target);
  }
  wire.close();
});

test('slow uploads do not use the slots of reads', async () => {
  const small = await testGateway({ env: { MAX_IN_FLIGHT: '16' } });
  const { key } = await apiKey(small, ['cards:read', 'cards:write']);
  const { hostname, port } = new URL(small.url);
  const head = `POST /api/v1/cards/upload-csv HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: text/csv`;
  const uploads = Array.from({ length: 16 }, () => {
    const socket = connect({ host: hostname, port: Number(port) }).on('error', () => undefined);
    socket.write(`${head}\r\ntransfer-encoding: chunked\r\n\r\n7\r\nserial\n\r\n`);
    return socket;
  });
  const inFlightIn = async (lane: string) => {
    const { text } = await small.call('GET', '/metrics');
    return Number(new RegExp(`^kissi_http_in_flight\\{lane="${lane}"\\} (\\d+)`, 'm').exec(text)?.[1]);
  };
  await waitFor('all uploads are in flight', async () => (await inFlightIn('uploads')) === 16);
  assert.equal((await small.call('GET', '/api/v1/cards', { token: key })).status, 200);
  for (const socket of uploads) socket.destroy();
  await waitFor('no upload is in flight', async () => (await inFlightIn('uploads')) === 0);
  await small.close();
});

/** Sends more requests than there are slots; each client disconnects before its credential is checked. */
async function sendAndDisconnect(head: string, body: string, missing = 0): Promise<void> {
  const disconnected = Array.from({ length: 300 }, async () => {
    const socket = open(`${head}content-length: ${body.length + missing}\r\n\r\n${body}`);
    socket.write('', () => socket.resetAndDestroy());
    await once(socket, 'close');
  });
  await Promise.all(disconnected);
}

async function waitForFreeSlots(): Promise<void> {
  await waitFor('every slot is released', async () => {
    const { text } = await kissi.call('GET', '/metrics');
    const counts = [...text.matchAll(/^kissi_http_in_flight\{.*\} (\d+)$/gm)].map(([, count]) => count);
    return counts.length > 0 && counts.every((count) => count === '0');
  });
}

test('a client that disconnects right after its request releases its slot', async () => {
  const { key } = await apiKey(kissi, ['payments:write']);
  const head = `POST /api/v1/wallet/transfer HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n`;
  const body = JSON.stringify({ sender_id: 'sub_1', filler: 'x'.repeat(4_000) });
  await sendAndDisconnect(`${head}content-type: application/json\r\n`, body);
  await waitForFreeSlots();
});

for (const [form, type, body] of [
  ['plain', 'text/csv', 'serial\r\nA1B2C3D4\r\n'],
  [
    'multipart',
    'multipart/form-data; boundary=b',
    '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nserial\r\nA1B2\r\n--b--\r\n',
  ],
] as const) {
  test(`a client that disconnects during or after a ${form} upload releases its slot`, async () => {
    const { key } = await apiKey(kissi, ['cards:write']);
    const head = `POST /api/v1/cards/upload-csv HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n`;
    await sendAndDisconnect(`${head}content-type: ${type}\r\n`, body);
    await sendAndDisconnect(`${head}content-type: ${type}\r\n`, body.slice(0, -8), 8);
    await waitForFreeSlots();
  });
}
