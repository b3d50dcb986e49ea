// What ends when a phone, its SIM or the PIN is stolen, and what a thief can still do.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import {
  again,
  challenged,
  deviceLogin,
  knownPhone,
  newPhone,
  type Phone,
  post,
  verify,
} from '../../support/customers.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { bankForFile, PIN, WRONG_PIN } from '../../support/money.ts';
import { pinResetCode, requestPinReset, resetPin, setNewPin } from '../../support/pin-reset.ts';
import { assertRefused, auditRows, messageTo } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const NEW_PIN = '4829';

const isOpen = async ({ get }: Phone) => (await get('/me')).status === 200;

async function assertEnded(phone: Phone): Promise<void> {
  assert.equal(await isOpen(phone), false, 'the access token');
  assertRefused(await post(kissi, '/me/refresh', { refresh_token: phone.refreshToken }), 401, 'UNAUTHORIZED');
  for (const pin of [PIN, NEW_PIN]) {
    assertRefused(await deviceLogin(kissi, phone.deviceToken, pin), 401, 'UNAUTHORIZED');
  }
}

let numbers = 0;

const ENDS: Record<string, (phone: Phone) => Promise<unknown>> = {
  'a block of the wallet': async ({ wallet }) => {
    assertStatus(await kissi.asAdmin.post(`/subscribers/${wallet.id}/block`, { reason: 'The phone was stolen' }), 200);
  },
  'a reset of the PIN': ({ wallet }) => setNewPin(kissi, 'subscribers', wallet, NEW_PIN),
  'a change of the number': async ({ wallet }) => {
    const phone_number = `+23233${String(++numbers).padStart(6, '0')}`;
    assertStatus(await kissi.asAdmin.put(`/subscribers/${wallet.id}`, { phone_number }), 200);
  },
  'a change of the PIN elsewhere': async ({ wallet }) => {
    const change = { current_pin: PIN, new_pin: NEW_PIN };
    assertStatus(await kissi.asAdmin.post(`/subscribers/${wallet.id}/change-pin`, change), 200);
  },
};

describe('ends every session, device and code', () => {
  for (const [name, end] of Object.entries(ENDS)) {
    test(name, async () => {
      const wallet = await bank.wallet();
      const known = await knownPhone(kissi, wallet);
      const fresh = await newPhone(kissi, wallet);
      const answer = await challenged(kissi, wallet);
      await end(known);
      await assertEnded(known);
      await assertEnded(fresh);
      assertRefused(await verify(kissi, { ...answer, pin: NEW_PIN }), 401, 'INVALID_CODE');
      assertRefused(await verify(kissi, answer), 401, 'INVALID_CODE');
    });
  }

  test('a block of single types of transaction does not', async () => {
    const phone = await newPhone(kissi, await bank.wallet());
    const block = { reason: 'Only transfers', transaction_types: ['transfer_p2p'] };
    assertStatus(await kissi.asAdmin.post(`/subscribers/${phone.wallet.id}/block`, block), 200);
    assert.equal(await isOpen(phone), true);
  });

  test('a login whose PIN was compared before a block opens nothing after it', async () => {
    const wallet = await bank.wallet();
    const answer = await challenged(kissi, wallet);
    const [login, block] = await Promise.all([
      verify(kissi, answer),
      kissi.asAdmin.post(`/subscribers/${wallet.id}/block`, { reason: 'Stolen' }),
    ]);
    assertStatus(block, 200);
    const token = login.status === 200 ? login.json.token : 'none';
    assertRefused(await kissi.call('GET', '/api/v1/me', { token }), 401, 'UNAUTHORIZED');
  });
});

describe('a change of the PIN on a known device', () => {
  test('ends all other devices, keeps this one, and tells the holder', async () => {
    const wallet = await bank.wallet();
    const other = await knownPhone(kissi, wallet);
    const mine = await knownPhone(kissi, wallet);
    const change = { current_pin: PIN, new_pin: NEW_PIN };
    assertStatus(await mine.post('/me/change-pin', change), 200);
    await assertEnded(other);
    assert.equal(await isOpen(mine), true);
    await again(kissi, mine, NEW_PIN);
    assert.equal((await messageTo(kissi, wallet.phone)).kind, 'pin_changed');
    const [entry] = await auditRows(kissi, { action: 'subscriber.change_pin', resource_id: wallet.id });
    assert.deepEqual([entry.actor_type, entry.actor_id], ['subscriber', wallet.id]);
  });

  test('needs the current PIN', async () => {
    const mine = await knownPhone(kissi, await bank.wallet());
    const change = { current_pin: WRONG_PIN, new_pin: NEW_PIN };
    assertRefused(await mine.post('/me/change-pin', change), 401, 'INVALID_PIN');
  });
});

