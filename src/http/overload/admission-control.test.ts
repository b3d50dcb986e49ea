// The door: a burst gets in, in its order; a standing crowd is sent away; patience is measured by what being served takes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AdmissionControl } from './admission-control.ts';

const LIMIT = 100;
/** Of a door that does not know better yet, and when a crowd stands there. */
const PATIENCE_MS = 100;
const STANDING_MS = 3 * PATIENCE_MS;

/** A door, its clock, and everybody who came: undecided, let in or sent away. */
function scene() {
  let time = 1_000;
  const door = new AdmissionControl({ limit: LIMIT, now: () => time });
  const came: { inside: boolean | null; decidedAt: number }[] = [];
  const arrive = (count: number) => {
    for (let n = 0; n < count; n++) {
      const one = { inside: null as boolean | null, decidedAt: 0 };
      came.push(one);
      const decide = (inside: boolean) => Object.assign(one, { inside, decidedAt: time });
      const answer = door.enter();
      if (typeof answer === 'boolean') decide(answer);
      else void answer.then(decide);
    }
  };
  return {
    door,
    came,
    arrive,
    settled: () => new Promise<void>((resolve) => setImmediate(resolve)),
    pass: (ms: number) => {
      time += ms;
    },
    leave: (count: number, took: number) => {
      for (let n = 0; n < count; n++) door.leave(time - took);
    },
    count: (inside: boolean | null) => came.filter((one) => one.inside === inside).length,
  };
}

/** A full house, and a crowd before it that has stood for long. */
async function standing() {
  const it = scene();
  it.arrive(LIMIT + 5);
  it.pass(STANDING_MS + 1);
  it.door.sweep();
  await it.settled();
  return it;
}

describe('a burst', () => {
  test('waits while the house is full, and gets in as there is room again', async () => {
    const { door, arrive, leave, settled, count } = scene();
    arrive(LIMIT + 10);
    assert.equal(count(true), LIMIT);
    assert.equal(door.state().waiting, 10);
    leave(4, 1);
    await settled();
    assert.equal(count(true), LIMIT + 4);
    leave(6, 1);
    await settled();
    assert.deepEqual([count(true), count(false), door.state().waiting], [LIMIT + 10, 0, 0]);
  });

  test('gets in whole, the first to come first', async () => {
    const { came, arrive, leave, pass, settled, count } = scene();
    arrive(LIMIT);
    arrive(80);
    for (let wave = 0; wave < 8; wave++) {
      pass(STANDING_MS / 10);
      leave(10, 25);
      await settled();
    }
    assert.deepEqual([count(true), count(false)], [LIMIT + 80, 0]);
    const decided = came.map(({ decidedAt }) => decidedAt);
    assert.deepEqual(
      decided,
      decided.toSorted((a, b) => a - b),
    );
  });

  test('is of eight times the house at most', () => {
    const { arrive, count } = scene();
    arrive(LIMIT + 8 * LIMIT + 3);
    assert.equal(count(false), 3);
  });

  test('that is always there but never late is no standing crowd', async () => {
    const { door, arrive, leave, pass, settled, count } = scene();
    arrive(LIMIT + 60);
    for (let round = 0; round < 50; round++) {
      pass(PATIENCE_MS / 5);
      leave(20, 25);
      arrive(20);
      await settled();
      assert.ok(door.state().waiting > 0);
    }
    assert.equal(count(false), 0);
  });

  test('one after another is no standing crowd', async () => {
    const { arrive, leave, pass, settled, count } = scene();
    arrive(LIMIT);
    for (let burst = 0; burst < 10; burst++) {
      arrive(50);
      pass(STANDING_MS / 2);
      leave(50, 25);
      await settled();
    }
    assert.equal(count(false), 0);
  });
});

describe('a standing crowd', () => {
  test('is sent away once it has lost patience, though nobody leaves', async () => {
    const { door, count } = await standing();
    assert.equal(count(false), 5);
    assert.deepEqual([door.state().waiting, door.state().rejected], [0, 5]);
  });

  test('that comes again is no burst: half of the house may wait, the others are sent away as they come', async () => {
    const { door, arrive, count } = await standing();
    arrive(LIMIT / 2);
    assert.equal(door.state().waiting, LIMIT / 2);
    assert.ok(door.rejects());
    arrive(1);
    assert.equal(count(false), 6);
    assert.equal(door.state().rejected, 7);
  });

  test('of it the newest get in', async () => {
    const { came, arrive, pass, leave, settled } = await standing();
    arrive(1);
    pass(1);
    arrive(1);
    leave(1, 25);
    await settled();
    assert.deepEqual(
      came.slice(-2).map(({ inside }) => inside),
      [null, true],
    );
  });

  test('is forgotten when it has gone for a while', async () => {
    const { arrive, leave, pass, settled, count } = await standing();
    leave(LIMIT, 25);
    pass(STANDING_MS + 1);
    const away = count(false);
    arrive(LIMIT + 300);
    leave(LIMIT, 25);
    await settled();
    assert.equal(count(false), away);
  });
});

describe('patience', () => {
  /** Where being served has taken 300 ms for a while. */
  function sceneOfSlowness() {
    const slow = scene();
    for (let round = 0; round < 10; round++) {
      slow.arrive(LIMIT);
      slow.leave(LIMIT, 300);
    }
    return slow;
  }

  test('is longer where being served takes longer, up to 200 ms', async () => {
    const { door, arrive, pass, settled, count } = sceneOfSlowness();
    arrive(LIMIT + 1);
    pass(3 * 199);
    door.sweep();
    await settled();
    assert.equal(count(false), 0);
    pass(10);
    door.sweep();
    await settled();
    assert.equal(count(false), 1);
  });

  test('is no more than 120 ms in a crowd that stands', async () => {
    const { door, arrive, pass, settled, count } = sceneOfSlowness();
    arrive(LIMIT + 1);
    pass(601);
    door.sweep();
    await settled();
    assert.equal(count(false), 1, 'it stands');
    arrive(1);
    pass(119);
    door.sweep();
    await settled();
    assert.equal(count(false), 1);
    pass(2);
    door.sweep();
    await settled();
    assert.equal(count(false), 2);
  });

  test('cannot be told by who steps outside again', () => {
    const { door, arrive, pass } = scene();
    arrive(1);
    pass(60_000);
    door.release();
    arrive(LIMIT + 1);
    pass(STANDING_MS + 1);
    door.sweep();
    assert.equal(door.state().rejected, 1);
  });
});
