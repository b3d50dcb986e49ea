// Works off a queue that is a table, in rounds: claims what is due under a lease, begins it, and goes on while there is more.
import { randomUUID } from 'node:crypto';
import { type Clock, SECOND_MS } from '../kernel/clock.ts';

/** What makes a claim nobody else's until it is recorded, given back, or over. */
export interface Lease {
  lease: string;
  now: Date;
  until: Date;
}

export interface Round extends Lease {
  /** When it began, in performance.now(): the clock may be set, and may differ between gateways. */
  begun: number;
}

export interface RoundsParts<Item> {
  clock: Clock;
  /** From the beginning of one round to that of the next: what becomes due or ends meanwhile goes together. */
  betweenMs?: number;
  /** As far as there is room beside what is under way; deferred is how many were due and put off, with perhaps more behind. */
  claim(round: Round, underWay: ReadonlySet<Item>): Promise<{ claimed: Item[]; deferred: number }>;
  /** Must have ended long before the lease does; rejects to have it given back. */
  carryOut(item: Item, round: Round): Promise<void>;
  release(item: Item, round: Round): Promise<void>;
  /** Whether it rejected because of a stop. Anything else is a fault, and its room stays taken for a moment. */
  isBrokenOff(error: unknown): boolean;
  reportFault(item: Item, error: unknown): void;
}

export interface Rounds {
  /** Begins whatever is due and finds room; resolves when nothing more can be begun, rejects when the database is gone. */
  deliver(): Promise<void>;
  /** The same, without waiting: for who has just committed something. The next round makes up for one that fails. */
  wake(): void;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
  isStopped(): boolean;
  /** Begins nothing more. What is under way gets a moment to end; the rest is broken off, and given back for whoever comes next. */
  stop(last: { graceMs: number; breakOff: () => void }): Promise<void>;
}

/**
 * How long a claim is nobody else's. The work and the writing down of it take far less; the rest is for clocks that
 * differ between gateways. What a killed gateway held is taken up by another after this.
 */
export const LEASE_MS = 60 * SECOND_MS;
/** Before the database is tried again. */
export const PAUSE_MS = SECOND_MS / 2;

export function createRounds<Item>(parts: RoundsParts<Item>): Rounds {
  const { clock, betweenMs = 0 } = parts;
  const underWay = new Set<Item>();
  let stopped = false;
  let again = false;
  let rounds: Promise<void> | null = null;
  let waiting: (() => void)[] = [];

  async function deliver(): Promise<void> {
    again = true;
    rounds ??= roundsWhileDue().finally(() => {
      rounds = null;
      // Asked for in the moment in which the last round was ending.
      if (again) wake();
      tellSettled();
    });
    return rounds;
  }

  /** One after another, never two at once: what ends meanwhile makes room for the next. */
  async function roundsWhileDue(): Promise<void> {
    for (let begun = Number.NEGATIVE_INFINITY; again && !stopped; ) {
      await pause(begun + betweenMs - performance.now());
      again = false;
      begun = performance.now();
      const now = clock.now();
      const round = { lease: randomUUID(), now: new Date(now), until: new Date(now + LEASE_MS), begun };
      const { claimed, deferred } = await parts.claim(round, underWay);
      if (claimed.length + deferred > 0) again = true;
      for (const item of claimed) void work(item, round);
    }
  }

  async function work(item: Item, round: Round): Promise<void> {
    underWay.add(item);
    try {
      await parts.carryOut(item, round);
    } catch (error) {
      if (!parts.isBrokenOff(error)) await afterFault(item, error);
      // If even this fails, the lease runs out.
      await parts.release(item, round).catch(() => undefined);
    }
    underWay.delete(item);
    wake();
    tellSettled();
  }

  /** Most likely the database could not be asked or told; at once it could not either. */
  async function afterFault(item: Item, error: unknown): Promise<void> {
    parts.reportFault(item, error);
    if (!stopped) await pause(PAUSE_MS);
  }

  function wake(): void {
    if (!stopped) deliver().catch(() => undefined);
  }

  function isSettled(): boolean {
    return underWay.size === 0 && rounds === null;
  }

  function tellSettled(): void {
    if (!isSettled()) return;
    for (const tell of waiting) tell();
    waiting = [];
  }

  function settled(): Promise<void> {
    if (isSettled()) return Promise.resolve();
    return new Promise((resolve) => waiting.push(resolve));
  }

  return {
    deliver,
    wake,
    settled,
    isStopped: () => stopped,
    async stop({ graceMs, breakOff }) {
      stopped = true;
      const timer = setTimeout(breakOff, graceMs);
      await settled();
      clearTimeout(timer);
    },
  };
}

export async function pause(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
