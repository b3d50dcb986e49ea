// Waits until a condition holds, with a time limit for conditions that never hold.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** High enough for a machine under load, which can be twenty times slower. */
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
    if (performance.now() > end) assert.fail(`not true within ${LIMIT_MS / 1_000} s: ${what} (last: ${String(last)})`);
    await pause(PAUSE_MS);
  }
}