describe('a thief with the phone', () => {
  /** Three wrong PINs, and the wait until more are compared. */
  async function threeGuesses(guess: () => Promise<CallReply>): Promise<void> {
    for (const left of [2, 1, 0]) {
      assert.equal(assertRefused(await guess(), 401, 'INVALID_PIN').json.attempts_remaining, left);
    }
    kissi.clock.advance(30 * MINUTE_MS);
  }

  test('gets nine guesses on however many days; then every device ends, and the PIN must be reset', async () => {
    const wallet = await bank.wallet();
    const phone = await knownPhone(kissi, wallet);
    const other = await newPhone(kissi, wallet);
    const guess = () => deviceLogin(kissi, phone.deviceToken, WRONG_PIN);
    await threeGuesses(guess);
    kissi.clock.advance(3 * DAY_MS);
    await threeGuesses(guess);
    await threeGuesses(guess);
    await assertEnded(phone);
    await assertEnded(other);
    assert.equal((await messageTo(kissi, wallet.phone)).kind, 'own_wrong_pins');
    assert.equal((await auditRows(kissi, { action: 'customer.lock_own_channels', resource_id: wallet.id })).length, 1);

    const refused = assertRefused(await verify(kissi, await challenged(kissi, wallet)), 403, 'ACCOUNT_LOCKED');
    assert.equal(refused.json.locked_until, null);
    const record = (await kissi.asAdmin.get(`/subscribers/${wallet.id}`)).json.subscriber;
    assert.deepEqual([record.pin_locked_until, record.pin_lock_reason], [null, 'wrong_on_own_channels']);

    assertStatus(await bank.post(`/wallet/balance/${wallet.id}`, { pin: PIN }), 200);
    const unlock = await kissi.asAdmin.post(`/subscribers/${wallet.id}/unlock`, {});
    assertRefused(unlock, 409, 'NOT_LOCKED');
    await setNewPin(kissi, 'subscribers', wallet, NEW_PIN);
    kissi.clock.advance(60 * MINUTE_MS);
    await newPhone(kissi, wallet, { pin: NEW_PIN });
  });

  test('gets no tenth guess by sending many at once', async () => {
    const wallet = await bank.wallet();
    const phone = await knownPhone(kissi, wallet);
    let compared = 0;
    for (const _ of [1, 2, 3, 4]) {
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => deviceLogin(kissi, phone.deviceToken, WRONG_PIN)),
      );
      compared += replies.filter(({ json }) => json.code === 'INVALID_PIN').length;
      kissi.clock.advance(30 * MINUTE_MS);
    }
    assert.equal(compared, 9);
  });

  test('charges nothing to the PIN that the holder sets, however many guesses are on their way', async () => {
    const wallet = await bank.wallet();
    const phone = await knownPhone(kissi, wallet);
    const guesses: Promise<CallReply>[] = [];
    const guess = () => {
      for (let n = 0; n < 6; n++) {
        guesses.push(phone.post('/me/cash-out-codes', { amount: 100, pin: WRONG_PIN, request_id: `guess ${n}` }));
        guesses.push(deviceLogin(kissi, phone.deviceToken, WRONG_PIN));
      }
    };
    assertStatus(await requestPinReset(kissi, 'subscribers', wallet.id), 200);
    const body = { phone_number: wallet.phone, code: await pinResetCode(kissi, wallet.phone), new_pin: NEW_PIN };
    guess();
    const reset = resetPin(kissi, body);
    guess();
    assertStatus(await reset, 200);
    guess();
    await Promise.all(guesses);
    assert.equal(await ownFailures(wallet.id), 0);
    const answer = await challenged(kissi, wallet);
    assertStatus(await verify(kissi, { ...answer, pin: NEW_PIN }), 200);
  });

  test('the holder clears the count with the right PIN on an own channel, nobody on another', async () => {
    const wallet = await bank.wallet();
    const phone = await knownPhone(kissi, wallet);
    await threeGuesses(() => deviceLogin(kissi, phone.deviceToken, WRONG_PIN));
    assertStatus(await bank.post(`/wallet/balance/${wallet.id}`, { pin: PIN }), 200);
    assert.equal(await ownFailures(wallet.id), 3);
    await again(kissi, phone);
    assert.equal(await ownFailures(wallet.id), 0);
  });

  test('wrong PINs elsewhere do not keep the holder from their own channels', async () => {
    const wallet = await bank.wallet();
    const phone = await knownPhone(kissi, wallet);
    for (const _ of [1, 2, 3, 4]) {
      for (const __ of [1, 2, 3]) await bank.post(`/wallet/balance/${wallet.id}`, { pin: WRONG_PIN });
      kissi.clock.advance(30 * MINUTE_MS);
    }
    assertRefused(await bank.post(`/wallet/balance/${wallet.id}`, { pin: PIN }), 403, 'ACCOUNT_LOCKED');
    await again(kissi, phone);
    assert.equal(await ownFailures(wallet.id), 0);
  });
});

