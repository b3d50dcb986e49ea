// The last minutes of the history: what staff finds when the demo begins, such as PIN locks that are still active.

import type { Random } from '@kissi/testkit/random';
import { DAY_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { requestApprovals } from './approvals.ts';
import { leaveBulkPayments } from './bulk-payments.ts';
import { leaveCases } from './cases.ts';
import type { Demo, Subscriber } from './country.ts';
import { raiseAlert } from './incidents.ts';
import { SLE } from './money.ts';
import { breakReceiver } from './outage.ts';
import { cashIn, type Planned } from './payments.ts';
import { must } from './runtime/client.ts';
import { Traffic } from './traffic.ts';
import { chooseKrio } from './ussd.ts';

const WRONG_PIN = '0000';
const LOCKED = 4;
const DRAINED = 4;
const DRAINED_BEFORE_MS = 65 * MINUTE_MS;
const PAYEES_TRIED = 10;
const BY_USSD = 40;
const IN_KRIO = 3;
const NOTES = [
  'Called about a late refund: the shop has made it since.',
  'Speaks Krio and Mende. Prefers calls after 17:00.',
  'Lost the phone on the ferry and has a new SIM. Identity was checked at the branch.',
];

export async function endHistory(demo: Demo, random: Random): Promise<void> {
  await leaveCases(demo);
  await lockPins(demo, random);
  await writeNotes(demo);
  await raiseAlert(demo, random);
  await requestApprovals(demo);
  await breakReceiver(demo, random);
  await useUssd(demo, random.stream('ussd'));
  await leaveBulkPayments(demo, random.stream('bulk payments'));
}

async function lockPins(demo: Demo, random: Random): Promise<void> {
  const candidates = demo.country.subscribers.filter(
    ({ status, balance }) => status === 'active' && balance > 20 * SLE,
  );
  for (let n = 0; n < LOCKED && candidates.length > 0; n++) await lockPin(demo, random.pick(candidates));
}

/** The last payments by USSD, and customers who chose Krio. */
async function useUssd(demo: Demo, random: Random): Promise<void> {
  const traffic = new Traffic(demo, random);
  traffic.beginDay(demo.clock.now());
  for (let n = 0; n < BY_USSD; n++) await traffic.nextByUssd()?.send();
  const active = demo.country.subscribers.filter(({ status }) => status === 'active');
  for (let n = 0; n < IN_KRIO; n++) await chooseKrio(demo, random.pick(active));
}

/** Three wrong PINs lock the account for 30 minutes. */
export async function lockPin(demo: Demo, subscriber: Subscriber): Promise<void> {
  const token = demo.operatorKey();
  for (let attempt = 0; attempt < 3; attempt++) {
    const body = { pin: WRONG_PIN };
    const reply = await demo.client.call('POST', `/wallet/balance/${subscriber.id}`, { token, body });
    demo.tally.count('balance', reply);
  }
  subscriber.status = 'locked';
}

/** Customers pay in nearly all of some floats, which then last for a few hours only. The running hour does not count yet. */
export function floatsDrained(
  demo: Demo,
  random: Random,
  { start, until }: { start: number; until: number },
): Planned[] {
  const at = until - DRAINED_BEFORE_MS;
  return at >= start && at < start + DAY_MS ? [{ at, run: () => drainFloats(demo, random) }] : [];
}

async function drainFloats(demo: Demo, random: Random): Promise<void> {
  const shops = demo.country.agents.filter(({ type, suspended }) => type === 'sub_agent' && !suspended);
  const smallest = shops.filter(({ float }) => float > 500 * SLE).sort((a, b) => a.float - b.float);
  const payees = demo.country.subscribers.filter(({ status }) => status === 'active');
  for (const agent of smallest.slice(0, DRAINED)) {
    const before = agent.float;
    const amount = Math.floor((before * 0.85) / SLE) * SLE;
    // Some have reached a limit.
    for (const payee of random.shuffled(payees).slice(0, PAYEES_TRIED)) {
      if (agent.float === before) await cashIn(demo, random, payee, agent, amount)?.send();
    }
  }
}

/** By support, about the customers whose cards are blocked. */
async function writeNotes(demo: Demo): Promise<void> {
  const support = demo.session('support@kissi.example');
  const customers = demo.country.subscribers.filter(({ cardBlocked, status }) => cardBlocked && status === 'active');
  for (const [n, text] of NOTES.entries()) {
    const id = customers[n % 2]?.id;
    if (id) await must(support.call('POST', `/subscribers/${id}/notes`, { text }), 'note');
  }
}
