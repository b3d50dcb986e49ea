// Waits until a condition holds, with a limit that only ends what would never come true.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** Generous: a loaded machine is twenty times slower. */
const LIMIT_MS = 120_000 * Number(process.env.TEST_TIMEOUT_SCALE ?? 1);
const PAUSE_MS = 10;

/** Resolves with the first truthy value. A condition that throws does not hold yet. */
export async function waitFor<T>(what: string, condition: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    let last: unknown;
    try {
      const value = await condition();
      if (value) return value as NonNullable<T>;
      last = value;
    } catch (error) {
      last = error;
    }
    if (performance.now() > end) assert.fail(`waited ${LIMIT_MS / 1_000} s in vain: ${what} (last: ${String(last)})`);
    await pause(PAUSE_MS);
  }
}
