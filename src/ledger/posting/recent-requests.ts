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
  private young = new Filter();
  private old = new Filter();
  private cautiousUntil = 0;

  /** Those that may have been written before. */
  mayExist(requests: readonly MovementRequest[]): readonly MovementRequest[] {
    if (performance.now() < this.cautiousUntil) return requests;
    return requests.filter((request) => {
      const hash = hashOf(request);
      return this.young.mayHave(hash) || this.old.mayHave(hash);
    });
  }

  add(requests: readonly MovementRequest[]): void {
    for (const request of requests) this.young.add(hashOf(request));
    if (this.young.size < MAX_REMEMBERED) return;
    [this.old, this.young] = [this.young, this.old];
    this.young.clear();
  }

  /** A batch was rejected because of a request id that exists. */
  wasSurprised(): void {
    this.cautiousUntil = performance.now() + CAUTION_MS;
  }
}

// With two bits per id and as many ids as are remembered, one in two thousand others seems to be among them.
const BITS = 2 ** 22;
// Multiplier and start of the FNV-1a hash; the golden ratio spreads its bits.
const [FNV_PRIME, FNV_START, GOLDEN] = [0x01000193, 0x811c9dc5, 0x9e3779b1];

/** A Bloom filter: half a megabyte whatever the ids are. A set would keep the texts of all of them. */
class Filter {
  size = 0;
  private readonly bits = new Uint8Array(BITS / 8);

  add(hash: number): void {
    this.size += 1;
    this.mark(hash);
    this.mark(Math.imul(hash, GOLDEN));
  }

  mayHave(hash: number): boolean {
    return this.isMarked(hash) && this.isMarked(Math.imul(hash, GOLDEN));
  }

  clear(): void {
    this.size = 0;
    this.bits.fill(0);
  }

  private mark(hash: number): void {
    const bit = hash >>> 10;
    this.bits[bit >>> 3] = (this.bits[bit >>> 3] as number) | (1 << (bit & 7));
  }

  private isMarked(hash: number): boolean {
    const bit = hash >>> 10;
    return ((this.bits[bit >>> 3] as number) & (1 << (bit & 7))) !== 0;
  }
}

/** 32 bits. The length keeps apart what belongs to the scope and what to the id. */
function hashOf({ scope, id }: MovementRequest): number {
  return addText(addText(Math.imul(FNV_START ^ scope.length, FNV_PRIME), scope), id);
}

function addText(start: number, text: string): number {
  let hash = start;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  return hash;
}
