// A webhook attempt ends within its time limit whatever the endpoint does, and claims are fast on a long backlog.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { LEASE_MS } from '../../src/db/leased-queue.ts';
import { createOutbox } from '../../src/webhooks/outbox.ts';
import { createTransport, type Transport } from '../../src/webhooks/transport.ts';
import { gatewayForFile } from '../support/gateway.ts';
import { hang, rawReceiver, receiver } from '../webhooks/receiver.ts';

const SHORT_MS = 300;
const kissi = await gatewayForFile();

const opened: Transport[] = [];
after(() => {
  for (const transport of opened) transport.close();
});

/** The duration of an attempt in milliseconds. */
async function attemptMs(url: string, options: Partial<Parameters<typeof createTransport>[0]> = {}): Promise<number> {
  const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 as const }]);
  const transport = createTransport({ allowPrivate: true, resolve, timeoutMs: SHORT_MS, ...options });
  opened.push(transport);
  const startedAt = performance.now();
  await transport.post({ url: new URL(url), headers: {}, body: Buffer.from('{}') });
  return performance.now() - startedAt;
}

describe('an attempt takes about as long as its timeout', () => {
  const assertInTime = (ms: number) => assert.ok(ms >= SHORT_MS - 5 && ms < SHORT_MS * 4, `${ms} ms`);

  test('at an endpoint that never answers', async () => {
    const bank = await receiver(hang);
    assertInTime(await attemptMs(bank.url));
    await bank.close();
  });

  test('at an endpoint that sends its head byte by byte', async () => {
    const bank = await rawReceiver((socket) => {
      const head = 'HTTP/1.1 200 OK\r\nX-Slow: '.split('');
      const drip = setInterval(() => socket.write(head.shift() ?? 'x'), 10);
      socket.on('close', () => clearInterval(drip));
    });
    assertInTime(await attemptMs(bank.url));
    await bank.close();
  });

  test('if the name server never answers', async () => {
    assertInTime(await attemptMs('http://hooks.bank.example/', { resolve: () => new Promise(() => undefined) }));
  });
});

describe('an attempt does not wait', () => {
  test('for endless interim responses', async () => {
    const bank = await rawReceiver((socket) => {
      const flood = () => {
        while (!socket.destroyed && socket.write('HTTP/1.1 102 Processing\r\n\r\n'));
      };
      socket.on('drain', flood);
      flood();
    });
    const ms = await attemptMs(bank.url, { timeoutMs: 15_000 });
    assert.ok(ms < 3_000, `${ms} ms`);
    await bank.close();
  });

  test('for the end of a slow body', async () => {
    const bank = await receiver((response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const ms = await attemptMs(bank.url, { timeoutMs: 15_000 });
    assert.ok(ms < 3_000, `${ms} ms`);
    await bank.close();
  });
});

test('twenty rounds of claims on a backlog of 20,000 deliveries take less than two seconds', async () => {
  const insert = (due: string, from: number) =>
    kissi.db.query(`insert into webhook_deliveries select 'evt_' || n, 'ptn_' || n % 50, 'x', 'ref' || n, 'inb', 0,
      '{}', 'pending', 1, 1, ${due}, null, null, now(), null from generate_series(${from}, ${from + 9_999}) n`);
  await insert("now() + interval '1 hour'", 0);
  await insert("'2026-01-01'", 10_000);
  const outbox = createOutbox(kissi.db.database.pool);
  const now = new Date(kissi.clock.now());
  const startedAt = performance.now();
  for (let round = 0; round < 20; round++) {
    await outbox.dueOwners(now);
    const lease = { lease: `round-${round}`, now, until: new Date(now.getTime() + LEASE_MS) };
    assert.equal((await outbox.claim(new Map([['ptn_7', 5]]), lease)).claimed.length, 5);
  }
  const ms = performance.now() - startedAt;
  assert.ok(ms < 2_000, `${ms} ms`);
});
