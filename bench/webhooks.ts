// scripts/node bench/webhooks.ts: measures throughput and memory of webhook delivery, with and without an endpoint that hangs.
// Options: --count=100000 (number of pending events).
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedServer } from '@kissi/embedded-postgres';
import { ADMIN, SERVICE, type StartedProcess, startProcess, UNLIMITED } from '@kissi/testkit/service';
import pg from 'pg';
import { systemClock } from '../src/kernel/clock.ts';
import { newId } from '../src/kernel/ids.ts';
import { webhookRows } from '../src/webhooks/event.ts';
import { NODE_FLAGS } from './node-flags.ts';

const BATCH_SIZE = 1_000;
const MIN_PER_SECOND = 500;
const MAX_GROWTH_MB = 50;
const HANGING_EVENTS = 5_000;

interface Partner {
  id: string;
  webhook_url: string;
}

if (process.send) await receive();
else await measure();

/** The receiver, run as a separate process: acknowledges every event, but never answers on /hang. */
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

async function measure(): Promise<void> {
  const option = process.argv.find((argument) => argument.startsWith('--count='));
  const count = Number(option?.split('=')[1] ?? 100_000);
  const dataDir = await mkdtemp(join(tmpdir(), 'kissi-bench-'));
  await chmod(dataDir, 0o755);
  const server = await startEmbeddedServer({ dataDir, report: () => undefined });
  const receiver = fork(fileURLToPath(import.meta.url));
  const [{ port }] = (await once(receiver, 'message')) as [{ port: number }];
  const service = await startService(server.url, dataDir);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    const partners = await createPartners(service.url, port);
    const memory = () => residentMemoryMb(service.child);
    print(`${count} pending events; the service uses ${await memory()} MB`);
    await enqueue(client, [{ partner: partners.fast, count }]);
    await measureDelivery(receiver, count, memory);
    print(`${count / 5} pending events, plus ${HANGING_EVENTS} for an endpoint that hangs`);
    await enqueue(client, [
      { partner: partners.hanging, count: HANGING_EVENTS },
      { partner: partners.fast, count: count / 5 },
    ]);
    await measureDelivery(receiver, count / 5, memory);
  } finally {
    await client.end();
    receiver.kill();
    service.child.kill('SIGTERM');
    if (service.child.exitCode === null) await once(service.child, 'exit');
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function startService(databaseUrl: string, dataDir: string): Promise<StartedProcess> {
  const env = {
    ...UNLIMITED,
    PATH: process.env.PATH ?? '',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'warn',
  };
  const started = await startProcess(SERVICE, env, { nodeFlags: NODE_FLAGS });
  if (!started) throw new Error('the service did not start');
  return started;
}

async function createPartners(url: string, port: number): Promise<{ fast: Partner; hanging: Partner }> {
  const post = async (path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const response = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const { token } = (await post('/admin/login', ADMIN)) as { token: string };
  const partner = async (path: string) => {
    const body = { name: 'Bench Bank', webhook_url: `http://127.0.0.1:${port}${path}` };
    return ((await post('/admin/partners', body, token)) as { partner: Partner }).partner;
  };
  return { fast: await partner('/fast'), hanging: await partner('/hang') };
}

/** Locks the table, so that delivery starts only after all events are written, and is measured alone. */
async function enqueue(client: pg.Client, backlogs: { partner: Partner; count: number }[]): Promise<void> {
  await client.query('begin; lock table webhook_deliveries in exclusive mode');
  for (const { partner, count } of backlogs) await insertEvents(client, partner, count);
  await client.query('commit');
}

/** Inserts the rows that the ledger writes in the transaction of a credit. */
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

async function residentMemoryMb(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
