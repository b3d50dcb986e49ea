// Connections on the fast lane: requests in work, slow and silent clients, the end of the server, overload.
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { afterEach, describe, mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Exchange, LAST, type ProbedServer, post, probedServer } from '../support/fast-lane.ts';
import { waitFor } from '../support/wait.ts';

const REQUEST = post('{"text":"hello"}', ['Authorization: key']);
const SWEEP_MS = 1_000;
const KEEP_ALIVE_MS = 66_000;

const open: ProbedServer[] = [];
async function start(options: { fastLane?: boolean; limit?: number } = {}): Promise<ProbedServer> {
  const server = await probedServer({ fastLane: true, ...options });
  open.push(server);
  return server;
}
afterEach(async () => {
  mock.timers.reset();
  await Promise.all(open.splice(0).map(({ app }) => app.close()));
});

/** Runs the same steps with the lane and without it, and compares what they return. */
async function alike<T>(steps: (server: ProbedServer) => Promise<T>): Promise<T> {
  const [fast, usual] = await Promise.all([true, false].map(async (fastLane) => steps(await start({ fastLane }))));
  assert.deepEqual(fast, usual);
  return fast as T;
}

/** Lets the hot route wait until the returned function is called. */
function hold(server: ProbedServer): () => void {
  const gate = Promise.withResolvers<void>();
  server.gate = gate.promise;
  return gate.resolve;
}

async function inWork(server: ProbedServer): Promise<{ exchange: Exchange; release: () => void }> {
  const release = hold(server);
  const exchange = await Exchange.open(server);
  await exchange.send(REQUEST);
  await waitFor('the request is in work', () => server.calls.length === 1);
  return { exchange, release };
}

describe('while a request is in work', () => {
  test('the next one waits, and is answered by the ordinary server', async () => {
    await alike(async (server) => {
      const { exchange, release } = await inWork(server);
      await exchange.send(post('{"text":"second"}'));
      assert.equal(server.calls.length, 1);
      release();
      await exchange.replies(2);
      await exchange.send(LAST);
      return [await exchange.received(), server.calls];
    });
  });

  test('what arrives in many parts is answered in order', async () => {
    await alike(async (server) => {
      const { exchange, release } = await inWork(server);
      const second = post(JSON.stringify({ text: 'x'.repeat(90_000) }));
      // More than a stream buffers: the rest waits in the kernel until the reply is sent.
      for (let at = 0; at < second.length; at += 7_000) exchange.client.write(second.subarray(at, at + 7_000));
      exchange.client.write(post('{"text":"third"}'));
      for (let turn = 0; turn < 20; turn++) await setImmediate();
      assert.equal(server.calls.length, 1);
      release();
      await exchange.replies(3);
      exchange.client.write(LAST);
      return [await exchange.received(), server.calls];
    });
  });

  test('a client that ends its side gets no reply, and the request is carried out', async () => {
    await alike(async (server) => {
      const { exchange, release } = await inWork(server);
      exchange.client.end();
      const text = await exchange.received();
      release();
      await waitFor('it is recorded', () => server.recorded.length > 0);
      return [
        text,
        server.recorded.map(({ isDisconnected, status, sentText }) => ({ isDisconnected, status, sentText })),
      ];
    });
  });

  test('a disconnected client is recorded as such, as without the lane', async () => {
    const recorded = await alike(async (server) => {
      const { exchange, release } = await inWork(server);
      exchange.client.resetAndDestroy();
      await waitFor('the server sees it', () => exchange.accepted.destroyed);
      release();
      await waitFor('it is recorded', () => server.recorded.length > 0);
      return server.recorded.map(({ isDisconnected, status, sentText }) => ({ isDisconnected, status, sentText }));
    });
    assert.equal(recorded[0]?.isDisconnected, true);
  });

  for (const [name, next] of Object.entries({
    'a part of the next request': post('{"text":"second"}').subarray(0, 50),
    'a whole one': post('{"text":"second"}'),
    'malformed bytes': Buffer.from('garbage\r\n\r\n'),
  })) {
    test(`a client that sends ${name} and ends its side`, async () => {
      await alike(async (server) => {
        const { exchange, release } = await inWork(server);
        exchange.client.end(next);
        await waitFor('the server sees it', () => exchange.accepted.readableEnded || exchange.accepted.destroyed);
        release();
        return [await exchange.received(), server.calls];
      });
    });
  }

  for (const end of ['stop', 'drain'] as const) {
    test(`a server that begins to ${end} answers it and closes the connection`, async () => {
      const answer = await alike(async (server) => {
        const { exchange, release } = await inWork(server);
        const ended = end === 'stop' ? server.app.close() : server.app.drain(60_000);
        for (let turn = 0; turn < 20; turn++) await setImmediate();
        release();
        const text = await exchange.received();
        await ended;
        return text;
      });
      assert.match(answer, /^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close\r\n/);
      assert.doesNotMatch(answer, /Keep-Alive/);
    });
  }
});

test('a server that stops closes idle connections', async () => {
  await alike(async (server) => {
    const exchange = await Exchange.open(server);
    await exchange.send(REQUEST);
    await exchange.replies(1);
    await server.app.close();
    return exchange.received();
  });
});

