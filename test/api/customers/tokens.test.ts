// The tokens of customers' devices and sessions: each works once, a lost reply is forgiven, and a copy ends what it opens.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { again, deviceLogin, knownPhone, newPhone, type Phone, post, verify } from '../../support/customers.ts';
import { assertStatus } from '../../support/gateway.ts';
import { bankForFile, PIN, WRONG_PIN } from '../../support/money.ts';
import { assertRefused, auditRows } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();

const refresh = (token: string) => post(kissi, '/me/refresh', { refresh_token: token });
const isOpen = async ({ get }: Phone) => (await get('/me')).status === 200;

describe("a device's token", () => {
  test('is replaced at each login, which ends the session before', async () => {
    const first = await newPhone(kissi, await bank.wallet());
    const second = await again(kissi, first);
    assert.notEqual(second.deviceToken, first.deviceToken);
    assert.equal(await isOpen(first), false);
    assert.equal(await isOpen(second), true);
    assertRefused(await refresh(first.refreshToken), 401, 'UNAUTHORIZED');
  });

  test('works again if the reply with its successor was lost, which then opens nothing', async () => {
    const phone = await newPhone(kissi, await bank.wallet());
    const lost = await again(kissi, phone);
    kissi.clock.advance(DAY_MS - MINUTE_MS);
    const retried = await again(kissi, phone);
    assertRefused(await deviceLogin(kissi, lost.deviceToken), 401, 'UNAUTHORIZED');
    assert.equal(await isOpen(retried), false, 'whoever has the lost reply had a copy: the device has ended');
  });

  test('ends the device when it is used after its successor, whatever the PIN is', async () => {
    const phone = await newPhone(kissi, await bank.wallet());
    const current = await again(kissi, await again(kissi, phone));
    assertRefused(await deviceLogin(kissi, phone.deviceToken, WRONG_PIN), 401, 'UNAUTHORIZED');
    assert.equal(await isOpen(current), false);
    assertRefused(await deviceLogin(kissi, current.deviceToken), 401, 'UNAUTHORIZED');
    const [entry] = await auditRows(kissi, { action: 'customer.end_device', resource_id: phone.wallet.id });
    assert.deepEqual(entry.details, { device_id: phone.deviceId, reason: 'token_reused' });
  });

  test('a day after its use it is a copy, even if its successor was not used', async () => {
    const phone = await newPhone(kissi, await bank.wallet());
    const current = await again(kissi, phone);
    kissi.clock.advance(DAY_MS);
    assertRefused(await deviceLogin(kissi, phone.deviceToken), 401, 'UNAUTHORIZED');
    assertRefused(await deviceLogin(kissi, current.deviceToken), 401, 'UNAUTHORIZED');
  });

  test('a wrong PIN does not use it up', async () => {
    const phone = await newPhone(kissi, await bank.wallet());
    assertRefused(await deviceLogin(kissi, phone.deviceToken, WRONG_PIN), 401, 'INVALID_PIN');
    await again(kissi, phone);
  });

  test('of logins at the same time each gets the token of the next, and one device goes on', async () => {
    const phone = await newPhone(kissi, await bank.wallet());
    const replies = await Promise.all([1, 2, 3].map(() => deviceLogin(kissi, phone.deviceToken)));
    assert.ok(replies.every(({ status }) => status === 200));
    const { rows } = await kissi.db.query(
      'select count(*)::int as open from customer_tokens where device_id = $1 and session_id is null and used_at is null',
      [phone.deviceId],
    );
    assert.equal(rows[0].open, 1);
  });

  test('ends after 180 days without a login', async () => {
    const phone = await newPhone(kissi, await bank.wallet());
    kissi.clock.advance(180 * DAY_MS);
    assertRefused(await deviceLogin(kissi, phone.deviceToken), 401, 'UNAUTHORIZED');
  });

  test('is stored as a hash only, like the refresh token and the challenge', async () => {
    const phone = await newPhone(kissi, await bank.wallet());
    const { rows } = await kissi.db.query('select t::text as row from customer_tokens t');
    const { rows: challenges } = await kissi.db.query('select c::text as row from customer_challenges c');
    const all = JSON.stringify([rows, challenges]) + kissi.logs();
    for (const secret of [phone.deviceToken, phone.refreshToken]) assert.ok(!all.includes(secret));
  });
});

