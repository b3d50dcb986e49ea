// Works off a queue that is a table: claims what is due as far as there is room, carries it out, and goes on.
import { randomUUID } from 'node:crypto';
import { type Clock, SECOND_MS } from '../../kernel/clock.ts';

/** What makes a claim nobody else's until it is recorded, given back, or over. */
export interface Lease {
  lease: string;
  now: Date;
  until: Date;
}

export interface DrainParts<Item extends { id: string }> {
  clock: Clock;
  /** How many are under way at most in this process. */
  room: number;
  claim(limit: number, lease: Lease): Promise<Item[]>;
  /** Must have ended long before the lease does; rejects to have it given back. */
  carryOut(item: Item, lease: string, signal: AbortSignal): Promise<void>;
  release(id: string, lease: string): Promise<void>;
  report(message: string, details: Record<string, unknown>): void;
}

export interface Drain {
  /** Begins whatever is due and finds room; rejects when the database is gone. */
  deliver(): Promise<void>;
  /** The same, without waiting. The next round makes up for one that fails. */
  wake(): void;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
  /** What is under way gets a moment to end; the rest is given back for whoever comes next. */
  stop(): Promise<void>;
}

/** What a killed gateway held is taken up by another after this. */
export const LEASE_MS = 60 * SECOND_MS;
const GRACE_MS = 5 * SECOND_MS;
// Before the database is tried again.
const PAUSE_MS = SECOND_MS / 2;

export function createDrain<Item extends { id: string }>(parts: DrainParts<Item>): Drain {
  const { clock, room, report } = parts;
  const stopping = new AbortController();
  let stopped = false;
  let again = false;
  let held = 0;
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

  async function roundsWhileDue(): Promise<void> {
    while (again && !stopped) {
      again = false;
      // Whatever ends makes room, and asks again.
      if (held >= room) return;
      const now = clock.now();
      const lease = randomUUID();
      const claimed = await parts.claim(room - held, { lease, now: new Date(now), until: new Date(now + LEASE_MS) });
      if (claimed.length > 0) again = true;
      for (const item of claimed) void work(item, lease);
    }
  }

  async function work(item: Item, lease: string): Promise<void> {
    held += 1;
    try {
      stopping.signal.throwIfAborted();
      await parts.carryOut(item, lease, stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) await afterFault(item, error);
      // If even this fails, the lease runs out.
      await parts.release(item.id, lease).catch(() => undefined);
    }
    held -= 1;
    wake();
    tellSettled();
  }

  async function afterFault({ id }: Item, error: unknown): Promise<void> {
    report('a message was not dealt with and will be taken up again', { message_id: id, error });
    if (!stopped) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }

  function wake(): void {
    if (!stopped) deliver().catch(() => undefined);
  }

  function tellSettled(): void {
    if (held > 0 || rounds !== null) return;
    for (const tell of waiting) tell();
    waiting = [];
  }

  function settled(): Promise<void> {
    if (held === 0 && rounds === null) return Promise.resolve();
    return new Promise((resolve) => waiting.push(resolve));
  }

  return {
    deliver,
    wake,
    settled,
    async stop() {
      stopped = true;
      const timer = setTimeout(() => stopping.abort(), GRACE_MS);
      await settled();
      clearTimeout(timer);
    },
  };
}