test('a server that drains answers the next request of a connection, and closes it', async () => {
  await alike(async (server) => {
    const exchange = await Exchange.open(server);
    await exchange.send(REQUEST);
    await exchange.replies(1);
    const drained = server.app.drain(60_000);
    await exchange.send(REQUEST);
    const text = await exchange.received();
    await drained;
    return text;
  });
});

test('an idle connection is closed after the keep-alive time, and not before', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  const server = await start();
  const exchange = await Exchange.open(server);
  for (let n = 1; n <= 2; n++) {
    await exchange.send(REQUEST);
    await exchange.replies(n);
    mock.timers.tick(KEEP_ALIVE_MS);
    assert.equal(exchange.accepted.destroyed, false);
  }
  mock.timers.tick(SWEEP_MS);
  await exchange.received();
});

describe('a slow client is handed over, so that the time limits of the ordinary server apply', () => {
  const parts: Record<string, string | Buffer> = {
    'that sends nothing': '',
    'that sends a part of the headers': REQUEST.subarray(0, 30),
    'that sends a part of the body': REQUEST.subarray(0, -3),
  };
  for (const [name, part] of Object.entries(parts)) {
    test(name, async () => {
      mock.timers.enable({ apis: ['setInterval'] });
      const server = await start();
      const exchange = await Exchange.open(server);
      if (part.length > 0) await exchange.send(part);
      mock.timers.tick(SWEEP_MS);
      assert.equal(await server.count('handed_over'), 0);
      mock.timers.tick(SWEEP_MS);
      assert.equal(await server.count('handed_over'), 1);
      await exchange.send(REQUEST.subarray(part.length));
      await exchange.replies(1);
      await exchange.send(LAST);
      assert.match(await exchange.received(), /"text":"hello"/);
    });
  }

  test('that ends its side after a part of a request', async () => {
    for (const length of [0, 30, REQUEST.length - 3]) {
      await alike(async (server) => {
        const exchange = await Exchange.open(server);
        if (length > 0) await exchange.send(REQUEST.subarray(0, length));
        exchange.client.end();
        return exchange.received();
      });
    }
  });
});

test('sustained overload is rejected with the same reply', async () => {
  const limit = 1;
  /** The queue of a burst holds eight times the limit. */
  const queued = 8;
  const rejected = await Promise.all(
    [true, false].map(async (fastLane) => {
      const server = await start({ fastLane, limit });
      const { exchange, release } = await inWork(server);
      const waiting: Exchange[] = [exchange];
      for (let n = 0; n < queued; n++) {
        const each = await Exchange.open(server);
        await each.send(REQUEST);
        waiting.push(each);
      }
      const last = await Exchange.open(server);
      await last.send(REQUEST);
      await last.replies(1);
      release();
      await last.send(LAST);
      const text = await last.received();
      for (const each of waiting) {
        await each.replies(1);
        each.client.destroy();
      }
      return text;
    }),
  );
  assert.equal(rejected[0], rejected[1]);
  assert.match(rejected[0] ?? '', /^HTTP\/1\.1 503 Service Unavailable\r\n[\s\S]*retry-after: …\r\n/);
});

test('without the parser that it knows, the lane stays off', async () => {
  for (const other of [undefined, {}, { methods: ['POST'], HTTPParser: class {} }]) {
    const builtin = mock.method(process, 'getBuiltinModule', () => other);
    const server = await start();
    builtin.mock.restore();
    const exchange = await Exchange.open(server);
    await exchange.send(REQUEST);
    await exchange.replies(1);
    await exchange.send(LAST);
    assert.match(await exchange.received(), /"text":"hello"/);
    assert.equal(await server.count('requests'), 0);
  }
});

describe('a client that leaves while its request waits for its turn', () => {
  for (const [name, leave] of Object.entries({
    'resets the connection': (client: Socket): void => {
      client.resetAndDestroy();
    },
    'ends its side': (client: Socket): void => {
      client.end();
    },
  })) {
    test(`${name}: the request is not carried out`, async () => {
      const outcomes = [];
      for (const fastLane of [true, false]) {
        const server = await start({ fastLane, limit: 1 });
        const { exchange, release } = await inWork(server);
        const second = await Exchange.open(server);
        await second.send(post('{"text":"abandoned"}', ['Authorization: key']));
        for (let turn = 0; turn < 20; turn++) await setImmediate();
        leave(second.client);
        await waitFor('the server sees it', () => second.accepted.destroyed || second.accepted.readableEnded);
        release();
        await exchange.replies(1);
        await waitFor('both are recorded', () => server.recorded.length === 2);
        const recorded = server.recorded.map(({ status, code, isDisconnected }) => ({ status, code, isDisconnected }));
        outcomes.push({ calls: server.calls, recorded: recorded.toSorted((a, b) => a.status - b.status) });
        exchange.client.destroy();
      }
      assert.deepEqual(outcomes[0], outcomes[1]);
      assert.deepEqual(outcomes[0]?.calls, [{ text: 'hello' }]);
    });
  }
});
