// Unusual requests: the gateway answers them in its own envelopes instead of the defaults of Node or the framework.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestGateway, testGateway } from '../support/gateway.ts';
import { Wire, type WireReply, type WireRequest } from '../support/wire.ts';

let kissi: TestGateway;
let wire: Wire;
before(async () => {
  kissi = await testGateway();
  wire = new Wire(kissi.url);
});
after(async () => {
  wire.close();
  await kissi.close();
});

const REQUEST: WireRequest = { method: 'GET', target: '/health', headers: [], body: Buffer.alloc(0) };

async function send(request: Partial<WireRequest>): Promise<WireReply> {
  const reply = await wire.send({ ...REQUEST, ...request });
  assert.ok(typeof reply !== 'string', `got no reply: ${reply}`);
  return reply;
}

function assertRefused({ status, body }: WireReply, code: string): void {
  const { success, code: given, error, message } = JSON.parse(body.toString());
  assert.deepEqual([status, success, given], [400, false, code]);
  assert.match(error ?? message, /^\w.{10,}\.$/);
}

test('a request without Host is answered with 400 in the envelope of its route family', async () => {
  assertRefused(await send({ bare: true }), 'INVALID_REQUEST');
  const inbound = await send({ bare: true, target: '/api/v1/inbound/transactions/x' });
  assertRefused(inbound, 'INVALID_REQUEST');
  assert.ok('message' in JSON.parse(inbound.body.toString()));
});

test('an unknown Expect header is ignored', async () => {
  const reply = await send({ headers: [['expect', '200-ok']] });
  assert.equal(reply.status, 200);
  assert.equal(JSON.parse(reply.body.toString()).status, 'ok');
});

test('a client that waits for 100 Continue receives it', async () => {
  const body = Buffer.from('{"email":"nobody@example.com","password":"Nothing-Right-1"}');
  const headers: [string, string][] = [
    ['expect', '100-continue'],
    ['content-type', 'application/json'],
  ];
  const reply = await send({ method: 'POST', target: '/api/v1/admin/login', headers, body });
  assert.equal(reply.status, 401);
});

test('a method that the framework rejects is answered with 400 and not logged as a failure', async () => {
  for (const target of ['/health', '/api/v1/admin/me', '/nowhere']) {
    assertRefused(await send({ method: 'QUERY', target }), 'INVALID_REQUEST');
  }
  assert.doesNotMatch(kissi.logs(), /request failed/);
});
