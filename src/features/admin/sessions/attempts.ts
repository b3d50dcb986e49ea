// Limits wrong passwords and codes: five per name and network in 15 minutes, twenty per name, network and UTC day, fifty per
// name and UTC day, over all gateways.
// A browser or session that logged in before has its own count, so that nobody else can lock it out.
import { type Guesser, networkOf } from '../../../auth/guesser.ts';
import type { Queries } from '../../../db/database.ts';
import { Overloaded } from '../../../kernel/bounded-concurrency.ts';
import { type Clock, DAY_MS, iso, MINUTE_MS } from '../../../kernel/clock.ts';
import { type Refusal, refuseForNow } from '../../../kernel/refusal.ts';
import {
  type CountedAttempt,
  clearAttempts,
  countAttempt,
  countOfNetwork,
  countOnDay,
  deleteAttemptsBefore,
  markTold,
  uncountAttempt,
  uncountOnDay,
} from './attempt-store.ts';

const MAX_ATTEMPTS = 5;
const WINDOW_MS = 15 * MINUTE_MS;
const MAX_PER_DAY = 50;
/** Its part of the day, so that one network does not lock a name for all others. */
const MAX_OF_NETWORK = 20;

export interface Locked {
  refusal: Refusal;
  /** True for the first refusal in a window, which is the only one that is audited. */
  first: boolean;
  /** Whether the day's limit was exceeded, of which the user is told. */
  forToday: boolean;
}

export interface Count {
  /** Set: nothing may be verified. */
  locked: Locked | null;
  left: number;
}

/** An attempt's outcome: the result of the check (null for a wrong password), or `locked` if nothing was checked. */
export type Attempted<T> = { result: T | null } | { locked: Locked };

export interface Attempts {
  /**
   * Counts the attempt in the database, then runs the check. A result other than null means a correct password and
   * clears the count. Counting first ensures that at most five of any number of concurrent attempts are checked.
   */
  attempt<T>(
    guesser: Guesser,
    check: () => Promise<T | null>,
    /** True: a correct password does not clear the count, because the login still needs a second factor. */
    keepsCount?: (result: T) => boolean,
  ): Promise<Attempted<T>>;
  /** Counts an attempt at a second factor in the transaction that verifies it. */
  count(trx: Queries, guesser: Guesser): Promise<Count>;
  uncount(trx: Queries, guesser: Guesser): Promise<void>;
  clear(trx: Queries, guesser: Guesser): Promise<void>;
  /** True once a day: the user is to be told of the day's limit. */
  markTold(trx: Queries, email: string): Promise<boolean>;
  prune(): Promise<number>;
}

export function createAttempts({ queries, clock }: { queries: Queries; clock: Clock }): Attempts {
  const serialized = serializeByKey();
  const windowFloor = () => new Date(clock.now() - WINDOW_MS);
  const today = () => iso(clock.now()).slice(0, 'yyyy-mm-dd'.length);

  function countFor(trx: Queries, email: string, guesser: string): Promise<CountedAttempt> {
    return countAttempt(trx, { email, guesser, now: new Date(clock.now()), since: windowFloor() });
  }

  async function count(trx: Queries, guesser: Guesser): Promise<Count> {
    const { email, ip, trusted } = guesser;
    const { attempts, windowStartedAt } = await countFor(trx, email, trusted ?? networkOf(ip));
    const left = Math.max(0, MAX_ATTEMPTS - attempts);
    if (attempts > MAX_ATTEMPTS) {
      const refusal = tooMany(windowStartedAt.getTime() + WINDOW_MS - clock.now());
      return { locked: { refusal, first: attempts === MAX_ATTEMPTS + 1, forToday: false }, left };
    }
    // A trusted guesser's failures count against its network too, but that does not refuse it.
    if (trusted !== null) await countFor(trx, email, networkOf(ip));
    return { locked: trusted === null ? await lockedToday(trx, email, networkOf(ip)) : null, left };
  }

  /** What the network's limits refuse does not count for the day, so that one network alone cannot use it up. */
  async function lockedToday(trx: Queries, email: string, network: string): Promise<Locked | null> {
    const refusal = tooManyToday(clock.now());
    const ofNetwork = await countOfNetwork(trx, email, network, today());
    if (ofNetwork > MAX_OF_NETWORK) return { refusal, first: ofNetwork === MAX_OF_NETWORK + 1, forToday: false };
    const ofDay = await countOnDay(trx, email, today());
    return ofDay > MAX_PER_DAY ? { refusal, first: ofDay === MAX_PER_DAY + 1, forToday: true } : null;
  }

  async function uncount(trx: Queries, guesser: Guesser): Promise<void> {
    await uncountAttempt(trx, guesser.email, countsOf(guesser));
    await uncountDay(trx, guesser);
  }

  async function uncountDay(trx: Queries, { email, ip, trusted }: Guesser): Promise<void> {
    if (trusted === null) await uncountOnDay(trx, email, networkOf(ip), today());
  }

  /** The count of the day stays: guesses that are spread over the day go on after the user's own login. */
  async function clear(trx: Queries, guesser: Guesser): Promise<void> {
    await clearAttempts(trx, guesser.email, countsOf(guesser));
    await uncountDay(trx, guesser);
  }

  async function attemptNow<T>(
    guesser: Guesser,
    check: () => Promise<T | null>,
    keepsCount: (result: T) => boolean,
  ): Promise<Attempted<T>> {
    const { locked } = await count(queries, guesser);
    if (locked) return { locked };
    const result = await check().catch(async (error: unknown) => {
      // The password was not checked, so the attempt must not count.
      if (error instanceof Overloaded) await uncount(queries, guesser);
      throw error;
    });
    if (result === null) return { result };
    await (keepsCount(result) ? uncount : clear)(queries, guesser);
    return { result };
  }

  return {
    // Serialized per count in this process: otherwise six concurrent correct logins of one user would count as six
    // undecided attempts and the sixth would be refused. The limit itself is enforced by the database.
    attempt: (guesser, check, keepsCount = () => false) =>
      serialized(JSON.stringify([guesser.email.toLowerCase(), countsOf(guesser)]), () =>
        attemptNow(guesser, check, keepsCount),
      ),
    count,
    uncount,
    clear,
    markTold: (trx, email) => markTold(trx, email, today()),
    prune: () => deleteAttemptsBefore(queries, windowFloor(), today()),
  };
}

function countsOf({ ip, trusted }: Guesser): string[] {
  return [networkOf(ip), ...(trusted === null ? [] : [trusted])];
}

function tooMany(msLeft: number): Refusal {
  return refuseForNow('TOO_MANY_ATTEMPTS', 'Too many wrong passwords or codes.', msLeft);
}

function tooManyToday(now: number): Refusal {
  const message =
    'Too many wrong passwords or codes for this name today. Log in on a browser that logged in before, or with a passkey.';
  return refuseForNow('TOO_MANY_ATTEMPTS', message, DAY_MS - (now % DAY_MS));
}

/** Runs work with the same key one after another. */
function serializeByKey(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work, work);
    last.set(name, turn);
    const forget = () => void (last.get(name) === turn && last.delete(name));
    turn.then(forget, forget);
    return turn;
  };
}
