// Customers' logins with a code and the PIN, as a customer, as somebody who knows only the number, and as a thief.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PUBLIC_CALLER, ussdCaller } from '../../../src/auth/caller.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import {
  again,
  challenged,
  deviceLogin,
  loginCode,
  newPhone,
  otherCode,
  post,
  startLogin,
  verify,
} from '../../support/customers.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { bankForFile, PIN, WRONG_PIN } from '../../support/money.ts';
import { assertRefused, auditRows, messageTo } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();

/** What a caller can tell one refusal from another by. */
const seen = ({ status, json }: CallReply) => ({ status, json });

describe('login with a code', () => {
  test('opens a session of the role subscriber on a device that can log in again', async () => {
    const wallet = await bank.wallet(50_000);
    const phone = await newPhone(kissi, wallet, { device_name: 'My Tecno' });
    const claims = JSON.parse(Buffer.from(phone.token.split('.')[1] ?? '', 'base64url').toString());
    assert.deepEqual(Object.keys(claims).sort(), ['exp', 'iat', 'role', 'sub']);
    assert.deepEqual([claims.role, claims.sub], ['subscriber', wallet.id]);

    const me = assertStatus(await phone.get('/me'), 200).json;
    assert.equal(me.profile.phone_number, wallet.phone);
    assert.equal(assertStatus(await phone.get('/me/balance'), 200).json.available, 50_000);
    const { devices, device_id } = assertStatus(await phone.get('/me/devices'), 200).json;
    assert.deepEqual(
      devices.map(({ id, name }: Json) => [id, name]),
      [[device_id, 'My Tecno']],
    );
    assert.equal((await again(kissi, phone)).deviceId, phone.deviceId);
    assert.equal((await messageTo(kissi, wallet.phone)).kind, 'new_device');
    const [entry] = await auditRows(kissi, { action: 'customer.new_device', resource_id: wallet.id });
    assert.deepEqual([entry.actor_type, entry.actor_id, entry.details.device_id], ['subscriber', wallet.id, device_id]);
  });

  test('a challenge is used once', async () => {
    const wallet = await bank.wallet();
    const answer = await challenged(kissi, wallet);
    assertStatus(await verify(kissi, answer), 200);
    assertRefused(await verify(kissi, answer), 401, 'INVALID_CODE');
    const { devices } = await devicesOf(wallet.id);
    assert.equal(devices, 1);
  });

  test('of logins at the same time with one challenge, one succeeds', async () => {
    const wallet = await bank.wallet();
    const answer = await challenged(kissi, wallet);
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => verify(kissi, answer)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401, 401, 401, 401]);
    assert.equal((await devicesOf(wallet.id)).devices, 1);
  });

  test('a code is valid for ten minutes, for its own challenge, and for three answers', async () => {
    const wallet = await bank.wallet();
    const late = await challenged(kissi, wallet);
    kissi.clock.advance(10 * MINUTE_MS);
    assertRefused(await verify(kissi, late), 401, 'INVALID_CODE', 'late');

    const first = await challenged(kissi, wallet);
    const second = await challenged(kissi, wallet);
    if (first.code !== second.code) {
      assertRefused(await verify(kissi, { ...second, code: first.code }), 401, 'INVALID_CODE', "another challenge's");
    }
    for (const _ of [1, 2, 3]) {
      assertRefused(await verify(kissi, { ...first, code: otherCode(first.code) }), 401, 'INVALID_CODE');
    }
    assertRefused(await verify(kissi, first), 401, 'INVALID_CODE', 'the fourth answer');
  });

  test('a right code with a wrong PIN is a wrong PIN, and uses one of the answers', async () => {
    const wallet = await bank.wallet();
    const answer = await challenged(kissi, wallet);
    const wrong = assertRefused(await verify(kissi, { ...answer, pin: WRONG_PIN }), 401, 'INVALID_PIN');
    assert.equal(wrong.json.attempts_remaining, 2);
    assertRefused(await verify(kissi, { ...answer, pin: '12' }), 400, 'INVALID_PIN');
    assertStatus(await verify(kissi, answer), 200);
  });
});

describe('somebody who knows only the number', () => {
  test('learns from no reply whether it is registered or what its PIN is', async () => {
    const wallet = await bank.wallet();
    const replies = async (phone_number: string, pin: string) => {
      const login = await post(kissi, '/me/login', { phone_number });
      const { challenge, ...same } = login.json;
      assert.match(challenge, /^[\w-]{43}$/);
      const tries = [];
      for (const code of ['111111', '222222', '333333', '444444']) {
        tries.push(seen(await verify(kissi, { challenge, code, pin })));
      }
      return [login.status, same, tries];
    };
    const unknown = await replies('+23276999999', PIN);
    assert.deepEqual(await replies(wallet.phone, PIN), unknown);
    assert.deepEqual(await replies(wallet.phone, WRONG_PIN), unknown);
    assert.equal(await messageTo(kissi, '+23276999999'), undefined);
  });

  test('cannot lock the holder out: without a code no PIN is compared', async () => {
    const wallet = await bank.wallet();
    for (let count = 0; count < 12; count += 1) {
      const challenge = await startLogin(kissi, wallet.phone);
      const body = { challenge, code: 'abcdef', pin: WRONG_PIN };
      assertRefused(await verify(kissi, body), 401, 'INVALID_CODE');
    }
    const balance = await bank.post(`/wallet/balance/${wallet.id}`, { pin: PIN });
    assertStatus(balance, 200);
  });

  test('makes the service send three messages an hour, and no later challenge succeeds', async () => {
    const wallet = await bank.wallet();
    const codes = [];
    for (const _ of [1, 2, 3]) codes.push((await challenged(kissi, wallet)).code);
    const challenge = await startLogin(kissi, wallet.phone);
    assert.equal(await loginCode(kissi, wallet.phone), codes[2], 'no fourth message');
    for (const code of codes) assertRefused(await verify(kissi, { challenge, code }), 401, 'INVALID_CODE');
    kissi.clock.advance(HOUR_MS);
    await newPhone(kissi, wallet);
  });

  test('a number that is no number is refused', async () => {
    assertRefused(await post(kissi, '/me/login', { phone_number: 'abc' }), 400, 'INVALID_REQUEST');
  });
});

