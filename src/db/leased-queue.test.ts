// Rounds over a queue: one at a time, as far as there is room, given back after a fault or a stop, settled when all has ended.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { createRounds, LEASE_MS, PAUSE_MS, type Round, type Rounds, type RoundsParts } from './leased-queue.ts';

const NOW = Date.UTC(2026, 0, 1);

interface Job {
  name: string;
}

interface Queue extends Rounds {
  due: Job[];
  claims: { room: number; round: Round }[];
  begun: { name: string; round: Round }[];
  released: string[];
  faults: string[];
  /** Ends what is under way by that name. */
  end(name: string, error?: Error): Promise<void>;
}

/** Jobs in a list, each under way until it is told to end. */
function queueOf(names: string[], room: number, parts: Partial<RoundsParts<Job>> = {}): Queue {
  const due = names.map((name) => ({ name }));
  const ends = new Map<string, (error?: Error) => void>();
  const seen: Pick<Queue, 'claims' | 'begun' | 'released' | 'faults'> = {
    claims: [],
    begun: [],
    released: [],
    faults: [],
  };
  const rounds = createRounds<Job>({
    clock: { now: () => NOW },
    async claim(round, underWay) {
      seen.claims.push({ room: room - underWay.size, round });
      await endOfTurn();
      return { claimed: due.splice(0, room - underWay.size), deferred: 0 };
    },
    carryOut({ name }, round) {
      seen.begun.push({ name, round });
      return new Promise((resolve, reject) => ends.set(name, (error) => (error ? reject(error) : resolve())));
    },
    release: async ({ name }) => void seen.released.push(name),
    isBrokenOff: (error) => error instanceof Stopped,
    reportFault: ({ name }, error) => void seen.faults.push(`${name}: ${error}`),
    ...parts,
  });
  async function end(name: string, error?: Error): Promise<void> {
    ends.get(name)?.(error);
    await turns();
  }
  return { ...rounds, ...seen, due, end };
}

class Stopped extends Error {}

const names = (queue: Queue) => queue.begun.map(({ name }) => name);

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await endOfTurn();
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

test('what is due is begun as far as there is room; what ends makes room for the next', async () => {
  const queue = queueOf(['a', 'b', 'c'], 2);
  await queue.deliver();
  assert.deepEqual(names(queue), ['a', 'b']);
  await queue.end('a');
  assert.deepEqual(names(queue), ['a', 'b', 'c']);
  assert.deepEqual([queue.released, queue.faults], [[], []]);
});

test('each round has a lease of its own, from now until it ends', async () => {
  const queue = queueOf(['a', 'b'], 1);
  await queue.deliver();
  await queue.end('a');
  const [first, second] = queue.begun.map(({ round }) => round);
  assert.ok(first && second);
  assert.notEqual(first.lease, second.lease);
  assert.deepEqual([first.now, first.until], [new Date(NOW), new Date(NOW + LEASE_MS)]);
  assert.ok(second.begun >= first.begun);
});

test('there are never two rounds at once, and what is asked for during one is looked for after it', async () => {
  const queue = queueOf([], 1);
  const first = queue.deliver();
  await endOfTurn();
  queue.due.push({ name: 'late' });
  queue.wake();
  const second = queue.deliver();
  assert.equal(queue.claims.length, 1);
  await Promise.all([first, second]);
  assert.deepEqual(names(queue), ['late']);
});

test('what was put off may have more behind it: there is another round', async () => {
  const deferred = [1, 0];
  let claims = 0;
  const queue = queueOf([], 1, { claim: async () => ({ claimed: [], deferred: deferred[claims++] ?? 0 }) });
  await queue.deliver();
  assert.equal(claims, 2);
});

test('between two rounds there is a pause, and what becomes due in it goes together', async (t) => {
  const advance = withTimers(t);
  const queue = queueOf(['a'], 10, { betweenMs: 60_000 });
  void queue.deliver();
  await turns();
  queue.due.push({ name: 'b' }, { name: 'c' });
  queue.wake();
  await turns();
  assert.deepEqual([queue.claims.length, names(queue)], [1, ['a']]);
  await advance(60_000);
  assert.deepEqual([queue.claims.length, names(queue)], [2, ['a', 'b', 'c']]);
});

test('a claim that fails is told to who waits for it, not to who only wakes; the next one is made', async () => {
  let isGone = true;
  const queue = queueOf([], 1, {
    async claim() {
      if (isGone) throw new Error('gone');
      return { claimed: [], deferred: 0 };
    },
  });
  await assert.rejects(queue.deliver(), /gone/);
  queue.wake();
  await queue.settled();
  isGone = false;
  await queue.deliver();
});

test('what was asked for during a round that fails is looked for in another', async () => {
  let claims = 0;
  const queue = queueOf([], 1, {
    async claim() {
      const claim = ++claims;
      await endOfTurn();
      if (claim === 1) throw new Error('gone');
      return { claimed: [], deferred: 0 };
    },
  });
  const first = queue.deliver();
  await Promise.resolve();
  queue.wake();
  await assert.rejects(first, /gone/);
  await queue.settled();
  assert.equal(claims, 2);
});

test('after a fault it is reported and, a moment later, given back; until then its room is taken', async (t) => {
  const advance = withTimers(t);
  const queue = queueOf(['a', 'b'], 1);
  await queue.deliver();
  await queue.end('a', new Error('no'));
  assert.deepEqual(queue.faults, ['a: Error: no']);
  assert.deepEqual([queue.released, names(queue)], [[], ['a']]);
  await advance(PAUSE_MS);
  assert.deepEqual([queue.released, names(queue)], [['a'], ['a', 'b']]);
});

test('what cannot be given back is left to its lease, and makes room', async () => {
  const queue = queueOf(['a', 'b'], 1, { release: () => Promise.reject(new Error('gone')) });
  await queue.deliver();
  await queue.end('a', new Stopped());
  assert.deepEqual(names(queue), ['a', 'b']);
});

test('it is settled when no round and nothing of one is under way', async () => {
  const queue = queueOf(['a'], 1);
  await queue.settled();
  void queue.deliver();
  const settled = queue.settled();
  assert.ok(await isPending(settled));
  await queue.end('a');
  await settled;
});

test('once stopped nothing is begun, and the stop ends with what is under way', async () => {
  const queue = queueOf(['a', 'b'], 1);
  await queue.deliver();
  const stop = queue.stop({ graceMs: 1_000, breakOff: () => assert.fail('there was time') });
  assert.equal(queue.isStopped(), true);
  queue.wake();
  assert.ok(await isPending(stop));
  await queue.end('a');
  await stop;
  await queue.deliver();
  assert.deepEqual([names(queue), queue.released], [['a'], []]);
});

test('what has not ended in its moment is broken off, and given back without a word or a pause', async (t) => {
  const advance = withTimers(t);
  const queue = queueOf(['a'], 1);
  await queue.deliver();
  const stop = queue.stop({ graceMs: 1_000, breakOff: () => void queue.end('a', new Stopped()) });
  assert.ok(await isPending(stop));
  await advance(1_000);
  await stop;
  assert.deepEqual([queue.released, queue.faults], [['a'], []]);
});

test('a fault during a stop is given back without a pause', async (t) => {
  withTimers(t);
  const queue = queueOf(['a'], 1);
  await queue.deliver();
  const stop = queue.stop({ graceMs: 60_000, breakOff: () => assert.fail('there was time') });
  await queue.end('a', new Error('no'));
  assert.deepEqual([queue.released, queue.faults], [['a'], ['a: Error: no']]);
  await stop;
});
