// The leased queue: one poll at a time, bounded by free slots, releases after errors and stops, settled when all items ended.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  createLeasedQueue,
  LEASE_MS,
  type LeasedQueue,
  type LeasedQueueOptions,
  type Poll,
  RETRY_DELAY_MS,
} from './leased-queue.ts';

const NOW = Date.UTC(2026, 0, 1);

interface Job {
  name: string;
}

interface TestQueue extends LeasedQueue {
  due: Job[];
  claims: { slots: number; poll: Poll }[];
  started: { name: string; poll: Poll }[];
  released: string[];
  errors: string[];
  /** Ends the job of that name. */
  end(name: string, error?: Error): Promise<void>;
}

/** Jobs in a list, each in progress until the test ends it. */
function queueOf(names: string[], slots: number, options: Partial<LeasedQueueOptions<Job>> = {}): TestQueue {
  const due = names.map((name) => ({ name }));
  const ends = new Map<string, (error?: Error) => void>();
  const seen: Pick<TestQueue, 'claims' | 'started' | 'released' | 'errors'> = {
    claims: [],
    started: [],
    released: [],
    errors: [],
  };
  const queue = createLeasedQueue<Job>({
    clock: { now: () => NOW },
    async claim(poll, inProgress) {
      seen.claims.push({ slots: slots - inProgress.size, poll });
      await nextTurn();
      return { claimed: due.splice(0, slots - inProgress.size), deferred: 0 };
    },
    process({ name }, poll) {
      seen.started.push({ name, poll });
      return new Promise((resolve, reject) => ends.set(name, (error) => (error ? reject(error) : resolve())));
    },
    release: async ({ name }) => void seen.released.push(name),
    isInterrupted: (error) => error instanceof Interrupted,
    onError: ({ name }, error) => void seen.errors.push(`${name}: ${error}`),
    ...options,
  });
  async function end(name: string, error?: Error): Promise<void> {
    ends.get(name)?.(error);
    await turns();
  }
  return { ...queue, ...seen, due, end };
}

class Interrupted extends Error {}

const names = (queue: TestQueue) => queue.started.map(({ name }) => name);

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

async function isPending(promise: Promise<void>): Promise<boolean> {
  let pending = true;
  promise.finally(() => {
    pending = false;
  });
  await turns();
  return pending;
}

function withTimers(t: TestContext): (ms: number) => Promise<void> {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  return async (ms) => {
    t.mock.timers.tick(ms);
    await turns();
  };
}

test('due items start while slots are free, and an item that ends frees its slot', async () => {
  const queue = queueOf(['a', 'b', 'c'], 2);
  await queue.deliver();
  assert.deepEqual(names(queue), ['a', 'b']);
  await queue.end('a');
  assert.deepEqual(names(queue), ['a', 'b', 'c']);
  assert.deepEqual([queue.released, queue.errors], [[], []]);
});

test('each poll has its own lease, which starts now', async () => {
  const queue = queueOf(['a', 'b'], 1);
  await queue.deliver();
  await queue.end('a');
  const [first, second] = queue.started.map(({ poll }) => poll);
  assert.ok(first && second);
  assert.notEqual(first.lease, second.lease);
  assert.deepEqual([first.now, first.until], [new Date(NOW), new Date(NOW + LEASE_MS)]);
  assert.ok(second.startedAt >= first.startedAt);
});

test('polls do not overlap, and a request during a poll causes a second', async () => {
  const queue = queueOf([], 1);
  const first = queue.deliver();
  await nextTurn();
  queue.due.push({ name: 'late' });
  queue.wake();
  const second = queue.deliver();
  assert.equal(queue.claims.length, 1);
  await Promise.all([first, second]);
  assert.deepEqual(names(queue), ['late']);
});

test('deferred items cause another poll, because more may follow them', async () => {
  const deferred = [1, 0];
  let claims = 0;
  const queue = queueOf([], 1, { claim: async () => ({ claimed: [], deferred: deferred[claims++] ?? 0 }) });
  await queue.deliver();
  assert.equal(claims, 2);
});

