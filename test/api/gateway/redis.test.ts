// Tests rate limits that two gateways share through Redis; skipped if redis-server is not installed.

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { freePort, temporaryFolder } from '@kissi/testkit/service';
import { assertStatus, type CallReply, type TestGateway, testGateway } from '../../support/gateway.ts';
import { apiKey } from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';

const installed = (() => {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const LIMITS = { RATE_LIMIT_RPS: '100', RATE_LIMIT_BURST: '100' };

describe('two gateways and one Redis', { skip: installed ? false : 'no redis-server on this machine' }, () => {
  let redis: ChildProcess;
  let one: TestGateway;
  let two: TestGateway;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  before(async () => {
    folder = await temporaryFolder();
    const port = await freePort();
    redis = spawn('redis-server', ['--port', String(port), '--save', '', '--dir', folder.path], { stdio: 'ignore' });
    await waitFor('Redis listens', async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.destroy();
      return true;
    });
    const env = { ...LIMITS, REDIS_URL: `redis://127.0.0.1:${port}` };
    one = await testGateway({ env });
    two = await testGateway({ env, db: one.db });
    await waitFor('both gateways are connected to Redis', async () => {
      const { key } = await apiKey(one, ['subscribers:read']);
      const [first, second] = [await call(one, key), await call(two, key)].map(remaining);
      return first === '99' && second === '98';
    });
  });
  after(async () => {
    await two.close();
    await one.close();
    redis.kill('SIGKILL');
    await folder.remove();
  });

  const remaining = ({ headers }: CallReply) => headers.get('x-ratelimit-remaining');
  const call = (kissi: TestGateway, key: string) => kissi.call('GET', '/api/v1/subscribers?limit=1', { token: key });

  test('a key has one allowance across gateways', async () => {
    const { key } = await apiKey(one, ['subscribers:read']);
    const seen = new Set<string>();
    for (let i = 0; i < 20; i++) {
      const { headers } = assertStatus(await call(i % 2 ? one : two, key), 200);
      const window = `${headers.get('x-ratelimit-reset')}: ${headers.get('x-ratelimit-remaining')} left`;
      assert.ok(!seen.has(window), `both gateways granted the same point: ${window}`);
      seen.add(window);
    }
  });

  test('each gateway counts locally when Redis is down', async () => {
    const { key } = await apiKey(one, ['subscribers:read']);
    redis.kill('SIGKILL');
    await once(redis, 'exit');
    for (const kissi of [one, two]) {
      const { headers } = assertStatus(await call(kissi, key), 200);
      assert.equal(headers.get('x-ratelimit-remaining'), '99');
    }
  });
});
