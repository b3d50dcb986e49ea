// Tests concurrent PIN attempts on one gateway and on two gateways with one database.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type PinHasher, pinHasher } from '../../../src/auth/pins/hasher.ts';
import { createPins, type PinOutcome, type Pins } from '../../../src/auth/pins/pins.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { testClock } from '../../support/clock.ts';
import { testDatabase } from '../../support/database.ts';
import { SECRETS } from '../../support/gateway.ts';
import { waitFor } from '../../support/wait.ts';

const clock = testClock();
const PIN = '4711';
let owners = 0;

const db = await testDatabase();
after(() => db.close());

/** The PIN service of one gateway, with a count of its hash comparisons. */
function gatewayPins(): { pins: Pins; comparisons(): number } {
  const hasher = pinHasher(SECRETS.PIN_PEPPER);
  let count = 0;
  const counting: PinHasher = {
    ...hasher,
    matches(...args) {
      count += 1;
      return hasher.matches(...args);
    },
  };
  return {
    pins: createPins({ database: db.database, hasher: counting, clock }),
    comparisons: () => count,
  };
}

async function newOwner(pins: Pins): Promise<string> {
  const id = `sub_pin${++owners}`;
  await pins.setPin(db.database.queries, id, PIN);
  return id;
}

const rowOf = (id: string) =>
  db.database.queries.selectFrom('pins').selectAll().where('owner_id', '=', id).executeTakeFirstOrThrow();

const summarize = (outcome: PinOutcome) => (outcome.outcome === 'wrong' ? outcome.attemptsRemaining : outcome.outcome);

function tally(outcomes: PinOutcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[summarize(outcome)] = (counts[summarize(outcome)] ?? 0) + 1;
  return counts;
}

/** The correct PIN is among them, but not among the first. */
const guesses = Array.from({ length: 1_000 }, (_, index) => String(4_000 + index));

test('of 1,000 concurrent guesses three are compared, and the account is locked', async () => {
  const { pins, comparisons } = gatewayPins();
  const id = await newOwner(pins);
  const outcomes = await Promise.all(guesses.map((guess) => pins.verify(id, guess)));
  assert.deepEqual(tally(outcomes), { '2': 1, '1': 1, '0': 1, locked: 997 });
  assert.equal(comparisons(), 3);
  assert.equal((await rowOf(id)).failures, 3);
});

test('two gateways together answer three of 1,000 concurrent guesses', async () => {
  for (let run = 0; run < 10; run++) {
    const [one, two] = [gatewayPins(), gatewayPins()];
    const id = await newOwner(one.pins);
    const outcomes = await Promise.all(guesses.map((guess, i) => (i % 2 ? one : two).pins.verify(id, guess)));
    assert.deepEqual(tally(outcomes), { '2': 1, '1': 1, '0': 1, locked: 997 });
    // A gateway may compare a guess and then lose the race; that result is not returned.
    assert.ok(one.comparisons() <= 3 && two.comparisons() <= 3);
    assert.deepEqual(summarize(await one.pins.verify(id, PIN)), 'locked');
  }
});

test('three of 200 guesses in many small batches are answered', async () => {
  const [one, two] = [gatewayPins(), gatewayPins()];
  const id = await newOwner(one.pins);
  const pending: Promise<PinOutcome>[] = [];
  for (const [index, guess] of guesses.slice(0, 200).entries()) {
    pending.push((index % 2 ? one : two).pins.verify(id, guess));
    await new Promise(setImmediate);
  }
  assert.deepEqual(tally(await Promise.all(pending)), { '2': 1, '1': 1, '0': 1, locked: 197 });
});

test('200 concurrent correct PINs all succeed and write nothing', async () => {
  const { pins } = gatewayPins();
  const id = await newOwner(pins);
  const before = await rowOf(id);
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => pins.verify(id, PIN)));
  assert.deepEqual(tally(outcomes), { right: 200 });
  assert.deepEqual(await rowOf(id), before);
});

