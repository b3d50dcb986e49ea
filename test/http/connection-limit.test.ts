// The connection limit: one address that holds every connection, and other addresses that need one.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { limitConnections } from '../../src/http/overload/connection-limit.ts';
import { Metrics } from '../../src/kernel/metrics.ts';
import { waitFor } from '../support/wait.ts';

const LIMIT = 6;
/** More than a connection's socket buffers hold. */
const LARGE_BODY = Buffer.alloc(16 * 1024 * 1024);

let server: Server;
let sockets: Socket[] = [];
/** Responses that stay open until the test ends them. */
let openResponses: ServerResponse[] = [];
let largeReplies = 0;

beforeEach(async () => {
  server = createServer((request, response) => {
    if (request.url === '/wait') openResponses.push(response);
    else if (request.url === '/large') endWithLargeBody(response);
    else response.end('done');
  });
  limitConnections(new Metrics(), server, LIMIT);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  [sockets, openResponses, largeReplies] = [[], [], 0];
  server.close();
});

function endWithLargeBody(response: ServerResponse): void {
  response.end(LARGE_BODY);
  largeReplies += 1;
}

async function open(localAddress: string): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host: '127.0.0.1', port, localAddress }).on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** The reply, or null when the connection is closed instead. */
function get(socket: Socket, path = '/'): Promise<string | null> {
  const answer = new Promise<string | null>((resolve) => {
    socket.once('data', (bytes) => resolve(String(bytes)));
    socket.once('close', () => resolve(null));
  });
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  return answer;
}

const HOARDER = '127.0.0.2';
const CUSTOMER = '127.0.0.3';

test('closes the oldest idle connection of the address that holds the most', async () => {
  const held: Socket[] = [];
  for (let n = 0; n < LIMIT; n++) held.push(await open(HOARDER));
  const closed = once(held[0] as Socket, 'close');
  (held[0] as Socket).resume();
  assert.match((await get(await open(CUSTOMER))) ?? '', /done$/);
  await closed;
  assert.match((await get(held[1] as Socket)) ?? '', /done$/);
});

test('closes connections with an incomplete request or an unread reply', async () => {
  for (let n = 0; n < LIMIT; n++) {
    const socket = await open(HOARDER);
    const half = 'POST /wait HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n';
    socket.pause().write(n % 2 ? half : 'GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
  }
  await waitFor('all requests are read', () => openResponses.length >= LIMIT / 2 && largeReplies >= LIMIT / 2);
  for (let n = 0; n < 2; n++) assert.match((await get(await open(CUSTOMER))) ?? '', /done$/);
});

test('does not close a connection whose request is being served', async () => {
  const held: Socket[] = [];
  for (let n = 0; n < LIMIT; n++) held.push(await open(HOARDER));
  const answers = held.map((socket) => get(socket, '/wait'));
  await waitFor('all requests are served', () => openResponses.length >= LIMIT);
  assert.equal(await get(await open(CUSTOMER)), null);
  for (const response of openResponses) response.end('paid');
  for (const answer of answers) assert.match((await answer) ?? '', /paid$/);
});

test('an address cannot replace its own connections, nor those of an address that holds no more than it does', async () => {
  for (let n = 0; n < LIMIT / 2; n++) await open(CUSTOMER);
  for (let n = 0; n < LIMIT / 2; n++) await open(HOARDER);
  assert.equal(await get(await open(HOARDER)), null);
  for (const socket of sockets.slice(0, LIMIT)) assert.match((await get(socket)) ?? '', /done$/);
});

test('the server has a timeout for clients that do not read the reply', () => {
  assert.ok(server.timeout > 0 && server.timeout <= 120_000);
});
