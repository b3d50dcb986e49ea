// PINs compared before the attempt is counted: the timing of the comparison must not allow free guesses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PinHasher, pinHasher } from '../../src/auth/pins/hasher.ts';
import { createPins, type PinAttempt } from '../../src/auth/pins/pins.ts';
import type { PinRow } from '../../src/auth/pins/store.ts';
import { testClock } from '../support/clock.ts';
import { type CallReply, SECRETS } from '../support/gateway.ts';
import { bankForFile, PIN, type Wallet, WRONG_PIN } from '../support/money.ts';
import { assertRefused } from '../support/staff.ts';

const { kissi, bank } = await bankForFile();

/** The PIN service of a gateway, with a count of its comparisons. */
function countingPins() {
  const hasher = pinHasher(SECRETS.PIN_PEPPER);
  let compared = 0;
  const counting: PinHasher = {
    ...hasher,
    matches(...given) {
      compared += 1;
      return hasher.matches(...given);
    },
  };
  const { database } = kissi.db;
  return { pins: createPins({ database, hasher: counting, clock: testClock() }), compared: () => compared };
}

/** The stored PIN, read as the fast path of a payment reads it. */
async function stored({ read: { lookup, key } }: PinAttempt): Promise<PinRow | null> {
  return (await lookup.fetch(kissi.db.database.reader, [key])).get(key) ?? null;
}

/** Whether an attempt finds the PIN right before it counts. */
async function isRightEarly(attempt: PinAttempt, pin: string): Promise<boolean> {
  return attempt.isRight(pin, await stored(attempt));
}

test('compares only the first of several guesses that are abandoned before they count', async () => {
  const { pins, compared } = countingPins();
  const { id } = await bank.wallet();
  for (const pin of ['0000', '0001', PIN, '0002', PIN]) {
    const attempt = pins.attemptBySubscriber(id);
    assert.equal(await isRightEarly(attempt, pin), false);
    attempt.end();
  }
  assert.equal(compared(), 1);
  // A verified right PIN allows early comparisons again.
  const attempt = pins.attemptBySubscriber(id);
  assert.equal(await isRightEarly(attempt, PIN), false);
  assert.equal((await attempt.verify(id, PIN)).outcome, 'right');
  attempt.end();
  assert.equal(await isRightEarly(pins.attemptBySubscriber(id), PIN), true);
});

test('attempts by card and by wallet id share one early comparison and one failure count', async () => {
  const { pins, compared } = countingPins();
  const { wallet, card } = await bank.customer();
  const { id } = wallet;
  const byId = pins.attemptBySubscriber(id);
  const byCard = pins.attemptByCard(card);
  const [rowById, rowByCard] = await Promise.all([stored(byId), stored(byCard)]);
  assert.equal(rowByCard?.ownerId, id);
  assert.equal(byCard.isRight('0000', rowByCard), false);
  assert.equal(byId.isRight(PIN, rowById), false, 'another attempt is open');
  assert.deepEqual(await byCard.verify(id, '0000'), { outcome: 'wrong', attemptsRemaining: 2 });
  assert.equal(compared(), 2, 'once early and once when verified');
  for (const attempt of [byId, byCard]) attempt.end();
  const unknownCard = pins.attemptByCard('NO-SUCH-CARD');
  assert.equal(await stored(unknownCard), null);
  assert.equal(unknownCard.isRight(PIN, null), false);
});

test('a row that was read before the last verification of its owner decides nothing', async () => {
  const { pins, compared } = countingPins();
  const [{ id }, other] = [await bank.wallet(), await bank.wallet()];
  const attempt = pins.attemptBySubscriber(id);
  const row = await stored(attempt);
  assert.equal((await pins.verify(other.id, PIN)).outcome, 'right');
  assert.equal(attempt.isRight(PIN, row), true, 'a verification for another owner does not matter');
  assert.equal((await pins.verify(id, WRONG_PIN)).outcome, 'wrong');
  assert.equal(attempt.isRight(PIN, row), false);
  assert.equal(compared(), 3);
});

test('a guess that was compared early and then met a lock disables early comparison', async () => {
  const { pins, compared } = countingPins();
  const { id } = await bank.wallet();
  const early = pins.attemptBySubscriber(id);
  assert.equal(await isRightEarly(early, '0000'), false);
  for (const pin of ['0001', '0002', '0003']) assert.equal((await pins.verify(id, pin)).outcome, 'wrong');
  assert.equal((await early.verify(id, '0000')).outcome, 'locked');
  assert.equal(compared(), 4);
  await pins.reset(kissi.db.database.queries, id);
  const again = pins.attemptBySubscriber(id);
  assert.equal(await isRightEarly(again, '0004'), false);
  again.end();
  assert.equal(compared(), 4);
});

test('a wrong PIN that was counted does not disable early comparison', async () => {
  const { pins } = countingPins();
  const { id } = await bank.wallet();
  const wrong = pins.attemptBySubscriber(id);
  assert.equal(await isRightEarly(wrong, '0000'), false);
  assert.equal((await wrong.verify(id, '0000')).outcome, 'wrong');
  await pins.reset(kissi.db.database.queries, id);
  assert.equal(await isRightEarly(pins.attemptBySubscriber(id), PIN), true);
});

const HUGE = Number.MAX_SAFE_INTEGER;

async function transfer(from: Wallet, to: Wallet, extra: object): Promise<CallReply> {
  const body = { sender_id: from.id, recipient_id: to.id, amount: 100, pin: PIN, ...extra };
  return bank.post('/wallet/transfer', body);
}

test('checks a transfer of the largest safe integer in the same order as smaller amounts', async () => {
  const [from, to] = [await bank.wallet(10_000), await bank.wallet()];
  assert.equal((await transfer(from, to, { request_id: 'huge' })).status, 200);
  assertRefused(await transfer(from, to, { request_id: 'huge', amount: HUGE }), 409, 'REQUEST_CONFLICT');
  assertRefused(await transfer(from, to, { amount: HUGE, pin: WRONG_PIN }), 401, 'INVALID_PIN');
  assertRefused(await transfer(from, to, { amount: HUGE }), 422, 'DAILY_LIMIT_EXCEEDED');
  await kissi.asAdmin.post(`/subscribers/${from.id}/block`, { reason: 'Lost' });
  assertRefused(await transfer(from, to, { amount: HUGE }), 403, 'SUBSCRIBER_BLOCKED');
});
