// PIN attempts: hashing and comparison of PINs, and the lock after three wrong attempts.
import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import { MINUTE_MS } from '../../kernel/clock.ts';

export const MAX_FAILURES = 3;
export const LOCK_MS = 30 * MINUTE_MS;

export interface PinState {
  failures: number;
  /** Milliseconds since the epoch; null: not locked. */
  lockedUntil: number | null;
}

export type Verdict =
  | { outcome: 'right' }
  | { outcome: 'wrong'; attemptsRemaining: number }
  | { outcome: 'locked'; lockedUntil: number };

export interface Evaluation {
  /** One for each attempt, in order. */
  verdicts: Verdict[];
  state: PinState;
}

const CLEAN: PinState = { failures: 0, lockedUntil: null };

export function isLocked({ lockedUntil }: PinState, now: number): boolean {
  return lockedUntil !== null && lockedUntil > now;
}

/** Evaluates the attempts in order. `matches` is not called for attempts that the lock rejects. */
export function evaluateAttempts<Attempt>(
  initial: PinState,
  attempts: readonly Attempt[],
  now: number,
  matches: (attempt: Attempt) => boolean,
): Evaluation {
  let state = initial;
  const verdicts = attempts.map((attempt) => {
    const evaluated = evaluateAttempt(state, now, () => matches(attempt));
    state = evaluated.state;
    return evaluated.verdict;
  });
  return { verdicts, state };
}

function evaluateAttempt(state: PinState, now: number, matches: () => boolean): { verdict: Verdict; state: PinState } {
  if (state.lockedUntil !== null && state.lockedUntil > now) {
    return { verdict: { outcome: 'locked', lockedUntil: state.lockedUntil }, state };
  }
  if (matches()) return { verdict: { outcome: 'right' }, state: CLEAN };
  // An expired lock resets the failure count.
  const failures = (state.lockedUntil === null ? state.failures : 0) + 1;
  const lockedUntil = failures >= MAX_FAILURES ? now + LOCK_MS : null;
  return {
    verdict: { outcome: 'wrong', attemptsRemaining: Math.max(0, MAX_FAILURES - failures) },
    state: { failures, lockedUntil },
  };
}

export interface StoredPin {
  salt: Buffer;
  hash: Buffer;
}

export interface PinHasher {
  make(ownerId: string, pin: string): StoredPin;
  matches(ownerId: string, pin: string, stored: StoredPin): boolean;
}

const SALT_BYTES = 16;

/** The hash includes the owner id: copied to another owner's row, it does not match. */
export function pinHasher(pepper: string): PinHasher {
  const key = createSecretKey(pepper, 'utf8');
  const hash = (ownerId: string, salt: Buffer, pin: string) =>
    createHmac('sha256', key)
      .update(Buffer.concat([Buffer.from(`${ownerId}\0`), salt, Buffer.from(pin)]))
      .digest();
  return {
    make(ownerId, pin) {
      const salt = randomBytes(SALT_BYTES);
      return { salt, hash: hash(ownerId, salt, pin) };
    },
    matches(ownerId, pin, stored) {
      const actual = hash(ownerId, stored.salt, pin);
      return actual.length === stored.hash.length && timingSafeEqual(actual, stored.hash);
    },
  };
}
