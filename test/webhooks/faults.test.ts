// kill -9 during crediting and delivery: no event of a committed credit is lost, and no other event is sent.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runService } from '@kissi/testkit/service';
import { MINUTE_MS, systemClock } from '../../src/kernel/clock.ts';
import { testClock } from '../support/clock.ts';
import { SECRETS, type TestGateway, testGateway } from '../support/gateway.ts';
import { assertLedgerConsistent, createBank } from '../support/money.ts';
import { waitFor } from '../support/wait.ts';
import {
  acknowledge,
  commitEvent,
  completed,
  deliver,
  hang,
  partnerAt,
  receiver,
  type TestPartner,
} from './receiver.ts';

const ENV = { WEBHOOK_ALLOW_PRIVATE: 'true' };

let kissi: TestGateway;
before(async () => {
  kissi = await testGateway({ env: ENV, clock: testClock(Date.now()) });
});
after(() => kissi.close());

const startService = () =>
  runService({ ...SECRETS, ...ENV, DATABASE_URL: kissi.db.url, BOOTSTRAP_ADMIN_EMAIL: '', LOG_LEVEL: 'warn' });

async function commitEvents(partner: TestPartner, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await commitEvent(kissi, completed(partner)));
  return ids;
}

/** Moves the clock past the leases of a killed process. */
function passLeases(): void {
  kissi.clock.set(systemClock.now() + 5 * MINUTE_MS);
}

test('the service delivers events that another process committed, and stops cleanly with an attempt in flight', async () => {
  const bank = await receiver();
  const partner = await partnerAt(kissi, bank.url);
  const service = await startService();
  try {
    const ids = await commitEvents(partner, 20);
    await waitFor('all events are delivered', async () => bank.received.length === 20);
    assert.deepEqual(bank.received.map(({ id }) => id).toSorted(), ids);
    bank.behave(hang);
    await commitEvents(partner, 1);
    await waitFor('an attempt is in flight', async () => bank.received.length === 21);
    assert.equal(await service.stop('SIGTERM'), 0);
    bank.behave(acknowledge);
    await deliver(kissi);
    assert.equal(bank.received.length, 22, 'the attempt was released and made by another gateway at once');
    assert.equal(bank.received[20]?.id, bank.received[21]?.id);
  } finally {
    await service.stop('SIGKILL');
    await bank.close();
  }
});

test('kill -9 of the service during delivery loses no event', async () => {
  const bank = await receiver((...call) => void setTimeout(acknowledge, 5, ...call));
  const ids = await commitEvents(await partnerAt(kissi, bank.url), 400);
  const service = await startService();
  await waitFor('deliveries are in progress', async () => bank.received.length > 50);
  await service.stop('SIGKILL');
  const before = bank.received.length;
  assert.ok(before < 400, 'the kill interrupted the deliveries');
  passLeases();
  await deliver(kissi);
  assert.deepEqual([...new Set(bank.received.map(({ id }) => id))].toSorted(), ids);
  // Only attempts that were in flight may be repeated.
  assert.ok(bank.received.length <= 400 + 32, `${bank.received.length} deliveries of 400`);
  await bank.close();
});

test('kill -9 during crediting: exactly the committed credits have events', async () => {
  const bank = await receiver();
  const partner = await partnerAt(kissi, bank.url);
  const wallet = await (await createBank(kissi)).wallet();
  const script = fileURLToPath(new URL('./crediting-process.ts', import.meta.url));
  for (let round = 0; round < 3; round++) {
    const child = spawn(process.execPath, [script, kissi.db.url, wallet.id, JSON.stringify(partner)]);
    const start = bank.received.length;
    await waitFor('deliveries are in progress', async () => bank.received.length > start + 100);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  passLeases();
  await deliver(kissi);
  const { rows } = await kissi.db.query('select id from movements where from_account = $1', [partner.id]);
  const credited = rows.map(({ id }) => id).toSorted();
  const delivered = [...new Set(bank.received.map(({ json }) => json.transaction_id))].toSorted();
  assert.deepEqual(delivered, credited);
  assert.ok(credited.length > 300);
  // These credits are posted without their records.
  await assertLedgerConsistent(kissi, ['movement_without_inbound']);
  await bank.close();
});
