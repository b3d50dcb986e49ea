// Strangers who make the gateway hold much: bodies that never end, replies that nobody reads.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { type TestGateway, testGateway } from '../support/gateway.ts';
import { apiKey } from '../support/staff.ts';
import { waitFor } from '../support/wait.ts';
import { Wire, type WireRequest } from '../support/wire.ts';

const MEBIBYTE = 1024 * 1024;

let kissi: TestGateway;
let sockets: Socket[] = [];
before(async () => {
  kissi = await testGateway();
});
beforeEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  await kissi.close();
});

/** A connection that sends this and reads nothing unless asked to. */
function open(...sent: (string | Buffer)[]): Socket {
  const { hostname, port } = new URL(kissi.url);
  const socket = connect({ host: hostname, port: Number(port) }).on('error', () => undefined);
  sockets.push(socket);
  for (const part of sent) socket.write(part);
  return socket;
}

/** The status of the first reply; null: there was none. */
function statusOf(socket: Socket): Promise<number | null> {
  return new Promise((resolve) => {
    socket.once('data', (bytes) => resolve(Number(bytes.toString('latin1').slice(9, 12))));
    socket.once('close', () => resolve(null));
  });
}

const HEAD = 'POST /api/v1/pos/payment HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
const unfinished = () => open(`${HEAD}content-length: ${MEBIBYTE}\r\n\r\n`, Buffer.alloc(MEBIBYTE - 1, ' '));

/** Answered without a signature, once its body has been read. */
async function pays(bytes: number): Promise<number> {
  const reply = await kissi.call('POST', '/api/v1/pos/payment', { raw: `{"a":"${'x'.repeat(bytes)}"}` });
  return reply.status;
}

test('bodies that never end share some room; beyond it they are sent away, and whoever sends little is served', async () => {
  const statuses = Array.from({ length: 100 }, () => statusOf(unfinished()));
  await waitFor('large bodies are refused', async () => (await pays(1_040_000)) === 503);
  assert.equal(await pays(8_000), 401);
  for (const socket of sockets) socket.destroy();
  const answers = await Promise.all(statuses);
  assert.ok(answers.filter((status) => status === 503).length >= 30, String(answers));
  assert.equal(answers.filter((status) => status !== 503 && status !== null).length, 0);
  // What they held is given back.
  await waitFor('large bodies are read again', async () => (await pays(1_040_000)) === 401);
  assert.doesNotMatch(kissi.logs(), /request failed/);
});

test('a body in pieces of one byte is refused before it has a hundred times its size', async () => {
  const socket = open(`${HEAD}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'.repeat(100_000));
  const [reply] = await once(socket, 'data');
  assert.match(String(reply), /^HTTP\/1.1 400.*too many small chunks/s);
});

test('the documents are the same bytes for everybody, however often they are asked for and not read', async () => {
  await kissi.call('GET', '/openapi.json');
  const before = process.memoryUsage();
  for (const path of ['/openapi.json', '/docs/js/scalar.js']) {
    for (let n = 0; n < 5; n++) open(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(100)).pause();
  }
  // Behind them in the queue of the one thread: by then their replies have been made.
  for (let n = 0; n < 3; n++) await kissi.call('GET', '/health/ready');
  const { external, heapUsed } = process.memoryUsage();
  const grownMiB = (external + heapUsed - before.external - before.heapUsed) / MEBIBYTE;
  assert.ok(grownMiB < 100, `${grownMiB} MiB more than before`);
});

test('the documents are served whatever Host says', async () => {
  const wire = new Wire(kissi.url);
  for (const target of ['/docs', '/docs/', '/docs/js/scalar.js', '/openapi.json']) {
    const request: WireRequest = { method: 'GET', target, headers: [['host', '[']], body: Buffer.alloc(0), bare: true };
    const reply = await wire.send(request);
    assert.ok(typeof reply !== 'string' && [200, 301].includes(reply.status), target);
  }
  wire.close();
});

test('whoever uploads slowly takes no place from those who read', async () => {
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

/** As many as there are places, twice, whose clients have gone before anything is known of their credential. */
async function sendAndGo(head: string, body: string, missing = 0): Promise<void> {
  const gone = Array.from({ length: 300 }, async () => {
    const socket = open(`${head}content-length: ${body.length + missing}\r\n\r\n${body}`);
    socket.write('', () => socket.resetAndDestroy());
    await once(socket, 'close');
  });
  await Promise.all(gone);
}

async function allPlacesAreFree(): Promise<void> {
  await waitFor('every place is given back', async () => {
    const { text } = await kissi.call('GET', '/metrics');
    const inside = [...text.matchAll(/^kissi_http_in_flight\{.*\} (\d+)$/gm)].map(([, count]) => count);
    return inside.length > 0 && inside.every((count) => count === '0');
  });
}

test('whoever sends a whole request and goes at once keeps no place inside', async () => {
  const { key } = await apiKey(kissi, ['payments:write']);
  const head = `POST /api/v1/wallet/transfer HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n`;
  const body = JSON.stringify({ sender_id: 'sub_1', filler: 'x'.repeat(4_000) });
  await sendAndGo(`${head}content-type: application/json\r\n`, body);
  await allPlacesAreFree();
});

for (const [form, type, body] of [
  ['plain', 'text/csv', 'serial\r\nA1B2C3D4\r\n'],
  [
    'multipart',
    'multipart/form-data; boundary=b',
    '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nserial\r\nA1B2\r\n--b--\r\n',
  ],
] as const) {
  test(`whoever uploads a ${form} file and goes at once keeps no place inside`, async () => {
    const { key } = await apiKey(kissi, ['cards:write']);
    const head = `POST /api/v1/cards/upload-csv HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n`;
    await sendAndGo(`${head}content-type: ${type}\r\n`, body);
    await sendAndGo(`${head}content-type: ${type}\r\n`, body.slice(0, -8), 8);
    await allPlacesAreFree();
  });
}
