// kill -9 in the middle: no event of a committed credit is lost, and none is sent of a credit that did not commit.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MINUTE_MS, systemClock } from '../../src/kernel/clock.ts';
import { testClock } from '../support/clock.ts';
import { SECRETS, type TestGateway, testGateway } from '../support/gateway.ts';
import { assertLedgerConsistent, createBank } from '../support/money.ts';
import { runService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { acknowledge, committed, completed, deliver, hang, partnerAt, receiver, type TestPartner } from './receiver.ts';

const ENV = { WEBHOOK_ALLOW_PRIVATE: 'true' };

let kissi: TestGateway;
before(async () => {
  kissi = await testGateway({ env: ENV, clock: testClock(Date.now()) });
});
after(() => kissi.close());

const startService = () =>
  runService({ ...SECRETS, ...ENV, DATABASE_URL: kissi.db.url, BOOTSTRAP_ADMIN_EMAIL: '', LOG_LEVEL: 'warn' });

async function many(partner: TestPartner, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await committed(kissi, completed(partner)));
  return ids;
}

/** When what a killed process had claimed is free again. */
function later(): void {
  kissi.clock.set(systemClock.now() + 5 * MINUTE_MS);
}

test('the service delivers what is committed from wherever, and stops cleanly with an attempt under way', async () => {
  const bank = await receiver();
  const partner = await partnerAt(kissi, bank.url);
  const service = await startService();
  try {
    const ids = await many(partner, 20);
    await waitFor('all are delivered', async () => bank.received.length === 20);
    assert.deepEqual(bank.received.map(({ id }) => id).toSorted(), ids);
    bank.behave(hang);
    await many(partner, 1);
    await waitFor('one is under way', async () => bank.received.length === 21);
    assert.equal(await service.stop('SIGTERM'), 0);
    bank.behave(acknowledge);
    await deliver(kissi);
    assert.equal(bank.received.length, 22, 'it was given back, and is made by another at once');
    assert.equal(bank.received[20]?.id, bank.received[21]?.id);
  } finally {
    await service.stop('SIGKILL');
    await bank.close();
  }
});

test('kill -9 of the service in the middle of delivering loses nothing', async () => {
  const bank = await receiver((...call) => void setTimeout(acknowledge, 5, ...call));
  const ids = await many(await partnerAt(kissi, bank.url), 400);
  const service = await startService();
  await waitFor('it is in the middle', async () => bank.received.length > 50);
  await service.stop('SIGKILL');
  const before = bank.received.length;
  assert.ok(before < 400, 'the kill came in the middle');
  later();
  await deliver(kissi);
  assert.deepEqual([...new Set(bank.received.map(({ id }) => id))].toSorted(), ids);
  // What was in flight may come twice, and nothing else.
  assert.ok(bank.received.length <= 400 + 32, `${bank.received.length} deliveries of 400`);
  await bank.close();
});

test('kill -9 in the middle of crediting: every committed credit is told of, and no other', async () => {
  const bank = await receiver();
  const partner = await partnerAt(kissi, bank.url);
  const wallet = await (await createBank(kissi)).wallet();
  const script = fileURLToPath(new URL('./crediting.ts', import.meta.url));
  for (let round = 0; round < 3; round++) {
    const child = spawn(process.execPath, [script, kissi.db.url, wallet.id, JSON.stringify(partner)]);
    const start = bank.received.length;
    await waitFor('it is in the middle', async () => bank.received.length > start + 100);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  later();
  await deliver(kissi);
  const { rows } = await kissi.db.query('select id from movements where from_account = $1', [partner.id]);
  const credited = rows.map(({ id }) => id).toSorted();
  const told = [...new Set(bank.received.map(({ json }) => json.transaction_id))].toSorted();
  assert.deepEqual(told, credited);
  assert.ok(credited.length > 300);
  await assertLedgerConsistent(kissi);
  await bank.close();
});
