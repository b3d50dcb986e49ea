// The port of all gateways goes on after a connection that could not be accepted.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Server, type Socket } from 'node:net';
import { test } from 'node:test';
import { Connections } from './connections.ts';

test('a connection that cannot be accepted is reported, and the next one is handed over', async () => {
  const reported: Error[] = [];
  const connections = new Connections((error) => void reported.push(error));
  const { port } = new URL(await connections.open('127.0.0.1', 0));
  // As Node.js emits it for an accept that failed.
  const failure = new Error('accept EMFILE');
  (Reflect.get(connections, 'server') as Server).emit('error', failure);
  assert.deepEqual(reported, [failure]);

  const taken = Promise.withResolvers<Socket>();
  connections.add({ takeOver: async (socket) => taken.resolve(socket) });
  const client = connect(Number(port), '127.0.0.1');
  assert.ok(await taken.promise);
  await once(client, 'close');
  connections.close();
});

test('an address that is in use fails the start', async () => {
  const first = new Connections(() => undefined);
  const { port } = new URL(await first.open('127.0.0.1', 0));
  const reported: Error[] = [];
  const second = new Connections((error) => void reported.push(error));
  await assert.rejects(() => second.open('127.0.0.1', Number(port)), { code: 'EADDRINUSE' });
  assert.deepEqual(reported, []);
  first.close();
});
