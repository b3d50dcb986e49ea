// npm run test:hostile: the long form, against the service as an operator runs it. HOSTILE_SEED and HOSTILE_REQUESTS choose.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testDatabase } from '../support/database.ts';
import { ADMIN, caller, GENEROUS, SECRETS } from '../support/gateway.ts';
import { type Document, replyCheck } from '../support/openapi.ts';
import { runService, type ServiceProcess } from '../support/service.ts';
import { campaign, describeFaults, type Report, reached } from './campaign.ts';
import { targetsOf } from './operations.ts';
import { CONFIGURED, ENVIRONMENT, makeWorld, type World } from './world.ts';

const SEED = Number(process.env.HOSTILE_SEED ?? 1);
const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 200_000);
const CONNECTIONS = 24;
/** What the service may hold in the end beyond what it held after the first quarter. */
const GROWTH_MB = 150;
const VERIFY = fileURLToPath(new URL('../../scripts/ledger-verify.ts', import.meta.url));

const db = await testDatabase();
let service: ServiceProcess;
let document: Document;
let world: World;
let report: Report;
/** Megabytes, by how many requests had been sent. */
const memory: { sent: number; mb: number }[] = [];

before(async () => {
  const bootstrap = { BOOTSTRAP_ADMIN_EMAIL: ADMIN.email, BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password };
  const env = { ...GENEROUS, ...SECRETS, ...ENVIRONMENT, ...bootstrap, DATABASE_URL: db.url, LOG_LEVEL: 'debug' };
  service = await runService(env);
  const { url } = service;
  document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  const call = caller(url, replyCheck(document));
  const adminToken = async () => (await call('POST', '/api/v1/admin/login', { body: ADMIN })).json.token;
  world = await makeWorld({ url, call, adminToken, now: Date.now, configured: CONFIGURED }, SEED);
  report = await campaign({ document, world, seed: SEED, requests: REQUESTS, connections: CONNECTIONS, onProgress });
});

after(async () => {
  await service.end('SIGTERM');
  await db.close();
});

async function onProgress(sent: number): Promise<void> {
  const status = await readFile(`/proc/${service.child.pid}/status`, 'utf8').catch(() => '');
  memory.push({ sent, mb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024 });
}

describe(`${REQUESTS} requests, seed ${SEED}`, () => {
  test('each is answered within five seconds, as the document has it, and none with a 500', (context) => {
    assert.equal(report.faults.length, 0, describeFaults(report, SEED));
    assert.ok(report.sent >= REQUESTS);
    context.diagnostic(`${report.sent} requests, the slowest took ${Math.round(report.slowestMs)} ms`);
    context.diagnostic(`statuses: ${JSON.stringify(totals(report))}`);
  });

  test('every operation was also asked for what it does, and did it', () => {
    const missing = targetsOf(document).filter(({ name }) => !reached(report, name));
    assert.deepEqual(
      missing.map(({ name }) => `${name}: ${JSON.stringify([...(report.statuses.get(name) ?? [])])}`),
      [],
    );
  });

  test('no PIN, password, key, secret, token, code or signature is in the log', (context) => {
    const log = service.logged();
    assert.ok(log.length > REQUESTS * 100, 'the log was not read');
    assert.equal(world.secrets.find(log), null);
    context.diagnostic(`${Math.round(log.length / 2 ** 20)} MB of log, ${world.secrets.size} secrets looked for`);
  });

  test('the service goes on', async () => {
    const health = (await (await fetch(`${service.url}/health`)).json()) as { status: string };
    assert.equal(health.status, 'ok');
    assert.equal(service.child.exitCode, null);
  });

  test('its memory is bounded', (context) => {
    const quarter = memory.filter(({ sent }) => sent <= Math.max(REQUESTS / 4, 4_000)).map(({ mb }) => mb);
    const rest = memory.map(({ mb }) => mb);
    const [early, late] = [Math.max(...quarter), rest.at(-1) ?? 0];
    context.diagnostic(`resident: ${Math.round(early)} MB after a quarter, ${Math.round(late)} MB in the end`);
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
