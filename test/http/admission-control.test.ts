// The door over real HTTP: who is let in, who waits, who is sent away and how, and that every place is given back.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { Type } from 'typebox';
import { noAuthentication } from '../../src/auth/schemes/bearer.ts';
import { endpoint, ok, type RouteGroup } from '../../src/http/endpoint.ts';
import { inboundEnvelope, legacyEnvelope } from '../../src/http/envelope.ts';
import { AdmissionControl } from '../../src/http/overload/admission-control.ts';
import { Metrics } from '../../src/kernel/metrics.ts';
import { refuse } from '../../src/kernel/refusal.ts';
import { bareServer } from '../support/bare-server.ts';
import { waitFor } from '../support/wait.ts';

const ROOM = 40;
/** When a crowd stands, however long being served has taken before. */
const STANDING_MS = 5_001;
const json = { 'content-type': 'application/json' };
const replies = { 200: Type.Object({}) };

let ms = 0;
let begun = 0;
let held = Promise.withResolvers<void>();
const newDoor = () => new AdmissionControl({ limit: ROOM, now: () => ms });
const lanes = { changes: newDoor(), reads: newDoor(), uploads: newDoor(), conversations: newDoor() };

const wait = async () => {
  begun += 1;
  await held.promise;
  return ok({});
};
const body = Type.Object({ how: Type.Optional(Type.String()) });
const rowOf = (prefix: string, further: Partial<RouteGroup>): RouteGroup => ({
  ...{ family: 'probe', prefix, authentication: noAuthentication, envelope: legacyEnvelope },
  endpoints: [
    endpoint({
      ...{ method: 'POST', path: '/wait', permission: 'anyone', summary: 'Waits until it is told', replies },
      handle: wait,
    }),
    endpoint({
      ...{ method: 'POST', path: '/act', permission: 'anyone', summary: 'Does what it is told', body, replies },
      handle: ({ body: { how } }) => {
        if (how === 'break') throw new Error('broken on purpose');
        return how === 'refuse' ? refuse('NOT_FOUND', 'No.') : ok({});
      },
    }),
    endpoint({
      ...{ method: 'GET', path: '/read', permission: 'anyone', summary: 'Reads', replies },
      handle: () => ok({}),
    }),
  ],
  ...further,
});

