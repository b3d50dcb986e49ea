// GATEWAYS=2: two gateway processes behind one port under a supervisor.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { get, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { startEmbeddedServer } from '@kissi/embedded-postgres';
import { childrenOf, isAlive } from '@kissi/testkit/faults';
import { runService, type ServiceProcess, temporaryFolder } from '@kissi/testkit/service';
import pg from 'pg';
import { verifyBooks } from '../../src/app/verification.ts';
import { SECRETS } from '../support/secrets.ts';
import { waitFor } from '../support/wait.ts';
import { assertPaidOnce, Clients, ENV, prepare } from './paying-clients.ts';
import { JSON_TYPE, metricsOf } from './processes.ts';

const PAYMENTS_PER_STEP = 60;
const BRIDGE_LIMIT = 30;

const folder = await temporaryFolder();
const server = await startEmbeddedServer({ dataDir: folder.path, report: () => undefined });
const service = await runService({
  ...ENV,
  GATEWAYS: '2',
  DATABASE_URL: server.url,
  DATA_DIR: folder.path,
  MESSAGING_BRIDGE_PER_MINUTE: String(BRIDGE_LIMIT),
});
const database = new pg.Client({ connectionString: server.url });
await database.connect();
let second: ServiceProcess | undefined;
/** A gateway that a test has stopped with SIGSTOP. */
let frozen = 0;
after(async () => {
  if (frozen && (await isAlive(frozen))) process.kill(frozen, 'SIGKILL');
  await service.stop('SIGKILL');
  await second?.stop('SIGKILL');
  await database.end();
  await server.stop();
  await folder.remove();
});

const supervisor = service.child.pid ?? 0;
const metric = async (name: string, url = service.url) => {
  const metrics = await metricsOf(url, 2);
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
};
/** Requests to /health that all gateways have counted. */
const healthRequests = async () =>
  (await metric('kissi_http_requests_total\\{route="/health",method="GET",status="2xx"\\}')) || 0;

async function askHealth(times: number): Promise<void> {
  for (let sent = 0; sent < times; sent += 1)
    await fetch(`${service.url}/health`, { headers: { connection: 'close' } }).then((reply) => reply.text());
}

interface LogLine {
  msg: string;
  gateway?: number;
  pid?: number;
  signal?: string;
  code?: number;
}

/** What the supervisor logged about a process. Its lines may follow a part of a longer line of a gateway. */
function logged(pid: number): LogLine[] {
  const lines = service.stderr().match(/\{"level":[^{}\n]*"pid":\d+[^{}\n]*\}/g) ?? [];
  return lines.map((line): LogLine => JSON.parse(line)).filter((line) => line.pid === pid);
}

const bothReady = () => waitFor('two gateways serve', async () => (await metric('kissi_gateways_ready')) === 2);

/** The gateway processes, oldest first. */
const gateways = async () => (await childrenOf(supervisor)).sort((a, b) => a - b);

async function statusOnNewConnection(path: string): Promise<number> {
  const request = get(`${service.url}${path}`, { agent: false });
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  reply.resume();
  return reply.statusCode ?? 0;
}

