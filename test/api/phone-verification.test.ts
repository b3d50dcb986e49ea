// PHONE_VERIFICATION: a public registration is PENDING until the code sent to its number is entered.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { loadConfig } from '../../src/kernel/config/config.ts';
import { assertRefused, messageTo } from '../support/agents.ts';
import { type CallReply, gatewayForFile, SECRETS, testGateway } from '../support/gateway.ts';
import { containsDigits } from '../support/secrets.ts';
import { auditLogs } from '../support/staff.ts';

const env = { PHONE_VERIFICATION: 'required', TRUST_PROXY: '1' };
const kissi = await gatewayForFile({ env });

let phones = 76_500_000;
const newPhone = () => `+232${phones++}`;
const PIN = '4827';
const registration = (phone_number: string, extra = {}) => ({
  ...{ phone_number, first_name: 'Aminata', last_name: 'Kamara', pin: PIN },
  ...extra,
});

/** Each from its own client address by default, so that only the limits of the number apply. */
let addresses = 0;
const fromAddress = (address = `10.1.${addresses >> 8}.${addresses++ & 255}`) => ({
  headers: { 'x-forwarded-for': address },
});
const register = (phone: string, { address, ...extra }: Record<string, unknown> & { address?: string } = {}) =>
  kissi.call('POST', '/api/v1/public/subscribers', { body: registration(phone, extra), ...fromAddress(address) });
const verify = (id: string, code: unknown, gateway = kissi) =>
  gateway.call('POST', `/api/v1/public/subscribers/${id}/verify`, { body: { code } });
const resend = (id: string, address?: string) =>
  kissi.call('POST', `/api/v1/public/subscribers/${id}/resend-code`, fromAddress(address));
const statusOf = async (id: string) =>
  (await kissi.call('GET', `/api/v1/subscribers/${id}`, { token: await kissi.adminToken() })).json.subscriber.status;
const frozen = async (id: string) =>
  (await kissi.db.query('select frozen from accounts where id = $1', [id])).rows[0].frozen;
const messagesTo = async (phone: string) =>
  (
    await kissi.db.query("select count(*)::int as n from messages where recipient = $1 and kind = 'phone_code'", [
      phone,
    ])
  ).rows[0].n;

async function codeOf(phone: string): Promise<string> {
  const { text, kind } = await messageTo(kissi, phone);
  assert.equal(kind, 'phone_code');
  const code = /\b(\d{6})\b/.exec(text)?.[1];
  assert.ok(code, text);
  return code;
}
const otherThan = (code: string) => (code === '000000' ? '000001' : '000000');

async function pending(phone = newPhone()): Promise<{ id: string; phone: string; code: string }> {
  const reply = await register(phone);
  assert.equal(reply.status, 201, reply.text);
  return { id: reply.json.subscriber_id, phone, code: await codeOf(phone) };
}

