// GATEWAYS=2 with DATABASE_READ_URL: whichever gateway is asked, a caller sees each payment that was acknowledged. Runs with Debian's
// PostgreSQL if it is installed, and otherwise with the embedded one.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { runService, temporaryFolder } from '@kissi/testkit/service';
import { migrate } from '../../src/db/schema/migrate.ts';
import { startReplicas } from '../support/replicas.ts';
import { waitFor } from '../support/wait.ts';
import { ENV, post, prepare } from './paying-clients.ts';
import { metricsOf } from './processes.ts';

const PAYMENTS = 20;
/** The most that can be set. */
const PATIENT_MS = '10000';
/** Each request on its own connection: the supervisor hands them to the gateways in turn. */
const ONCE = { connection: 'close' };

const folder = await temporaryFolder();
const servers = await startReplicas({ debian: true });
await migrate(servers.address('a'));
const service = await runService({
  ...ENV,
  GATEWAYS: '2',
  DATABASE_URL: servers.address('a'),
  DATABASE_READ_URL: servers.address('b').replace(/\?.*/, ''),
  REPLICA_MAX_LAG_MS: PATIENT_MS,
  DATA_DIR: folder.path,
});
after(async () => {
  await service.stop('SIGKILL');
  await servers.remove();
  await folder.remove();
});

/** The samples of a metric, by its labels. */
async function metric(name: string): Promise<Map<string, number>> {
  const text = await metricsOf(service.url, 2);
  const samples = text.matchAll(new RegExp(`^${name}(\\{[^}]*\\})? (\\S+)$`, 'gm'));
  return new Map([...samples].map(([, labels = '', value]) => [labels, Number(value)]));
}

async function reads(): Promise<{ replica: number; all: number; failed: number }> {
  const samples = await metric('kissi_replica_reads_total');
  const [replica = 0, failed = 0] = ['replica', 'failed'].map((outcome) => samples.get(`{outcome="${outcome}"}`));
  return { replica, failed, all: [...samples.values()].reduce((sum, value) => sum + value, 0) };
}

assert.ok(service.url, service.stdout() + service.stderr());
await waitFor('two gateways serve', async () => (await metric('kissi_gateways_ready')).get('') === 2);
const wallets = await prepare(service.url);

async function payAndLook(): Promise<void> {
  const order = { sender_id: wallets.sender, recipient_id: wallets.recipient, amount: 100, pin: '4821' };
  const { reply, json } = await post(service.url, '/wallet/transfer', order, wallets.key);
  assert.equal(reply.status, 200, JSON.stringify(json));
  const headers = { ...ONCE, authorization: `Bearer ${wallets.key}` };
  const list = await fetch(`${service.url}/api/v1/transactions?limit=1`, { headers });
  const { transactions } = (await list.json()) as { transactions: { transaction_id: string }[] };
  assert.deepEqual([list.status, transactions[0]?.transaction_id], [200, json.transaction_id]);
}

test('each payment is seen at the other gateway, which reads from the replica', async () => {
  const before = await reads();
  for (let paid = 0; paid < PAYMENTS; paid += 1) await payAndLook();
  const { replica, all } = await reads();
  assert.equal(all, before.all + PAYMENTS);
  assert.ok(replica > before.replica);
});

test('the end of the replica is not noticed by callers of either gateway', async () => {
  await servers.standby.kill();
  const before = await reads();
  for (let paid = 0; paid < PAYMENTS; paid += 1) await payAndLook();
  const { replica, failed } = await reads();
  assert.deepEqual([replica, failed], [before.replica, before.failed + PAYMENTS]);
  // Each gateway that was asked says once that it has left the replica, and which one.
  const line = `"server":"${servers.folderOf('b')}:5432","outcome":"failed"`;
  const timesLogged = () => service.stderr().split(line).length - 1;
  await waitFor('a gateway has logged it', async () => timesLogged() > 0);
  assert.ok(timesLogged() <= 2, service.stderr());
});
