// Batches look-ups (the DataLoader pattern): keys that arrive while a query is in flight share the next one.
import { onPrimary } from '../kernel/read-context.ts';
import { currentTrace, inTrace, type Trace } from '../kernel/tracing.ts';

export type Load<Key, Value> = (key: Key) => Promise<Value>;

export interface BatchOptions<Key, Value> {
  /** Returns the values in the order of the keys. */
  fetch(keys: Key[]): Promise<Value[]>;
  maxBatch?: number;
}

interface PendingLookup<Key, Value> {
  key: Key;
  since: number;
  trace: Trace | null;
  resolve(value: Value): void;
  reject(reason: unknown): void;
}

/** Shared by all callers of one iteration of the event loop, so that the statements they then send share a pipeline. */
let turn: Promise<void> | null = null;

/**
 * Resolves when all events of this iteration of the event loop have been handled. A resolved promise would continue after
 * the first socket that was read; this waits for all sockets that were ready, and costs an idle service a few microseconds.
 */
export function endOfTurn(): Promise<void> {
  turn ??= new Promise((resolve) =>
    setImmediate(() => {
      turn = null;
      resolve();
    }),
  );
  return turn;
}

/** After a failed query, keys that have waited longer fail too instead of waiting for another query. */
const MAX_WAIT_MS = 1_000;

/** Has no timers: an idle loader queries at the end of the iteration, a busy one collects keys until its query ends. */
export function batchLoader<Key, Value>({ fetch, maxBatch = 512 }: BatchOptions<Key, Value>): Load<Key, Value> {
  let queue: PendingLookup<Key, Value>[] = [];
  let busy = false;

  async function drain(): Promise<void> {
    busy = true;
    while (queue.length > 0) {
      await endOfTurn();
      const batch = queue.slice(0, maxBatch);
      queue = queue.slice(maxBatch);
      await load(batch);
    }
    busy = false;
  }

  async function load(batch: PendingLookup<Key, Value>[]): Promise<void> {
    try {
      const keys = batch.map((waiting) => waiting.key);
      const values = await inTrace(batch[0]?.trace ?? null, () => onPrimary(() => fetch(keys)));
      for (const [index, waiting] of batch.entries()) waiting.resolve(values[index] as Value);
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
      rejectOverdue(error);
    }
  }

  function rejectOverdue(error: unknown): void {
    const now = performance.now();
    for (const waiting of queue) if (now - waiting.since > MAX_WAIT_MS) waiting.reject(error);
    queue = queue.filter((waiting) => now - waiting.since <= MAX_WAIT_MS);
  }

  return (key) => {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    queue.push({ key, since: performance.now(), trace: currentTrace(), resolve, reject });
    if (!busy) void inTrace(null, drain);
    return promise;
  };
}