describe('a public registration', () => {
  test('is PENDING, its wallet frozen, until the code from the message is entered', async () => {
    const phone = newPhone();
    const reply = await register(phone);
    assert.equal(reply.status, 201, reply.text);
    const { subscriber_id: id, subscriber } = reply.json;
    assert.deepEqual([subscriber.status, subscriber.phone_number, await frozen(id)], ['PENDING', phone, true]);
    const code = await codeOf(phone);
    assert.ok(!containsDigits(reply.text, code), 'the reply does not contain the code');
    const verified = await verify(id, code);
    assert.deepEqual(
      [verified.status, verified.json],
      [200, { success: true, message: 'The phone number was verified.' }],
    );
    assert.deepEqual([await statusOf(id), await frozen(id)], ['ACTIVE', false]);
    assert.equal((await auditLogs(kissi, { resource_id: id, action: 'subscriber.verify_phone' })).length, 1);
    assertRefused(await verify(id, code), 409, 'NOT_PENDING');
    assertRefused(await register(phone), 409, 'DUPLICATE_PHONE');
  });

  test('stores only a keyed hash of the code, which differs for equal codes', async () => {
    const { id, code } = await pending();
    const { rows } = await kissi.db.query('select * from phone_verifications where subscriber_id = $1', [id]);
    assert.ok(!containsDigits(JSON.stringify(rows), code));
    assert.deepEqual([rows[0].code_hash.length, rows[0].code_salt.length], [32, 16]);
    assert.ok(!containsDigits(kissi.logs(), code));
  });

  test('is refused three wrong codes, then also the right one', async () => {
    const { id, code } = await pending();
    for (const left of [2, 1, 0]) {
      const reply = await verify(id, otherThan(code));
      assertRefused(reply, 401, 'INVALID_OTP');
      assert.equal(reply.json.attempts_remaining, left);
    }
    assertRefused(await verify(id, code), 401, 'INVALID_OTP');
    assert.equal(await statusOf(id), 'PENDING');
  });

  test('has at most three of many concurrent codes compared, on two gateways', async () => {
    const second = await testGateway({ db: kissi.db, clock: kissi.clock, env });
    try {
      const { id, code } = await pending();
      const guesses = Array.from({ length: 30 }, (_, n) => String((Number(code) + n + 1) % 1_000_000).padStart(6, '0'));
      const replies = await Promise.all(guesses.map((guess, n) => verify(id, guess, n % 2 ? kissi : second)));
      for (const reply of replies) assertRefused(reply, 401, 'INVALID_OTP');
      const compared = replies.filter(({ json }) => json.error.startsWith('The code is wrong'));
      assert.equal(compared.length, 3);
      assertRefused(await verify(id, code), 401, 'INVALID_OTP');
    } finally {
      await second.close();
    }
  });

  test('is verified once by concurrent requests with the right code', async () => {
    const { id, code } = await pending();
    const replies = await Promise.all(Array.from({ length: 8 }, () => verify(id, code)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    for (const { status, json } of replies) assert.ok(status === 200 || json.code === 'NOT_PENDING');
  });

  test('refuses a code after 15 minutes', async () => {
    const [late, punctual] = [await pending(), await pending()];
    kissi.clock.advance(15 * MINUTE_MS - 1);
    assert.equal((await verify(punctual.id, punctual.code)).status, 200);
    kissi.clock.advance(1);
    assertRefused(await verify(late.id, late.code), 401, 'INVALID_OTP');
  });

  test('refuses malformed codes without counting them, and codes of other registrations', async () => {
    const [first, second] = [await pending(), await pending()];
    for (const code of ['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦', 123_456]) {
      assertRefused(await verify(first.id, code), 400, 'INVALID_REQUEST');
    }
    if (first.code !== second.code) assertRefused(await verify(first.id, second.code), 401, 'INVALID_OTP');
    assertRefused(await verify('sub_unknown', '123456'), 404, 'NOT_FOUND');
    assert.equal((await verify(first.id, first.code)).status, 200);
  });
});

describe('a number that is not verified', () => {
  test('is not occupied: its owner registers beside an attacker, and the first to enter a code gets it', async () => {
    const attacker = await pending();
    const owner = await pending(attacker.phone);
    assert.notEqual(owner.id, attacker.id);
    assert.equal((await verify(owner.id, owner.code)).status, 200);
    assertRefused(await verify(attacker.id, attacker.code), 409, 'DUPLICATE_PHONE');
    assert.deepEqual([await statusOf(owner.id), await statusOf(attacker.id)], ['ACTIVE', 'PENDING']);
    assertRefused(
      await kissi.call('POST', `/api/v1/subscribers/${attacker.id}/activate`, { token: await kissi.adminToken() }),
      409,
      'DUPLICATE_PHONE',
    );
  });

  test('a later registration does not invalidate the code of an earlier one', async () => {
    const owner = await pending();
    const attacker = await pending(owner.phone);
    assert.equal((await verify(owner.id, owner.code)).status, 200);
    assert.equal(await statusOf(attacker.id), 'PENDING');
  });

  test('goes to exactly one of two registrations that are verified at once', async () => {
    const first = await pending();
    const second = await pending(first.phone);
    const replies = await Promise.all([verify(first.id, first.code), verify(second.id, second.code)]);
    const outcomes = replies.map(({ status, json }: CallReply) => json.code ?? status);
    assert.deepEqual(outcomes.map(String).toSorted(), ['200', 'DUPLICATE_PHONE']);
  });

  test('is registered by staff as before, ACTIVE and without a code', async () => {
    const attacker = await pending();
    const before = await messagesTo(attacker.phone);
    const body = registration(attacker.phone);
    const reply = await kissi.call('POST', '/api/v1/subscribers', { body, token: await kissi.adminToken() });
    assert.deepEqual([reply.status, reply.json.subscriber?.status], [201, 'ACTIVE'], reply.text);
    assert.equal(await messagesTo(attacker.phone), before);
    assertRefused(await verify(attacker.id, attacker.code), 409, 'DUPLICATE_PHONE');
  });

  test('can be activated by staff; the code is then of no use', async () => {
    const { id, code } = await pending();
    assert.equal(
      (await kissi.call('POST', `/api/v1/subscribers/${id}/activate`, { token: await kissi.adminToken() })).status,
      200,
    );
    assert.deepEqual([await statusOf(id), await frozen(id)], ['ACTIVE', false]);
    assertRefused(await verify(id, code), 409, 'NOT_PENDING');
  });

  test('that staff change is not confirmed by the code sent to the old number', async () => {
    const { id, code } = await pending();
    const body = { phone_number: newPhone() };
    assert.equal(
      (await kissi.call('PUT', `/api/v1/subscribers/${id}`, { body, token: await kissi.adminToken() })).status,
      200,
    );
    assertRefused(await verify(id, code), 401, 'INVALID_OTP');
  });

  test('of a subscriber whom staff registered as PENDING is not verified by the public', async () => {
    const body = registration(newPhone(), { status: 'PENDING' });
    const { json } = await kissi.call('POST', '/api/v1/subscribers', { body, token: await kissi.adminToken() });
    assertRefused(await verify(json.subscriber_id, '123456'), 404, 'NOT_FOUND');
    assertRefused(await resend(json.subscriber_id), 404, 'NOT_FOUND');
  });
});

describe('a new code', () => {
  test('replaces the old one and has three tries of its own', async () => {
    const { id, phone, code } = await pending();
    for (let n = 0; n < 3; n++) await verify(id, otherThan(code));
    kissi.clock.advance(MINUTE_MS);
    assert.equal((await resend(id)).status, 200);
    const next = await codeOf(phone);
    if (next !== code) assertRefused(await verify(id, code), 401, 'INVALID_OTP');
    assert.equal((await verify(id, next)).status, 200);
    assertRefused(await resend(id), 409, 'NOT_PENDING');
  });

  test('is sent at most once a minute and four times per registration', async () => {
    const { id, phone } = await pending();
    const early = await resend(id);
    assertRefused(early, 429, 'RATE_LIMITED');
    assert.equal(early.headers.get('retry-after'), '60');
    for (let n = 0; n < 3; n++) {
      kissi.clock.advance(MINUTE_MS);
      assert.equal((await resend(id)).status, 200);
    }
    kissi.clock.advance(MINUTE_MS);
    assertRefused(await resend(id), 429, 'TOO_MANY_ATTEMPTS');
    assert.equal(await messagesTo(phone), 4);
  });

  test('is sent to one number three times an hour for one address, while others can still register it', async () => {
    const phone = newPhone();
    const address = '203.0.113.9';
    for (let n = 0; n < 3; n++) assert.equal((await register(phone, { address })).status, 201);
    for (let n = 0; n < 20; n++) assertRefused(await register(phone, { address }), 429, 'RATE_LIMITED');
    assert.equal((await register(phone)).status, 201, 'from another address');
    assert.equal(await messagesTo(phone), 4);
    kissi.clock.advance(HOUR_MS);
    assert.equal((await register(phone, { address })).status, 201);
  });

  test('is sent to one number ten times an hour, also under concurrency; a code that was sent stays valid', async () => {
    const owner = await pending();
    const replies = await Promise.all(Array.from({ length: 25 }, () => register(owner.phone)));
    assert.equal(replies.filter(({ status }) => status === 201).length, 9);
    for (const reply of replies) if (reply.status !== 201) assertRefused(reply, 429, 'RATE_LIMITED');
    assert.equal(await messagesTo(owner.phone), 10);
    assert.equal((await verify(owner.id, owner.code)).status, 200);
  });
});

test('with PHONE_VERIFICATION off, a public registration is ACTIVE at once and no code is sent', async () => {
  const other = await testGateway({ db: kissi.db, clock: kissi.clock });
  try {
    const phone = newPhone();
    const reply = await other.call('POST', '/api/v1/public/subscribers', { body: registration(phone) });
    assert.deepEqual([reply.status, reply.json.subscriber.status], [201, 'ACTIVE']);
    assert.equal(await messagesTo(phone), 0);
  } finally {
    await other.close();
  }
});

test('in production, PHONE_VERIFICATION requires a messaging platform', () => {
  const secret = 'kW3-qZ8.vN5_tR2+yB7=mH4/cJ9!xL6?';
  const production = {
    ...SECRETS,
    APP_ENV: 'production',
    APPROVALS: 'off',
    MESSAGING_APP_SECRET: secret,
    PHONE_VERIFICATION: 'required',
  };
  assert.throws(() => loadConfig(production), /MESSAGING_API_URL must be set when PHONE_VERIFICATION is required/);
  const platform = { MESSAGING_API_URL: 'https://graph.example.com/messages', MESSAGING_API_TOKEN: 'a-token' };
  assert.equal(loadConfig({ ...production, ...platform }).verifyPhones, true);
});