describe('a new device', () => {
  test('changes neither the PIN nor other devices for 24 hours, and says until when', async () => {
    const wallet = await bank.wallet();
    const known = await knownPhone(kissi, wallet);
    const fresh = await newPhone(kissi, wallet);
    const until = new Date(kissi.clock.now() + DAY_MS).toISOString();
    const change = { current_pin: PIN, new_pin: NEW_PIN };
    const refused = assertRefused(await fresh.post('/me/change-pin', change), 403, 'NEW_DEVICE');
    assert.equal(refused.json.restricted_until, until);
    assertRefused(await fresh.delete(`/me/devices/${known.deviceId}`), 403, 'NEW_DEVICE');
    const { new_device } = (await fresh.get('/me')).json;
    assert.deepEqual(new_device, { restricted_until: until, limit: 1_000_000, used: 0 });
    kissi.clock.advance(DAY_MS);
    const now = await again(kissi, fresh);
    assert.equal((await now.get('/me')).json.new_device, null);
    assert.equal(assertStatus(await now.delete(`/me/devices/${known.deviceId}`), 204).text, '');
    assertStatus(await now.post('/me/change-pin', change), 200);
  });

  test('the other devices and the number are told of it', async () => {
    const wallet = await bank.wallet();
    const known = await knownPhone(kissi, wallet);
    assert.deepEqual((await known.get('/me')).json.other_new_devices, []);
    const fresh = await newPhone(kissi, wallet, { device_name: 'Thief' });
    assert.equal((await messageTo(kissi, wallet.phone)).kind, 'new_device');
    const { other_new_devices } = (await known.get('/me')).json;
    assert.deepEqual(
      other_new_devices.map(({ id, name }: Json) => [id, name]),
      [[fresh.deviceId, 'Thief']],
    );
    assertStatus(await known.delete(`/me/devices/${fresh.deviceId}`), 204);
    await assertEnded(fresh);
  });

  test('can end itself', async () => {
    const fresh = await newPhone(kissi, await bank.wallet());
    assertStatus(await fresh.delete(`/me/devices/${fresh.deviceId}`), 204);
    await assertEnded(fresh);
  });

  test('pays from one total with all devices that are new at the same time', async () => {
    const wallet = await bank.wallet();
    const first = await newPhone(kissi, wallet);
    kissi.clock.advance(DAY_MS - 1);
    const second = await newPhone(kissi, wallet);
    kissi.clock.advance(DAY_MS);
    const third = await newPhone(kissi, wallet);
    const { rows } = await kissi.db.query('select id, total_id from customer_devices where subscriber_id = $1', [
      wallet.id,
    ]);
    const totals = new Map(rows.map(({ id, total_id }: Json) => [id, total_id]));
    assert.equal(totals.get(second.deviceId), totals.get(first.deviceId));
    assert.notEqual(totals.get(third.deviceId), totals.get(first.deviceId));
  });
});

async function ownFailures(subscriberId: string): Promise<number> {
  const { rows } = await kissi.db.query('select own_failures from pins where owner_id = $1', [subscriberId]);
  return rows[0].own_failures;
}
