// Limits look-ups, so that keys and agents cannot read the names and balances of everybody by trying numbers.
import { type Caller, isAgentUser, type KeyCaller } from '../auth/caller.ts';
import { isOwnKey } from '../auth/roles.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '../kernel/clock.ts';
import { expiringCache } from '../kernel/expiring-cache.ts';
import { onPrimary } from '../kernel/read-context.ts';
import { type Refusal, refuseForNow } from '../kernel/refusal.ts';
import { createPaidCards } from '../ledger/queries/paid-cards.ts';
import { createPaidPayees } from '../ledger/queries/paid-payees.ts';
import {
  createLookupStore,
  type Lookup,
  type LookupPool,
  type Periods,
  type PlaceLimits,
  type Places,
} from './lookup-store.ts';

const KEY_WINDOW_MS = 15 * MINUTE_MS;
/**
 * Distinct cards and accounts per key and window; one more for each two cards that paid in the last hour. The keys that a
 * processor's login can make share one window: it would otherwise get more places with each new key.
 */
const KEY_PLACES = 30;
const PAID_PER_PLACE = 2;
const PAID_WITHIN_MS = HOUR_MS;
/** Per processor and window, over all of its keys: a terminal misses when a customer presents a card of another system. */
const OWNER_MISSES = 100;
/** Per processor, or key without one, and UTC day. From then on balances are hidden. */
const UNPAID_PER_DAY = 300;

const AGENT_WINDOW_MS = HOUR_MS;
const AGENT_LIMITS: PlaceLimits = { places: 60, misses: 20, missesTakePlaces: false };

/** Whoever a customer pays within the window, or has just paid, takes no place. */
const CUSTOMER_WINDOW_MS = HOUR_MS;
const CUSTOMER_LIMITS: PlaceLimits = { places: 20, misses: 10, missesTakePlaces: false };

/** A super-agent registers sub-agents itself: new ones share its places, so that it gets no more with each of them. */
const NEW_AGENT_MS = DAY_MS;

/** Numbers and e-mails that were taken, at registrations. An agent over the limit registers nobody until the hour ends. */
const TAKEN_BY_AGENT = { windowMs: AGENT_WINDOW_MS, misses: AGENT_LIMITS.misses };
const TAKEN_BY_KEY = { windowMs: KEY_WINDOW_MS, misses: OWNER_MISSES };

const KEPT_MS = DAY_MS + HOUR_MS;

/** What was looked up, in the form in which two look-ups are compared. */
const CARD = 'card:';
export const cardTarget = (serial: string) => `${CARD}${serial}`;
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
  /** After a customer named somebody to pay, before the name is shown. `payee` null: there is nobody. */
  ofCustomer(wallet: string, sought: string, payee: string | null): Promise<Refusal | null>;
  /** Before a registration; `taken`: what of it somebody has already, which the refusal would tell. Only agents and keys are limited. */
  ofRegistration(caller: Caller, taken: string | null): Promise<Refusal | null>;
  /** After a payment with the right PIN that was refused: those that succeed are in the ledger. */
  freePlace(key: KeyCaller, serial: string): Promise<void>;
  prune(): Promise<unknown>;
}

export interface LookupLimitDependencies {
  database: { pool: LookupPool };
  clock: Clock;
  /** Many look-ups of a processor or key were not followed by payments. Called once per day and gateway. */
  report(lookups: UnpaidLookups): Promise<void>;
}

