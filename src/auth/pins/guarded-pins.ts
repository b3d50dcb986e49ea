// Limits the wrong PINs per credential, across all accounts. The account lock stops many guesses at one PIN; this limit
// stops a few guesses at each of many accounts.
import type { AttemptCounts, AttemptTotals } from '../../db/attempt-counts.ts';
import { type Clock, MINUTE_MS } from '../../kernel/clock.ts';
import { Metrics } from '../../kernel/metrics.ts';
import { type Caller, isAgentByUssd, isOwnChannel } from '../caller.ts';
import { type GuessWatch, NO_WATCH, type PinParty, partyOf } from './guess-watch.ts';
import { countOutcome, type PinMetrics, pinMetrics } from './metrics.ts';
import type { PinAttempt, PinOptions, PinOutcome, Pins } from './pins.ts';

export type PinVerdict =
  | PinOutcome
  /** The credential has reached its limit; the PIN was not compared. */
  | { outcome: 'too_many'; retryAfterMs: number };

export interface GuardedPins extends Omit<Pins, 'verify' | 'attemptBySubscriber' | 'attemptByCard'> {
  /** `at`: the merchant or agent where the PIN was entered, if it is not the caller's own. */
  verify(by: Caller, ownerId: string, pin: string, at?: PinParty | null): Promise<PinVerdict>;
  /** For the fast path of payments; see Pins. */
  attemptBySubscriber(by: Caller, subscriberId: string): GuardedAttempt;
  attemptByCard(by: Caller, serial: string, at?: PinParty | null): GuardedAttempt;
  /** Adds the right PINs of API keys to the shared counts. */
  share(): Promise<void>;
}

export interface GuardedAttempt extends Omit<PinAttempt, 'verify'> {
  /**
   * Counts the PIN that `isRight` found right. Not for a repeated request, which is answered whatever the PIN is: repeating
   * it would make up for wrong PINs.
   */
  countRight(): void;
  verify(ownerId: string, pin: string): Promise<PinVerdict>;
}

const WINDOW_MS = 15 * MINUTE_MS;
/** Wrong PINs per window after which a user is blocked. */
const USER_LIMIT = 20;
/**
 * Wrong PINs per window that an API key may always send. Beyond them it is blocked only if they also exceed its right
 * ones, because a shop's key sends the typing errors of all its customers.
 */
const KEY_ALLOWANCE = 1_000;

interface Window {
  startedAt: number;
  wrong: number;
  /** Only counted for callers whose limit depends on it. */
  right: number;
  /** Right PINs that are not yet in the shared counts. */
  unshared: number;
  /** Attempts in progress, each of which may be wrong. */
  open: number;
  /** Attempts that wait for the result of those in progress. */
  waiting: (() => void)[];
  /** References to this window: attempts open, waiting, or between the two. */
  references: number;
}

export interface GuardOptions {
  metrics?: PinMetrics;
  /** The counts of all gateways. Without them this process counts alone. */
  shared?: AttemptCounts;
  watch?: GuessWatch;
}

/**
 * A user's window starts with the first wrong PIN, a key's with the first PIN. A right PIN does not reset the count.
 *
 * A user's attempt is counted in the database before the PIN is compared, and uncounted if the PIN is right, so that all
 * gateways together answer at most the limit. A key's wrong PINs are counted afterwards, because most of its PINs are
 * right and payments must not wait: several gateways may answer a few more than the limit.
 */
