// A value in memory that is read again when it is too old.
import type { Clock } from '../../kernel/clock.ts';

/** Reads a value again when it is older than `ms`. Concurrent callers share one read. */
export function kept<T>(clock: Clock, ms: number, read: () => Promise<T>): (isFresh: boolean) => Promise<T> {
  let known: { value: T; readAt: number } | null = null;
  let reading: Promise<T> | null = null;
  const refresh = () => {
    const readAt = clock.now();
    reading ??= read()
      .then((value) => {
        known = { readAt, value };
        return value;
      })
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  return async (isFresh) => {
    // A read that is under way may have begun before the caller's change.
    if (isFresh) await reading?.catch(() => undefined);
    const age = known && !isFresh ? clock.now() - known.readAt : ms;
    return known && age >= 0 && age < ms ? known.value : refresh();
  };
}