export function createLookupLimit({ database, clock, report }: LookupLimitDependencies): LookupLimit {
  const store = createLookupStore(database.pool);
  const paidCards = createPaidCards(database.pool);
  const paidPayees = createPaidPayees(database.pool);
  const reported = expiringCache<{ day: number }>({ max: 10_000, ttlMs: DAY_MS, clock });

  function periods(windowMs: number): Periods {
    const now = clock.now();
    return { now, windowStart: now - windowMs, dayStart: Math.floor(now / DAY_MS) * DAY_MS };
  }

  /** A card that paid shortly before or at any time after the look-up takes no place. Returns the look-up without it. */
  async function freePaid(lookup: Lookup, { now, windowStart, dayStart }: Periods): Promise<Lookup> {
    const { owner, targets } = lookup;
    const since = Math.min(windowStart, dayStart);
    const looked = [...targets.map((target) => ({ target, at: now })), ...(await store.unpaidCards(owner, since))];
    const cards = looked
      .filter(({ target }) => target.startsWith(CARD))
      .map(({ target, at }) => ({ serial: target.slice(CARD.length), since: at - PAID_WITHIN_MS }));
    const paid = (await paidCards.among(cards, owner)).map(cardTarget);
    if (paid.length > 0) await store.markPaid(owner, paid, since);
    return { ...lookup, targets: targets.filter((target) => !paid.includes(target)) };
  }

  /** Payments are read only by those who look up many cards. */
  async function takeOfKey(key: KeyCaller, lookup: Lookup, when: Periods) {
    let limits: PlaceLimits = { places: KEY_PLACES, misses: OWNER_MISSES, missesTakePlaces: true };
    let places = await store.take(lookup, when, limits);
    if (places.taken > limits.places || places.unpaid >= UNPAID_PER_DAY) {
      const unpaid = await freePaid(lookup, when);
      places = await store.take(unpaid, when, limits);
      if (places.taken > limits.places) {
        const payer = { keyId: isShared(key) ? null : key.id, processorId: key.processorId };
        const paid = await paidCards.count(payer, when.now - PAID_WITHIN_MS);
        limits = { ...limits, places: KEY_PLACES + Math.floor(paid / PAID_PER_PLACE) };
        places = await store.take(unpaid, when, limits);
      }
    }
    return { places, isOver: places.taken > limits.places || places.missed > limits.misses };
  }

  function refused(oldestAt: number, windowMs: number, what = 'cards and accounts'): Refusal {
    const message = `Too many look-ups of different ${what}.`;
    return refuseForNow('TOO_MANY_LOOKUPS', message, oldestAt + windowMs - clock.now());
  }

  async function reportOnce(key: KeyCaller, owner: string, unpaid: number, day: number): Promise<void> {
    if (reported.get(owner)?.day === day) return;
    await report({ processorId: key.processorId, keyId: key.id, day, unpaid });
    reported.set(owner, { day });
  }

  async function ofKey(key: KeyCaller, target: string, found: boolean): Promise<KeyLookup | Refusal> {
    const owner = ownerOf(key);
    const lookup: Lookup = { subject: isShared(key) ? owner : key.id, owner, targets: [target], found };
    const when = periods(KEY_WINDOW_MS);
    const { places, isOver } = await takeOfKey(key, lookup, when);
    if (isOver) return refused(places.oldestAt, KEY_WINDOW_MS);
    const { unpaid } = places;
    const isSuspicious = unpaid >= UNPAID_PER_DAY;
    if (isSuspicious) await reportOnce(key, owner, unpaid, when.dayStart);
    return { showsBalance: !isSuspicious };
  }

  async function ofAgent(agent: string | null, sought: string, customers: readonly string[]): Promise<Refusal | null> {
    if (agent === null) return null;
    const found = customers.length > 0;
    const targets = found ? customers.map(accountTarget) : [`sought:${sought}`];
    const when = periods(AGENT_WINDOW_MS);
    const subject = await store.sharing(agent, when.now - NEW_AGENT_MS);
    const lookup: Lookup = { subject, owner: subject, targets, found };
    const places = await store.take(lookup, when, AGENT_LIMITS);
    const isOver = places.taken > AGENT_LIMITS.places || places.missed > AGENT_LIMITS.misses;
    return isOver ? refused(places.oldestAt, AGENT_WINDOW_MS) : null;
  }

  async function ofCustomer(wallet: string, sought: string, payee: string | null): Promise<Refusal | null> {
    const when = periods(CUSTOMER_WINDOW_MS);
    const { windowStart } = when;
    const targets = [payee === null ? `sought:${sought}` : accountTarget(payee)];
    const lookup: Lookup = { subject: wallet, owner: wallet, targets, found: payee !== null };
    const isOver = ({ taken, missed }: Places) => taken > CUSTOMER_LIMITS.places || missed > CUSTOMER_LIMITS.misses;
    let places = await store.take(lookup, when, CUSTOMER_LIMITS);
    // Payments are read only of those who look up many.
    if (places.taken > CUSTOMER_LIMITS.places) {
      const paid = (await paidPayees(wallet, windowStart - PAID_WITHIN_MS)).map(accountTarget);
      if (paid.length > 0) await store.markPaid(wallet, paid, windowStart);
      const unpaid = targets.filter((target) => !paid.includes(target));
      places = await store.take({ ...lookup, targets: unpaid }, when, CUSTOMER_LIMITS);
    }
    return isOver(places) ? refused(places.oldestAt, CUSTOMER_WINDOW_MS, 'people and merchants') : null;
  }

  async function ofRegistration(caller: Caller, taken: string | null): Promise<Refusal | null> {
    const byAgent = isAgentUser(caller);
    // A key can be an app's: its customers could otherwise stop the registrations of all others.
    if (!byAgent && (caller.kind !== 'key' || taken === null)) return null;
    const { windowMs, misses } = byAgent ? TAKEN_BY_AGENT : TAKEN_BY_KEY;
    const when = periods(windowMs);
    const who = byAgent ? await store.sharing(caller.agentId ?? caller.id, when.now - NEW_AGENT_MS) : ownerOf(caller);
    const subject = `registrations:${who}`;
    const targets = taken === null ? [] : [`taken:${taken}`];
    const limits = { places: Number.MAX_SAFE_INTEGER, misses, missesTakePlaces: false };
    const { missed, oldestAt } = await store.take({ subject, owner: subject, targets, found: false }, when, limits);
    if (missed <= misses) return null;
    const sentence = 'Too many registrations of numbers that are taken.';
    return refuseForNow('TOO_MANY_LOOKUPS', sentence, oldestAt + windowMs - clock.now());
  }

  return {
    ofKey: (key, target, found) => onPrimary(() => ofKey(key, target, found)),
    ofAgent: (agent, sought, customers) => onPrimary(() => ofAgent(agent, sought, customers)),
    ofCustomer: (wallet, sought, payee) => onPrimary(() => ofCustomer(wallet, sought, payee)),
    ofRegistration: (caller, taken) => onPrimary(() => ofRegistration(caller, taken)),
    async freePlace(key, serial) {
      const { windowStart, dayStart } = periods(KEY_WINDOW_MS);
      await store.markPaid(ownerOf(key), [cardTarget(serial)], Math.min(windowStart, dayStart));
    },
    prune: () => store.prune(clock.now() - KEPT_MS),
  };
}

const ownerOf = ({ id, processorId }: KeyCaller) => processorId ?? id;
const isShared = ({ processorId, scopes }: KeyCaller) => processorId !== null && isOwnKey(scopes);
