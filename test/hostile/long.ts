// npm run test:hostile: the long run against a service process. HOSTILE_SEED and HOSTILE_REQUESTS configure it.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { runScript, runService, type ServiceProcess } from '@kissi/testkit/service';
import { testDatabase } from '../support/database.ts';
import { ADMIN, HIGH_LIMITS, httpCaller, SECRETS } from '../support/gateway.ts';
import { type Document, replyCheck, resolvedDocument } from '../support/openapi.ts';
import { describeFaults, hasSucceeded, type Report, runCampaign } from './campaign.ts';
import { CONFIGURED, createFixtures, ENVIRONMENT } from './fixtures.ts';
import { targetsOf } from './operations.ts';
import { foreignChanges, ownMovements } from './owned-keys.ts';
import type { Fixtures } from './world.ts';

const SEED = Number(process.env.HOSTILE_SEED ?? 1);
const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 200_000);
const CONNECTIONS = 24;
/** The heap limit of the service: a leak of a kilobyte per request would exceed it. */
const HEAP_MB = 256;
/** The allowed growth of the retained heap from the first to the last quarter of the run. */
const GROWTH_MB = 48;

const db = await testDatabase();
let service: ServiceProcess;
let document: Document;
let fixtures: Fixtures;
let report: Report;
/** Memory samples in megabytes. */
const memory: { resident: number; heap: number }[] = [];

before(async () => {
  const bootstrap = { BOOTSTRAP_ADMIN_EMAIL: ADMIN.email, BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password };
  const env = { ...HIGH_LIMITS, ...SECRETS, ...ENVIRONMENT, ...bootstrap, DATABASE_URL: db.url, LOG_LEVEL: 'debug' };
  const NODE_OPTIONS = `--max-old-space-size=${HEAP_MB} --max-semi-space-size=16`;
  service = await runService({ ...env, NODE_OPTIONS });
  const { url } = service;
  document = resolvedDocument(await (await fetch(`${url}/openapi.json`)).json());
  const call = httpCaller(url, replyCheck(document));
  const adminToken = async () => (await call('POST', '/api/v1/admin/login', { body: ADMIN })).json.token;
  fixtures = await createFixtures(
    { url, call, adminToken, query: db.query, now: Date.now, configured: CONFIGURED },
    SEED,
  );
  report = await runCampaign({
    document,
    fixtures,
    seed: SEED,
    requests: REQUESTS,
    connections: CONNECTIONS,
    onProgress,
  });
});

after(async () => {
  await service.stop('SIGTERM');
  await db.close();
});

async function onProgress(sent: number): Promise<void> {
  process.stderr.write(`${sent} requests\n`);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const megabytes = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1]) / 2 ** 20;
  const [resident, heap] = [megabytes('process_resident_memory_bytes'), megabytes('nodejs_heap_size_used_bytes')];
  memory.push({ resident: Math.round(resident), heap: Math.round(heap) });
}

describe(`${REQUESTS} requests, seed ${SEED}`, () => {
  test('every reply matches the OpenAPI document, and none is a 500', (context) => {
    context.diagnostic(`${report.sent} requests, the slowest took ${Math.round(report.slowestMs)} ms`);
    context.diagnostic(`statuses: ${JSON.stringify(totals(report))}`);
    assert.equal(report.faults.length, 0, describeFaults(report, SEED));
    assert.ok(report.sent >= REQUESTS);
  });

  test('every operation succeeded at least once', () => {
    const missing = targetsOf(document).filter(({ name }) => !hasSucceeded(report, name));
    assert.deepEqual(
      missing.map(({ name }) => `${name}: ${JSON.stringify([...(report.statuses.get(name) ?? [])])}`),
      [],
    );
  });

  test('no key of a partner or processor changed what belongs to another', async () => {
    assert.deepEqual(await foreignChanges(db.query, fixtures.ownedKeys), []);
    assert.ok((await ownMovements(db.query, fixtures.ownedKeys)) > 0, 'they moved their own money');
  });

  test('no PIN, password, key, secret, token, code or signature is in the log', (context) => {
    const log = service.stderr();
    assert.ok(log.length > REQUESTS * 100, 'the log was not read');
    assert.equal(fixtures.secrets.find(log), null);
    context.diagnostic(`${Math.round(log.length / 2 ** 20)} MB of log, ${fixtures.secrets.size} secrets looked for`);
  });

  test('the service is healthy afterwards', async () => {
    const health = (await (await fetch(`${service.url}/health`)).json()) as { status: string };
    assert.equal(health.status, 'ok');
    assert.equal(service.child.exitCode, null);
  });

  test(`the service runs with a heap of ${HEAP_MB} MB and does not retain more at the end than at the start`, (context) => {
    const quarter = Math.max(1, Math.floor(memory.length / 4));
    // The minimum of several samples approximates the heap after a garbage collection.
    const least = (samples: typeof memory) => Math.min(...samples.map(({ heap }) => heap));
    const [early, late] = [least(memory.slice(0, quarter)), least(memory.slice(-quarter))];
    const resident = Math.max(...memory.map((sample) => sample.resident));
    context.diagnostic(
      `heap at least ${early} MB at the start, ${late} MB at the end; resident at most ${resident} MB`,
    );
    assert.ok(late < early + GROWTH_MB, JSON.stringify(memory));
  });

  test('npm run ledger:verify succeeds afterwards', async () => {
    const env = { DATABASE_URL: db.url, MASTER_KEY: SECRETS.MASTER_KEY };
    const { code, output } = await runScript('scripts/ledger-verify.ts', env);
    assert.equal(code, 0, output);
    assert.match(output, /\S/);
  });
});

function totals({ statuses }: Report): Record<number, number> {
  const sums: Record<number, number> = {};
  for (const counts of statuses.values()) {
    for (const [status, count] of counts) sums[status] = (sums[status] ?? 0) + count;
  }
  return sums;
}
