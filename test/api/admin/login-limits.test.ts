// Limits of wrong passwords per name and network, and per name and day; browsers that logged in before are not locked out.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { assertStatus, type CallReply, gatewayForFile, testGateway } from '../../support/gateway.ts';
import {
  answer,
  challenge,
  logInWithCode,
  passkeyUser,
  SITE_ENV,
  type TotpUser,
  totpUser,
} from '../../support/second-factor.ts';
import { assertRefused, auditLogs, messageTo, openSession, type Staff, staffMember } from '../../support/staff.ts';

const env = { TRUST_PROXY: '1', ...SITE_ENV };
const kissi = await gatewayForFile({ env });

const WRONG = 'Wrong-Password-1';
const HOME = '198.51.100.7';

interface Guess {
  from: string;
  cookie?: string;
}

/** A login from the console. */
function enter({ email, password }: Pick<Staff, 'email' | 'password'>, { from, cookie }: Guess): Promise<CallReply> {
  const page = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': from, ...(cookie ? { cookie } : {}) };
  return kissi.call('POST', '/console/session', { headers: page, body: { email, password } });
}

/** A login by a client of the API. */
function logIn({ email, password }: Pick<Staff, 'email' | 'password'>, from: string, gateway = kissi) {
  const headers = { 'x-forwarded-for': from };
  return gateway.call('POST', '/api/v1/admin/login', { headers, body: { email, password } });
}

/** Both steps, from the console. */
async function enterWithCode(staff: TotpUser): Promise<CallReply> {
  const asked = assertRefused(await enter(staff, { from: HOME }), 401, 'SECOND_FACTOR_REQUIRED');
  const headers = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': HOME };
  const body = { challenge: asked.json.challenge, code: staff.nextCode() };
  return kissi.call('POST', '/console/session/second-factor', { headers, body });
}

function browserOf(reply: CallReply): string {
  assert.equal(reply.status, 200, reply.text);
  return (
    reply.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('kissi_browser='))
      ?.split(';')[0] ?? ''
  );
}

async function guess(staff: Staff, times: number, from: (n: number) => string): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < times; n++) statuses.push((await logIn({ ...staff, password: WRONG }, from(n))).status);
  return statuses;
}

/** Four from each network, so that only the day's limit is reached. */
const spread = (n: number) => `10.0.${Math.floor(n / 4)}.${n % 4}`;

/** Noon, so that no test crosses the end of the day unintentionally. */
function toNoon(): void {
  kissi.clock.set((Math.floor(kissi.clock.now() / DAY_MS) + 1) * DAY_MS + 12 * HOUR_MS);
}

describe('wrong passwords from one network', () => {
  test('lock the name for that network, by /24 and /48, and for no other', async () => {
    const staff = await staffMember(kissi, 'system_admin');
    assert.deepEqual(await guess(staff, 6, (n) => `203.0.113.${n}`), [401, 401, 401, 401, 401, 429]);
    assertRefused(await logIn(staff, '203.0.113.200'), 429, 'TOO_MANY_ATTEMPTS');
    assert.deepEqual(await guess(staff, 6, (n) => `2001:db8:7:${n}::1`), [401, 401, 401, 401, 401, 429]);
    assertRefused(await logIn(staff, '2001:db8:7:ffff::9'), 429, 'TOO_MANY_ATTEMPTS');
    for (const address of ['203.0.112.1', HOME, '2001:db8:8::1']) {
      assert.equal((await logIn(staff, address)).status, 200, address);
    }
    kissi.clock.advance(15 * MINUTE_MS);
    assert.equal((await logIn(staff, '203.0.113.1')).status, 200);
  });

  test('count over all gateways, and beyond the lock not against the day', async () => {
    toNoon();
    const staff = await staffMember(kissi, 'support_user');
    const second = await testGateway({ db: kissi.db, clock: kissi.clock, env });
    try {
      const replies = await Promise.all(
        Array.from({ length: 70 }, (_, n) =>
          logIn({ ...staff, password: WRONG }, '203.0.113.9', n % 2 ? kissi : second),
        ),
      );
      assert.equal(replies.filter(({ status }) => status === 401).length, 5);
      assert.equal((await logIn(staff, HOME, second)).status, 200);
    } finally {
      await second.close();
    }
  });
});

