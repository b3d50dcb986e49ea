// Remembers which request ids this gateway wrote lately: only these are looked up before a batch is written.

import type { MovementRequest } from '../types.ts';
import { requestMapKey } from './decide.ts';

const MAX_REMEMBERED = 50_000;
/** After a request id that was not remembered but existed, all are looked up for this time. */
const CAUTION_MS = 10_000;

/**
 * Nearly all request ids are new, and the primary key of the stored requests guarantees it: a batch that repeats an older
 * one is rejected as a whole, and then repeated with a look-up. Repeats nearly always follow soon, so that the ids written
 * lately are looked up at once; and whoever repeats old ones makes no more batches fail than one in ten seconds.
 */
export class RecentRequests {
  private young = new Set<string>();
  private old = new Set<string>();
  private cautiousUntil = 0;

  /** Those that may have been written before. */
  mayExist(requests: readonly MovementRequest[]): readonly MovementRequest[] {
    if (performance.now() < this.cautiousUntil) return requests;
    return requests.filter((request) => {
      const key = requestMapKey(request);
      return this.young.has(key) || this.old.has(key);
    });
  }

  add(requests: readonly MovementRequest[]): void {
    for (const request of requests) this.young.add(requestMapKey(request));
    if (this.young.size < MAX_REMEMBERED) return;
    this.old = this.young;
    this.young = new Set();
  }

  /** A batch was rejected because of a request id that exists. */
  wasSurprised(): void {
    this.cautiousUntil = performance.now() + CAUTION_MS;
  }
}
