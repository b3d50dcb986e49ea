// PIN attempts: the lock after three wrong attempts, the lock after ten on one day, and the one
// after nine on the holder's own channels.
import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';

export const MAX_FAILURES = 3;
export const LOCK_MS = 30 * MINUTE_MS;
/** Wrong PINs per UTC day. A right PIN does not clear them: the holder may pay elsewhere between two guesses. */
export const MAX_GUESSES = 10;
/** Wrong PINs on the holder's own channels since the last right one there, on however many days: what a thief of the phone gets. */
export const MAX_OWN_FAILURES = 9;

export interface PinState {
  /** Wrong PINs in a row. */
  failures: number;
  /** Milliseconds since the epoch; null: not locked. */
  lockedUntil: number | null;
  /** Wrong PINs that others than the holder sent, until `guessesUntil`. */
  guesses: number;
  guessesUntil: number | null;
  /** Wrong PINs on the holder's own channels since the last right one on such a channel. */
  ownFailures: number;
}

/** Why a PIN is locked: three wrong PINs in a row, ten on one day, or nine on the holder's own channels, which it locks alone. */
export const LOCK_REASONS = ['wrong_in_a_row', 'wrong_on_one_day', 'wrong_on_own_channels'] as const;
export type LockReason = (typeof LOCK_REASONS)[number];

export interface PinLock {
  /** Null: until the PIN is reset. */
  until: number | null;
  reason: LockReason;
}

export type Verdict =
  | { outcome: 'right' }
  | { outcome: 'wrong'; attemptsRemaining: number }
  | { outcome: 'locked'; lockedUntil: number | null };

export interface Evaluation {
  /** One for each attempt, in order. */
  verdicts: Verdict[];
  state: PinState;
}

/** Of the locks that hold on every channel but the holder's own, the one that ends last; null if there is none. */
export function lockAt({ lockedUntil, ...guessed }: PinState, now: number): PinLock | null {
  const row = lockedUntil !== null && lockedUntil > now ? lockedUntil : 0;
  const day = guessesAt(guessed, now) >= MAX_GUESSES ? (guessed.guessesUntil ?? 0) : 0;
  if (row === 0 && day === 0) return null;
  return day > row ? { until: day, reason: 'wrong_on_one_day' } : { until: row, reason: 'wrong_in_a_row' };
}

/** The lock that holds on the holder's own channels. The count of the day is not theirs. */
export function ownLockAt(state: PinState, now: number): PinLock | null {
  if (isOwnLocked(state)) return { until: null, reason: 'wrong_on_own_channels' };
  return lockAt({ ...state, guesses: 0, guessesUntil: null }, now);
}

export function isOwnLocked({ ownFailures }: PinState): boolean {
  return ownFailures >= MAX_OWN_FAILURES;
}

export function isLockedForDay(state: PinState, now: number): boolean {
  return guessesAt(state, now) >= MAX_GUESSES;
}

function guessesAt({ guesses, guessesUntil }: Pick<PinState, 'guesses' | 'guessesUntil'>, now: number): number {
  return guessesUntil !== null && guessesUntil > now ? guesses : 0;
}

interface AttemptRules<Attempt> {
  /** Not called for attempts that a lock rejects. */
  matches(attempt: Attempt): boolean;
  /**
   * Whether the holder sends the PIN through their own channel, such as USSD from their number: the count of the
   * day neither grows nor refuses, and the wrong PINs count until a right one. Default: none does.
   */
  isOwnChannel?(attempt: Attempt): boolean;
  /** Whether the PIN that was meant has been replaced. Such an attempt is wrong and counts nowhere. Default: none is. */
  isLate?(attempt: Attempt): boolean;
}

/** Evaluates the attempts in order. */
export function evaluateAttempts<Attempt>(
  initial: PinState,
  attempts: readonly Attempt[],
  now: number,
  { matches, isOwnChannel = () => false, isLate = () => false }: AttemptRules<Attempt>,
): Evaluation {
  let state = initial;
  const verdicts = attempts.map((attempt): Verdict => {
    if (isLate(attempt)) return { outcome: 'wrong', attemptsRemaining: MAX_FAILURES };
    const evaluate = isOwnChannel(attempt) ? evaluateOwn : evaluateAttempt;
    const evaluated = evaluate(state, now, () => matches(attempt));
    state = evaluated.state;
    return evaluated.verdict;
  });
  return { verdicts, state };
}

type Evaluated = { verdict: Verdict; state: PinState };

function evaluateAttempt(state: PinState, now: number, matches: () => boolean): Evaluated {
  const lock = lockAt(state, now);
  if (lock) return { verdict: { outcome: 'locked', lockedUntil: lock.until }, state };
  if (matches()) return { verdict: { outcome: 'right' }, state: { ...state, failures: 0, lockedUntil: null } };
  // An expired lock resets the failure count.
  const failures = (state.lockedUntil === null ? state.failures : 0) + 1;
  const lockedUntil = failures >= MAX_FAILURES ? now + LOCK_MS : null;
  const guesses = guessesAt(state, now) + 1;
  return {
    verdict: {
      outcome: 'wrong',
      attemptsRemaining: Math.max(0, Math.min(MAX_FAILURES - failures, MAX_GUESSES - guesses)),
    },
    state: { ...state, failures, lockedUntil, guesses, guessesUntil: endOfDay(now) },
  };
}

function evaluateOwn(state: PinState, now: number, matches: () => boolean): Evaluated {
  const lock = ownLockAt(state, now);
  if (lock) return { verdict: { outcome: 'locked', lockedUntil: lock.until }, state };
  const { guesses, guessesUntil } = state;
  const { verdict, state: after } = evaluateAttempt({ ...state, guesses: 0, guessesUntil: null }, now, matches);
  const kept = { ...after, guesses, guessesUntil };
  if (verdict.outcome !== 'wrong') return { verdict, state: { ...kept, ownFailures: 0 } };
  const ownFailures = state.ownFailures + 1;
  const attemptsRemaining = Math.min(verdict.attemptsRemaining, MAX_OWN_FAILURES - ownFailures);
  return { verdict: { outcome: 'wrong', attemptsRemaining }, state: { ...kept, ownFailures } };
}

/** The next 00:00 UTC. */
function endOfDay(now: number): number {
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS;
}
