// PIN attempts under parallel fire, on one gateway and on two that share a database.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type PinHasher, pinHasher } from '../../src/auth/pins/attempts.ts';
import { createPins, type PinOutcome, type Pins } from '../../src/auth/pins/pins.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { testClock } from '../support/clock.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { SECRETS } from '../support/gateway.ts';

const clock = testClock();
const PIN = '4711';
let db: TestDatabase;
let owners = 0;

before(async () => {
  db = await testDatabase();
});
after(() => db.close());

/** PINs as one gateway has them, with a count of the comparisons it made. */
function gatewayPins(): { pins: Pins; compared(): number } {
  const hasher = pinHasher(SECRETS.PIN_PEPPER);
  let count = 0;
  const counting: PinHasher = {
    make: hasher.make,
    matches(...given) {
      count += 1;
      return hasher.matches(...given);
    },
  };
  return {
    pins: createPins({ queries: db.database.queries, reader: db.database.reader, hasher: counting, clock }),
    compared: () => count,
  };
}

async function owner(pins: Pins): Promise<string> {
  const id = `sub_pin${++owners}`;
  await pins.setPin(db.database.queries, id, PIN);
  return id;
}

const rowOf = (id: string) =>
  db.database.queries.selectFrom('pins').selectAll().where('owner_id', '=', id).executeTakeFirstOrThrow();

const short = (outcome: PinOutcome) => (outcome.outcome === 'wrong' ? outcome.attemptsRemaining : outcome.outcome);

function tally(outcomes: PinOutcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[short(outcome)] = (counts[short(outcome)] ?? 0) + 1;
  return counts;
}

/** The right one is among them, but not among the first. */
const guesses = Array.from({ length: 1_000 }, (_, index) => String(4_000 + index));

test('a burst of 1,000 guesses compares three of them and lets nobody in', async () => {
  const { pins, compared } = gatewayPins();
  const id = await owner(pins);
  const outcomes = await Promise.all(guesses.map((guess) => pins.verify(id, guess)));
  assert.deepEqual(tally(outcomes), { '2': 1, '1': 1, '0': 1, locked: 997 });
  assert.equal(compared(), 3);
  assert.equal((await rowOf(id)).failures, 3);
});

test('two gateways together answer three of 1,000 guesses, however they interleave', async () => {
  for (let run = 0; run < 10; run++) {
    const [one, two] = [gatewayPins(), gatewayPins()];
    const id = await owner(one.pins);
    const outcomes = await Promise.all(guesses.map((guess, i) => (i % 2 ? one : two).pins.verify(id, guess)));
    assert.deepEqual(tally(outcomes), { '2': 1, '1': 1, '0': 1, locked: 997 });
    // What a gateway compared and then lost the race for was never answered.
    assert.ok(one.compared() <= 3 && two.compared() <= 3);
    assert.deepEqual(short(await one.pins.verify(id, PIN)), 'locked');
  }
});

test('guesses trickling in over many small batches get three answers too', async () => {
  const [one, two] = [gatewayPins(), gatewayPins()];
  const id = await owner(one.pins);
  const pending: Promise<PinOutcome>[] = [];
  for (const [index, guess] of guesses.slice(0, 200).entries()) {
    pending.push((index % 2 ? one : two).pins.verify(id, guess));
    await new Promise(setImmediate);
  }
  assert.deepEqual(tally(await Promise.all(pending)), { '2': 1, '1': 1, '0': 1, locked: 197 });
});

test('200 right PINs at once all pass, and write nothing', async () => {
  const { pins } = gatewayPins();
  const id = await owner(pins);
  const before = await rowOf(id);
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => pins.verify(id, PIN)));
  assert.deepEqual(tally(outcomes), { right: 200 });
  assert.deepEqual(await rowOf(id), before);
});

test('owners in one batch do not touch each other', async () => {
  const { pins } = gatewayPins();
  const ids = await Promise.all(Array.from({ length: 40 }, () => owner(pins)));
  const attempts = ids.flatMap((id, index) => [
    pins.verify(id, index % 2 ? PIN : '0000'),
    pins.verify(id, index % 2 ? PIN : '0001'),
  ]);
  const outcomes = (await Promise.all(attempts)).map(short);
  for (const index of ids.keys()) {
    assert.deepEqual(outcomes.slice(index * 2, index * 2 + 2), index % 2 ? ['right', 'right'] : [2, 1]);
  }
});

test('batches of many owners on two gateways never lose a failure', async () => {
  const [one, two] = [gatewayPins(), gatewayPins()];
  const ids = await Promise.all(Array.from({ length: 30 }, () => owner(one.pins)));
  const attempts = [
    ...ids.map((id) => one.pins.verify(id, '0000')),
    ...ids.toReversed().map((id) => two.pins.verify(id, '0001')),
  ];
  assert.deepEqual(tally(await Promise.all(attempts)), { '2': 30, '1': 30 });
  for (const id of ids) assert.equal((await rowOf(id)).failures, 2);
});

test('the lock lasts 30 minutes; then there are three fresh tries, and a right PIN clears the count', async () => {
  const { pins } = gatewayPins();
  const id = await owner(pins);
  for (const remaining of [2, 1, 0]) assert.equal(short(await pins.verify(id, '0000')), remaining);
  const until = new Date(clock.now() + 30 * MINUTE_MS);
  assert.deepEqual(await pins.verify(id, PIN), { outcome: 'locked', lockedUntil: until });
  assert.deepEqual(await pins.lockedUntil(id), until);
  clock.advance(30 * MINUTE_MS - 1);
  assert.equal(short(await pins.verify(id, PIN)), 'locked');
  clock.advance(1);
  assert.equal(await pins.lockedUntil(id), null);
  assert.equal(short(await pins.verify(id, '0000')), 2);
  assert.equal(short(await pins.verify(id, PIN)), 'right');
  const { failures, locked_until } = await rowOf(id);
  assert.deepEqual({ failures, locked_until }, { failures: 0, locked_until: null });
});

test('a reset forgets failures and lock; nobody without a PIN is let in or locked', async () => {
  const { pins } = gatewayPins();
  const id = await owner(pins);
  for (let tries = 0; tries < 3; tries++) await pins.verify(id, '0000');
  await pins.reset(db.database.queries, id);
  assert.equal(short(await pins.verify(id, PIN)), 'right');
  assert.deepEqual(await pins.verify('sub_nobody', PIN), { outcome: 'unknown' });
  assert.equal(await pins.lockedUntil('sub_nobody'), null);
});

test('a PIN is replaced only over the version it was verified on, and not through a lock', async () => {
  const { pins } = gatewayPins();
  const id = await owner(pins);
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

test("the hash is bound to its owner, its salt and the pepper, and is not the PIN's own", async () => {
  const { pins } = gatewayPins();
  const [id, other] = [await owner(pins), await owner(pins)];
  const [row, otherRow] = [await rowOf(id), await rowOf(other)];
  assert.notDeepEqual(row.hash, otherRow.hash);
  assert.notDeepEqual(row.salt, otherRow.salt);
  const { salt, hash } = row;
  await db.database.queries.updateTable('pins').set({ salt, hash }).where('owner_id', '=', other).execute();
  assert.equal(short(await pins.verify(other, PIN)), 2);
  const foreign = createPins({
    queries: db.database.queries,
    reader: db.database.reader,
    hasher: pinHasher('another pepper'),
    clock,
  });
  assert.equal(short(await foreign.verify(id, PIN)), 2);
});
