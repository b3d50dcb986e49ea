// A rolling restart of two gateways under load: acknowledged payments persist, and a retried payment is posted exactly once.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startEmbeddedServer } from '@kissi/embedded-postgres';
import { runService, type ServiceProcess, temporaryFolder } from '@kissi/testkit/service';
import pg from 'pg';
import { verifyBooks } from '../../src/app/verification.ts';
import { SECRETS } from '../support/secrets.ts';
import { assertPaidOnce, Clients, ENV, prepare } from './paying-clients.ts';

/** Payments between two steps of the restart: enough to overlap with it, few enough to be fast. */
const PAYMENTS_PER_STEP = 40;

describe('a rolling restart', () => {
  test('loses no acknowledged payment, and posts every payment exactly once', async () => {
    const folder = await temporaryFolder();
    const server = await startEmbeddedServer({ dataDir: folder.path, report: () => undefined });
    const env = { ...ENV, DATABASE_URL: server.url, DATA_DIR: folder.path };
    const gateways: ServiceProcess[] = [];
    const database = new pg.Client({ connectionString: server.url });
    try {
      await database.connect();
      gateways.push(await runService(env));
      gateways.push(await runService(env));
      const urls = gateways.map(({ url }) => url);
      const wallets = await prepare(urls[0] ?? '');
      const clients = new Clients(urls, wallets);
      await clients.morePayments(PAYMENTS_PER_STEP);
      for (const [index, url] of urls.entries()) {
        assert.equal(await gateways[index]?.stop('SIGTERM'), 0, 'the gateway exits cleanly');
        await clients.morePayments(PAYMENTS_PER_STEP);
        gateways[index] = await runService({ ...env, PORT: new URL(url).port });
        assert.equal(gateways[index].url, url);
        await clients.morePayments(PAYMENTS_PER_STEP);
      }
      await clients.stop();

      const { paid, unexpected, failures } = clients;
      assert.deepEqual(unexpected, []);
      assert.ok(failures.broken + failures.stopping > 0, 'the clients noticed the restarts');
      await assertPaidOnce(database, paid, wallets);
      assert.deepEqual((await verifyBooks(server.url, SECRETS.MASTER_KEY)).clean, true);
    } finally {
      await Promise.all(gateways.map((gateway) => gateway.stop('SIGKILL')));
      await database.end();
      await server.stop();
      await folder.remove();
    }
  });
});
