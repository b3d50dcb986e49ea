// One address that takes every connection, and others who want one.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { limitConnections } from '../../src/http/overload/connection-limit.ts';
import { Metrics } from '../../src/kernel/metrics.ts';
import { waitFor } from '../support/wait.ts';

const LIMIT = 6;
/** More than any connection has room for on the way. */
const MUCH = Buffer.alloc(16 * 1024 * 1024);

let server: Server;
let sockets: Socket[] = [];
/** Answers that are being made until somebody sends them. */
let begun: ServerResponse[] = [];
let much = 0;

beforeEach(async () => {
  server = createServer((request, response) => {
    if (request.url === '/wait') begun.push(response);
    else if (request.url === '/much') endWithMuch(response);
    else response.end('done');
  });
  limitConnections(new Metrics(), server, LIMIT);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  [sockets, begun, much] = [[], [], 0];
  server.close();
});

function endWithMuch(response: ServerResponse): void {
  response.end(MUCH);
  much += 1;
}

async function open(localAddress: string): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host: '127.0.0.1', port, localAddress }).on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** What comes back, or null when the connection is closed instead. */
function ask(socket: Socket, path = '/'): Promise<string | null> {
  const answer = new Promise<string | null>((resolve) => {
    socket.once('data', (bytes) => resolve(String(bytes)));
    socket.once('close', () => resolve(null));
  });
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  return answer;
}

const STRANGER = '127.0.0.2';
const CUSTOMER = '127.0.0.3';

test('whoever holds the most gives up the oldest that is idle', async () => {
  const held: Socket[] = [];
  for (let n = 0; n < LIMIT; n++) held.push(await open(STRANGER));
  const closed = once(held[0] as Socket, 'close');
  (held[0] as Socket).resume();
  assert.match((await ask(await open(CUSTOMER))) ?? '', /done$/);
  await closed;
  assert.match((await ask(held[1] as Socket)) ?? '', /done$/);
});

test('whoever sends half a request, or does not read the answer, holds no place by that', async () => {
  for (let n = 0; n < LIMIT; n++) {
    const socket = await open(STRANGER);
    const half = 'POST /wait HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n';
    socket.pause().write(n % 2 ? half : 'GET /much HTTP/1.1\r\nhost: x\r\n\r\n');
  }
  await waitFor('all requests are read', () => begun.length >= LIMIT / 2 && much >= LIMIT / 2);
  for (let n = 0; n < 2; n++) assert.match((await ask(await open(CUSTOMER))) ?? '', /done$/);
});

test('a connection whose request is being served is not given up', async () => {
  const held: Socket[] = [];
  for (let n = 0; n < LIMIT; n++) held.push(await open(STRANGER));
  const answers = held.map((socket) => ask(socket, '/wait'));
  await waitFor('all requests are served', () => begun.length >= LIMIT);
  assert.equal(await ask(await open(CUSTOMER)), null);
  for (const response of begun) response.end('paid');
  for (const answer of answers) assert.match((await answer) ?? '', /paid$/);
});

test('an address takes no place from itself, nor from those who hold no more than it', async () => {
  for (let n = 0; n < LIMIT / 2; n++) await open(CUSTOMER);
  for (let n = 0; n < LIMIT / 2; n++) await open(STRANGER);
  assert.equal(await ask(await open(STRANGER)), null);
  for (const socket of sockets.slice(0, LIMIT)) assert.match((await ask(socket)) ?? '', /done$/);
});

test('who does not read an answer is not waited for without end', () => {
  assert.ok(server.timeout > 0 && server.timeout <= 120_000);
});
