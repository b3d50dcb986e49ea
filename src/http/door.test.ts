// The door: a burst gets in, in its order; a standing crowd is sent away; what is let in adapts to how long it takes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Door } from './door.ts';

const TARGET_MS = 50;
const FIRST_INSIDE = 128;

/** A door, its clock, and everybody who came: undecided, let in or sent away. */
function scene() {
  let time = 1_000;
  const door = new Door({ targetMs: TARGET_MS, now: () => time });
  const came: { at: number; inside: boolean | null; decidedAt: number }[] = [];
  const arrive = (count: number) => {
    for (let n = 0; n < count; n++) {
      const one = { at: time, inside: null as boolean | null, decidedAt: 0 };
      came.push(one);
      const decide = (inside: boolean) => Object.assign(one, { inside, decidedAt: time });
      const answer = door.enter();
      if (typeof answer === 'boolean') decide(answer);
      else void answer.then(decide);
    }
  };
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    door,
    came,
    arrive,
    settled,
    pass: (ms: number) => {
      time += ms;
    },
    leave: (count: number, took: number) => {
      for (let n = 0; n < count; n++) door.leave(time - took);
    },
    count: (inside: boolean | null) => came.filter((one) => one.inside === inside).length,
  };
}

describe('the door', () => {
  test('lets in as many as there is room for, makes the others wait, and lets them in as there is room again', async () => {
    const { door, arrive, leave, settled, count } = scene();
    arrive(FIRST_INSIDE + 10);
    assert.equal(count(true), FIRST_INSIDE);
    assert.equal(door.state().waiting, 10);
    leave(4, 1);
    await settled();
    assert.equal(count(true), FIRST_INSIDE + 4);
    leave(6, 1);
    await settled();
    assert.deepEqual([count(true), count(false), door.state().waiting], [FIRST_INSIDE + 10, 0, 0]);
  });

  test('a burst gets in whole, the first to come first, however long the first of it take', async () => {
    const { came, arrive, leave, pass, settled, count } = scene();
    arrive(FIRST_INSIDE);
    pass(1);
    arrive(80);
    for (let wave = 0; wave < 12; wave++) {
      pass(20);
      leave(14, 200);
      await settled();
    }
    assert.deepEqual([count(true), count(false)], [FIRST_INSIDE + 80, 0]);
    const decided = came.map(({ decidedAt }) => decidedAt);
    assert.deepEqual(
      decided,
      decided.toSorted((a, b) => a - b),
    );
  });

  test('of a crowd that stands the newest get in, and who has waited a target is sent away', async () => {
    const { door, came, arrive, leave, pass, settled } = scene();
    arrive(FIRST_INSIDE);
    arrive(5);
    const late = came.slice(FIRST_INSIDE);
    pass(5 * TARGET_MS + 1);
    arrive(5);
    const fresh = came.slice(FIRST_INSIDE + 5);
    leave(1, 1);
    await settled();
    assert.ok(late.every(({ inside }) => inside === false));
    assert.deepEqual(
      fresh.map(({ inside }) => inside),
      [null, null, null, null, true],
    );
    assert.equal(door.state().turnedAway, 5);
  });

  test('a crowd that was dismissed and comes again is no burst', async () => {
    const { door, came, arrive, pass, settled } = scene();
    arrive(FIRST_INSIDE + 5);
    pass(5 * TARGET_MS + 1);
    door.sweep();
    await settled();
    assert.equal(door.state().waiting, 0);
    arrive(1);
    pass(TARGET_MS + 1);
    door.sweep();
    await settled();
    assert.equal(came.at(-1)?.inside, false, 'it did not wait for five targets again');
  });

  test('nobody waits for ever where nobody leaves', async () => {
    const { door, arrive, pass, settled, count } = scene();
    arrive(FIRST_INSIDE + 100);
    pass(5 * TARGET_MS + 1);
    door.sweep();
    await settled();
    assert.equal(count(false), 100);
  });

  test('2,000 wait at most', () => {
    const { arrive, count } = scene();
    arrive(FIRST_INSIDE + 2_003);
    assert.equal(count(false), 3);
  });

  /** Full all the time, everybody inside for so long. */
  function crowded(windows: number, took: number) {
    const it = scene();
    it.arrive(FIRST_INSIDE);
    for (let window = 0; window < windows; window++) {
      it.pass(101);
      it.arrive(1_100);
      it.leave(Math.max(20, it.door.state().inside - 20), took);
    }
    return it.door.state().limit;
  }

  test('lets fewer in at once while most take too long, and never fewer than the least', () => {
    assert.ok(crowded(3, TARGET_MS + 1) < FIRST_INSIDE);
    assert.equal(crowded(50, TARGET_MS + 1), 32);
  });

  test('lets more in at once while there are more and all are quick, and never more than the most', () => {
    assert.ok(crowded(3, 1) > FIRST_INSIDE);
    assert.equal(crowded(100, 1), 1_024);
  });

  test('what is slow though there is room changes nothing: it is not the crowd that makes it slow', () => {
    const { door, arrive, leave, pass } = scene();
    for (let round = 0; round < 20; round++) {
      arrive(60);
      pass(200);
      leave(60, 200);
    }
    assert.equal(door.state().limit, FIRST_INSIDE);
  });
});
