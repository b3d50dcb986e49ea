// Limits look-ups, so that keys and agents cannot read the names and balances of everybody by trying numbers.
import type { KeyCaller } from '../auth/caller.ts';
import type { StatementRunner } from '../db/driver/statement.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '../kernel/clock.ts';
import { expiringCache } from '../kernel/expiring-cache.ts';
import { onPrimary } from '../kernel/read-context.ts';
import { type Refusal, refuseForNow } from '../kernel/refusal.ts';
import { createPaidCards } from '../ledger/queries/paid-cards.ts';
import { createLookupStore, type Lookup, type Periods, type Places } from './lookup-store.ts';

const KEY_WINDOW_MS = 15 * MINUTE_MS;
/** Distinct cards and accounts per key and window; one more for each two cards that paid in the last hour. */
const KEY_PLACES = 30;
const PAID_PER_PLACE = 2;
const PAID_WITHIN_MS = HOUR_MS;
/** Per processor and window, over all of its keys: a terminal misses when a customer presents a card of another system. */
const OWNER_MISSES = 100;
/** Per processor, or key without one, and UTC day. From then on balances are hidden. */
const UNPAID_PER_DAY = 300;

const AGENT_WINDOW_MS = HOUR_MS;
const AGENT_CUSTOMERS = 60;
const AGENT_MISSES = 20;

const KEPT_MS = DAY_MS + HOUR_MS;

/** What was looked up, in the form in which two look-ups are compared. */
export const cardTarget = (serial: string) => `card:${serial}`;
export const accountTarget = (id: string) => `account:${id}`;

export interface UnpaidLookups {
  processorId: string | null;
  keyId: string;
  /** The start of the UTC day. */
  day: number;
  unpaid: number;
}

export interface KeyLookup {
  /** False: too many look-ups of the day were not followed by a payment. */
  showsBalance: boolean;
}

export interface LookupLimit {
  /** After a look-up of a card or account by a key, before it is answered. */
  ofKey(key: KeyCaller, target: string, found: boolean): Promise<KeyLookup | Refusal>;
  /** After a search of an agent; `agent` null: the caller is not limited. */
  ofAgent(agent: string | null, sought: string, customers: readonly string[]): Promise<Refusal | null>;
  /** After a payment with the right PIN that was refused: those that succeed are in the ledger. */
  freePlace(key: KeyCaller, serial: string): Promise<void>;
  prune(): Promise<unknown>;
}

export interface LookupLimitDependencies {
  database: { pool: StatementRunner };
  clock: Clock;
  /** Many look-ups of a processor or key were not followed by payments. Called once per day and gateway. */
  report(lookups: UnpaidLookups): Promise<void>;
}

export function createLookupLimit({ database, clock, report }: LookupLimitDependencies): LookupLimit {
  const store = createLookupStore(database.pool);
  const paidCards = createPaidCards(database.pool);
  const reported = expiringCache<{ day: number }>({ max: 10_000, ttlMs: DAY_MS, clock });

  function periods(windowMs: number): Periods {
    const now = clock.now();
    return { now, windowStart: now - windowMs, dayStart: Math.floor(now / DAY_MS) * DAY_MS };
  }

  /** A card that paid shortly before or at any time after the look-up takes no place. */
  async function freePaid({ owner }: Lookup, { windowStart, dayStart }: Periods): Promise<void> {
    const since = Math.min(windowStart, dayStart);
    const looked = await store.unpaidCards(owner, since);
    const cards = looked.map(({ target, at }) => ({
      serial: target.slice(cardTarget('').length),
      since: at - PAID_WITHIN_MS,
    }));
    const paid = await paidCards.among(cards, owner);
    if (paid.length > 0) await store.markPaid(owner, paid.map(cardTarget), since);
  }

  async function isOver(key: KeyCaller, places: Places, { now }: Periods): Promise<boolean> {
    const taken = places.found + places.missed;
    if (taken <= KEY_PLACES) return false;
    const paid = await paidCards.count(key, now - PAID_WITHIN_MS);
    return taken > KEY_PLACES + Math.floor(paid / PAID_PER_PLACE);
  }

  /**
   * What is not answered takes no place. Only the first miss too many keeps its place, so that from then on hits are
   * refused as well: a guesser would otherwise tell them apart.
   */
  async function refused(
    taken: readonly string[],
    places: Places,
    windowMs: number,
    isFirst: boolean,
  ): Promise<Refusal> {
    if (!isFirst && taken.length > 0) await store.giveBack(taken);
    const freeAt = (places.oldestAt ?? clock.now()) + windowMs;
    return refuseForNow('TOO_MANY_LOOKUPS', 'Too many look-ups of different cards and accounts.', freeAt - clock.now());
  }

  async function reportOnce(key: KeyCaller, owner: string, unpaid: number, day: number): Promise<void> {
    if (reported.get(owner)?.day === day) return;
    await report({ processorId: key.processorId, keyId: key.id, day, unpaid });
    reported.set(owner, { day });
  }

  async function ofKey(key: KeyCaller, target: string, found: boolean): Promise<KeyLookup | Refusal> {
    const owner = key.processorId ?? key.id;
    const lookup: Lookup = { subject: key.id, owner, targets: [target], found };
    const when = periods(KEY_WINDOW_MS);
    const taken = await store.take(lookup, when);
    let places = await store.count(lookup, when);
    if (places.found + places.missed > KEY_PLACES || places.unpaid >= UNPAID_PER_DAY) {
      await freePaid(lookup, when);
      places = await store.count(lookup, when);
    }
    if (await isOver(key, places, when)) return refused(taken, places, KEY_WINDOW_MS, false);
    const { ownerMissed, unpaid } = places;
    const isFirst = !found && ownerMissed === OWNER_MISSES + 1;
    if (ownerMissed > OWNER_MISSES) return refused(taken, places, KEY_WINDOW_MS, isFirst);
    const isSuspicious = unpaid >= UNPAID_PER_DAY;
    if (isSuspicious) await reportOnce(key, owner, unpaid, when.dayStart);
    return { showsBalance: !isSuspicious };
  }

  async function ofAgent(agent: string | null, sought: string, customers: readonly string[]): Promise<Refusal | null> {
    if (agent === null) return null;
    const found = customers.length > 0;
    const targets = found ? customers.map(accountTarget) : [`sought:${sought}`];
    const lookup: Lookup = { subject: agent, owner: agent, targets, found };
    const when = periods(AGENT_WINDOW_MS);
    const taken = await store.take(lookup, when);
    const places = await store.count(lookup, when);
    const isFirst = !found && places.missed === AGENT_MISSES + 1;
    if (places.missed > AGENT_MISSES) return refused(taken, places, AGENT_WINDOW_MS, isFirst);
    return places.found > AGENT_CUSTOMERS ? refused(taken, places, AGENT_WINDOW_MS, false) : null;
  }

  return {
    ofKey: (key, target, found) => onPrimary(() => ofKey(key, target, found)),
    ofAgent: (agent, sought, customers) => onPrimary(() => ofAgent(agent, sought, customers)),
    async freePlace(key, serial) {
      const { windowStart, dayStart } = periods(KEY_WINDOW_MS);
      await store.markPaid(key.processorId ?? key.id, [cardTarget(serial)], Math.min(windowStart, dayStart));
    },
    prune: () => store.prune(clock.now() - KEPT_MS),
  };
}
