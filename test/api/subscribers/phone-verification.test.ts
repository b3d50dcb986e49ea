// PHONE_VERIFICATION: a registration is PENDING until the code sent to its number is entered.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { loadConfig } from '../../../src/kernel/config/config.ts';
import { assertRefused, messageTo } from '../../support/agents.ts';
import { assertStatus, type CallReply, gatewayForFile, SECRETS, testGateway } from '../../support/gateway.ts';
import { containsDigits } from '../../support/secrets.ts';
import { apiKey, auditLogs } from '../../support/staff.ts';

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
const statusOf = async (id: string) => (await kissi.asAdmin.get(`/subscribers/${id}`)).json.subscriber.status;
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
/** Enters the last code that was sent to the number. */
const verifyLatest = async ({ json }: CallReply, phone: string) => verify(json.subscriber_id, await codeOf(phone));
const otherThan = (code: string) => (code === '000000' ? '000001' : '000000');

async function pending(phone = newPhone()): Promise<{ id: string; phone: string; code: string }> {
  const reply = assertStatus(await register(phone), 201);
  return { id: reply.json.subscriber_id, phone, code: await codeOf(phone) };
}

describe('a public registration', () => {
  test('is PENDING, its wallet frozen, until the code from the message is entered', async () => {
    const phone = newPhone();
    const reply = assertStatus(await register(phone), 201);
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
      const reply = assertRefused(await verify(id, otherThan(code)), 401, 'INVALID_OTP');
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
  test('is not reserved: a later registration replaces the earlier one, which is gone', async () => {
    const attacker = await pending();
    const owner = await pending(attacker.phone);
    assert.notEqual(owner.id, attacker.id);
    for (const code of [attacker.code, owner.code]) assertRefused(await verify(attacker.id, code), 404, 'NOT_FOUND');
    assertRefused(await resend(attacker.id), 404, 'NOT_FOUND');
    const token = await kissi.adminToken();
    assertRefused(await kissi.call('GET', `/api/v1/subscribers/${attacker.id}`, { token }), 404, 'NOT_FOUND');
    assertRefused(await kissi.call('POST', `/api/v1/subscribers/${attacker.id}/activate`, { token }), 404, 'NOT_FOUND');
    assert.equal(await frozen(attacker.id), true);
    const entries = await auditLogs(kissi, { resource_id: attacker.id, action: 'subscriber.replace_registration' });
    assert.equal(entries.length, 1);
    assert.equal((await verify(owner.id, owner.code)).status, 200);
    assert.equal(await statusOf(owner.id), 'ACTIVE');
  });

  test('belongs to one of many concurrent registrations, and only that one can be verified', async () => {
    const phone = newPhone();
    const replies = await Promise.all(Array.from({ length: 3 }, () => register(phone)));
    for (const { status, text } of replies) assert.equal(status, 201, text);
    const ids = replies.map(({ json }) => json.subscriber_id);
    const { rows } = await kissi.db.query('select id, status from subscribers where phone_number = $1', [phone]);
    assert.deepEqual(rows.map(({ status }) => status).toSorted(), ['ENDED', 'ENDED', 'PENDING']);
    const live = rows.find(({ status }) => status === 'PENDING').id;
    // The messages of one instant have no order: of the three codes, one is right.
    const sent = await kissi.db.query('select count(*)::int as n from messages where recipient = $1', [phone]);
    assert.equal(sent.rows[0].n, 3);
    for (const id of ids) if (id !== live) assertRefused(await verify(id, '123456'), 404, 'NOT_FOUND');
  });

  test('goes to nobody else while its code is entered: a registration at that instant does not hold it', async () => {
    const first = await pending();
    const [verified, second] = await Promise.all([verify(first.id, first.code), register(first.phone)]);
    const { rows } = await kissi.db.query('select id from subscribers where phone_number = $1 and phone_verified', [
      first.phone,
    ]);
    if (verified.status === 200) {
      assert.deepEqual(rows, [{ id: first.id }]);
      if (second.status === 201) assertRefused(await verifyLatest(second, first.phone), 409, 'DUPLICATE_PHONE');
      else assertRefused(second, 409, 'DUPLICATE_PHONE');
    } else {
      assertRefused(verified, 404, 'NOT_FOUND');
      assert.deepEqual([rows, second.status], [[], 201]);
    }
  });

  test('is not activated by staff: the code is needed', async () => {
    const { id, code } = await pending();
    const activate = async () => kissi.asAdmin.post(`/subscribers/${id}/activate`);
    assertRefused(await activate(), 409, 'PHONE_NOT_VERIFIED');
    assert.deepEqual([await statusOf(id), await frozen(id)], ['PENDING', true]);
    assert.equal((await verify(id, code)).status, 200);
    assertRefused(await activate(), 409, 'NOT_PENDING');
  });

  test('cannot be changed by staff, nor can the record: it is registered again', async () => {
    const { id, phone, code } = await pending();
    const token = await kissi.adminToken();
    const changes = [{ phone_number: newPhone() }, { partner_wallet_id: 'BANK-1' }, { first_name: 'Another' }];
    for (const body of changes) {
      assertStatus(await kissi.call('PUT', `/api/v1/subscribers/${id}`, { body, token }), 409);
    }
    const link = { card_serial: 'CARD-76500001', subscriber_id: id };
    assertRefused(await kissi.call('POST', '/api/v1/cards/link', { body: link, token }), 409, 'PHONE_NOT_VERIFIED');
    const { json } = await kissi.call('GET', `/api/v1/subscribers/${id}`, { token });
    const { phone_number, first_name, partner_wallet_id, cards_count } = json.subscriber;
    assert.deepEqual([phone_number, first_name, partner_wallet_id, cards_count], [phone, 'Aminata', null, 0]);
    assert.equal((await verify(id, code)).status, 200);
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
    const early = assertRefused(await resend(id), 429, 'RATE_LIMITED');
    assert.equal(early.headers.get('retry-after'), '60');
    for (let n = 0; n < 3; n++) {
      kissi.clock.advance(HOUR_MS);
      assert.equal((await resend(id)).status, 200);
    }
    kissi.clock.advance(HOUR_MS);
    assertRefused(await resend(id), 429, 'TOO_MANY_ATTEMPTS');
    assert.equal(await messagesTo(phone), 4);
  });

  test('is sent to one number three times an hour, no matter who asks or how many at once', async () => {
    const owner = await pending();
    const [token, { key }] = [await kissi.adminToken(), await apiKey(kissi, ['subscribers:write'])];
    const body = registration(owner.phone);
    const others = [token, key].map((each) => () => kissi.call('POST', '/api/v1/subscribers', { body, token: each }));
    const ways = [...others, () => register(owner.phone), () => resend(owner.id)];
    kissi.clock.advance(MINUTE_MS);
    const replies = await Promise.all(Array.from({ length: 24 }, (_, n) => ways[n % ways.length]?.() ?? assert.fail()));
    const sent = replies.filter(({ status }) => status < 300).length;
    assert.equal(sent, 2);
    assert.equal(await messagesTo(owner.phone), 3);
    for (const reply of replies) {
      if (reply.status >= 300 && reply.status !== 404) assertRefused(reply, 429, 'RATE_LIMITED');
    }
    kissi.clock.advance(HOUR_MS);
    assert.equal((await register(owner.phone)).status, 201);
    assert.equal(await messagesTo(owner.phone), 4);
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

test('in production, PHONE_VERIFICATION must be set, and required needs a messaging platform', () => {
  const secret = 'kW3-qZ8.vN5_tR2+yB7=mH4/cJ9!xL6?';
  const production = {
    ...SECRETS,
    APP_ENV: 'production',
    APPROVALS: 'off',
    MESSAGING_APP_SECRET: secret,
    PHONE_VERIFICATION: 'required',
  };
  const { PHONE_VERIFICATION: _, ...unset } = production;
  assert.throws(() => loadConfig(unset), /PHONE_VERIFICATION must be set in production: required or off/);
  assert.equal(loadConfig({ ...unset, PHONE_VERIFICATION: 'off' }).verifyPhones, false);
  assert.equal(loadConfig({}).verifyPhones, false);
  assert.throws(() => loadConfig(production), /MESSAGING_API_URL must be set when PHONE_VERIFICATION is required/);
  const platform = { MESSAGING_API_URL: 'https://graph.example.com/messages', MESSAGING_API_TOKEN: 'a-token' };
  assert.equal(loadConfig({ ...production, ...platform }).verifyPhones, true);
});