test('owners in one batch do not affect each other', async () => {
  const { pins } = gatewayPins();
  const ids = await Promise.all(Array.from({ length: 40 }, () => newOwner(pins)));
  const attempts = ids.flatMap((id, index) => [
    pins.verify(id, index % 2 ? PIN : '0000'),
    pins.verify(id, index % 2 ? PIN : '0001'),
  ]);
  const outcomes = (await Promise.all(attempts)).map(summarize);
  for (const index of ids.keys()) {
    assert.deepEqual(outcomes.slice(index * 2, index * 2 + 2), index % 2 ? ['right', 'right'] : [2, 1]);
  }
});

test('batches of many owners on two gateways count every failure', async () => {
  const [one, two] = [gatewayPins(), gatewayPins()];
  const ids = await Promise.all(Array.from({ length: 30 }, () => newOwner(one.pins)));
  const attempts = [
    ...ids.map((id) => one.pins.verify(id, '0000')),
    ...ids.toReversed().map((id) => two.pins.verify(id, '0001')),
  ];
  assert.deepEqual(tally(await Promise.all(attempts)), { '2': 30, '1': 30 });
  for (const id of ids) assert.equal((await rowOf(id)).failures, 2);
});

test('the lock lasts 30 minutes; then three attempts are allowed, and a correct PIN resets the count', async () => {
  const { pins } = gatewayPins();
  const id = await newOwner(pins);
  for (const remaining of [2, 1, 0]) assert.equal(summarize(await pins.verify(id, '0000')), remaining);
  const until = new Date(clock.now() + 30 * MINUTE_MS);
  assert.deepEqual(await pins.verify(id, PIN), { outcome: 'locked', lockedUntil: until });
  assert.deepEqual(await pins.lock(id), { until, reason: 'wrong_in_a_row' });
  clock.advance(30 * MINUTE_MS - 1);
  assert.equal(summarize(await pins.verify(id, PIN)), 'locked');
  clock.advance(1);
  assert.equal(await pins.lock(id), null);
  assert.equal(summarize(await pins.verify(id, '0000')), 2);
  assert.equal(summarize(await pins.verify(id, PIN)), 'right');
  const { failures, locked_until } = await rowOf(id);
  assert.deepEqual({ failures, locked_until }, { failures: 0, locked_until: null });
});

test('a reset clears failures and lock; an owner without a PIN is unknown', async () => {
  const { pins } = gatewayPins();
  const id = await newOwner(pins);
  for (let tries = 0; tries < 3; tries++) await pins.verify(id, '0000');
  await pins.reset(db.database.queries, id);
  assert.equal(summarize(await pins.verify(id, PIN)), 'right');
  assert.deepEqual(await pins.verify('sub_unknown', PIN), { outcome: 'unknown' });
  assert.equal(await pins.lock('sub_unknown'), null);
});

test('wrong PINs that were in flight while a new PIN was set do not count against it', async () => {
  const [one, two] = [gatewayPins(), gatewayPins()];
  const id = await newOwner(one.pins);
  const before = (await one.pins.ownState(id))?.salt;
  const attempts: Promise<PinOutcome>[] = [];
  await db.database.transact(async (trx) => {
    await one.pins.setPin(trx, id, '5820');
    for (const { pins } of [one, two]) {
      for (const own of [true, false]) attempts.push(pins.verify(id, '0000', { own }));
    }
    // Both have read the PIN before, and wait for its row.
    const waiting = `select count(*)::int as n from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`;
    await waitFor('the attempts to wait', async () => (await db.query(waiting)).rows[0].n >= 2);
  });
  assert.deepEqual(tally(await Promise.all(attempts)), { '3': 4 });
  const late = { own: true, salt: before };
  assert.deepEqual(tally(await Promise.all(Array.from({ length: 20 }, () => one.pins.verify(id, '0000', late)))), {
    '3': 20,
  });
  assert.equal(summarize(await one.pins.verify(id, '5820', late)), 3, 'the new PIN is not compared');
  const { failures, own_failures, guesses } = await rowOf(id);
  assert.deepEqual({ failures, own_failures, guesses }, { failures: 0, own_failures: 0, guesses: 0 });
  assert.equal(summarize(await one.pins.verify(id, '5820')), 'right');
});

