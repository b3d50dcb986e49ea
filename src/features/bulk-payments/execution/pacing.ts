// Makes room for live payments: while others pay, bulk payments rest for most of the time.
import { delay } from '../../../db/leased-queue.ts';
import { SECOND_MS } from '../../../kernel/clock.ts';
import type { ExecutionContext } from './context.ts';

/** Of the time that a chunk took. */
const REST = 3;
const LONGEST_REST_MS = 2 * SECOND_MS;
/** A chunk that takes so much longer than the fastest one shares the machine, maybe with the payments of another gateway. */
const SLOW = 2;
/** The fastest time is forgotten slowly: the database grows. */
const FORGETTING = 1.01;

export function createPacing({ livePayments }: Pick<ExecutionContext, 'livePayments'>) {
  let fastestPerRow = Number.POSITIVE_INFINITY;

  return async function pace<Result>(rows: number, work: () => Promise<Result>): Promise<Result> {
    const [before, startedAt] = [livePayments(), performance.now()];
    const result = await work();
    const tookMs = performance.now() - startedAt;
    const perRow = tookMs / rows;
    const isShared = livePayments() - before > rows || perRow > SLOW * fastestPerRow;
    fastestPerRow = Math.min(fastestPerRow * FORGETTING, perRow);
    if (isShared) await delay(Math.min(REST * tookMs, LONGEST_REST_MS));
    return result;
  };
}
