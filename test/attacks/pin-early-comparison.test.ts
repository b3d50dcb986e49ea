// PINs compared before the attempt is counted: the timing of the comparison must not allow free guesses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PinHasher, pinHasher } from '../../src/auth/pins/attempts.ts';
import { createPins } from '../../src/auth/pins/pins.ts';
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
    make: hasher.make,
    matches(...given) {
      compared += 1;
      return hasher.matches(...given);
    },
  };
  const { database } = kissi.db;
  return { pins: createPins({ database, hasher: counting, clock: testClock() }), compared: () => compared };
}

test('compares only the first of several guesses that are abandoned before they count', async () => {
  const { pins, compared } = countingPins();
  const { id } = await bank.wallet();
  for (const pin of ['0000', '0001', PIN, '0002', PIN]) {
    const attempt = pins.attemptBySubscriber(id);
    await attempt.ready();
    assert.equal(attempt.isRight(pin), false);
    attempt.end();
  }
  assert.equal(compared(), 1);
  // A verified right PIN allows early comparisons again.
  const attempt = pins.attemptBySubscriber(id);
  await attempt.ready();
  assert.equal(attempt.isRight(PIN), false);
  assert.equal((await attempt.verify(PIN)).outcome, 'right');
  attempt.end();
  const next = pins.attemptBySubscriber(id);
  await next.ready();
  assert.equal(next.isRight(PIN), true);
});

test('attempts by card and by wallet id share one early comparison and one failure count', async () => {
  const { pins, compared } = countingPins();
  const { wallet, card } = await bank.customer();
  const { id } = wallet;
  const byId = pins.attemptBySubscriber(id);
  const byCard = pins.attemptByCard(card);
  await Promise.all([byId.ready(), byCard.ready()]);
  assert.equal(byCard.ownerId(), id);
  assert.equal(byCard.isRight('0000'), false);
  assert.equal(byId.isRight(PIN), false, 'another attempt is open');
  assert.deepEqual(await byCard.verify('0000'), { outcome: 'wrong', attemptsRemaining: 2 });
  assert.equal(compared(), 2, 'once early and once when verified');
  for (const attempt of [byId, byCard]) attempt.end();
  const unknownCard = pins.attemptByCard('NO-SUCH-CARD');
  await unknownCard.ready();
  assert.equal(unknownCard.ownerId(), null);
  assert.equal(unknownCard.isRight(PIN), false);
  assert.deepEqual(await unknownCard.verify(PIN), { outcome: 'unknown' });
});

test('a guess that was compared early and then met a lock disables early comparison', async () => {
  const { pins, compared } = countingPins();
  const { id } = await bank.wallet();
  const early = pins.attemptBySubscriber(id);
  await early.ready();
  assert.equal(early.isRight('0000'), false);
  for (const pin of ['0001', '0002', '0003']) assert.equal((await pins.verify(id, pin)).outcome, 'wrong');
  assert.equal((await early.verify('0000')).outcome, 'locked');
  assert.equal(compared(), 4);
  await pins.reset(kissi.db.database.queries, id);
  const again = pins.attemptBySubscriber(id);
  await again.ready();
  assert.equal(again.isRight('0004'), false);
  again.end();
  assert.equal(compared(), 4);
});

test('a wrong PIN that was counted does not disable early comparison', async () => {
  const { pins } = countingPins();
  const { id } = await bank.wallet();
  const wrong = pins.attemptBySubscriber(id);
  await wrong.ready();
  assert.equal(wrong.isRight('0000'), false);
  assert.equal((await wrong.verify('0000')).outcome, 'wrong');
  await pins.reset(kissi.db.database.queries, id);
  const right = pins.attemptBySubscriber(id);
  await right.ready();
  assert.equal(right.isRight(PIN), true);
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
