// Five attempts at one email's password in 15 minutes, however many arrive at once and on however many gateways.
import type { Queries } from '../../../db/database.ts';
import { Overloaded } from '../../../kernel/bounded-concurrency.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import { clearAttempts, countAttempt, deleteAttemptsBefore, giveBackAttempt } from './store.ts';

const MAX_ATTEMPTS = 5;
const WINDOW_MS = 15 * MINUTE_MS;

export interface Locked {
  refusal: Refusal;
  /** Whether it is the first one refused in its window: the one the audit log hears of. */
  first: boolean;
}

/** What an attempt came to: what the check answered, null for a wrong password, or no check at all. */
export type Attempted<T> = { result: T | null } | { locked: Locked };

export interface Attempts {
  /**
   * Counts the attempt in the database first, then runs the check; what it answers other than null is a right password
   * and clears the count. So of a burst of wrong ones no more than five are ever checked.
   */
  attempt<T>(email: string, check: () => Promise<T | null>): Promise<Attempted<T>>;
  prune(): Promise<number>;
}

export function createAttempts({ queries, clock }: { queries: Queries; clock: Clock }): Attempts {
  const inTurn = turns();
  const windowFloor = () => new Date(clock.now() - WINDOW_MS);

  async function attemptNow<T>(email: string, check: () => Promise<T | null>): Promise<Attempted<T>> {
    const now = new Date(clock.now());
    const { attempts, windowStartedAt } = await countAttempt(queries, { email, now, since: windowFloor() });
    if (attempts > MAX_ATTEMPTS) {
      const first = attempts === MAX_ATTEMPTS + 1;
      return { locked: { first, refusal: tooMany(windowStartedAt.getTime() + WINDOW_MS - now.getTime()) } };
    }
    const result = await check().catch(async (error: unknown) => {
      // Nothing was checked: whoever is told to come again has not tried.
      if (error instanceof Overloaded) await giveBackAttempt(queries, email);
      throw error;
    });
    if (result !== null) await clearAttempts(queries, email);
    return { result };
  }

  return {
    // One after another in this process: many right logins of one user at once would otherwise count as many attempts
    // that are still undecided, and the sixth be refused. The limit itself is the database's and does not need this.
    attempt: (email, check) => inTurn(email.toLowerCase(), () => attemptNow(email, check)),
    prune: () => deleteAttemptsBefore(queries, windowFloor()),
  };
}

function tooMany(msLeft: number): Refusal {
  const seconds = Math.max(1, Math.ceil(msLeft / SECOND_MS));
  return refuse('TOO_MANY_ATTEMPTS', `Too many wrong passwords. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

/** Work with the same name waits for what came before it. */
function turns(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work, work);
    last.set(name, turn);
    const forget = () => void (last.get(name) === turn && last.delete(name));
    turn.then(forget, forget);
    return turn;
  };
}