const metrics = new Metrics();
const app = await bareServer({
  rows: [
    rowOf('/legacy', {}),
    rowOf('/inbound', { envelope: inboundEnvelope }),
    rowOf('/operators', { bypassesAdmission: true }),
  ],
  lanes,
  metrics,
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;
after(() => app.close());

beforeEach(() => {
  // Far from whatever crowd there was.
  ms += 1_000_000;
  begun = 0;
  held = Promise.withResolvers<void>();
});
afterEach(async () => {
  held.resolve();
  await waitFor('every place is given back', async () => lanes.changes.state().inFlight === 0);
});

const post = (path: string, sent?: string) =>
  fetch(url + path, { method: 'POST', ...(sent === undefined ? {} : { headers: json, body: sent }) });

/** As many requests as there is room for, all of them inside. */
async function fill(): Promise<Promise<Response>[]> {
  const inside = Array.from({ length: ROOM }, () => post('/legacy/wait'));
  await waitFor('the house is full', async () => begun === ROOM);
  return inside;
}

async function waiting(count: number): Promise<void> {
  await waitFor(`${count} wait`, async () => lanes.changes.state().waiting === count);
}

function standing(): void {
  ms += STANDING_MS;
  lanes.changes.sweep();
}

async function openSocket(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

describe('a full house', () => {
  test('makes a burst wait, does nothing for it meanwhile, and serves all of it', async () => {
    const inside = await fill();
    const burst = Array.from({ length: 10 }, () => post('/legacy/wait'));
    await waiting(10);
    assert.equal(begun, inside.length);
    held.resolve();
    for (const reply of await Promise.all([...inside, ...burst])) assert.equal(reply.status, 200);
  });

  test('sends a standing crowd away with 503 and Retry-After, each family in its envelope', async () => {
    const inside = await fill();
    const crowd = [post('/legacy/wait'), post('/inbound/wait')];
    await waiting(2);
    standing();
    const [legacy, inbound] = await Promise.all(crowd);
    for (const reply of [legacy, inbound]) {
      assert.equal(reply?.status, 503);
      assert.match(reply?.headers.get('retry-after') ?? '', /^[123]$/);
      assert.match(reply?.headers.get('x-request-id') ?? '', /^req_/);
    }
    const sentence = 'Too many requests are waiting; nothing was done. Try again.';
    assert.deepEqual(await legacy?.json(), { success: false, error: sentence, code: 'SERVICE_UNAVAILABLE' });
    assert.deepEqual(await inbound?.json(), { success: false, code: 'SERVICE_UNAVAILABLE', message: sentence });
    assert.equal(begun, inside.length, 'nothing was begun');
  });

  test('sends those who still come away at once, in the same words, and the connection can be used again', async () => {
    await fill();
    const crowd = Array.from({ length: ROOM / 2 + 1 }, () => post('/legacy/wait'));
    await waiting(crowd.length);
    standing();
    await Promise.all(crowd);
    const few = Array.from({ length: ROOM / 2 }, () => post('/inbound/wait'));
    await waiting(few.length);
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
    standing();
    await Promise.all(few);
  });

  test('serves what is always open, and those who come by another door', async () => {
    await fill();
    assert.equal((await post('/operators/act', '{}')).status, 200);
    assert.equal((await fetch(`${url}/operators/read`)).status, 200);
    assert.equal((await fetch(`${url}/legacy/read`)).status, 200);
  });

  test('answers what is no route of ours as ever', async () => {
    await fill();
    assert.equal((await fetch(`${url}/nowhere`)).status, 404);
    assert.equal((await fetch(`${url}/legacy/wait`)).status, 405);
  });
});

describe('a place', () => {
  const isInside = (count: number) => waitFor(`${count} inside`, async () => lanes.changes.state().inFlight === count);

  test('is given back after a reply, a refusal, a defect and a body that is not valid', async () => {
    const statuses: number[] = [];
    for (const sent of ['{}', '{"how":"refuse"}', '{"how":"break"}', '{"how":1}', '{']) {
      statuses.push((await post('/legacy/act', sent)).status);
      await isInside(0);
    }
    assert.deepEqual(statuses, [200, 404, 500, 400, 400]);
  });

  test('is kept while the work goes on though the client has gone, and given back at its end', async () => {
    const socket = await openSocket();
    socket.write('POST /legacy/wait HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n');
    await isInside(1);
    socket.destroy();
    await once(socket, 'close');
    assert.equal((await fetch(`${url}/operators/read`)).status, 200);
    assert.equal(lanes.changes.state().inFlight, 1);
    held.resolve();
    await isInside(0);
  });

  test('is not taken by a client that sends its body slowly', async () => {
    const sockets = await Promise.all(Array.from({ length: ROOM + 20 }, openSocket));
    const head = 'POST /legacy/act HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{';
    for (const socket of sockets) socket.write(head);
    assert.equal((await post('/legacy/act', '{}')).status, 200, 'others are served');
    await isInside(0);
    const answers = sockets.map((socket) => once(socket, 'data'));
    for (const socket of sockets) socket.write('}');
    for (const [answer] of await Promise.all(answers)) assert.match(String(answer), /^HTTP\/1\.1 200/);
    for (const socket of sockets) socket.destroy();
  });

  test('is not taken for ever by a client that goes in the middle of its body', async () => {
    const socket = await openSocket();
    socket.write(
      'POST /legacy/act HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    );
    await isInside(0);
    socket.destroy();
    assert.equal((await post('/legacy/act', '{}')).status, 200);
    await isInside(0);
  });
});

test('beyond the limit of connections a further one is closed, and counted', async () => {
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
