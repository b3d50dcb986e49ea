// Limits password attempts to five per email in 15 minutes, across concurrent requests and all gateways.
import type { Queries } from '../../../db/database.ts';
import { Overloaded } from '../../../kernel/bounded-concurrency.ts';
import { type Clock, MINUTE_MS } from '../../../kernel/clock.ts';
import { type Refusal, refuseForNow } from '../../../kernel/refusal.ts';
import { clearAttempts, countAttempt, deleteAttemptsBefore, uncountAttempt } from './store.ts';

const MAX_ATTEMPTS = 5;
const WINDOW_MS = 15 * MINUTE_MS;

export interface Locked {
  refusal: Refusal;
  /** True for the first refusal in a window, which is the only one that is audited. */
  first: boolean;
}

/** Outcome of an attempt: the result of the check (null for a wrong password), or `locked` if nothing was checked. */
export type Attempted<T> = { result: T | null } | { locked: Locked };

export interface Attempts {
  /**
   * Counts the attempt in the database, then runs the check. A result other than null means a correct password and
   * clears the count. Counting first ensures that at most five of any number of concurrent attempts are checked.
   */
  attempt<T>(
    email: string,
    check: () => Promise<T | null>,
    /** True: a correct password does not clear the count, because the login still needs a second factor. */
    keepsCount?: (result: T) => boolean,
  ): Promise<Attempted<T>>;
  /** Counts an attempt at a second factor in the transaction that verifies it. Locked: nothing may be verified. */
  count(trx: Queries, email: string): Promise<{ locked: Locked | null; left: number }>;
  uncount(trx: Queries, email: string): Promise<void>;
  clear(trx: Queries, email: string): Promise<void>;
  prune(): Promise<number>;
}

export function createAttempts({ queries, clock }: { queries: Queries; clock: Clock }): Attempts {
  const serialized = serializeByKey();
  const windowFloor = () => new Date(clock.now() - WINDOW_MS);

  async function count(trx: Queries, email: string): Promise<{ locked: Locked | null; left: number }> {
    const now = new Date(clock.now());
    const { attempts, windowStartedAt } = await countAttempt(trx, { email, now, since: windowFloor() });
    const left = Math.max(0, MAX_ATTEMPTS - attempts);
    if (attempts <= MAX_ATTEMPTS) return { locked: null, left };
    const first = attempts === MAX_ATTEMPTS + 1;
    return { locked: { first, refusal: tooMany(windowStartedAt.getTime() + WINDOW_MS - now.getTime()) }, left };
  }

  async function attemptNow<T>(
    email: string,
    check: () => Promise<T | null>,
    keepsCount: (result: T) => boolean,
  ): Promise<Attempted<T>> {
    const { locked } = await count(queries, email);
    if (locked) return { locked };
    const result = await check().catch(async (error: unknown) => {
      // The password was not checked, so the attempt must not count.
      if (error instanceof Overloaded) await uncountAttempt(queries, email);
      throw error;
    });
    if (result === null) return { result };
    if (keepsCount(result)) await uncountAttempt(queries, email);
    else await clearAttempts(queries, email);
    return { result };
  }

  return {
    // Serialized per email in this process: otherwise six concurrent correct logins of one user would count as six
    // undecided attempts and the sixth would be refused. The limit itself is enforced by the database.
    attempt: (email, check, keepsCount = () => false) =>
      serialized(email.toLowerCase(), () => attemptNow(email, check, keepsCount)),
    count,
    uncount: uncountAttempt,
    clear: clearAttempts,
    prune: () => deleteAttemptsBefore(queries, windowFloor()),
  };
}

function tooMany(msLeft: number): Refusal {
  return refuseForNow('TOO_MANY_ATTEMPTS', 'Too many wrong passwords or codes.', msLeft);
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