describe('a code by USSD', () => {
  test('opens a challenge that got no message', async () => {
    const wallet = await bank.wallet();
    for (const _ of [1, 2, 3]) await startLogin(kissi, wallet.phone);
    const challenge = await startLogin(kissi, wallet.phone);
    assertStatus(await verify(kissi, { challenge, code: await ussdCode(wallet.id) }), 200);
  });

  test('opens one login', async () => {
    const wallet = await bank.wallet();
    const code = await ussdCode(wallet.id);
    const challenges = [await startLogin(kissi, wallet.phone), await startLogin(kissi, wallet.phone)];
    assertStatus(await verify(kissi, { challenge: challenges[0], code }), 200);
    assertRefused(await verify(kissi, { challenge: challenges[1], code }), 401, 'INVALID_CODE');
  });

  test("does not open another number's challenge, and is not ended by the answers of a stranger in the same network", async () => {
    const [wallet, other] = [await bank.wallet(), await bank.wallet()];
    const code = await ussdCode(wallet.id);
    const foreign = await startLogin(kissi, other.phone);
    assertRefused(await verify(kissi, { challenge: foreign, code }), 401, 'INVALID_CODE');
    for (let attacker = 1; attacker <= 4; attacker += 1) {
      const challenge = await startLogin(kissi, wallet.phone);
      for (const _ of [1, 2, 3]) {
        assertRefused(await verify(kissi, { challenge, code: otherCode(code) }), 401, 'INVALID_CODE');
      }
    }
    const challenge = await startLogin(kissi, wallet.phone);
    assertStatus(await verify(kissi, { challenge, code }), 200);
  });
});

test('a code by USSD takes 60 answers of a network and 300 of all', async () => {
  const wallet = await bank.wallet();
  const code = await ussdCode(wallet.id);
  const answer = async (ip: string, sent: string) => {
    const challenge = await startLogin(kissi, wallet.phone);
    return kissi.gateway.services.customerSessions.login.withCode(
      { caller: PUBLIC_CALLER, ip, requestId: 'r' },
      { challenge, code: sent, pin: PIN, device_name: 'Phone' },
    );
  };
  const wrongFrom = (ip: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => answer(ip, otherCode(code))));
  await wrongFrom('10.0.0.1', 60);
  assert.ok((await answer('10.0.0.2', code)) instanceof Refusal, 'of the same network');
  for (const network of [1, 2, 3]) await wrongFrom(`10.0.${network}.1`, 60);
  await wrongFrom('10.0.4.1', 59);
  const { rows } = await kissi.db.query('select tries_left from customer_ussd_codes where subscriber_id = $1', [
    wallet.id,
  ]);
  assert.equal(rows[0].tries_left, 1);
  assert.ok(!((await answer('10.0.5.1', code)) instanceof Refusal));
});

describe('an account that cannot log in', () => {
  test('a blocked customer is told so after the code, before the PIN', async () => {
    const wallet = await bank.wallet();
    assertStatus(await kissi.asAdmin.post(`/subscribers/${wallet.id}/block`, { reason: 'Stolen phone' }), 200);
    const answer = await challenged(kissi, wallet);
    assertRefused(await verify(kissi, { ...answer, pin: WRONG_PIN }), 403, 'SUBSCRIBER_BLOCKED');
  });

  test('an unknown device token is refused whatever the PIN is', async () => {
    for (const pin of [PIN, WRONG_PIN]) {
      assertRefused(await deviceLogin(kissi, 'x'.repeat(43), pin), 401, 'UNAUTHORIZED');
    }
  });
});

async function ussdCode(subscriberId: string): Promise<string> {
  const { customerSessions } = kissi.gateway.services;
  const actor = { caller: ussdCaller(subscriberId, null), ip: '10.0.0.1', requestId: 'test' };
  return (await customerSessions.ussdLoginCode(actor)).code;
}

async function devicesOf(subscriberId: string): Promise<{ devices: number }> {
  const text = 'select count(*)::int as devices from customer_devices where subscriber_id = $1 and ended_at is null';
  return (await kissi.db.query(text, [subscriberId])).rows[0];
}
