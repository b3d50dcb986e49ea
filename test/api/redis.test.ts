// Tests rate limits that two gateways share through Redis; skipped if redis-server is not installed.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type TestGateway, testGateway } from '../support/gateway.ts';
import { temporaryFolder } from '../support/service.ts';
import { apiKey } from '../support/staff.ts';
import { waitFor } from '../support/wait.ts';

const installed = (() => {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const PORT = 20_000 + (process.pid % 20_000);
const ENV = { RATE_LIMIT_RPS: '100', RATE_LIMIT_BURST: '100', REDIS_URL: `redis://127.0.0.1:${PORT}` };

const SKIP = 'no redis-server on this machine';

if (installed) describe('two gateways and one Redis', sharedLimits);
else test('two gateways and one Redis', { skip: SKIP }, () => undefined);

function sharedLimits(): void {
  let redis: ChildProcess;
  let one: TestGateway;
  let two: TestGateway;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  before(async () => {
    folder = await temporaryFolder();
    redis = spawn('redis-server', ['--port', String(PORT), '--save', '', '--dir', folder.path], { stdio: 'ignore' });
    await waitFor('Redis listens', async () => {
      const socket = connect(PORT, '127.0.0.1');
      await once(socket, 'connect');
      socket.destroy();
      return true;
    });
    one = await testGateway({ env: ENV });
    two = await testGateway({ env: ENV, db: one.db });
  });
  after(async () => {
    await two.close();
    await one.close();
    redis.kill('SIGKILL');
    await folder.remove();
  });

  const call = (kissi: TestGateway, key: string) => kissi.call('GET', '/api/v1/subscribers?limit=1', { token: key });

  test('a key has one allowance across gateways', async () => {
    const { key } = await apiKey(one, ['subscribers:read']);
    const seen = new Set<string>();
    for (let i = 0; i < 20; i++) {
      const { status, headers } = await call(i % 2 ? one : two, key);
      assert.equal(status, 200);
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
      const { status, headers } = await call(kissi, key);
      assert.equal(status, 200);
      assert.equal(headers.get('x-ratelimit-remaining'), '99');
    }
  });
}