export function guardPins(pins: Pins, clock: Clock, options: GuardOptions = {}): GuardedPins {
  const { metrics = pinMetrics(new Metrics()), shared, watch = NO_WATCH } = options;
  // Not an LRU cache: evicting a window with attempts in progress would start a second count for the same caller.
  const windows = new Map<string, Window>();

  function windowOf(name: string): Window {
    const window = windows.get(name) ?? newWindow(clock.now());
    if (window.startedAt + WINDOW_MS <= clock.now())
      Object.assign(window, { startedAt: clock.now(), wrong: 0, right: 0, unshared: 0 });
    windows.set(name, window);
    return window;
  }

  async function guarded(by: Caller, at: PinParty | null, attempt: () => Promise<PinOutcome>): Promise<PinVerdict> {
    const name = nameOf(by);
    const window = windowOf(name);
    window.references += 1;
    // Only as many concurrent attempts proceed as may still be wrong; the others wait.
    while (left(by, window) > 0 && left(by, window) <= window.open) {
      await new Promise<void>((resolve) => window.waiting.push(resolve));
    }
    try {
      if (left(by, window) <= 0) return tooMany(window.startedAt);
      window.open += 1;
      const verdict = await runAttempt(by, window, attempt);
      if (verdict.outcome === 'right') watch.countRight(at);
      else if (verdict.outcome === 'wrong') await watch.countWrong(at);
      return verdict;
    } finally {
      window.waiting.shift()?.();
      leave(name, window);
    }
  }

  function leave(name: string, window: Window): void {
    window.references -= 1;
    if (window.references === 0 && window.wrong === 0 && window.right === 0) windows.delete(name);
  }

  /** An attempt that may be wrong counts as open until it is verified or ended. */
  function guardedAttempt(by: Caller, at: PinParty | null, attempt: PinAttempt): GuardedAttempt {
    let undecidedIn: Window | null = null;

    function settle(): void {
      if (!undecidedIn) return;
      undecidedIn.open -= 1;
      undecidedIn.waiting.shift()?.();
      leave(nameOf(by), undecidedIn);
      undecidedIn = null;
    }

    return {
      read: attempt.read,
      isRight(pin, row) {
        const known = windows.get(nameOf(by));
        if (known && left(by, known) <= known.open) return false;
        if (attempt.isRight(pin, row)) return true;
        undecidedIn = windowOf(nameOf(by));
        undecidedIn.open += 1;
        undecidedIn.references += 1;
        return false;
      },
      countRight() {
        metrics.attempts.right.value += 1;
        if (countsRight(by)) countRight(windowOf(nameOf(by)));
        watch.countRight(at);
      },
      verify(ownerId, pin) {
        settle();
        return guarded(by, at, () => attempt.verify(ownerId, pin));
      },
      end() {
        settle();
        attempt.end();
      },
    };
  }

  async function runAttempt(by: Caller, window: Window, attempt: () => Promise<PinOutcome>): Promise<PinVerdict> {
    try {
      const verdict = await (by.kind === 'user' ? reserved(by, attempt) : attempt());
      if (verdict.outcome === 'too_many') return verdict;
      countOutcome(metrics, verdict);
      if (verdict.outcome === 'wrong') await countWrong(by, window);
      else if (verdict.outcome === 'right' && countsRight(by)) countRight(window);
      return verdict;
    } finally {
      window.open -= 1;
    }
  }

  /** Counts the attempt of a user first. Only a wrong PIN stays counted. */
  async function reserved(by: Caller, attempt: () => Promise<PinOutcome>): Promise<PinVerdict> {
    if (!shared) return attempt();
    const count = (counted: number) => shared.add(nameOf(by), { counted, correct: 0 }, WINDOW_MS);
    const { counted, startedAt } = await count(1);
    let isWrong = false;
    try {
      if (counted > USER_LIMIT) return tooMany(startedAt);
      const verdict = await attempt();
      isWrong = verdict.outcome === 'wrong';
      return verdict;
    } finally {
      if (!isWrong) await count(-1);
    }
  }

  function tooMany(startedAt: number): PinVerdict {
    metrics.attempts.too_many.value += 1;
    return { outcome: 'too_many', retryAfterMs: startedAt + WINDOW_MS - clock.now() };
  }

  async function countWrong(by: Caller, window: Window): Promise<void> {
    start(window);
    window.wrong += 1;
    if (shared && countsRight(by)) await synchronize(nameOf(by), window, 1);
  }

  function countRight(window: Window): void {
    start(window);
    window.right += 1;
    window.unshared += 1;
  }

  /** Adds what this gateway counted, and takes over the totals of all. */
  async function synchronize(name: string, window: Window, counted: number): Promise<void> {
    if (!shared) return;
    const correct = window.unshared;
    window.unshared = 0;
    const totals: AttemptTotals = await shared.add(name, { counted, correct }, WINDOW_MS).catch((error: unknown) => {
      window.unshared += correct;
      throw error;
    });
    // Totals of the same window may arrive out of order.
    const sameWindow = window.startedAt === totals.startedAt;
    const latest = (known: number, total: number) => (sameWindow ? Math.max(known, total) : total);
    window.startedAt = totals.startedAt;
    window.wrong = latest(window.wrong, totals.counted);
    window.right = latest(window.right, totals.correct + window.unshared);
  }

  async function share(): Promise<void> {
    const changed = [...windows].filter(([, { unshared }]) => unshared > 0);
    for (const [name, window] of changed) await synchronize(name, window, 0);
    await watch.share();
  }

  /** The window starts with the first attempt it counts. */
  function start(window: Window): void {
    if (window.wrong > 0 || window.right > 0) return;
    removeExpired();
    window.startedAt = clock.now();
  }

  function removeExpired(): void {
    for (const [name, { startedAt, references }] of windows) {
      if (references === 0 && startedAt + WINDOW_MS <= clock.now()) windows.delete(name);
    }
  }

  return {
    ...pins,
    share,
    verify(by, ownerId, pin, at = partyOf(by)) {
      return guarded(by, at, () => pins.verify(ownerId, pin, optionsOf(by, ownerId)));
    },
    attemptBySubscriber(by, ownerId) {
      const attempt = pins.attemptBySubscriber(ownerId, optionsOf(by, ownerId));
      return guardedAttempt(by, partyOf(by), attempt);
    },
    attemptByCard: (by, serial, at = partyOf(by)) => guardedAttempt(by, at, pins.attemptByCard(serial)),
  };
}

function optionsOf(by: Caller, ownerId: string): PinOptions {
  if (isOwnChannel(by, ownerId)) return { own: true, salt: by.pinSalt ?? undefined };
  return isAgentByUssd(by, ownerId) ? { own: true, salt: by.ussd.pinSalt } : {};
}

function nameOf(by: Caller): string {
  return `${by.kind}:${by.id}`;
}

function newWindow(startedAt: number): Window {
  return { startedAt, wrong: 0, right: 0, unshared: 0, open: 0, waiting: [], references: 0 };
}

/** Not for people: a user is counted one by one, and a customer's own PIN locks after nine. */
function countsRight(by: Caller): boolean {
  return by.kind !== 'user' && by.kind !== 'subscriber';
}

/** How many more wrong PINs are answered before the caller is blocked. */
function left(by: Caller, { wrong, right }: Window): number {
  const limit = by.kind === 'user' ? USER_LIMIT : Math.max(KEY_ALLOWANCE, right) + 1;
  return limit - wrong;
}
