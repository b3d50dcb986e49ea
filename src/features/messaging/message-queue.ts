// Processes a table of messages with bounded concurrency. A signal aborts the items in progress.
import { createLeasedQueue, type Lease, type LeasedQueue } from '../../db/leased-queue.ts';
import { type Clock, SECOND_MS } from '../../kernel/clock.ts';

export interface MessageQueueOptions<Item extends { id: string }> {
  clock: Clock;
  /** The most items in progress in this process. */
  slots: number;
  claim(limit: number, lease: Lease): Promise<Item[]>;
  /** Must end well before the lease expires. A rejection releases the item. */
  process(item: Item, lease: string, signal: AbortSignal): Promise<void>;
  release(id: string, lease: string): Promise<void>;
  report(message: string, details: Record<string, unknown>): void;
}

export interface MessageQueue extends Pick<LeasedQueue, 'deliver' | 'wake' | 'settled'> {
  /** Waits a few seconds for items in progress, then releases the rest for other gateways. */
  stop(): Promise<void>;
}

const GRACE_MS = 5 * SECOND_MS;

export function createMessageQueue<Item extends { id: string }>(options: MessageQueueOptions<Item>): MessageQueue {
  const { clock, slots, report } = options;
  const aborting = new AbortController();
  const { signal } = aborting;

  const { deliver, wake, settled, stop } = createLeasedQueue<Item>({
    clock,
    async claim(poll, inProgress) {
      const limit = slots - inProgress.size;
      // Each finished item frees its slot and starts another claim.
      return { claimed: limit > 0 ? await options.claim(limit, poll) : [], deferred: 0 };
    },
    async process(item, { lease }) {
      signal.throwIfAborted();
      await options.process(item, lease, signal);
    },
    release: ({ id }, { lease }) => options.release(id, lease),
    isInterrupted: () => signal.aborted,
    onError({ id }, error) {
      report('a message was not processed and will be retried', { message_id: id, error });
    },
  });

  return { deliver, wake, settled, stop: () => stop({ graceMs: GRACE_MS, interrupt: () => aborting.abort() }) };
}
