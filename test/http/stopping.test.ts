// The stop of a server: clients that hold it up are disconnected after eight seconds.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { noAuthentication } from '../../src/auth/schemes/bearer.ts';
import { endpoint, okJson, type RouteGroup, streamed } from '../../src/http/endpoint.ts';
import { legacyEnvelope } from '../../src/http/envelope.ts';
import { AdmissionControl } from '../../src/http/overload/admission-control.ts';
import { bareServer } from '../support/bare-server.ts';
import { waitFor } from '../support/wait.ts';

const LAST_REPLIES_MS = 8_000;
const MEGABYTE = 'x'.repeat(1_024 * 1_024);

/** More than the buffers of two sockets hold. */
const LONG = MEGABYTE.repeat(20);

async function* endless(): AsyncGenerator<string> {
  for (;;) yield MEGABYTE;
}

const row: RouteGroup = {
  ...{ family: 'probe', prefix: '', authentication: noAuthentication, envelope: legacyEnvelope },
  endpoints: [
    endpoint({
      ...{ id: 'getEndless', method: 'GET', path: '/endless', permission: 'anyone', summary: 'Sends without end' },
      replies: {},
      handle: () => streamed(endless(), { 'content-type': 'text/plain' }),
    }),
    endpoint({
      ...{ id: 'getLong', method: 'GET', path: '/long', permission: 'anyone', summary: 'Sends 20 megabytes' },
      replies: {},
      handle: () => okJson(LONG),
    }),
  ],
};
const newLane = () => new AdmissionControl({ limit: 10 });
const lanes = { changes: newLane(), reads: newLane(), uploads: newLane(), conversations: newLane() };

/** A client that asks for an endless reply and does not read it. */
async function deafClient(port: number, reply: Promise<Socket>): Promise<Socket> {
  const client = connect(port, '127.0.0.1').pause();
  client.on('error', () => undefined);
  client.write('GET /endless HTTP/1.1\r\nhost: x\r\n\r\n');
  const accepted = await reply;
  await waitFor('the reply begins', () => accepted.bytesWritten > 0);
  return client;
}

/** The time passes in steps, since the stop sets its timer in a later turn. */
async function assertStopsInTime(app: FastifyInstance): Promise<void> {
  mock.timers.enable({ apis: ['setTimeout'] });
  let isClosed = false;
  const closed = app.close().then(() => {
    isClosed = true;
  });
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  mock.timers.tick(LAST_REPLIES_MS - 1);
  await setImmediate();
  assert.equal(isClosed, false);
  while (!isClosed) {
    mock.timers.tick(1);
    await setImmediate();
  }
  await closed;
  mock.timers.reset();
}

test('a server that listens', async () => {
  const app = await bareServer({ rows: [row], lanes });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const accepted = once(app.server, 'connection').then(([socket]) => socket as Socket);
  const client = await deafClient((app.server.address() as AddressInfo).port, accepted);
  await assertStopsInTime(app);
  client.destroy();
});

test('a server whose connections another process has accepted', async () => {
  const app = await bareServer({ rows: [row], lanes });
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const accepted = once(listener, 'connection').then(([socket]) => {
    app.serve(socket as Socket);
    return socket as Socket;
  });
  const client = await deafClient((listener.address() as AddressInfo).port, accepted);
  await assertStopsInTime(app);
  client.destroy();
  listener.close();
});

test('a complete reply that the client is still reading arrives whole', async () => {
  const app = await bareServer({ rows: [row], lanes });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const completed = Promise.withResolvers<void>();
  app.server.on('request', (_request, response) => response.once('prefinish', () => completed.resolve()));
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1').pause();
  client.write('GET /long HTTP/1.1\r\nhost: x\r\n\r\n');
  await completed.promise;
  const closed = app.close();
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  let received = 0;
  for await (const chunk of client) received += (chunk as Buffer).length;
  assert.ok(received > LONG.length, `${received} bytes arrived`);
  await closed;
});