describe('a refresh token', () => {
  test('gives the next pair, and works again for ten minutes if the reply was lost', async () => {
    const phone = await newPhone(kissi, await bank.wallet());
    assertStatus(await refresh(phone.refreshToken), 200);
    kissi.clock.advance(10 * MINUTE_MS - 1);
    const retried = assertStatus(await refresh(phone.refreshToken), 200).json;
    assertStatus(await refresh(retried.refresh_token), 200);
    assert.equal(await isOpen(phone), true);
  });

  test('ends the session when an older one is used; the device logs in again with the PIN', async () => {
    const phone = await newPhone(kissi, await bank.wallet());
    const next = assertStatus(await refresh(phone.refreshToken), 200).json;
    assertStatus(await refresh(next.refresh_token), 200);
    assertRefused(await refresh(phone.refreshToken), 401, 'UNAUTHORIZED');
    assert.equal(await isOpen(phone), false);
    await again(kissi, phone);
  });

  test('is none of a device, and the other way round', async () => {
    const phone = await newPhone(kissi, await bank.wallet());
    assertRefused(await refresh(phone.deviceToken), 401, 'UNAUTHORIZED');
    assertRefused(await deviceLogin(kissi, phone.refreshToken), 401, 'UNAUTHORIZED');
    assert.equal(await isOpen(phone), true);
  });

  test('ends after seven days; staff cannot exchange it, nor customers a token of staff', async () => {
    const phone = await newPhone(kissi, await bank.wallet());
    assertRefused(await post(kissi, '/admin/refresh', { refresh_token: phone.refreshToken }), 401, 'UNAUTHORIZED');
    kissi.clock.advance(7 * DAY_MS);
    assertRefused(await refresh(phone.refreshToken), 401, 'UNAUTHORIZED');
  });
});

describe('the end of a session', () => {
  test('logout ends the access token at once and keeps the device', async () => {
    const phone = await newPhone(kissi, await bank.wallet());
    assertStatus(await post(kissi, '/me/logout', { refresh_token: phone.refreshToken }), 200);
    assert.equal(await isOpen(phone), false);
    await again(kissi, phone);
    assertStatus(await post(kissi, '/me/logout', { refresh_token: 'unknown' }), 200);
  });

  test('the access token ends after 15 minutes', async () => {
    const phone = await newPhone(kissi, await bank.wallet());
    kissi.clock.advance(15 * MINUTE_MS);
    assertRefused(await phone.get('/me'), 401, 'UNAUTHORIZED');
  });

  test('the task deletes what has ended', async () => {
    const phone = await knownPhone(kissi, await bank.wallet());
    await post(kissi, '/me/login', { phone_number: phone.wallet.phone });
    kissi.clock.advance(200 * DAY_MS);
    await kissi.gateway.services.customerSessions.prune();
    for (const table of ['customer_challenges', 'customer_sessions', 'customer_tokens']) {
      const { rows } = await kissi.db.query(`select count(*)::int as left from ${table}`);
      assert.equal(rows[0].left, 0, table);
    }
  });
});

test('the fourth device ends the one that was not used for the longest time', async () => {
  const wallet = await bank.wallet();
  const first = await knownPhone(kissi, wallet);
  const second = await knownPhone(kissi, wallet);
  const third = await knownPhone(kissi, wallet);
  kissi.clock.advance(MINUTE_MS);
  const usedAgain = await again(kissi, first);
  const fourth = await newPhone(kissi, wallet);
  const { devices } = assertStatus(await fourth.get('/me/devices'), 200).json;
  assert.deepEqual(
    devices.map(({ id }: { id: string }) => id),
    [fourth, usedAgain, third].map(({ deviceId }) => deviceId),
  );
  assertRefused(await deviceLogin(kissi, second.deviceToken), 401, 'UNAUTHORIZED');
  assertRefused(await verify(kissi, { challenge: 'none', code: '123456', pin: PIN }), 401, 'INVALID_CODE');
});

test('devices that are new end each other before a known one: a thief cannot push out the holder’s', async () => {
  const wallet = await bank.wallet();
  const first = await newPhone(kissi, wallet);
  const second = await newPhone(kissi, wallet);
  kissi.clock.advance(DAY_MS);
  const known = [await again(kissi, first), await again(kissi, second)];
  const added: Phone[] = [];
  for (const device_name of ['One', 'Two', 'Three']) added.push(await newPhone(kissi, wallet, { device_name }));
  for (const phone of known) assertStatus(await phone.get('/me'), 200);
  const open = await Promise.all(added.map(async ({ get }) => (await get('/me')).status));
  assert.deepEqual(open, [401, 401, 200]);
});