describe('two gateways under a supervisor', () => {
  test('hold different stripes of the fee accounts, and share the tasks', async () => {
    await bothReady();
    const { rows } = await database.query(
      'select count(*)::int as leased, count(distinct holder)::int as holders from gateway_stripes where leased_until > now()',
    );
    assert.deepEqual(rows, [{ leased: 2, holders: 2 }]);
  });

  test('count requests against one limit, whichever of them is asked', async () => {
    const body = JSON.stringify({ event: 'message', message: 'Hello', from: '23276000001', phoneE164: '+23276000001' });
    const statuses: number[] = [];
    for (let sent = 0; sent < 2 * BRIDGE_LIMIT; sent += 1) {
      // Its own connection each time: the supervisor hands them to the gateways in turn.
      const headers = { ...JSON_TYPE, connection: 'close' };
      const reply = await fetch(`${service.url}/api/v1/external/messaging`, { method: 'POST', headers, body });
      statuses.push(reply.status);
    }
    assert.equal(statuses.filter((status) => status === 429).length, BRIDGE_LIMIT);
  });

  test('are restarted one by one on SIGHUP, without a refused or broken request, and one that is killed is replaced', async () => {
    const wallets = await prepare(service.url);
    const clients = new Clients([service.url], wallets);
    await clients.morePayments(PAYMENTS_PER_STEP);
    const before = await gateways();
    assert.equal(before.length, 2);

    service.child.kill('SIGHUP');
    await waitFor('both gateways are new', async () => {
      const now = await gateways();
      return now.length === 2 && now.every((pid) => !before.includes(pid));
    });
    await clients.morePayments(PAYMENTS_PER_STEP);
    assert.deepEqual(clients.failures, { stopping: 0, broken: 0 });

    const [victim = 0, survivor = 0] = await gateways();
    process.kill(victim, 'SIGKILL');
    await waitFor('the killed gateway is replaced', async () => {
      const now = await gateways();
      return now.length === 2 && !now.includes(victim) && now.includes(survivor);
    });
    await bothReady();
    await clients.morePayments(PAYMENTS_PER_STEP);
    await clients.stop();

    assert.deepEqual(clients.unexpected, []);
    await assertPaidOnce(database, clients.paid, wallets);
    assert.equal((await verifyBooks(server.url, SECRETS.MASTER_KEY)).clean, true);
    assert.equal(await metric('kissi_gateways_replaced_total'), 1);
  });

  test('take over the connections that waited for one that is killed', async () => {
    const [victim = 0] = await gateways();
    process.kill(victim, 'SIGSTOP');
    // One of them is handed to the frozen gateway.
    const statuses: number[] = [];
    const replies = Array.from({ length: 4 }, async () => void statuses.push(await statusOnNewConnection('/health')));
    await waitFor('the other gateway serves the others', async () => statuses.length === 3);
    process.kill(victim, 'SIGKILL');
    await Promise.all(replies);
    assert.deepEqual(statuses, [200, 200, 200, 200]);
    await bothReady();
  });

  test('add up their counts of requests', async () => {
    const before = await healthRequests();
    await askHealth(6);
    assert.equal(await healthRequests(), before + 6);
  });

  test('keep the counts of one that is killed, and log its end and its replacement', async () => {
    const counted = await healthRequests();
    assert.ok(counted >= 6);
    const [victim = 0, survivor = 0] = await gateways();
    process.kill(victim, 'SIGKILL');
    const replacement = await waitFor('the killed gateway is replaced', async () =>
      (await gateways()).find((pid) => pid !== victim && pid !== survivor),
    );
    await bothReady();
    assert.equal(await healthRequests(), counted);

    const end = await waitFor('the end is logged', async () =>
      logged(victim).find(({ msg }) => msg === 'a gateway process ended and is replaced'),
    );
    assert.equal(end.signal, 'SIGKILL');
    await waitFor('the replacement is logged', async () =>
      logged(replacement).some(({ msg, gateway }) => msg === 'a gateway process serves' && gateway === end.gateway),
    );
  });

  test('keep all counts in a restart, including those since the last scrape', async () => {
    const before = await healthRequests();
    await askHealth(6);
    const old = await gateways();
    service.child.kill('SIGHUP');
    await waitFor('both gateways are new', async () => {
      const now = await gateways();
      return now.length === 2 && now.every((pid) => !old.includes(pid));
    });
    assert.equal(await healthRequests(), before + 6);
    await waitFor('the ends are logged', async () =>
      old.every((pid) => logged(pid).some(({ msg, code }) => msg === 'a gateway process ended' && code === 0)),
    );
  });

  test('have names that tell them from their supervisor', async () => {
    const nameOf = async (pid: number) => (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', '').trim();
    assert.equal(await nameOf(supervisor), 'kissi supervisor');
    const names = await Promise.all((await gateways()).map(nameOf));
    assert.deepEqual(names.sort(), ['kissi gateway 0', 'kissi gateway 1']);
  });

  test('stop together with their supervisor, and give back their stripes', async () => {
    const running = await gateways();
    assert.equal(await service.stop('SIGTERM'), 0);
    for (const pid of running) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
    await waitFor('the stop is logged', async () =>
      /"msg":"the service is stopping"\}\n[\s\S]*"msg":"the service has stopped"\}\n/.test(service.stderr()),
    );
    const { rows } = await database.query(
      'select stripe from gateway_stripes where leased_until > now() and holder is not null',
    );
    assert.ok(rows.length <= 3, 'only the killed gateways could not give their stripes back');
  });
});

describe('a supervisor', () => {
  test('shows the password of the first administrator while a gateway does not start', async () => {
    await database.query('create database second');
    const { BOOTSTRAP_ADMIN_EMAIL: _email, BOOTSTRAP_ADMIN_PASSWORD: _password, ...env } = ENV;
    const url = server.url.replace(/\/[^/?]*(?=\?|$)/, '/second');
    second = await runService(
      { ...env, GATEWAYS: '2', DATABASE_URL: url, DATA_DIR: folder.path },
      async ({ pid = 0 }) => {
        frozen = await waitFor(
          'the second gateway is started',
          async () => (await childrenOf(pid)).sort((a, b) => a - b)[1],
        );
        process.kill(frozen, 'SIGSTOP');
      },
    );
    assert.match(second.stdout(), /The first administrator \(shown only once\):\n {2}email .*\n {2}password {2}\S+/);
    process.kill(frozen, 'SIGCONT');
    await waitFor('both gateways serve', async () => (await metric('kissi_gateways_ready', second?.url)) === 2);
  });

  test('that is killed leaves gateways that finish their requests and then end', async () => {
    const { url = '', child } = second ?? assert.fail('there is no service');
    const running = await childrenOf(child.pid ?? 0);
    assert.equal(running.length, 2);
    const body = JSON.stringify({ phone_number: '076200001', first_name: 'Fatu', last_name: 'Sesay', pin: '4821' });
    const headers = { ...JSON_TYPE, 'content-length': String(body.length), expect: '100-continue' };
    const sent = request(`${url}/api/v1/public/subscribers`, { method: 'POST', agent: false, headers });
    sent.flushHeaders();
    // A gateway has read the headers.
    await once(sent, 'continue');
    child.kill('SIGKILL');
    await second?.exited;
    sent.end(body);
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    assert.equal(reply.statusCode, 201, await text(reply));
    await waitFor('the gateways have ended', async () => {
      const states = await Promise.all(running.map(isAlive));
      return states.every((isUp) => !isUp);
    });
  });
});
