// Admission control: bursts are queued and admitted in order, sustained overload is rejected, the target delay adapts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AdmissionControl } from './admission-control.ts';

const LIMIT = 100;
/** The target delay before any service time is measured, and the lateness that counts as overload. */
const TARGET_MS = 100;
const OVERLOAD_MS = 3 * TARGET_MS;

/** Admission control with a manual clock, and all requests: waiting (null), admitted or rejected. */
function setup() {
  let time = 1_000;
  const admission = new AdmissionControl({ limit: LIMIT, now: () => time });
  const requests: { admitted: boolean | null; decidedAt: number }[] = [];
  const arrive = (count: number) => {
    for (let n = 0; n < count; n++) {
      const request = { admitted: null as boolean | null, decidedAt: 0 };
      requests.push(request);
      const decide = (admitted: boolean) => Object.assign(request, { admitted, decidedAt: time });
      const decision = admission.enter();
      if (typeof decision === 'boolean') decide(decision);
      else void decision.then(decide);
    }
  };
  return {
    admission,
    requests,
    arrive,
    settled: () => new Promise<void>((resolve) => setImmediate(resolve)),
    advance: (ms: number) => {
      time += ms;
    },
    leave: (count: number, took: number) => {
      for (let n = 0; n < count; n++) admission.leave(time - took);
    },
    count: (admitted: boolean | null) => requests.filter((request) => request.admitted === admitted).length,
  };
}

/** All slots are in use, and the queue has been late for long enough to count as overload. */
async function overloaded() {
  const started = setup();
  started.arrive(LIMIT + 5);
  started.advance(OVERLOAD_MS + 1);
  started.admission.sweep();
  await started.settled();
  return started;
}

describe('a burst', () => {
  test('waits while all slots are in use, and is admitted as slots become free', async () => {
    const { admission, arrive, leave, settled, count } = setup();
    arrive(LIMIT + 10);
    assert.equal(count(true), LIMIT);
    assert.equal(admission.state().waiting, 10);
    leave(4, 1);
    await settled();
    assert.equal(count(true), LIMIT + 4);
    leave(6, 1);
    await settled();
    assert.deepEqual([count(true), count(false), admission.state().waiting], [LIMIT + 10, 0, 0]);
  });

  test('is admitted completely, first come first served', async () => {
    const { requests, arrive, leave, advance, settled, count } = setup();
    arrive(LIMIT);
    arrive(80);
    for (let wave = 0; wave < 8; wave++) {
      advance(OVERLOAD_MS / 10);
      leave(10, 25);
      await settled();
    }
    assert.deepEqual([count(true), count(false)], [LIMIT + 80, 0]);
    const decided = requests.map(({ decidedAt }) => decidedAt);
    assert.deepEqual(
      decided,
      decided.toSorted((a, b) => a - b),
    );
  });

  test('may queue at most eight times the limit', () => {
    const { arrive, count } = setup();
    arrive(LIMIT + 8 * LIMIT + 3);
    assert.equal(count(false), 3);
  });

  test('is not overload if the queue is never empty but never late', async () => {
    const { admission, arrive, leave, advance, settled, count } = setup();
    arrive(LIMIT + 60);
    for (let round = 0; round < 50; round++) {
      advance(TARGET_MS / 5);
      leave(20, 25);
      arrive(20);
      await settled();
      assert.ok(admission.state().waiting > 0);
    }
    assert.equal(count(false), 0);
  });

  test('is not overload if it follows other bursts', async () => {
    const { arrive, leave, advance, settled, count } = setup();
    arrive(LIMIT);
    for (let burst = 0; burst < 10; burst++) {
      arrive(50);
      advance(OVERLOAD_MS / 2);
      leave(50, 25);
      await settled();
    }
    assert.equal(count(false), 0);
  });
});

describe('sustained overload', () => {
  test('is rejected after the target delay, even if no request finishes', async () => {
    const { admission, count } = await overloaded();
    assert.equal(count(false), 5);
    assert.deepEqual([admission.state().waiting, admission.state().rejected], [0, 5]);
  });

  test('limits the queue to half of the limit and rejects further requests on arrival', async () => {
    const { admission, arrive, count } = await overloaded();
    arrive(LIMIT / 2);
    assert.equal(admission.state().waiting, LIMIT / 2);
    assert.ok(admission.rejects());
    arrive(1);
    assert.equal(count(false), 6);
    assert.equal(admission.state().rejected, 7);
  });

  test('admits the newest requests first', async () => {
    const { requests, arrive, advance, leave, settled } = await overloaded();
    arrive(1);
    advance(1);
    arrive(1);
    leave(1, 25);
    await settled();
    assert.deepEqual(
      requests.slice(-2).map(({ admitted }) => admitted),
      [null, true],
    );
  });

  test('ends when there has been no rejection for a while', async () => {
    const { arrive, leave, advance, settled, count } = await overloaded();
    leave(LIMIT, 25);
    advance(OVERLOAD_MS + 1);
    const rejectedBefore = count(false);
    arrive(LIMIT + 300);
    leave(LIMIT, 25);
    await settled();
    assert.equal(count(false), rejectedBefore);
  });
});

describe('the target delay', () => {
  /** The measured service time is 300 ms. */
  function slowSetup() {
    const slow = setup();
    for (let round = 0; round < 10; round++) {
      slow.arrive(LIMIT);
      slow.leave(LIMIT, 300);
    }
    return slow;
  }

  test('grows with the service time, up to 200 ms', async () => {
    const { admission, arrive, advance, settled, count } = slowSetup();
    arrive(LIMIT + 1);
    advance(3 * 199);
    admission.sweep();
    await settled();
    assert.equal(count(false), 0);
    advance(10);
    admission.sweep();
    await settled();
    assert.equal(count(false), 1);
  });

  test('is at most 120 ms during overload', async () => {
    const { admission, arrive, advance, settled, count } = slowSetup();
    arrive(LIMIT + 1);
    advance(601);
    admission.sweep();
    await settled();
    assert.equal(count(false), 1, 'overloaded');
    arrive(1);
    advance(119);
    admission.sweep();
    await settled();
    assert.equal(count(false), 1);
    advance(2);
    admission.sweep();
    await settled();
    assert.equal(count(false), 2);
  });

  test('does not depend on slots that are released without being served', () => {
    const { admission, arrive, advance } = setup();
    arrive(1);
    advance(60_000);
    admission.release();
    arrive(LIMIT + 1);
    advance(OVERLOAD_MS + 1);
    admission.sweep();
    assert.equal(admission.state().rejected, 1);
  });
});