describe("an administrator's reset", () => {
  for (const reset of ['reset-password', 'reset-second-factor']) {
    test(`with ${reset} forgets browsers and wrong passwords, and ends sessions and challenges`, async () => {
      toNoon();
      const staff = await totpUser(kissi, 'finance_user');
      const known = { from: HOME, cookie: browserOf(await enterWithCode(staff)) };
      const [session, asked] = [await logInWithCode(kissi, staff), await challenge(kissi, staff)];
      await guess(staff, 60, spread);
      assertRefused(await logIn(staff, HOME), 429, 'TOO_MANY_ATTEMPTS');
      assertRefused(await enter(staff, known), 401, 'SECOND_FACTOR_REQUIRED');

      const path = `/api/v1/admin/users/${staff.id}/${reset}`;
      const reply = assertStatus(await kissi.call('POST', path, { token: await kissi.adminToken() }), 200);
      const { rows } = await kissi.db.query('select from known_browsers where user_id = $1', [staff.id]);
      assert.equal(rows.length, 0);
      assertRefused(await kissi.call('GET', '/api/v1/admin/me', { token: session.token }), 401, 'UNAUTHORIZED');
      assertStatus(await answer(kissi, { challenge: asked.challenge, code: staff.nextCode() }), 401);
      // The owner is not locked out by guesses at the credential of before.
      const password = reply.json.temporary_password ?? staff.password;
      const own = await logIn({ ...staff, password }, HOME);
      if (reset === 'reset-password') assertRefused(own, 401, 'SECOND_FACTOR_REQUIRED');
      else assert.equal(own.status, 200, own.text);
      // A browser of before is as unknown as every other.
      await guess(staff, 60, spread);
      assertRefused(await enter({ ...staff, password: WRONG }, known), 429, 'TOO_MANY_ATTEMPTS');
    });
  }
});

describe('20 wrong passwords of one network in a day', () => {
  /** Five, and a sixth that is refused; then the next 15 minutes. */
  async function guessInWindow(staff: Staff, from: string): Promise<number[]> {
    const statuses = await guess(staff, 6, () => from);
    kissi.clock.advance(15 * MINUTE_MS);
    return statuses;
  }

  test('lock the name for that network until midnight UTC, leave the day to others, and tell nobody', async () => {
    toNoon();
    const phone = '+23276777002';
    const staff = await staffMember(kissi, 'finance_user', { phone_number: phone });
    for (let n = 0; n < 4; n++) {
      assert.deepEqual(await guessInWindow(staff, '203.0.113.5'), [401, 401, 401, 401, 401, 429]);
    }
    for (let n = 0; n < 8; n++) assert.deepEqual(new Set(await guessInWindow(staff, '203.0.113.6')), new Set([429]));
    const refused = assertRefused(await logIn(staff, '203.0.113.7'), 429, 'TOO_MANY_ATTEMPTS');
    assert.equal(refused.headers.get('retry-after'), String((9 * HOUR_MS) / 1_000));
    assert.equal((await logIn(staff, HOME)).status, 200);
    assert.deepEqual(new Set(await guess(staff, 30, spread)), new Set([401]), 'the rest of the day');
    assert.equal((await messageTo(kissi, phone)).kind, 'credentials');
    assertRefused(await logIn(staff, HOME), 429, 'TOO_MANY_ATTEMPTS');
    kissi.clock.advance(9 * HOUR_MS);
    assert.equal((await logIn(staff, '203.0.113.5')).status, 200);
  });

  test('do not lock out who logs in there and seldom mistypes', async () => {
    toNoon();
    const staff = await staffMember(kissi, 'finance_user');
    for (let n = 0; n < 25; n++) assert.equal((await logIn(staff, HOME)).status, 200);
  });
});

describe('more than 50 wrong passwords in one day', () => {
  test('lock the name for unknown browsers until midnight UTC, tell the user once, and are audited', async () => {
    toNoon();
    const phone = '+23276777001';
    const staff = await staffMember(kissi, 'support_user', { phone_number: phone });
    assert.deepEqual(new Set(await guess(staff, 50, spread)), new Set([401]));
    assert.equal((await messageTo(kissi, phone)).kind, 'credentials');
    const refused = assertRefused(await logIn(staff, HOME), 429, 'TOO_MANY_ATTEMPTS');
    assert.equal(refused.headers.get('retry-after'), String((12 * HOUR_MS) / 1_000));
    assertRefused(await enter(staff, { from: HOME }), 429, 'TOO_MANY_ATTEMPTS');
    assertRefused(await logIn(staff, '192.0.2.1'), 429, 'TOO_MANY_ATTEMPTS');
    const { kind, text } = await messageTo(kissi, phone);
    assert.deepEqual([kind, /more than 50 wrong passwords/.test(text)], ['login_limit', true]);
    const { messages } = (await kissi.asAdmin.get('/admin/messages?limit=100')).json;
    assert.equal(messages.filter((sent: { to: string; kind: string }) => sent.to === phone).length, 2);
    const entries = await auditLogs(kissi, { resource_id: staff.id, action: 'session.login.refused' });
    assert.equal(entries.filter(({ details }) => details.code === 'TOO_MANY_ATTEMPTS').length, 1);
    kissi.clock.advance(12 * HOUR_MS - 1);
    assertRefused(await logIn(staff, HOME), 429, 'TOO_MANY_ATTEMPTS');
    kissi.clock.advance(1);
    assert.equal((await logIn(staff, HOME)).status, 200);
  });

  test('lock an unknown name in the same way', async () => {
    toNoon();
    const nobody = { id: '', email: 'nobody.here@example.com', password: WRONG };
    const statuses = await guess(nobody, 51, spread);
    assert.deepEqual([statuses.slice(0, 50).every((status) => status === 401), statuses[50]], [true, 429]);
  });

  test('are not forgotten after a correct login', async () => {
    toNoon();
    const staff = await staffMember(kissi, 'support_user');
    await guess(staff, 30, spread);
    assert.equal((await logIn(staff, HOME)).status, 200);
    await guess(staff, 20, (n) => spread(n + 30));
    assertRefused(await logIn(staff, HOME), 429, 'TOO_MANY_ATTEMPTS');
  });
});

