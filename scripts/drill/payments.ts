// Makes payments during a drill, and later verifies the service against the journal of the acknowledged ones.
import { type Entry, type Journal, newJournal } from '@kissi/testkit/journal';
import { createLoad, fundParties, type Load, type LoadOptions } from '@kissi/testkit/load';
import { administrator, makeParties, type Parties, type Wallet } from '@kissi/testkit/parties';
import { p2p } from '@kissi/testkit/payments';
import { seededRandom } from '@kissi/testkit/random';
import { drawRepeatablePayment } from '@kissi/testkit/random-payments';
import { step, waitUntil } from './sandbox.ts';
import type { Service } from './service.ts';

/** A moderate load is enough: the drill measures how long the service is unavailable, not its throughput. */
export const PAUSE_MS = 20;

/** The parties of a drill, and what its payments must have done. */
export interface Ledger {
  parties: Parties;
  journal: Journal;
}

/** What a load differs in from the usual one: random payments of every kind, some of them sent again. */
export type LoadKind = Pick<LoadOptions, 'draw' | 'resends'>;

/** Transfers between wallets, each sent until it is answered: none depends on another that may be lost. */
export const INDEPENDENT: LoadKind = {
  draw: (context) => {
    const [from, to] = context.random.shuffled(context.parties.wallets) as [Wallet, Wallet];
    return p2p(context, from.id, to, context.random.int(1, 2_500));
  },
  resends: 0,
};

/** `name` is the beginning of the request ids. */
export function loadOf(
  addresses: readonly string[],
  { parties, journal }: Ledger,
  name: string,
  kind: LoadKind = {},
): Load {
  const random = seededRandom(name);
  return createLoad({ urls: addresses, parties, journal, name, random, draw: drawRepeatablePayment, ...kind });
}

export async function openLedger({ address }: Pick<Service, 'address'>): Promise<Ledger> {
  // A busy machine may answer 503 or 500 to the setup, which is not what is measured.
  const make = () => makeParties(administrator(address));
  const ledger = { parties: await make().catch(make).catch(make), journal: newJournal() };
  await fundParties(loadOf([address], ledger, 'funding'));
  return ledger;
}

/** Pays through the services while the failures happen, then verifies every acknowledged payment at the last service. */
export async function payDuring<T>(
  services: readonly [Service, ...Service[]],
  payers: number,
  injectFailures: (load: Load, ledger: Ledger) => Promise<T>,
): Promise<T> {
  const ledger = await openLedger(services[0]);
  const addresses = services.map(({ address }) => address);
  const load = loadOf(addresses, ledger, 'drill');
  load.start(payers, PAUSE_MS);
  const result = await injectFailures(load, ledger).finally(load.stop);
  await load.settle();
  step(`${load.acknowledged} payments acknowledged; ${load.unanswered} requests without an answer`);
  await verifyPayments(services.at(-1) ?? services[0], ledger);
  step('every acknowledged payment is replayed byte for byte, and every balance matches');
  return result;
}

const PAYMENTS_BETWEEN_FAILURES = 100;

/** Until so many more are acknowledged that the service has recovered. */
export async function waitForPayments(load: Load): Promise<void> {
  const goal = load.acknowledged + PAYMENTS_BETWEEN_FAILURES;
  await waitUntil('payments are acknowledged', async () => load.acknowledged >= goal);
}

export async function makePayments(service: Service, ledger: Ledger, name: string, count: number): Promise<void> {
  const load = loadOf([service.address], ledger, name);
  for (let n = 0; n < count; n++) await load.execute(drawRepeatablePayment(load.drawContext));
}

/** The ledger as it is now; later payments do not change the copy. */
export function copyLedger({ parties, journal }: Ledger): Ledger {
  return { parties, journal: { ...journal, entries: [...journal.entries] } };
}

export const acknowledgedEntries = ({ journal }: Ledger): Entry[] =>
  journal.entries.filter(({ state }) => state === 'acknowledged');

/** Sends every acknowledged payment again: the replay must be byte-identical. Then compares all balances. Throws on a mismatch. */
export async function verifyPayments({ address }: Pick<Service, 'address'>, ledger: Ledger): Promise<void> {
  const { parties, journal } = ledger;
  const acknowledged = acknowledgedEntries(ledger);
  const queue = acknowledged[Symbol.iterator]();
  const load = loadOf([address], ledger, 'replay');
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
  const admin = administrator(address);
  for (const { id } of parties.wallets) compare(id, (await admin.wallet.balance(id)).balance);
  for (const { id } of parties.merchants) compare(id, (await admin.processors.get(id)).processor.balance);
  if (problems.length > 0) throw new Error(problems.slice(0, 20).join('\n'));

  function compare(id: string, balance: number): void {
    const sum = expected.get(id) ?? 0;
    if (balance !== sum) problems.push(`the balance of ${id} is ${balance}, but its payments add up to ${sum}`);
  }
}

/** The longest time without an acknowledged payment, and its end relative to `since`, in milliseconds. */
export function longestOutage({ acknowledgedAt }: Load, since: number): { gapMs: number; endMs: number } {
  const times = [since, ...acknowledgedAt.filter((time) => time > since)];
  let longest = { gapMs: 0, endMs: 0 };
  for (const [index, time] of times.entries()) {
    const gapMs = time - (times[index - 1] ?? time);
    if (gapMs > longest.gapMs) longest = { gapMs, endMs: time - since };
  }
  return longest;
}

export function inSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
