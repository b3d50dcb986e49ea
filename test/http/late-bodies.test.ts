// Bodies that come slowly: a whole one has half a minute, a file as long as it comes on; whoever stops is told, and goes.
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
import { bareServer } from '../support/bare-server.ts';

const PATIENCE_MS = 30_000;
const FORM = 'multipart/form-data; boundary=x';

let arrived = 0;
let ended = 0;
let onPiece = () => {};

const upload = { mediaType: 'text/csv', limitBytes: 1_000, description: 'A file.' };
const row: RouteGroup = {
  ...{ family: 'probe', prefix: '', authentication: noAuthentication, envelope: legacyEnvelope },
  endpoints: [
    endpoint({
      ...{ method: 'POST', path: '/act', permission: 'anyone', summary: 'Takes a body' },
      body: Type.Object({}),
      replies: { 200: Type.Object({}) },
      handle: () => ok({}),
    }),
    endpoint({
      ...{ method: 'POST', path: '/file', permission: 'anyone', summary: 'Takes a file', upload },
      replies: { 200: Type.Object({ bytes: Type.Integer() }) },
      async handle({ file }) {
        try {
          for await (const piece of file) {
            arrived += piece.length;
            onPiece();
          }
          return ok({ bytes: arrived });
        } finally {
          ended += 1;
        }
      },
    }),
  ],
};

const door = () => new AdmissionControl({ limit: 10 });
const lanes = { changes: door(), reads: door(), uploads: door(), conversations: door() };
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

/** When the other side has it. */
async function piece(socket: Socket, bytes: string): Promise<void> {
  const there = Promise.withResolvers<void>();
  onPiece = there.resolve;
  socket.write(chunk(bytes));
  await there.promise;
}

/** Time goes by until the answer is there: how soon the other side begins to wait is not known. */
async function afterAWhile(socket: Socket): Promise<string> {
  let answer: string | null = null;
  const reading = text(socket).then((received) => {
    answer = received;
  });
  while (answer === null) {
    await once(send('/act', 'application/json', 'content-length: 2\r\n\r\n{}').resume(), 'close');
    mock.timers.tick(PATIENCE_MS);
  }
  await reading;
  return answer;
}

function assertLate(answer: string): void {
  assert.match(answer, /^HTTP\/1\.1 408 /);
  assert.match(answer, /"error":"The request did not arrive in time\."/);
}

const inside = () => Object.values(lanes).reduce((sum, each) => sum + each.state().inFlight, 0);

test('a body that does not arrive in time is 408, and its connection ends', async () => {
  assertLate(await afterAWhile(send('/act', 'application/json', 'content-length: 2\r\n\r\n{')));
});

test('a file that comes on is read to its end, however long it takes', async () => {
  const socket = send('/file', 'text/csv', chunked('a'));
  for (const bytes of ['bc', 'def', 'ghij']) {
    await piece(socket, bytes);
    mock.timers.tick(PATIENCE_MS - 1);
  }
  socket.write('0\r\n\r\n');
  assert.match(await text(socket), /^HTTP\/1\.1 200 [\s\S]*\{"bytes":10\}$/);
});

test('a body that nobody reads has no longer: its request is answered, and then its connection ends', async () => {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write('POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{');
  assert.match(await afterAWhile(socket), /^HTTP\/1\.1 404 /);
});

for (const [name, type, body] of [
  ['a file', 'text/csv', 'serial\n'],
  ['the file of a form', FORM, '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nserial\n'],
  ['a form that has not come to its file', FORM, '--x\r\ncontent-dispo'],
] as const) {
  test(`${name} that does not go on is 408, its connection ends and its place is free`, async () => {
    assertLate(await afterAWhile(send('/file', type, chunked(body))));
    assert.equal(arrived > 0, ended === 1, 'whoever read it was told');
    assert.equal(inside(), 0);
  });
}
