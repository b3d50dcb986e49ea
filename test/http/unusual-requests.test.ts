// Unusual requests: the gateway answers them in its own envelopes instead of the defaults of Node or the framework.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, describe, test } from 'node:test';
import { testGateway } from '../support/gateway.ts';
import { Wire, type WireReply, type WireRequest } from '../support/wire.ts';

const kissi = await testGateway();
const wire = new Wire(kissi.url);
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

describe('two Host headers', () => {
  const GET = 'GET /health HTTP/1.1\r\n';
  /** The statuses of the replies to these bytes, until the server closes the connection. */
  async function statuses(text: string): Promise<string[]> {
    const { hostname, port } = new URL(kissi.url);
    const socket = connect(Number(port), hostname);
    socket.write(text);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    return [
      ...Buffer.concat(chunks)
        .toString()
        .matchAll(/HTTP\/1\.1 (\d+) /g),
    ].map(([, status = '']) => status);
  }

  test('are answered with 400 in the envelope of the route family, whatever their values, names and places', async () => {
    const pairs: [string, string][][] = [
      [
        ['host', 'a'],
        ['host', 'b'],
      ],
      [
        ['Host', 'a'],
        ['HOST', 'a'],
      ],
      [
        ['hOsT', 'a'],
        ['accept', '*/*'],
        ['host', ''],
      ],
    ];
    for (const headers of pairs) {
      assertRefused(await send({ bare: true, headers }), 'INVALID_REQUEST');
      const inbound = await send({ bare: true, headers, target: '/api/v1/inbound/transactions/x' });
      assert.ok('message' in JSON.parse(inbound.body.toString()));
    }
  });

  test('are refused within pipelined requests, of which the others are served', async () => {
    const [one, two] = [`${GET}host: a\r\n\r\n`, `${GET}host: a\r\nhost: b\r\n\r\n`];
    const last = `${GET}host: a\r\nconnection: close\r\n\r\n`;
    assert.deepEqual(await statuses(one + two + last), ['200', '400', '200']);
  });

  test('are refused with HTTP/1.0, and with a value that is folded over two lines', async () => {
    assert.deepEqual(await statuses('GET /health HTTP/1.0\r\nhost: a\r\nhost: b\r\n\r\n'), ['400']);
    for (const folded of [
      'host: a\r\n host: b',
      'host:\r\n a\r\nhost: b',
      'host: a\r\nhost : b',
      'host: a\r\n\thost: b',
    ]) {
      assert.deepEqual(await statuses(`${GET}connection: close\r\n${folded}\r\n\r\n`), ['400'], JSON.stringify(folded));
    }
  });
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