test('a PIN is replaced only if its version is unchanged since verification and it is not locked', async () => {
  const { pins } = gatewayPins();
  const id = await newOwner(pins);
  const verified = await pins.verify(id, PIN);
  assert.equal(verified.outcome, 'right');
  const { version } = verified as { version: number };
  await pins.verify(id, '0000');
  assert.equal(await pins.replace(db.database.queries, id, { version, pin: '1234' }), false);
  await pins.verify(id, '0000');
  await pins.verify(id, '0000');
  const locked = await rowOf(id);
  assert.equal(await pins.replace(db.database.queries, id, { version: locked.version, pin: '1234' }), false);
  assert.deepEqual(await rowOf(id), locked);
});

test('the hash depends on the owner, the salt and the pepper', async () => {
  const { pins } = gatewayPins();
  const [id, other] = [await newOwner(pins), await newOwner(pins)];
  const [row, otherRow] = [await rowOf(id), await rowOf(other)];
  assert.notDeepEqual(row.hash, otherRow.hash);
  assert.notDeepEqual(row.salt, otherRow.salt);
  const { salt, hash } = row;
  await db.database.queries.updateTable('pins').set({ salt, hash }).where('owner_id', '=', other).execute();
  assert.equal(summarize(await pins.verify(other, PIN)), 2);
  const otherPepper = createPins({
    database: db.database,
    hasher: pinHasher('another pepper'),
    clock,
  });
  assert.equal(summarize(await otherPepper.verify(id, PIN)), 2);
});

test('ten wrong PINs of one UTC day lock it until midnight, whatever right ones are between them; a reset ends it', async () => {
  const { pins } = gatewayPins();
  const id = await newOwner(pins);
  for (let guess = 1; guess <= 9; guess++) {
    assert.equal(summarize(await pins.verify(id, '0000')), guess === 9 ? 1 : 2, `guess ${guess}`);
    assert.equal(summarize(await pins.verify(id, PIN)), 'right');
  }
  assert.equal(summarize(await pins.verify(id, '0000')), 0);
  const until = new Date(Math.ceil(clock.now() / DAY_MS) * DAY_MS);
  assert.deepEqual(await pins.verify(id, PIN), { outcome: 'locked', lockedUntil: until });
  assert.deepEqual(await pins.lock(id), { until, reason: 'wrong_on_one_day' });
  const { version } = await rowOf(id);
  assert.equal(await pins.replace(db.database.queries, id, { version, pin: '1234' }), false);
  assert.equal(await pins.unlock(db.database.queries, id), true);
  assert.equal(summarize(await pins.verify(id, '0000')), 2, 'the count starts again');
  for (let guess = 0; guess < 9; guess++) {
    await pins.verify(id, PIN);
    await pins.verify(id, '0000');
  }
  assert.equal(summarize(await pins.verify(id, PIN)), 'locked');
  clock.advance(until.getTime() - clock.now());
  assert.equal(summarize(await pins.verify(id, PIN)), 'right');
});

test('a right PIN after guesses of an earlier day is not written', async () => {
  const { pins } = gatewayPins();
  const id = await newOwner(pins);
  await pins.verify(id, '0000');
  await pins.verify(id, PIN);
  clock.advance(DAY_MS);
  const before = await rowOf(id);
  assert.equal(summarize(await pins.verify(id, PIN)), 'right');
  assert.deepEqual(await rowOf(id), before);
  assert.deepEqual((await Promise.all([pins.verify(id, '0000'), pins.verify(id, PIN)])).map(summarize), [2, 'right']);
  assert.equal((await rowOf(id)).guesses, 1, 'the wrong PIN of a batch that ends with a right one counts');
});

test('two gateways answer ten of many concurrent guesses on one day', async () => {
  const [one, two] = [gatewayPins(), gatewayPins()];
  const id = await newOwner(one.pins);
  const answered: PinOutcome[] = [];
  for (let round = 0; round < 8; round++) {
    const guesses = Array.from({ length: 20 }, (_, n) =>
      (n % 2 ? one : two).pins.verify(id, n % 4 === 3 ? PIN : '0000'),
    );
    answered.push(...(await Promise.all(guesses)));
    clock.advance(30 * MINUTE_MS);
  }
  assert.equal(answered.filter(({ outcome }) => outcome === 'wrong').length, 10);
});
