// Slow bodies: a JSON body has 30 seconds in total, a file 30 seconds between chunks; a late one is answered with 408.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, beforeEach, mock, test } from 'node:test';
import { Type } from 'typebox';
import { noAuthentication } from '../../src/auth/schemes/bearer.ts';
import { endpoint, ok, type RouteGroup } from '../../src/http/endpoint.ts';
import { legacyEnvelope } from '../../src/http/envelope.ts';
import { AdmissionControl } from '../../src/http/overload/admission-control.ts';
import type { Upload } from '../../src/http/upload.ts';
import { bareServer } from '../support/bare-server.ts';

const BODY_TIMEOUT_MS = 30_000;
const FORM = 'multipart/form-data; boundary=x';

let arrived = 0;
let ended = 0;
let onChunk = () => {};

const upload: Upload = { mediaTypes: ['text/csv'], limitBytes: 1_000, description: 'A file.' };
const row: RouteGroup = {
  ...{ family: 'probe', prefix: '', authentication: noAuthentication, envelope: legacyEnvelope },
  endpoints: [
    endpoint({
      ...{ id: 'postAct', method: 'POST', path: '/act', permission: 'anyone', summary: 'Takes a body' },
      body: Type.Object({}),
      replies: { 200: Type.Object({}) },
      handle: () => ok({}),
    }),
    endpoint({
      ...{ id: 'postFile', method: 'POST', path: '/file', permission: 'anyone', summary: 'Takes a file', upload },
      replies: { 200: Type.Object({ bytes: Type.Integer() }) },
      async handle({ file }) {
        try {
          for await (const received of file) {
            arrived += received.length;
            onChunk();
          }
          return ok({ bytes: arrived });
        } finally {
          ended += 1;
        }
      },
    }),
  ],
};

const newLane = () => new AdmissionControl({ limit: 10 });
const lanes = { changes: newLane(), reads: newLane(), uploads: newLane(), conversations: newLane() };
const app = await bareServer({ rows: [row], lanes });
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;
mock.timers.enable({ apis: ['setTimeout'] });
after(async () => {
  mock.timers.reset();
  await app.close();
});

beforeEach(() => {
  [arrived, ended] = [0, 0];
});

function send(path: string, type: string, body: string): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: ${type}\r\n${body}`);
  return socket;
}

const chunk = (bytes: string) => `${bytes.length.toString(16)}\r\n${bytes}\r\n`;
const chunked = (bytes: string) => `transfer-encoding: chunked\r\n\r\n${chunk(bytes)}`;

/** Sends a chunk and waits until the handler has received it. */
async function sendChunk(socket: Socket, bytes: string): Promise<void> {
  const received = Promise.withResolvers<void>();
  onChunk = received.resolve;
  socket.write(chunk(bytes));
  await received.promise;
}

/** Advances the timers until the reply arrives, because it is unknown when the server starts its timer. */
async function replyAfterTimeouts(socket: Socket): Promise<string> {
  let answer: string | null = null;
  const reading = text(socket).then((received) => {
    answer = received;
  });
  while (answer === null) {
    await once(send('/act', 'application/json', 'content-length: 2\r\n\r\n{}').resume(), 'close');
    mock.timers.tick(BODY_TIMEOUT_MS);
  }
  await reading;
  return answer;
}

function assertTimedOut(answer: string): void {
  assert.match(answer, /^HTTP\/1\.1 408 /);
  assert.match(answer, /"error":"The request did not arrive in time\."/);
}

const inFlight = () => Object.values(lanes).reduce((sum, each) => sum + each.state().inFlight, 0);

test('answers a body that does not arrive in time with 408 and closes the connection', async () => {
  assertTimedOut(await replyAfterTimeouts(send('/act', 'application/json', 'content-length: 2\r\n\r\n{')));
});

test('reads a file to its end while chunks keep arriving, however long it takes', async () => {
  const socket = send('/file', 'text/csv', chunked('a'));
  for (const bytes of ['bc', 'def', 'ghij']) {
    await sendChunk(socket, bytes);
    mock.timers.tick(BODY_TIMEOUT_MS - 1);
  }
  socket.write('0\r\n\r\n');
  assert.match(await text(socket), /^HTTP\/1\.1 200 [\s\S]*\{"bytes":10\}$/);
});

test('the time limit also applies to the body of an unknown path: it is answered, then the connection is closed', async () => {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write('POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{');
  assert.match(await replyAfterTimeouts(socket), /^HTTP\/1\.1 404 /);
});

for (const [name, type, body] of [
  ['a file', 'text/csv', 'serial\n'],
  ['the file of a form', FORM, '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nserial\n'],
  ['a form whose file has not started', FORM, '--x\r\ncontent-dispo'],
] as const) {
  test(`${name} that stalls is answered with 408, its connection is closed and its slot released`, async () => {
    assertTimedOut(await replyAfterTimeouts(send('/file', type, chunked(body))));
    assert.equal(arrived > 0, ended === 1, 'the handler that read it has ended');
    assert.equal(inFlight(), 0);
  });
}
