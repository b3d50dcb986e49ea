// Closes the days that are due, oldest first, including those that passed while no gateway ran.
import { SYSTEM } from '../../../audit/log.ts';
import { DAY_MS } from '../../../kernel/clock.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { CLOSABLE_AFTER_MS, type createCloseDay } from './close-day.ts';
import type { ClosesContext } from './context.ts';
import { dayOf, endOf, nextDay } from './document.ts';
import { firstMovementAt, lastClosedDay } from './store.ts';

/** The next day to close, whether it is due or not; null: the ledger has no movement yet. */
export async function nextDate({ database, clock }: Pick<ClosesContext, 'database' | 'clock'>): Promise<string | null> {
  const last = await lastClosedDay(database.queries);
  if (last !== null) return nextDay(last);
  const first = await firstMovementAt(database.queries);
  if (first === null) return null;
  // The first close of a database with a history is for the last day: earlier ones were not closed in time.
  const [firstDay, yesterday] = [dayOf(first), dayOf(clock.now() - CLOSABLE_AFTER_MS - DAY_MS)];
  return firstDay > yesterday ? firstDay : yesterday;
}

/**
 * Runs on every gateway. The unique key of the table lets one of them close a day; the others find it closed. Stops at the
 * first refusal of another kind.
 */
export function createCloseDue(context: ClosesContext, closeDay: ReturnType<typeof createCloseDay>) {
  return async function closeDue(stopping?: AbortSignal): Promise<void> {
    for (;;) {
      const date = await nextDate(context);
      const isDue = date !== null && context.clock.now() >= endOf(date) + CLOSABLE_AFTER_MS;
      if (!isDue || stopping?.aborted) return;
      const closed = await closeDay(SYSTEM, { date });
      if (closed instanceof Refusal && closed.code !== 'ALREADY_CLOSED') throw new Error(`${date}: ${closed.message}`);
    }
  };
}
