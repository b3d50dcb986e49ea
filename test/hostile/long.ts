// npm run test:hostile: the long form, against the service as an operator runs it. HOSTILE_SEED and HOSTILE_REQUESTS choose.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testDatabase } from '../support/database.ts';
import { ADMIN, HIGH_LIMITS, httpCaller, SECRETS } from '../support/gateway.ts';
import { type Document, replyCheck } from '../support/openapi.ts';
import { runService, type ServiceProcess } from '../support/service.ts';
import { campaign, describeFaults, type Report, reached } from './campaign.ts';
import { targetsOf } from './operations.ts';
import { CONFIGURED, ENVIRONMENT, makeWorld, type World } from './world.ts';

const SEED = Number(process.env.HOSTILE_SEED ?? 1);
const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 200_000);
const CONNECTIONS = 24;
/** What the service may have: a leak of a kilobyte a request would end it. */
const HEAP_MB = 256;
/** What it may hold on to in the last quarter beyond what it held on to in the first. */
const GROWTH_MB = 48;
const VERIFY = fileURLToPath(new URL('../../scripts/ledger-verify.ts', import.meta.url));

const db = await testDatabase();
let service: ServiceProcess;
let document: Document;
let world: World;
let report: Report;
/** Megabytes, now and then. */
const memory: { resident: number; heap: number }[] = [];

before(async () => {
  const bootstrap = { BOOTSTRAP_ADMIN_EMAIL: ADMIN.email, BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password };
  const env = { ...HIGH_LIMITS, ...SECRETS, ...ENVIRONMENT, ...bootstrap, DATABASE_URL: db.url, LOG_LEVEL: 'debug' };
  const NODE_OPTIONS = `--max-old-space-size=${HEAP_MB} --max-semi-space-size=16`;
  service = await runService({ ...env, NODE_OPTIONS });
  const { url } = service;
  document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  const call = httpCaller(url, replyCheck(document));
  const adminToken = async () => (await call('POST', '/api/v1/admin/login', { body: ADMIN })).json.token;
  world = await makeWorld({ url, call, adminToken, now: Date.now, configured: CONFIGURED }, SEED);
  report = await campaign({ document, world, seed: SEED, requests: REQUESTS, connections: CONNECTIONS, onProgress });
});

after(async () => {
  await service.stop('SIGTERM');
  await db.close();
});

async function onProgress(sent: number): Promise<void> {
  process.stderr.write(`${sent} requests\n`);
  const figures = await (await fetch(`${service.url}/metrics`)).text();
  const figure = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(figures)?.[1]) / 2 ** 20;
  const [resident, heap] = [figure('process_resident_memory_bytes'), figure('nodejs_heap_size_used_bytes')];
  memory.push({ resident: Math.round(resident), heap: Math.round(heap) });
}

describe(`${REQUESTS} requests, seed ${SEED}`, () => {
  test('each gets a reply that the OpenAPI document describes, and none a 500', (context) => {
    context.diagnostic(`${report.sent} requests, the slowest took ${Math.round(report.slowestMs)} ms`);
    context.diagnostic(`statuses: ${JSON.stringify(totals(report))}`);
    assert.equal(report.faults.length, 0, describeFaults(report, SEED));
    assert.ok(report.sent >= REQUESTS);
  });

  test('every operation was also asked for what it does, and did it', () => {
    const missing = targetsOf(document).filter(({ name }) => !reached(report, name));
    assert.deepEqual(
      missing.map(({ name }) => `${name}: ${JSON.stringify([...(report.statuses.get(name) ?? [])])}`),
      [],
    );
  });

  test('no PIN, password, key, secret, token, code or signature is in the log', (context) => {
    const log = service.stderr();
    assert.ok(log.length > REQUESTS * 100, 'the log was not read');
    assert.equal(world.secrets.find(log), null);
    context.diagnostic(`${Math.round(log.length / 2 ** 20)} MB of log, ${world.secrets.size} secrets looked for`);
  });

  test('the service goes on', async () => {
    const health = (await (await fetch(`${service.url}/health`)).json()) as { status: string };
    assert.equal(health.status, 'ok');
    assert.equal(service.child.exitCode, null);
  });

  test(`it does with ${HEAP_MB} MB, and holds on to no more in the end than in the beginning`, (context) => {
    const quarter = Math.max(1, Math.floor(memory.length / 4));
    // The least of several moments is what was left after a collection.
    const least = (moments: typeof memory) => Math.min(...moments.map(({ heap }) => heap));
    const [early, late] = [least(memory.slice(0, quarter)), least(memory.slice(-quarter))];
    const resident = Math.max(...memory.map((moment) => moment.resident));
    context.diagnostic(`heap at least ${early} MB at first, ${late} MB in the end; resident at most ${resident} MB`);
    assert.ok(late < early + GROWTH_MB, JSON.stringify(memory));
  });

  test('npm run ledger:verify finds the books in order', async () => {
    const run = promisify(execFile);
    const env = { PATH: process.env.PATH ?? '', DATABASE_URL: db.url };
    const { stdout } = await run(process.execPath, [VERIFY], { env });
    assert.match(stdout, /\S/);
  });
});

function totals({ statuses }: Report): Record<number, number> {
  const sums: Record<number, number> = {};
  for (const counts of statuses.values()) {
    for (const [status, count] of counts) sums[status] = (sums[status] ?? 0) + count;
  }
  return sums;
}
