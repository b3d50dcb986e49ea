// Makes payments during a drill, and later verifies the service against the journal of the acknowledged ones.
import { type Entry, type Journal, newJournal } from '@kissi/testkit/journal';
import { createLoad, fundParties, type Load } from '@kissi/testkit/load';
import { administrator, makeParties, type Parties } from '@kissi/testkit/parties';
import { seededRandom } from '@kissi/testkit/random';
import { drawRepeatablePayment } from '@kissi/testkit/random-payments';
import { print, waitUntil } from './sandbox.ts';
import type { Service } from './service.ts';

const PAYERS = 6;
/** A moderate load is enough: the drill measures how long the service is unavailable, not its throughput. */
const PAUSE_MS = 20;

/** The parties of a drill, and what its payments must have done. */
export interface Ledger {
  parties: Parties;
  journal: Journal;
}

/** Sends random payments; `name` is the beginning of their request ids. */
function loadOf(services: readonly Service[], { parties, journal }: Ledger, name: string): Load {
  const urls = services.map(({ address }) => address);
  return createLoad({ urls, parties, journal, name, random: seededRandom(name), draw: drawRepeatablePayment });
}

export async function openLedger(service: Service): Promise<Ledger> {
  const ledger = { parties: await makeParties(administrator(service.address)), journal: newJournal() };
  await fundParties(loadOf([service], ledger, 'funding'));
  return ledger;
}

/** Pays through the services while the failures happen, then verifies every acknowledged payment at the last service. */
export async function payDuring(
  services: readonly [Service, ...Service[]],
  injectFailures: (load: Load) => Promise<void>,
): Promise<void> {
  const ledger = await openLedger(services[0]);
  const load = loadOf(services, ledger, 'drill');
  load.start(PAYERS, PAUSE_MS);
  try {
    await injectFailures(load);
  } finally {
    await load.stop();
  }
  await load.settle();
  print(`${load.acknowledged} payments acknowledged; ${load.unanswered} requests without an answer. Verifying …`);
  await verifyPayments(services.at(-1) ?? services[0], ledger);
  print('Every acknowledged payment is replayed byte for byte, and every balance matches.');
}

const PAYMENTS_BETWEEN_FAILURES = 100;

/** Until so many more are acknowledged that the service has recovered. */
export async function waitForPayments(load: Load): Promise<void> {
  const goal = load.acknowledged + PAYMENTS_BETWEEN_FAILURES;
  await waitUntil('payments are acknowledged', async () => load.acknowledged >= goal);
}

export async function makePayments(service: Service, ledger: Ledger, name: string, count: number): Promise<void> {
  const load = loadOf([service], ledger, name);
  for (let n = 0; n < count; n++) await load.execute(drawRepeatablePayment(load.drawContext));
}

/** The ledger as it is now; later payments do not change the copy. */
export function copyLedger({ parties, journal }: Ledger): Ledger {
  return { parties, journal: { ...journal, entries: [...journal.entries] } };
}

export const acknowledgedEntries = ({ journal }: Ledger): Entry[] =>
  journal.entries.filter(({ state }) => state === 'acknowledged');

/** Sends every acknowledged payment again: the replay must be byte-identical. Then compares all balances. Throws on a mismatch. */
export async function verifyPayments(service: Service, ledger: Ledger): Promise<void> {
  const { parties, journal } = ledger;
  const acknowledged = acknowledgedEntries(ledger);
  const queue = acknowledged[Symbol.iterator]();
  const load = loadOf([service], ledger, 'replay');
  const problems = [...journal.violations];
  const replay = async () => {
    for (const entry of queue) {
      const difference = await load.replay(entry);
      if (difference) problems.push(difference);
    }
  };
  await Promise.all(Array.from({ length: 16 }, replay));
  const expected = new Map<string, number>();
  for (const { effect } of acknowledged) {
    for (const [id, change] of Object.entries(effect.legs)) expected.set(id, (expected.get(id) ?? 0) + change);
  }
  const admin = administrator(service.address);
  for (const { id } of parties.wallets) compare(id, (await admin.wallet.balance(id)).balance);
  for (const { id } of parties.merchants) compare(id, (await admin.processors.get(id)).processor.balance);
  if (problems.length > 0) throw new Error(problems.slice(0, 20).join('\n'));

  function compare(id: string, balance: number): void {
    const sum = expected.get(id) ?? 0;
    if (balance !== sum) problems.push(`the balance of ${id} is ${balance}, but its payments add up to ${sum}`);
  }
}

/** The longest time without an acknowledged payment, and its end relative to `since`. */
export function longestOutage({ acknowledgedAt }: Load, since: number): { gap: string; end: string } {
  const times = [since, ...acknowledgedAt.filter((time) => time > since)];
  let longest = { gap: 0, end: 0 };
  for (const [index, time] of times.entries()) {
    const gap = time - (times[index - 1] ?? time);
    if (gap > longest.gap) longest = { gap, end: time - since };
  }
  return { gap: inSeconds(longest.gap), end: inSeconds(longest.end) };
}

export function inSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
