// A semaphore with a bounded queue: limits how many tasks run at once and how many wait; rejects the rest.

/** The task was not started; the caller may retry later. */
export class Overloaded extends Error {
  constructor() {
    super('too many requests are waiting');
  }
}

export interface ConcurrencyLimits {
  maxRunning: number;
  maxWaiting: number;
}

/** Runs the task when a slot is free. Rejects with Overloaded, without starting the task, if the queue is full. */
export type RunBounded = <T>(task: () => Promise<T>) => Promise<T>;

export function boundedConcurrency({ maxRunning, maxWaiting }: ConcurrencyLimits): RunBounded {
  let running = 0;
  const waiting: (() => void)[] = [];

  /** Hands the slot to the next waiting task directly, so that a task arriving at this moment cannot take it too. */
  function release(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  return async (task) => {
    if (running < maxRunning) running += 1;
    else if (waiting.length >= maxWaiting) throw new Overloaded();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      release();
    }
  };
}
