// Admission control over real HTTP: which requests run, wait or are rejected, and that every slot is released.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { Type } from 'typebox';
import { noAuthentication } from '../../src/auth/schemes/bearer.ts';
import { endpoint, ok, type RouteGroup } from '../../src/http/endpoint.ts';
import { inboundEnvelope, legacyEnvelope } from '../../src/http/envelope.ts';
import { createLoggers } from '../../src/http/log.ts';
import { AdmissionControl } from '../../src/http/overload/admission-control.ts';
import { Metrics } from '../../src/kernel/metrics.ts';
import { refuse } from '../../src/kernel/refusal.ts';
import { bareServer } from '../support/bare-server.ts';
import { waitFor } from '../support/wait.ts';

const LIMIT = 40;
/** After this time a queue counts as sustained overload, whatever the earlier service times were. */
const OVERLOAD_MS = 5_001;
const json = { 'content-type': 'application/json' };
const replies = { 200: Type.Object({}) };

let ms = 0;
let startedCount = 0;
let hold = Promise.withResolvers<void>();
const newLane = () => new AdmissionControl({ limit: LIMIT, now: () => ms });
const lanes = { changes: newLane(), reads: newLane(), uploads: newLane(), conversations: newLane() };

const wait = async () => {
  startedCount += 1;
  await hold.promise;
  return ok({});
};
const body = Type.Object({ how: Type.Optional(Type.String()) });
const routeGroup = (prefix: string, overrides: Partial<RouteGroup>): RouteGroup => ({
  ...{ family: 'probe', prefix, authentication: noAuthentication, envelope: legacyEnvelope },
  endpoints: [
    endpoint({
      ...{
        id: 'postWait',
        method: 'POST',
        path: '/wait',
        permission: 'anyone',
        summary: 'Waits until the test releases it',
        replies,
      },
      handle: wait,
    }),
    endpoint({
      ...{
        id: 'postAct',
        method: 'POST',
        path: '/act',
        permission: 'anyone',
        summary: 'Answers, refuses or throws as the body says',
        body,
        replies,
      },
      handle: ({ body: { how } }) => {
        if (how === 'break') throw new Error('broken on purpose');
        return how === 'refuse' ? refuse('NOT_FOUND', 'No.') : ok({});
      },
    }),
    endpoint({
      ...{ id: 'getRead', method: 'GET', path: '/read', permission: 'anyone', summary: 'Reads', replies },
      handle: () => ok({}),
    }),
  ],
  ...overrides,
});

const metrics = new Metrics();
const rows = [
  routeGroup('/legacy', {}),
  routeGroup('/inbound', { envelope: inboundEnvelope }),
  routeGroup('/operators', { bypassesAdmission: true }),
];
const app = await bareServer({ rows, lanes, metrics });
const url = await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;
after(() => app.close());

beforeEach(() => {
  // Later than any overload of an earlier test.
  ms += 1_000_000;
  startedCount = 0;
  hold = Promise.withResolvers<void>();
});
afterEach(async () => {
  hold.resolve();
  await waitFor('every slot is released', async () => lanes.changes.state().inFlight === 0);
});

const post = (path: string, sent?: string) =>
  fetch(url + path, { method: 'POST', ...(sent === undefined ? {} : { headers: json, body: sent }) });

/** Sends as many requests as the limit allows and waits until all of them run. */
async function fill(): Promise<Promise<Response>[]> {
  const running = Array.from({ length: LIMIT }, () => post('/legacy/wait'));
  await waitFor('the lane is full', async () => startedCount === LIMIT);
  return running;
}

async function waiting(count: number): Promise<void> {
  await waitFor(`${count} requests wait`, async () => lanes.changes.state().waiting === count);
}

function sustainOverload(): void {
  ms += OVERLOAD_MS;
  lanes.changes.sweep();
}

/** Further requests are rejected. Returns those that wait. */
async function fillDuringOverload(): Promise<Promise<Response>[]> {
  await fill();
  const queued = Array.from({ length: LIMIT / 2 + 1 }, () => post('/legacy/wait'));
  await waiting(queued.length);
  sustainOverload();
  await Promise.all(queued);
  const few = Array.from({ length: LIMIT / 2 }, () => post('/inbound/wait'));
  await waiting(few.length);
  return few;
}

