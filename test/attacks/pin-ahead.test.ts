// PINs that are compared before it is known whether the attempt counts: what can be learned from how long that took.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PinHasher, pinHasher } from '../../src/auth/pins/attempts.ts';
import { createPins } from '../../src/auth/pins/pins.ts';
import { testClock } from '../support/clock.ts';
import { type CallReply, SECRETS } from '../support/gateway.ts';
import { bankForFile, PIN, type Wallet, WRONG_PIN } from '../support/money.ts';
import { assertRefused } from '../support/staff.ts';

const { kissi, bank } = await bankForFile();

/** PINs as a gateway has them, with a count of what it compared. */
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
  const { queries, reader } = kissi.db.database;
  return { pins: createPins({ queries, reader, hasher: counting, clock: testClock() }), compared: () => compared };
}

test('of guesses that never count, because the payment was made before or is refused anyway, one is compared', async () => {
  const { pins, compared } = countingPins();
  const { id } = await bank.wallet();
  for (const pin of ['0000', '0001', PIN, '0002', PIN]) {
    const attempt = pins.attempt(id);
    await attempt.ready();
    assert.equal(attempt.isRight(pin), false);
    attempt.end();
  }
  assert.equal(compared(), 1);
  // In its turn a right one is right, and from then on the short way is open again.
  const attempt = pins.attempt(id);
  await attempt.ready();
  assert.equal(attempt.isRight(PIN), false);
  assert.equal((await attempt.verify(PIN)).outcome, 'right');
  attempt.end();
  const next = pins.attempt(id);
  await next.ready();
  assert.equal(next.isRight(PIN), true);
});

test('whoever names the wallet by its card gains nothing by that: one guess is compared, and it counts with the others', async () => {
  const { pins, compared } = countingPins();
  const { wallet, card } = await bank.customer();
  const { id } = wallet;
  const byId = pins.attempt(id);
  const byCard = pins.attemptByCard(card);
  await Promise.all([byId.ready(), byCard.ready()]);
  assert.equal(byCard.ownerId(), id);
  assert.equal(byCard.isRight('0000'), false);
  assert.equal(byId.isRight(PIN), false, 'contested');
  assert.deepEqual(await byCard.verify('0000'), { outcome: 'wrong', attemptsRemaining: 2 });
  assert.equal(compared(), 2, 'ahead, and in its turn');
  for (const attempt of [byId, byCard]) attempt.end();
  const nobody = pins.attemptByCard('NO-SUCH-CARD');
  await nobody.ready();
  assert.equal(nobody.ownerId(), null);
  assert.equal(nobody.isRight(PIN), false);
  assert.deepEqual(await nobody.verify(PIN), { outcome: 'unknown' });
});

test('a guess that was compared ahead and met a lock is the last of its kind', async () => {
  const { pins, compared } = countingPins();
  const { id } = await bank.wallet();
  const ahead = pins.attempt(id);
  await ahead.ready();
  assert.equal(ahead.isRight('0000'), false);
  for (const pin of ['0001', '0002', '0003']) assert.equal((await pins.verify(id, pin)).outcome, 'wrong');
  assert.equal((await ahead.verify('0000')).outcome, 'locked');
  assert.equal(compared(), 4);
  await pins.reset(kissi.db.database.queries, id);
  const again = pins.attempt(id);
  await again.ready();
  assert.equal(again.isRight('0004'), false);
  again.end();
  assert.equal(compared(), 4);
});

test('a wrong PIN that counted closes nothing', async () => {
  const { pins } = countingPins();
  const { id } = await bank.wallet();
  const wrong = pins.attempt(id);
  await wrong.ready();
  assert.equal(wrong.isRight('0000'), false);
  assert.equal((await wrong.verify('0000')).outcome, 'wrong');
  await pins.reset(kissi.db.database.queries, id);
  const right = pins.attempt(id);
  await right.ready();
  assert.equal(right.isRight(PIN), true);
});

const HUGE = Number.MAX_SAFE_INTEGER;

async function sent(from: Wallet, to: Wallet, extra: object): Promise<CallReply> {
  const body = { sender_id: from.id, recipient_id: to.id, amount: 100, pin: PIN, ...extra };
  return bank.post('/wallet/transfer', body);
}

test('an amount beyond what can be written is refused in the order of every other', async () => {
  const [from, to] = [await bank.wallet(10_000), await bank.wallet()];
  assert.equal((await sent(from, to, { request_id: 'huge' })).status, 200);
  assertRefused(await sent(from, to, { request_id: 'huge', amount: HUGE }), 409, 'REQUEST_CONFLICT');
  assertRefused(await sent(from, to, { amount: HUGE, pin: WRONG_PIN }), 401, 'INVALID_PIN');
  assertRefused(await sent(from, to, { amount: HUGE }), 422, 'DAILY_LIMIT_EXCEEDED');
  const token = await kissi.adminToken();
  await kissi.call('POST', `/api/v1/subscribers/${from.id}/block`, { body: { reason: 'Lost' }, token });
  assertRefused(await sent(from, to, { amount: HUGE }), 403, 'SUBSCRIBER_BLOCKED');
});
