// The npm run bench -- webhooks scenario: throughput and memory of webhook delivery, with and without an endpoint that
// hangs.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { ownProcess } from '@kissi/testkit/guard';
import { makePartner } from '@kissi/testkit/parties';
import type pg from 'pg';
import { systemClock } from '../src/kernel/clock.ts';
import { newId } from '../src/kernel/ids.ts';
import { webhookRows } from '../src/webhooks/event.ts';
import { withClient } from './client.ts';
import { print, type Scenario } from './runner.ts';
import type { Bench } from './setup.ts';

const BATCH_SIZE = 1_000;
const MIN_PER_SECOND = 500;
const MAX_GROWTH_MB = 50;
const HANGING_EVENTS = 5_000;

interface Partner {
  id: string;
  webhook_url: string;
}

export const scenario: Scenario<'count'> = {
  usage: `npm run bench -- webhooks [--count 100000]
Throughput and memory of webhook delivery for so many pending events, with and without an endpoint that hangs.`,
  values: { count: 'the number of pending events' },
  services: () => [{ variables: { WEBHOOK_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'warn' } }],
  async measure([bench], { values }) {
    const receiver = fork(fileURLToPath(import.meta.url));
    ownProcess(receiver);
    try {
      await withClient(bench.databaseUrl, (client) =>
        measureDeliveries(bench, client, receiver, Number(values.count ?? 100_000)),
      );
    } finally {
      receiver.kill();
    }
    return null;
  },
};

// Forked as a separate process, this file is also the receiver.
if (process.send) await receive();

/** Acknowledges every event, but never answers on /hang. */
async function receive(): Promise<void> {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (request.url === '/hang') return;
      count++;
      response.writeHead(200).end('ok');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.({ port: (server.address() as AddressInfo).port });
  process.on('message', () => process.send?.({ count }));
}

async function measureDeliveries(
  { admin, serviceMemoryMb: memory }: Bench,
  client: pg.Client,
  receiver: ChildProcess,
  count: number,
): Promise<void> {
  const [{ port }] = (await once(receiver, 'message')) as [{ port: number }];
  const partnerAt = async (path: string): Promise<Partner> => {
    const webhook_url = `http://127.0.0.1:${port}${path}`;
    return { ...(await makePartner(admin, { webhook_url })), webhook_url };
  };
  const [fast, hanging] = [await partnerAt('/fast'), await partnerAt('/hang')];
  print(`${count} pending events; the service uses ${await memory()} MB`);
  await enqueue(client, [{ partner: fast, count }]);
  await measureDelivery(receiver, count, memory);
  print(`${count / 5} pending events, plus ${HANGING_EVENTS} for an endpoint that hangs`);
  await enqueue(client, [
    { partner: hanging, count: HANGING_EVENTS },
    { partner: fast, count: count / 5 },
  ]);
  await measureDelivery(receiver, count / 5, memory);
}

/** Locks the table, so that delivery starts only after all events are written, and is measured alone. */
async function enqueue(client: pg.Client, backlogs: { partner: Partner; count: number }[]): Promise<void> {
  await client.query('begin; lock table webhook_deliveries in exclusive mode');
  for (const { partner, count } of backlogs) await insertEvents(client, partner, count);
  await client.query('commit');
}

/** Inserts the rows that the ledger writes in a credit's transaction. */
async function insertEvents(client: pg.Client, partner: Partner, count: number): Promise<void> {
  const text = 'insert into webhook_deliveries select * from json_populate_recordset(null::webhook_deliveries, $1)';
  for (let done = 0; done < count; done += BATCH_SIZE) {
    const rows = Array.from({ length: Math.min(BATCH_SIZE, count - done) }, () => {
      const ids = { inboundId: newId('inb'), subscriberId: newId('sub'), transactionId: newId('txn') };
      const event = {
        event: 'credit.completed',
        partner,
        reference: newId('req'),
        amount: 1,
        fee: 0,
        currency: 'SLE',
      } as const;
      return webhookRows({ ...event, ...ids, occurredAt: Date.now() }, systemClock)[0]?.row;
    });
    await client.query(text, [JSON.stringify(rows)]);
  }
}

async function measureDelivery(receiver: ChildProcess, count: number, memory: () => Promise<number>): Promise<void> {
  const received = async () => {
    receiver.send('count?');
    return ((await once(receiver, 'message')) as [{ count: number }])[0].count;
  };
  const before = await received();
  let startedAt = 0;
  const samples: number[] = [];
  for (let delivered = 0; delivered < count; ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    delivered = (await received()) - before;
    if (delivered > 0 && startedAt === 0) startedAt = performance.now() - 100;
    if (delivered > 0) samples.push(await memory());
  }
  const rate = Math.round(count / ((performance.now() - startedAt) / 1_000));
  const quarter = Math.ceil(samples.length / 4);
  const peaks = [0, 1, 2, 3].map((n) => Math.max(...samples.slice(n * quarter, (n + 1) * quarter)));
  const rateVerdict = rate >= MIN_PER_SECOND ? 'pass' : 'FAIL';
  print(`  ${rate} deliveries/s (threshold ${MIN_PER_SECOND}: ${rateVerdict})`);
  const growth = (peaks[3] ?? 0) - (peaks[2] ?? 0);
  const growthVerdict = growth < MAX_GROWTH_MB ? 'pass' : 'FAIL';
  print(
    `  peak memory per quarter of the run: ${peaks.join(', ')} MB (growth in the last quarter < ${MAX_GROWTH_MB} MB: ${growthVerdict})`,
  );
}
