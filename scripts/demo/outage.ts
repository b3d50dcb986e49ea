// An outage of a bank's webhook receiver, which lasts into the live traffic: events that wait for their next attempt, and
// one that staff replayed.

import type { Random } from '@kissi/testkit/random';
import { HOUR_MS } from '../../src/kernel/clock.ts';
import { ADMIN, type Demo } from './country.ts';
import { SLE } from './money.ts';
import { bankCredit } from './payments.ts';
import { type Json, must } from './runtime/client.ts';

const OUTAGE_MS = 3 * HOUR_MS;
const WAITING = 3;
const POLL_MS = 5;
const LIMIT_MS = 20_000;

export async function breakReceiver(demo: Demo, random: Random): Promise<void> {
  const bank = demo.country.banks[2];
  if (!bank) return;
  const payees = demo.country.subscribers.filter(({ status, salary }) => status === 'active' && salary === 0);
  const credit = async () => {
    const terms = { amount: random.int(20, 90) * 10 * SLE, payer: 'Harbour Company', narration: 'Daily wages' };
    const before = demo.tally.payments.get('bank credit') ?? 0;
    // A wallet that is full refuses the credit.
    while ((demo.tally.payments.get('bank credit') ?? 0) === before) {
      await bankCredit(demo, random.pick(payees), bank, terms).send();
    }
  };
  demo.receiver.breakDown(bank.code, demo.clock.now() + OUTAGE_MS);
  await credit();
  const hasFailed = ({ status, attempts }: Json) => status === 'pending' && attempts.length === 1;
  const failed = await deliveryWhere(demo, bank.id, hasFailed);
  demo.receiver.breakDown(bank.code, 0);
  await must(demo.session(ADMIN.email).call('POST', `/admin/webhook-deliveries/${failed.id}/replay`), 'replay');
  await deliveryWhere(demo, bank.id, ({ id, status }) => id === failed.id && status === 'delivered');
  demo.receiver.breakDown(bank.code, demo.clock.now() + OUTAGE_MS);
  for (let n = 0; n < WAITING; n++) {
    await credit();
    await deliveryWhere(demo, bank.id, hasFailed, n + 1);
  }
}

/** Waits until so many of the latest deliveries to the bank are in this state; returns the latest of them. */
async function deliveryWhere(
  demo: Demo,
  partnerId: string,
  matches: (delivery: Json) => boolean,
  count = 1,
): Promise<Json> {
  const path = `/admin/webhook-deliveries?partner_id=${partnerId}&limit=10`;
  const end = performance.now() + LIMIT_MS;
  while (performance.now() < end) {
    const { deliveries } = await must(demo.session(ADMIN.email).call('GET', path), 'deliveries');
    const found = deliveries.filter((delivery: Json) => delivery.attempts && matches(delivery));
    if (found.length >= count) return found[0];
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('a webhook was not attempted');
}
