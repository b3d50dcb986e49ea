// node bench/webhooks.ts: how fast the outbox drains to a fast receiver, beside one that hangs, and what memory that takes.
// Options: --count=100000 (how many wait).
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startEmbeddedServer } from '@kissi/embedded-postgres';
import pg from 'pg';
import { systemClock } from '../src/kernel/clock.ts';
import { newId } from '../src/kernel/ids.ts';
import { webhookRows } from '../src/webhooks/event.ts';
import { NODE_FLAGS } from './node-flags.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };
const CHUNK = 1_000;
const RATE_BAR = 500;
const GROWTH_BAR_MB = 50;
const HANGING = 5_000;

interface Partner {
  id: string;
  webhook_url: string;
}

if (process.send) await receive();
else await measure();

/** The receiver, in a process of its own: acknowledges everything, but hangs on /hang. */
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
  const asked = process.argv.find((argument) => argument.startsWith('--count='));
  const count = Number(asked?.split('=')[1] ?? 100_000);
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
    const memory = () => residentMb(service.child);
    say(`${count} events wait; the service holds ${await memory()} MB`);
    // Taken out of reach while they are written, so that the draining is measured alone.
    await client.query('begin; lock table webhook_deliveries in exclusive mode');
    await enqueue(client, partners.fast, count);
    await client.query('commit');
    await drain(receiver, count, memory);
    say(`the same beside ${HANGING} events for an endpoint that hangs`);
    await client.query('begin; lock table webhook_deliveries in exclusive mode');
    await enqueue(client, partners.hanging, HANGING);
    await enqueue(client, partners.fast, count / 5);
    await client.query('commit');
    await drain(receiver, count / 5, memory);
  } finally {
    await client.end();
    receiver.kill();
    service.child.kill('SIGTERM');
    if (service.child.exitCode === null) await once(service.child, 'exit');
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function startService(databaseUrl: string, dataDir: string): Promise<{ url: string; child: ChildProcess }> {
  const env = {
    ...{ PATH: process.env.PATH ?? '', PORT: '0', DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
    ...{ WEBHOOK_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'warn' },
    ...{ BOOTSTRAP_ADMIN_EMAIL: ADMIN.email, BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password },
  };
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [...NODE_FLAGS, main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /Health +(\S+)\/health/.exec(line)?.[1];
    if (url) return { url, child };
  }
  throw new Error('the service did not start');
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

/** As the ledger writes them beside its movements. */
async function enqueue(client: pg.Client, partner: Partner, count: number): Promise<void> {
  const text = 'insert into webhook_deliveries select * from json_populate_recordset(null::webhook_deliveries, $1)';
  for (let done = 0; done < count; done += CHUNK) {
    const rows = Array.from({ length: Math.min(CHUNK, count - done) }, () => {
      const ids = { inboundId: newId('inb'), subscriberId: newId('sub'), transactionId: newId('txn') };
      const facts = {
        event: 'credit.completed',
        partner,
        reference: newId('req'),
        amount: 1,
        fee: 0,
        currency: 'SLE',
      } as const;
      return webhookRows({ ...facts, ...ids, occurredAt: Date.now() }, systemClock)[0]?.row;
    });
    await client.query(text, [JSON.stringify(rows)]);
  }
}

async function drain(receiver: ChildProcess, count: number, memory: () => Promise<number>): Promise<void> {
  const arrived = async () => {
    receiver.send('count?');
    return ((await once(receiver, 'message')) as [{ count: number }])[0].count;
  };
  const before = await arrived();
  let begun = 0;
  const samples: number[] = [];
  for (let got = 0; got < count; ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    got = (await arrived()) - before;
    if (got > 0 && begun === 0) begun = performance.now() - 100;
    if (got > 0) samples.push(await memory());
  }
  const rate = Math.round(count / ((performance.now() - begun) / 1_000));
  const quarter = Math.ceil(samples.length / 4);
  const highest = [0, 1, 2, 3].map((n) => Math.max(...samples.slice(n * quarter, (n + 1) * quarter)));
  say(`  ${rate} deliveries a second (bar ${RATE_BAR}: ${rate >= RATE_BAR ? 'holds' : 'FAILS'})`);
  const verdict = (highest[3] ?? 0) - (highest[2] ?? 0) < GROWTH_BAR_MB ? 'holds' : 'FAILS';
  say(`  memory at most ${highest.join(', ')} MB in its four quarters (level at the end: ${verdict})`);
}

async function residentMb(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
