// Envelopes: each route family reports every refusal, its own or the gateway's, in its own shape.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { Type } from 'typebox';
import { noAuthentication } from '../../src/auth/schemes/bearer.ts';
import { endpoint, type RouteGroup } from '../../src/http/endpoint.ts';
import {
  bridgeEnvelope,
  type Envelope,
  inboundEnvelope,
  legacyEnvelope,
  webhookEnvelope,
} from '../../src/http/envelope.ts';
import { AdmissionControl } from '../../src/http/overload/admission-control.ts';
import { refuse } from '../../src/kernel/refusal.ts';
import { bareServer } from '../support/bare-server.ts';
import { waitFor } from '../support/wait.ts';

const SHAPES: { envelope: Envelope; fields: string[] }[] = [
  { envelope: legacyEnvelope, fields: ['code', 'error', 'success'] },
  { envelope: inboundEnvelope, fields: ['code', 'message', 'success'] },
  { envelope: webhookEnvelope, fields: ['message', 'success'] },
  { envelope: bridgeEnvelope, fields: ['error', 'status'] },
];

const rows: RouteGroup[] = SHAPES.map(({ envelope }) => ({
  family: envelope.name,
  prefix: `/probe/${envelope.name}`,
  authentication: noAuthentication,
  envelope,
  endpoints: [
    endpoint({
      id: 'postRefuse',
      method: 'POST',
      path: '/refuse',
      permission: 'anyone',
      summary: 'Refuses, or throws if the body says so',
      body: Type.Object({ breaks: Type.Boolean() }),
      replies: { 200: Type.Object({}) },
      handle: ({ body }) => {
        if (body.breaks) throw new Error('select secret from somewhere');
        return refuse('DUPLICATE_PHONE', 'Taken.');
      },
    }),
  ],
}));

const lane = new AdmissionControl({ limit: 100 });

const serverOf = (groups: RouteGroup[]) =>
  bareServer({ rows: groups, lanes: { reads: lane, changes: lane, uploads: lane, conversations: lane } });

const app = await serverOf(rows);
const url = await app.listen({ host: '127.0.0.1', port: 0 });
after(() => app.close());

for (const { envelope, fields } of SHAPES) {
  describe(`the ${envelope.name} envelope`, () => {
    const at = `${url}/probe/${envelope.name}`;
    const json = { 'content-type': 'application/json' };
    const cases: [string, number, string, RequestInit][] = [
      ['a refusal by the route', 409, '/refuse', { method: 'POST', headers: json, body: '{"breaks":false}' }],
      ['a field of the wrong type', 400, '/refuse', { method: 'POST', headers: json, body: '{"breaks":1}' }],
      ['malformed JSON', 400, '/refuse', { method: 'POST', headers: json, body: '{' }],
      [
        'another content type',
        415,
        '/refuse',
        { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' },
      ],
      ['a body that is too large', 413, '/refuse', { method: 'POST', headers: json, body: 'x'.repeat(1_048_577) }],
      ['a defect', 500, '/refuse', { method: 'POST', headers: json, body: '{"breaks":true}' }],
      ['another method', 405, '/refuse', { method: 'PUT', headers: json, body: '{}' }],
      ['an unknown path below the prefix', 404, '/nothing', {}],
      ['a path that cannot be decoded', 400, '/%ff', {}],
    ];
    for (const [what, status, path, init] of cases) {
      test(`${what} is ${status} with ${fields.join(', ')}`, async () => {
        const reply = await fetch(at + path, init);
        const body = (await reply.json()) as Record<string, unknown>;
        assert.equal(reply.status, status);
        assert.deepEqual(Object.keys(body).toSorted(), fields);
        assert.ok(!JSON.stringify(body).includes('select'), 'the error is not revealed');
      });
    }
  });
}

test('a path without a prefix is answered in its own envelope while the service is stopping', async () => {
  const probe = endpoint({
    id: 'getHooksProbe',
    method: 'GET',
    path: '/hooks/probe',
    permission: 'anyone',
    summary: 'Never reached',
    replies: { 200: Type.Object({}) },
    handle: () => refuse('DUPLICATE_PHONE', 'Taken.'),
  });
  const row = { family: 'probe', prefix: '', authentication: noAuthentication, envelope: webhookEnvelope };
  const server = await serverOf([{ ...row, endpoints: [probe] }]);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = (await once(server.server, 'connection')) as [Socket];
  socket.write('GET /hooks/probe?x=1 HTTP/1.1\r\n');
  await waitFor('the request is read', () => accepted.bytesRead > 0);
  const closed = server.close();
  await waitFor('the server stops listening', () => !server.server.listening);
  socket.write('Host: kissi\r\n\r\n');
  const reply = await text(socket);
  await closed;
  assert.match(reply, /^HTTP\/1.1 503 /);
  const body = JSON.parse(reply.split('\r\n\r\n')[1] ?? '');
  assert.deepEqual(body, { success: false, message: 'The service is stopping; try again.' });
});
