// Remembers which request ids this gateway wrote lately: only these are looked up before a batch is written.

import type { MovementRequest } from '../types.ts';

const MAX_REMEMBERED = 50_000;
/** After a request id that was not remembered but existed, all are looked up for this time. */
const CAUTION_MS = 10_000;

/**
 * Nearly all request ids are new, and the primary key of the stored requests guarantees it: a batch that repeats an older
 * one is rejected as a whole, and then repeated with a look-up. Repeats nearly always follow soon, so that the ids written
 * lately are looked up at once; and whoever repeats old ones makes no more batches fail than one in ten seconds.
 */
export class RecentRequests {
  /** Hashes: numbers of 32 bits are no objects for V8. Of a million new ids, 23 seem to be among the remembered ones. */
  private young = new Set<number>();
  private old = new Set<number>();
  private cautiousUntil = 0;

  /** Those that may have been written before. */
  mayExist(requests: readonly MovementRequest[]): readonly MovementRequest[] {
    if (performance.now() < this.cautiousUntil) return requests;
    return requests.filter((request) => {
      const hash = hashOf(request);
      return this.young.has(hash) || this.old.has(hash);
    });
  }

  add(requests: readonly MovementRequest[]): void {
    for (const request of requests) this.young.add(hashOf(request));
    if (this.young.size < MAX_REMEMBERED) return;
    [this.old, this.young] = [this.young, new Set()];
  }

  /** A batch was rejected because of a request id that exists. */
  wasSurprised(): void {
    this.cautiousUntil = performance.now() + CAUTION_MS;
  }
}

// Multiplier and start of the FNV-1a hash.
const [FNV_PRIME, FNV_START] = [0x01000193, 0x811c9dc5];

/** 32 bits. The length keeps apart what belongs to the scope and what to the id. */
function hashOf({ scope, id }: MovementRequest): number {
  return addText(addText(Math.imul(FNV_START ^ scope.length, FNV_PRIME), scope), id);
}

function addText(start: number, text: string): number {
  let hash = start;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  return hash;
}