test('items that become due between two polls are claimed together', async (t) => {
  const advance = withTimers(t);
  const queue = queueOf(['a'], 10, { minIntervalMs: 60_000 });
  void queue.deliver();
  await turns();
  queue.due.push({ name: 'b' }, { name: 'c' });
  queue.wake();
  await turns();
  assert.deepEqual([queue.claims.length, names(queue)], [1, ['a']]);
  await advance(60_000);
  assert.deepEqual([queue.claims.length, names(queue)], [2, ['a', 'b', 'c']]);
});

test('a claim that fails rejects deliver but not wake, and the next claim is made', async () => {
  let isUnavailable = true;
  const queue = queueOf([], 1, {
    async claim() {
      if (isUnavailable) throw new Error('unavailable');
      return { claimed: [], deferred: 0 };
    },
  });
  await assert.rejects(queue.deliver(), /unavailable/);
  queue.wake();
  await queue.settled();
  isUnavailable = false;
  await queue.deliver();
});

test('a request during a poll that fails causes a second', async () => {
  let claims = 0;
  const queue = queueOf([], 1, {
    async claim() {
      const claim = ++claims;
      await nextTurn();
      if (claim === 1) throw new Error('unavailable');
      return { claimed: [], deferred: 0 };
    },
  });
  const first = queue.deliver();
  await Promise.resolve();
  queue.wake();
  await assert.rejects(first, /unavailable/);
  await queue.settled();
  assert.equal(claims, 2);
});

test('an item that fails is reported, and released after a delay in which its slot stays taken', async (t) => {
  const advance = withTimers(t);
  const queue = queueOf(['a', 'b'], 1);
  await queue.deliver();
  await queue.end('a', new Error('no'));
  assert.deepEqual(queue.errors, ['a: Error: no']);
  assert.deepEqual([queue.released, names(queue)], [[], ['a']]);
  await advance(RETRY_DELAY_MS);
  assert.deepEqual([queue.released, names(queue)], [['a'], ['a', 'b']]);
});

test('an item that cannot be released is left to its lease, and frees its slot', async () => {
  const queue = queueOf(['a', 'b'], 1, { release: () => Promise.reject(new Error('unavailable')) });
  await queue.deliver();
  await queue.end('a', new Interrupted());
  assert.deepEqual(names(queue), ['a', 'b']);
});

test('the queue is settled when no poll and no item is in progress', async () => {
  const queue = queueOf(['a'], 1);
  await queue.settled();
  void queue.deliver();
  const settled = queue.settled();
  assert.ok(await isPending(settled));
  await queue.end('a');
  await settled;
});

test('after a stop nothing starts, and the stop ends with the items in progress', async () => {
  const queue = queueOf(['a', 'b'], 1);
  await queue.deliver();
  const stop = queue.stop({ graceMs: 1_000, interrupt: () => assert.fail('the grace period is not over') });
  assert.equal(queue.isStopped(), true);
  queue.wake();
  assert.ok(await isPending(stop));
  await queue.end('a');
  await stop;
  await queue.deliver();
  assert.deepEqual([names(queue), queue.released], [['a'], []]);
});

test('an item that outlasts the grace period is interrupted, and released without a report or a delay', async (t) => {
  const advance = withTimers(t);
  const queue = queueOf(['a'], 1);
  await queue.deliver();
  const stop = queue.stop({ graceMs: 1_000, interrupt: () => void queue.end('a', new Interrupted()) });
  assert.ok(await isPending(stop));
  await advance(1_000);
  await stop;
  assert.deepEqual([queue.released, queue.errors], [['a'], []]);
});

test('an item that fails during a stop is released without a delay', async (t) => {
  withTimers(t);
  const queue = queueOf(['a'], 1);
  await queue.deliver();
  const stop = queue.stop({ graceMs: 60_000, interrupt: () => assert.fail('the grace period is not over') });
  await queue.end('a', new Error('no'));
  assert.deepEqual([queue.released, queue.errors], [['a'], ['a: Error: no']]);
  await stop;
});
