// Messages about payments: those of the last days of the history, then of live traffic.
import { setTimeout } from 'node:timers/promises';
import { HOUR_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import type { Demo } from './country.ts';
import type { Planned } from './payments.ts';

/** Not by itself during the history, whose clock moves over days within seconds. */
export const TELL_PAYMENTS = 'tell customers of payments';

export const tellPayments = ({ runTask }: Demo) => runTask(TELL_PAYMENTS);

/** Every hour of this day. Payments before the first time are not told. */
export function toldHourly(demo: Demo, start: number): Planned[] {
  return Array.from({ length: 24 }, (_, hour) => ({
    at: start + hour * HOUR_MS,
    run: async () => void (await tellPayments(demo)),
  }));
}

/** Every second, as the service does by itself elsewhere. Returns what stops it. */
export function keepTelling(demo: Demo, onError: (error: unknown) => void): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async () => {
    while (!signal.aborted) {
      await tellPayments(demo).catch(onError);
      await setTimeout(SECOND_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = loop();
  return () => {
    stopping.abort();
    return running;
  };
}
