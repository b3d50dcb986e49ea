// HTTP pipelining: several requests on one connection before the first is answered.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { MAX_PIPELINED, serveInOrder } from '../../src/http/overload/pipelining.ts';
import { testGateway } from '../support/gateway.ts';

let server: Server;
let sockets: Socket[] = [];
/** Requests being served now, and their maximum. */
let inFlight = 0;
let maxInFlight = 0;
const bodies: string[] = [];
/** A request with this body is answered once the test releases it. */
const HELD = 'held';
let release = Promise.withResolvers<void>();

beforeEach(async () => {
  [inFlight, maxInFlight, bodies.length] = [0, 0, 0];
  release = Promise.withResolvers();
  server = createServer(
    serveInOrder(async (request, response) => {
      maxInFlight = Math.max(maxInFlight, ++inFlight);
      const body = (await request.setEncoding('utf8').toArray()).join('');
      bodies.push(body);
      await (body === HELD ? release.promise : new Promise((resolve) => setImmediate(resolve)));
      inFlight--;
      response.end(`answer to ${request.url}\n`);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  server.close();
});

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

const portOf = () => (server.address() as AddressInfo).port;
const posts = (count: number, body: string) =>
  Array.from(
    { length: count },
    (_, n) => `POST /${n} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  ).join('');

async function answers(socket: Socket, count: number): Promise<string[]> {
  let text = '';
  for await (const chunk of socket) {
    text += chunk;
    const found = text.match(/answer to \/\d+/g) ?? [];
    if (found.length === count) return found;
  }
  return [];
}

test('pipelined requests are served one at a time, in order, with their bodies', async () => {
  const socket = open(portOf());
  const body = 'x'.repeat(3_000);
  socket.write(posts(40, body));
  assert.deepEqual(
    await answers(socket, 40),
    Array.from({ length: 40 }, (_, n) => `answer to /${n}`),
  );
  assert.equal(maxInFlight, 1);
  assert.deepEqual(new Set(bodies), new Set([body]));
});

test('connections are served independently of each other', async () => {
  const [one, two] = [open(portOf()), open(portOf())];
  const arrived = once(server, 'request');
  one.write(posts(1, HELD));
  await arrived;
  two.write(posts(10, ''));
  assert.equal((await answers(two, 10)).length, 10);
  assert.equal(inFlight, 1);
  release.resolve();
  assert.equal((await answers(one, 1)).length, 1);
});

test('closes a connection that pipelines more requests than the limit', async () => {
  const socket = open(portOf()).resume();
  socket.write(posts(MAX_PIPELINED + 50, ''));
  await once(socket, 'close');
  const other = open(portOf());
  other.write(posts(1, ''));
  assert.equal((await answers(other, 1)).length, 1);
});

test('the gateway closes a connection that pipelines too many requests and serves the others', async () => {
  const kissi = await testGateway();
  const socket = open(Number(new URL(kissi.url).port)).resume();
  socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(MAX_PIPELINED + 50));
  await once(socket, 'close');
  assert.equal((await kissi.call('GET', '/health')).status, 200);
  await kissi.close();
});