describe('a browser that logged in before', () => {
  test('logs in whatever others guess, on its own network or elsewhere, and has its own count', async () => {
    toNoon();
    const staff = await staffMember(kissi, 'system_admin');
    const cookie = browserOf(await enter(staff, { from: HOME }));
    await guess(staff, 6, () => HOME);
    await guess(staff, 60, spread);
    assertRefused(await enter(staff, { from: HOME }), 429, 'TOO_MANY_ATTEMPTS');
    assert.equal(browserOf(await enter(staff, { from: HOME, cookie })), cookie);
    assert.equal((await enter(staff, { from: '192.0.2.77', cookie })).status, 200, 'another network');
    for (let n = 0; n < 5; n++) {
      assertRefused(await enter({ ...staff, password: WRONG }, { from: HOME, cookie }), 401, 'UNAUTHORIZED');
    }
    assertRefused(await enter(staff, { from: '192.0.2.77', cookie }), 429, 'TOO_MANY_ATTEMPTS');
    kissi.clock.advance(15 * MINUTE_MS);
    assert.equal((await enter(staff, { from: HOME, cookie })).status, 200);
  });

  test('is known for the users who logged in on it, for 180 days, and only to itself', async () => {
    toNoon();
    const [one, other] = [await staffMember(kissi, 'support_user'), await staffMember(kissi, 'support_user')];
    const first = browserOf(await enter(one, { from: HOME }));
    await guess(other, 51, spread);
    assertRefused(await enter(other, { from: HOME, cookie: first }), 429, 'TOO_MANY_ATTEMPTS');
    toNoon();
    const shared = browserOf(await enter(other, { from: HOME, cookie: first }));
    assert.notEqual(shared, first, 'a token that somebody else may have planted is replaced');
    for (const staff of [one, other]) await guess(staff, 51, spread);
    for (const staff of [one, other]) {
      assertRefused(await enter(staff, { from: HOME, cookie: first }), 429, 'TOO_MANY_ATTEMPTS');
      assert.equal((await enter(staff, { from: HOME, cookie: shared })).status, 200);
    }
    const { rows } = await kissi.db.query('select k::text as row from known_browsers k');
    const value = shared.slice('kissi_browser='.length);
    assert.ok(
      rows.every(({ row }) => !row.includes(value)),
      'only a hash is stored',
    );
    kissi.clock.advance(180 * DAY_MS);
    await guess(one, 51, spread);
    assertRefused(await enter(one, { from: HOME, cookie: shared }), 429, 'TOO_MANY_ATTEMPTS');
  });

  test('keeps the right to change the password in an open session', async () => {
    toNoon();
    const staff = await staffMember(kissi, 'support_user');
    const { token } = await openSession(kissi, staff);
    await guess(staff, 6, () => HOME);
    await guess(staff, 60, spread);
    const change = (current_password: string) =>
      kissi.call('POST', '/api/v1/admin/change-password', {
        token,
        headers: { 'x-forwarded-for': HOME },
        body: { current_password, new_password: 'Next-Password-2' },
      });
    assertRefused(await change(WRONG), 401, 'UNAUTHORIZED');
    assert.equal((await change(staff.password)).status, 200);
  });
});

test('a passkey logs in on a new browser while the name is locked for the day', async () => {
  toNoon();
  const user = await passkeyUser(kissi);
  await guess(user, 60, spread);
  const asked = await logIn(user, HOME);
  assert.deepEqual([asked.json.code, asked.json.methods], ['SECOND_FACTOR_REQUIRED', ['passkey']]);
  const body = { challenge: asked.json.challenge, assertion: user.device.get(asked.json.webauthn) };
  const headers = { 'x-forwarded-for': HOME };
  assertStatus(await kissi.call('POST', '/api/v1/admin/login/second-factor', { headers, body }), 200);
});
