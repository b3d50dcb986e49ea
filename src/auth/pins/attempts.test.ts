// PIN attempts: counting, locking and unlocking, by examples and random sequences.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS } from '../../kernel/clock.ts';
import { evaluateAttempts, LOCK_MS, MAX_FAILURES, MAX_GUESSES, type PinState } from './attempts.ts';

const NOW = 1_000_000;
const CLEAN: PinState = { failures: 0, lockedUntil: null, guesses: 0, guessesUntil: null, ownFailures: 0 };
const matches = (attempt: string) => attempt.endsWith('right');
const isOwnChannel = (attempt: string) => attempt.startsWith('own');

/** Abbreviates each verdict to 'ok', the attempts remaining, or 'locked'. */
function run(state: PinState, attempts: string[], now = NOW) {
  const evaluated = evaluateAttempts(state, attempts, now, { matches, isOwnChannel });
  const short = evaluated.verdicts.map((verdict) =>
    verdict.outcome === 'right' ? 'ok' : verdict.outcome === 'wrong' ? verdict.attemptsRemaining : 'locked',
  );
  return { short, state: evaluated.state };
}

test('accepts a right PIN and leaves the state unchanged', () => {
  assert.deepEqual(run(CLEAN, ['right', 'right']), { short: ['ok', 'ok'], state: CLEAN });
});

test('locks for 30 minutes after the third wrong attempt and then rejects every PIN', () => {
  const { short, state } = run(CLEAN, ['a', 'b', 'c', 'right', 'd']);
  assert.deepEqual(short, [2, 1, 0, 'locked', 'locked']);
  assert.deepEqual(state, { ...CLEAN, failures: 3, lockedUntil: NOW + LOCK_MS, guesses: 3, guessesUntil: DAY_MS });
});

test('resets the failure count after a right PIN', () => {
  assert.deepEqual(run(CLEAN, ['a', 'b', 'right', 'c', 'd']).short, [2, 1, 'ok', 2, 1]);
});

test('unlocks exactly at lockedUntil, with three new attempts', () => {
  const locked = { ...CLEAN, failures: 3, lockedUntil: NOW };
  assert.deepEqual(run(locked, ['right'], NOW - 1).short, ['locked']);
  assert.deepEqual(run(locked, ['a', 'b', 'c', 'right'], NOW).short, [2, 1, 0, 'locked']);
  assert.deepEqual(run(locked, ['right'], NOW), { short: ['ok'], state: CLEAN });
});

test('does not compare PINs while locked', () => {
  let compared = 0;
  const guesses = Array.from({ length: 1_000 }, (_, index) => String(index));
  evaluateAttempts(CLEAN, guesses, NOW, {
    matches: () => {
      compared += 1;
      return false;
    },
  });
  assert.equal(compared, MAX_FAILURES);
});

test('locks until the next day after ten wrong attempts with right ones between them', () => {
  const attempts = Array.from({ length: MAX_GUESSES }, () => ['wrong', 'right']).flat();
  const { short, state } = run(CLEAN, attempts);
  assert.deepEqual(short.slice(-4), [1, 'ok', 0, 'locked']);
  assert.deepEqual(run(state, ['right'], DAY_MS - 1).short, ['locked']);
  assert.deepEqual(run(state, ['right', 'wrong'], DAY_MS).short, ['ok', 2]);
});

test("the holder's own channel neither adds to the count of the day nor is refused by it", () => {
  const guesses = Array.from({ length: MAX_GUESSES }, () => ['wrong', 'own right']).flat();
  const { short, state } = run(CLEAN, guesses);
  assert.equal(short.at(-1), 'ok');
  assert.deepEqual(run(state, ['own wrong', 'own right', 'right']).short, [2, 'ok', 'locked']);
});

test('nine wrong PINs on own channels lock these until a reset, and no other channel', () => {
  const days = [0, 1, 2].map((day) => NOW + day * DAY_MS);
  let state = CLEAN;
  for (const day of days) {
    const { short, state: after } = run(state, ['own a', 'own b', 'own c', 'own right'], day);
    assert.deepEqual(short, [2, 1, 0, 'locked']);
    state = after;
  }
  const later = NOW + 1_000 * DAY_MS;
  assert.deepEqual(run(state, ['own right', 'right', 'own right'], later).short, ['locked', 'ok', 'locked']);
});

test('a right PIN on an own channel clears its count, one on another channel does not', () => {
  const eight = { ...CLEAN, ownFailures: 8 };
  assert.deepEqual(run(eight, ['own right', 'own a']).short, ['ok', 2]);
  assert.deepEqual(run(eight, ['right', 'own a', 'own right']).short, ['ok', 0, 'locked']);
});

test('gives the same verdicts for one batch and for attempts one by one', () => {
  const attempts = fc.array(fc.constantFrom('right', 'wrong', 'own right', 'own wrong'), { maxLength: 30 });
  fc.assert(
    fc.property(attempts, fc.nat(30), (all, cut) => {
      const whole = run(CLEAN, all);
      const first = run(CLEAN, all.slice(0, cut));
      const second = run(first.state, all.slice(cut));
      assert.deepEqual([...first.short, ...second.short], whole.short);
      assert.deepEqual(second.state, whole.state);
    }),
  );
});
