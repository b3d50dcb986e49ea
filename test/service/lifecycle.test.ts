// The life cycle of a service process: start, stop, crash, invalid configuration, and recovery from database failures.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startEmbeddedServer } from '@kissi/embedded-postgres';
import { isAlive, killServer, serverProcesses } from '@kissi/testkit/faults';
import { runService, type ServiceProcess, temporaryFolder } from '@kissi/testkit/service';
import pg from 'pg';
import { waitFor } from '../support/wait.ts';
import { JSON_TYPE, register, walletCore } from './processes.ts';

const NO_REGISTRATION_LIMIT = { PUBLIC_REGISTRATION_PER_MINUTE: '100000' };

async function login(service: ServiceProcess, email: string, password: string): Promise<Response> {
  const body = JSON.stringify({ email, password });
  return fetch(`${service.url}/api/v1/admin/login`, { method: 'POST', headers: JSON_TYPE, body });
}

describe('starting and stopping', () => {
  test('the first start creates an administrator, Ctrl-C stops all processes, and the second start has the same data', async () => {
    const folder = await temporaryFolder();
    const env = { DATA_DIR: folder.path, LOG_LEVEL: 'info' };
    const first = await runService(env);
    try {
      assert.match(first.stdout(), /API +http:\/\/127\.0\.0\.1:\d+\/api\/v1/);
      assert.match(first.stdout(), /Documentation +http:\/\/127\.0\.0\.1:\d+\/docs/);
      const email = first.stdout().match(/email +(\S+)/)?.[1] ?? '';
      const password = first.stdout().match(/password +(\S+)/)?.[1] ?? '';
      assert.ok(!first.stdout().includes('admin:create'));
      assert.equal((await login(first, email, password)).status, 200);
      assert.equal((await register(first, '076111222')).status, 201);
      assert.ok(!first.stderr().includes(password), 'the password is printed and never logged');
      assert.equal((await stat(join(folder.path, 'secrets.json'))).mode & 0o777, 0o600);

      const [pid = 0] = await serverProcesses(join(folder.path, 'postgres'));
      assert.equal(await isAlive(pid), true);
      assert.equal(await first.stop('SIGINT'), 0);
      assert.equal(await isAlive(pid), false, 'PostgreSQL was stopped with the service');

      const second = await runService(env);
      try {
        assert.ok(!second.stdout().includes('password'), 'the administrator is shown once');
        assert.match(second.stdout(), /first start printed the administrator's login.*\n +npm run admin:create/);
        assert.equal((await login(second, email, password)).status, 200);
        assert.equal((await register(second, '+23276111222')).status, 409);
      } finally {
        await second.stop('SIGTERM');
      }
    } finally {
      await first.stop('SIGKILL');
      await folder.remove();
    }
  });

  test('after kill -9 the next start works and has everything that was acknowledged', async () => {
    const folder = await temporaryFolder();
    const first = await runService({ DATA_DIR: folder.path, ...NO_REGISTRATION_LIMIT });
    try {
      // Killed together with PostgreSQL during registrations: some are acknowledged, some are not.
      const acknowledged: string[] = [];
      let next = 0;
      let unanswered = 0;
      const writer = async () => {
        while (unanswered === 0) {
          const phone = `0762${String(next++).padStart(5, '0')}`;
          const reply = await register(first, phone).catch(() => null);
          if (reply === null) unanswered += 1;
          if (reply?.status === 201) acknowledged.push(phone);
        }
      };
      const writers = Array.from({ length: 20 }, writer);
      await waitFor('some are acknowledged', () => acknowledged.length >= 40);
      await killServer(join(folder.path, 'postgres'));
      await first.stop('SIGKILL');
      await Promise.all(writers);

      const second = await runService({ DATA_DIR: folder.path, ...NO_REGISTRATION_LIMIT });
      const again = await Promise.all(acknowledged.map((phone) => register(second, phone)));
      assert.ok(
        again.every(({ status }) => status === 409),
        'every acknowledged registration exists',
      );
      assert.equal(await second.stop('SIGINT'), 0);
    } finally {
      await first.stop('SIGKILL');
      await folder.remove();
    }
  });

  test('a request in flight at SIGTERM is answered before the service stops', async () => {
    const folder = await temporaryFolder();
    const server = await startEmbeddedServer({ dataDir: folder.path, report: () => undefined });
    const service = await runService({ DATABASE_URL: server.url, DATA_DIR: folder.path });
    const holder = new pg.Client({ connectionString: server.url });
    try {
      await holder.connect();
      await holder.query('begin; lock table subscribers in access exclusive mode');
      const inFlight = register(service, '076300001');
      await waitFor('the request waits in the database', async () => {
        const waiting = await holder.query(`select from pg_stat_activity where wait_event_type = 'Lock'`);
        return waiting.rowCount === 1;
      });
      const exit = service.stop('SIGTERM');
      await waitFor('no new requests are accepted', async () => {
        const reply = await fetch(`${service.url}/health/live`).catch(() => null);
        return reply === null || reply.status === 503;
      });
      await holder.query('commit');
      assert.equal((await inFlight).status, 201);
      assert.equal(await exit, 0);
    } finally {
      await service.stop('SIGKILL');
      await holder.end();
      await server.stop();
      await folder.remove();
    }
  });

  test('an interrupted start stops PostgreSQL, and the next start works', async () => {
    const folder = await temporaryFolder();
    const interrupted = runService({ DATA_DIR: folder.path }, async (child) => {
      await waitFor('PostgreSQL is starting', async () => (await readdir(folder.path)).includes('postgres'));
      child.kill('SIGINT');
    });
    const first = await interrupted;
    assert.equal(await first.exited, 0);
    await assert.rejects(stat(join(folder.path, 'postgres', 'postmaster.pid')));
    const second = await runService({ DATA_DIR: folder.path });
    assert.equal(await walletCore(second.url), 'ok');
    assert.equal(await second.stop('SIGINT'), 0);
    await folder.remove();
  });

  test('the first administrator password is not lost when the port is taken', async () => {
    const folder = await temporaryFolder();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const first = await runService({ DATA_DIR: folder.path, PORT: String(port) });
    assert.equal(await first.stop('SIGKILL'), 1);
    assert.match(
      first.stdout(),
      new RegExp(`^Port ${port} is taken by another program: set PORT to a free one.$`, 'm'),
    );
    taken.close();
    const second = await runService({ DATA_DIR: folder.path });
    assert.match(second.stdout(), /password +\S+/);
    await second.stop('SIGINT');
    await folder.remove();
  });

  test('reports every configuration error at once and starts nothing', async () => {
    const folder = await temporaryFolder();
    const service = await runService({ DATA_DIR: folder.path, APP_ENV: 'production', PORT: 'x', RATE_LIMIT_RPS: '-1' });
    assert.equal(await service.stop('SIGKILL'), 1);
    const missing = ['JWT_SECRET', 'MASTER_KEY', 'PIN_PEPPER', 'CLOSE_SIGNING_KEY', 'PHONE_VERIFICATION'];
    for (const name of ['PORT', 'RATE_LIMIT_RPS', ...missing]) {
      assert.match(service.stdout(), new RegExp(`- ${name} `), service.stdout());
    }
    assert.deepEqual(await readdir(folder.path), []);
    await folder.remove();
  });

  test("refuses to start with a MASTER_KEY that differs from the database's", async () => {
    const folder = await temporaryFolder();
    const first = await runService({ DATA_DIR: folder.path });
    await first.stop('SIGINT');
    const second = await runService({ DATA_DIR: folder.path, MASTER_KEY: 'another-master-key-0123456789abcdefghij' });
    assert.equal(await second.stop('SIGKILL'), 1);
    assert.match(second.stdout(), /MASTER_KEY is not the one/);
    await folder.remove();
  });
});

describe('a failure of PostgreSQL', () => {
  test('while it is stopped the service reports unavailable, and recovers by itself', async () => {
    const folder = await temporaryFolder();
    const start = () => startEmbeddedServer({ dataDir: folder.path, supervise: false, report: () => undefined });
    let server = await start();
    const service = await runService({ DATABASE_URL: server.url, DATA_DIR: folder.path });
    try {
      assert.equal((await register(service, '076111333')).status, 201);
      await server.stop();
      assert.equal(await walletCore(service.url), 'unavailable');
      assert.equal((await fetch(`${service.url}/health/ready`)).status, 503);
      assert.equal((await fetch(`${service.url}/health/live`)).status, 200);
      assert.equal((await register(service, '076111444')).status, 500);
      server = await start();
      await waitFor('the service has recovered', async () => (await walletCore(service.url)) === 'ok');
      assert.equal((await register(service, '076111444')).status, 201);
      assert.equal((await register(service, '076111333')).status, 409);
    } finally {
      await service.stop('SIGTERM');
      await server.stop();
      await folder.remove();
    }
  });

  for (const signal of ['SIGSTOP', 'SIGKILL'] as const) {
    test(`the service survives ${signal} of PostgreSQL with many transactions in flight and recovers`, async () => {
      const folder = await temporaryFolder();
      const service = await runService({ DATA_DIR: folder.path, ...NO_REGISTRATION_LIMIT });
      let next = 10_000;
      let stop = false;
      const writer = async () => {
        while (!stop) await register(service, `0764${++next}`);
      };
      const writers = Array.from({ length: 20 }, writer);
      try {
        await waitFor('registrations are in progress', async () => next > 10_100);
        const processes = await serverProcesses(join(folder.path, 'postgres'));
        for (const pid of signal === 'SIGSTOP' ? processes : processes.slice(0, 1)) process.kill(pid, signal);
        await waitFor('the failure is reported', async () => (await walletCore(service.url)) === 'unavailable');
        const noticed = next;
        await waitFor('requests are still answered', async () => next > noticed + 40);
        if (signal === 'SIGSTOP') for (const pid of processes) process.kill(pid, 'SIGCONT');
        await waitFor('the service has recovered', async () => (await walletCore(service.url)) === 'ok');
        stop = true;
        await Promise.all(writers);
        assert.equal(service.child.exitCode, null, 'the process has not exited');
        assert.equal((await register(service, '076111999')).status, 201);
      } finally {
        stop = true;
        await service.stop('SIGTERM');
        await folder.remove();
      }
    });
  }

  test('while it is frozen requests are answered with 500, and the service recovers', async () => {
    const folder = await temporaryFolder();
    const service = await runService({ DATA_DIR: folder.path });
    assert.equal((await register(service, '076111555')).status, 201);
    const processes = await serverProcesses(join(folder.path, 'postgres'));
    try {
      for (const pid of processes) process.kill(pid, 'SIGSTOP');
      assert.equal(await walletCore(service.url), 'unavailable');
      const frozen = await Promise.all(Array.from({ length: 9 }, (_, i) => register(service, `07611166${i}`)));
      for (const { status } of frozen) assert.equal(status, 500);
      for (const pid of processes) process.kill(pid, 'SIGCONT');
      await waitFor('the service has recovered', async () => (await walletCore(service.url)) === 'ok');
      assert.equal((await login(service, 'nobody@example.com', 'x')).status, 401);
    } finally {
      for (const pid of processes) if (await isAlive(pid)) process.kill(pid, 'SIGCONT');
      await service.stop('SIGTERM');
      await folder.remove();
    }
  });
});
