// Works off a table of messages: so many at once, each of which can be broken off by a signal.
import { createRounds, type Lease, type Rounds } from '../../db/leased-queue.ts';
import { type Clock, SECOND_MS } from '../../kernel/clock.ts';

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

export interface Drain extends Pick<Rounds, 'deliver' | 'wake' | 'settled'> {
  /** What is under way gets a moment to end; the rest is given back for whoever comes next. */
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
      // Whatever ends makes room, and asks again.
      return { claimed: limit > 0 ? await context.claim(limit, round) : [], deferred: 0 };
    },
    async carryOut(item, { lease }) {
      signal.throwIfAborted();
      await context.carryOut(item, lease, signal);
    },
    release: ({ id }, { lease }) => context.release(id, lease),
    isBrokenOff: () => signal.aborted,
    reportFault({ id }, error) {
      report('a message was not dealt with and will be taken up again', { message_id: id, error });
    },
  });

  return { deliver, wake, settled, stop: () => stop({ graceMs: GRACE_MS, breakOff: () => breaking.abort() }) };
}
