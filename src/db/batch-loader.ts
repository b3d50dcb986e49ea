// A small data-loader: look-ups that arrive while one query is in flight travel together in the next.
export type Load<Key, Value> = (key: Key) => Promise<Value>;

export interface BatchOptions<Key, Value> {
  /** Answers for the keys, in their order. */
  fetch(keys: Key[]): Promise<Value[]>;
  maxBatch?: number;
}

interface Waiting<Key, Value> {
  key: Key;
  since: number;
  resolve(value: Value): void;
  reject(reason: unknown): void;
}

/**
 * When everything that has arrived by now has been looked at. A promise would resolve after the first connection read;
 * this waits for all that were ready, and costs an idle service a few microseconds.
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

/** One for all who wait in a turn: what they then send to the database leaves in one write. */
let turn: Promise<void> | null = null;

const PATIENCE_MS = 1_000;

/** No timers: an idle loader queries at once, a busy one gathers until the query in flight is back. */
export function batchLoader<Key, Value>({ fetch, maxBatch = 512 }: BatchOptions<Key, Value>): Load<Key, Value> {
  let queue: Waiting<Key, Value>[] = [];
  let busy = false;

  async function drain(): Promise<void> {
    busy = true;
    while (queue.length > 0) {
      await endOfTurn();
      const batch = queue.slice(0, maxBatch);
      queue = queue.slice(maxBatch);
      await serve(batch);
    }
    busy = false;
  }

  async function serve(batch: Waiting<Key, Value>[]): Promise<void> {
    try {
      const values = await fetch(batch.map((waiting) => waiting.key));
      for (const [index, waiting] of batch.entries()) waiting.resolve(values[index] as Value);
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
      rejectPatient(error);
    }
  }

  /** After a failure, whoever has waited long is not made to wait for another one. */
  function rejectPatient(error: unknown): void {
    const now = performance.now();
    for (const waiting of queue) if (now - waiting.since > PATIENCE_MS) waiting.reject(error);
    queue = queue.filter((waiting) => now - waiting.since <= PATIENCE_MS);
  }

  return (key) => {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    queue.push({ key, since: performance.now(), resolve, reject });
    if (!busy) void drain();
    return promise;
  };
}
