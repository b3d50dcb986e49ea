// Processes a table of messages with bounded concurrency. A signal aborts the items in progress.
import { createRounds, type Lease, type Rounds } from '../../db/leased-queue.ts';
import { type Clock, SECOND_MS } from '../../kernel/clock.ts';

export interface DrainParts<Item extends { id: string }> {
  clock: Clock;
  /** The most items in progress in this process. */
  room: number;
  claim(limit: number, lease: Lease): Promise<Item[]>;
  /** Must end well before the lease expires. A rejection releases the item. */
  carryOut(item: Item, lease: string, signal: AbortSignal): Promise<void>;
  release(id: string, lease: string): Promise<void>;
  report(message: string, details: Record<string, unknown>): void;
}

export interface Drain extends Pick<Rounds, 'deliver' | 'wake' | 'settled'> {
  /** Waits a few seconds for items in progress, then releases the rest for other gateways. */
  stop(): Promise<void>;
}

const GRACE_MS = 5 * SECOND_MS;

export function createDrain<Item extends { id: string }>(context: DrainParts<Item>): Drain {
  const { clock, room, report } = context;
  const breaking = new AbortController();
  const { signal } = breaking;

  const { deliver, wake, settled, stop } = createRounds<Item>({
    clock,
    async claim(round, underWay) {
      const limit = room - underWay.size;
      // Each finished item frees its slot and starts another claim.
      return { claimed: limit > 0 ? await context.claim(limit, round) : [], deferred: 0 };
    },
    async carryOut(item, { lease }) {
      signal.throwIfAborted();
      await context.carryOut(item, lease, signal);
    },
    release: ({ id }, { lease }) => context.release(id, lease),
    isBrokenOff: () => signal.aborted,
    reportFault({ id }, error) {
      report('a message was not processed and will be retried', { message_id: id, error });
    },
  });

  return { deliver, wake, settled, stop: () => stop({ graceMs: GRACE_MS, breakOff: () => breaking.abort() }) };
}