async function openSocket(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

describe('a full lane', () => {
  test('queues a burst without starting it, then serves all of it', async () => {
    const running = await fill();
    const burst = Array.from({ length: 10 }, () => post('/legacy/wait'));
    await waiting(10);
    assert.equal(startedCount, running.length);
    hold.resolve();
    for (const reply of await Promise.all([...running, ...burst])) assert.equal(reply.status, 200);
  });

  test('rejects sustained overload with 503 and Retry-After, in the envelope of each route family', async () => {
    const running = await fill();
    const queued = [post('/legacy/wait'), post('/inbound/wait')];
    await waiting(2);
    sustainOverload();
    const [legacy, inbound] = await Promise.all(queued);
    for (const reply of [legacy, inbound]) {
      assert.equal(reply?.status, 503);
      assert.match(reply?.headers.get('retry-after') ?? '', /^[123]$/);
      assert.match(reply?.headers.get('x-request-id') ?? '', /^req_/);
    }
    const message = 'Too many requests are waiting; nothing was done. Try again.';
    assert.deepEqual(await legacy?.json(), { success: false, error: message, code: 'SERVICE_UNAVAILABLE' });
    assert.deepEqual(await inbound?.json(), { success: false, code: 'SERVICE_UNAVAILABLE', message });
    assert.equal(startedCount, running.length, 'no handler was started');
  });

  test('rejects further requests at once with the same reply, and keeps the connection usable', async () => {
    const few = await fillDuringOverload();
    const before = lanes.changes.state().rejected;
    const socket = await openSocket();
    for (const sent of ['{}', '{"how":"x"}']) {
      const head = `POST /legacy/act HTTP/1.1\r\nhost: x\r\nx-request-id: mine\r\ncontent-type: application/json`;
      socket.write(`${head}\r\ncontent-length: ${sent.length}\r\n\r\n${sent}`);
      const [answer] = await once(socket, 'data');
      assert.match(String(answer), /^HTTP\/1\.1 503 /);
      assert.match(String(answer), /\r\nretry-after: [123]\r\n/);
      assert.match(String(answer), /\r\nx-request-id: mine\r\n/);
      assert.match(String(answer), /\r\ncache-control: no-store\r\n/);
      assert.match(String(answer), /"code":"SERVICE_UNAVAILABLE"\}$/);
    }
    assert.equal(lanes.changes.state().rejected, before + 2);
    socket.write('GET /legacy/read HTTP/1.1\r\nhost: x\r\n\r\n');
    assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 200 /);
    socket.destroy();
    const requests = metrics.families().find(({ name }) => name === 'kissi_http_requests_total');
    const counted = (await requests?.samples())?.find(
      ({ labels }) => labels?.route === '/legacy/act' && labels.status === '5xx',
    );
    assert.equal(counted?.value, 2);
    sustainOverload();
    await Promise.all(few);
  });

  test('rejects further requests at once on connections that another process has accepted', async () => {
    const lines: string[] = [];
    const loggers = createLoggers({ level: 'info', destination: { write: (line) => void lines.push(line) } });
    const worker = await bareServer({ rows, lanes, loggers });
    const listener = createServer((socket) => worker.serve(socket)).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const few = await fillDuringOverload();
    const { port: handedPort } = listener.address() as AddressInfo;
    const reply = await fetch(`http://127.0.0.1:${handedPort}/legacy/act`, {
      method: 'POST',
      headers: json,
      body: '{}',
    });
    assert.equal(reply.status, 503);
    assert.equal((await fetch(`http://127.0.0.1:${handedPort}/legacy/read`)).status, 200);
    await waitFor('the second request is logged', async () => lines.length > 0);
    assert.doesNotMatch(lines.join(''), /legacy\/act/, 'the framework has not seen the first one');
    sustainOverload();
    await Promise.all(few);
    listener.close();
    await worker.close();
  });

  test('still serves routes that bypass admission control and requests of other lanes', async () => {
    await fill();
    assert.equal((await post('/operators/act', '{}')).status, 200);
    assert.equal((await fetch(`${url}/operators/read`)).status, 200);
    assert.equal((await fetch(`${url}/legacy/read`)).status, 200);
  });

  test('still answers unknown paths with 404 and wrong methods with 405', async () => {
    await fill();
    assert.equal((await fetch(`${url}/nowhere`)).status, 404);
    assert.equal((await fetch(`${url}/legacy/wait`)).status, 405);
  });
});

describe('a slot', () => {
  const inFlight = (count: number) =>
    waitFor(`${count} requests are in flight`, async () => lanes.changes.state().inFlight === count);

  test('is released after a reply, a refusal, a defect and an invalid body', async () => {
    const statuses: number[] = [];
    for (const sent of ['{}', '{"how":"refuse"}', '{"how":"break"}', '{"how":1}', '{']) {
      statuses.push((await post('/legacy/act', sent)).status);
      await inFlight(0);
    }
    assert.deepEqual(statuses, [200, 404, 500, 400, 400]);
  });

  test('is kept until the handler ends, even if the client has disconnected', async () => {
    const socket = await openSocket();
    socket.write('POST /legacy/wait HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n');
    await inFlight(1);
    socket.destroy();
    await once(socket, 'close');
    assert.equal((await fetch(`${url}/operators/read`)).status, 200);
    assert.equal(lanes.changes.state().inFlight, 1);
    hold.resolve();
    await inFlight(0);
  });

  test('is not taken by a client that is still sending its body', async () => {
    const sockets = await Promise.all(Array.from({ length: LIMIT + 20 }, openSocket));
    const head = 'POST /legacy/act HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{';
    for (const socket of sockets) socket.write(head);
    assert.equal((await post('/legacy/act', '{}')).status, 200, 'others are served');
    await inFlight(0);
    const answers = sockets.map((socket) => once(socket, 'data'));
    for (const socket of sockets) socket.write('}');
    for (const [answer] of await Promise.all(answers)) assert.match(String(answer), /^HTTP\/1\.1 200/);
    for (const socket of sockets) socket.destroy();
  });

  test('is not kept by a client that disconnects during its body', async () => {
    const socket = await openSocket();
    socket.write(
      'POST /legacy/act HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    );
    await inFlight(0);
    socket.destroy();
    assert.equal((await post('/legacy/act', '{}')).status, 200);
    await inFlight(0);
  });
});

test('closes and counts connections above the limit', async () => {
  const refused = metrics.families().find(({ name }) => name === 'kissi_http_connections_refused_total');
  app.server.maxConnections = 5;
  const sockets = await Promise.all(Array.from({ length: 20 }, openSocket));
  try {
    await waitFor('the others are closed', async () => {
      const [sample] = (await refused?.samples()) ?? [];
      return (sample?.value ?? 0) > 0 && sockets.filter(({ closed }) => closed).length >= 15;
    });
  } finally {
    app.server.maxConnections = 1_000;
    for (const socket of sockets) socket.destroy();
  }
});
