// Delays a rejection to a fixed time, so that its duration does not reveal what was found.
import { setImmediate, setTimeout } from 'node:timers/promises';

/**
 * Timers alone are too coarse: the part of a millisecond at which they fire depends on earlier work.
 * `time`: by the monotonic clock.
 */
export async function waitUntil(time: number): Promise<void> {
  await setTimeout(Math.max(1, time - performance.now() - 1));
  while (performance.now() < time) await setImmediate();
}
