// Passkeys (WebAuthn) with a software authenticator: registration, login, and forged, replayed, foreign and cloned credentials.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import { Authenticator, type Forgery } from '../../support/authenticator.ts';
import { assertStatus, gatewayForFile, type Json, SECRETS, testGateway } from '../../support/gateway.ts';
import {
  addPasskey,
  answer,
  challenge,
  type PasskeyUser,
  passkeyUser,
  post,
  SITE,
  SITE_ENV,
  totpUser,
} from '../../support/second-factor.ts';
import { assertRefused, auditLogs, login, openSession, PASSWORD, staffMember } from '../../support/staff.ts';

const kissi = await gatewayForFile({ env: SITE_ENV });

const me = (token: string) => kissi.call('GET', '/api/v1/admin/me', { token });
const status = async (token: string): Promise<Json> =>
  (await kissi.call('GET', '/api/v1/admin/second-factor', { token })).json;
const options = async (token: string): Promise<Json> =>
  (await post(kissi, 'second-factor/passkeys/options', { password: PASSWORD }, token)).json.options;
const register = (token: string, credential: Json, name?: string) =>
  post(kissi, 'second-factor/passkeys', { credential, ...(name ? { name } : {}) }, token);

/** Both steps with the passkey; `forge` changes what the authenticator signs. */
async function enter({ email, password, device }: PasskeyUser, forgery: Forgery = {}) {
  const asked = await challenge(kissi, { email, password });
  return answer(kissi, { challenge: asked.challenge, assertion: device.get(asked.webauthn, forgery) });
}

async function session(user: PasskeyUser): Promise<string> {
  return assertStatus(await enter(user), 200).json.token;
}

/** An origin, a site or a type that is not the configured one. */
const FORGERIES: [string, Forgery][] = [
  ['another origin', { origin: 'https://evil.test' }],
  ['the same host over http', { origin: 'http://console.kissi.test' }],
  ['a sibling host of the same site', { origin: 'https://other.kissi.test' }],
  ['another rp id', { rpId: 'evil.test' }],
  ['the host instead of the rp id', { rpId: 'console.kissi.test' }],
  ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
  ['no user presence', { flags: 0 }],
];

describe('registration', () => {
  test('the options name the site and the user; the passkey is shown without its key, with recovery codes', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const { token } = await openSession(kissi, staff);
    const asked = await options(token);
    assert.deepEqual([asked.rp.id, asked.user.name, asked.attestation], [SITE.rpId, staff.email, 'none']);
    assert.deepEqual(asked.excludeCredentials, []);
    const device = new Authenticator(SITE);
    const reply = assertStatus(await register(token, device.create(asked), 'A phone'), 201);
    const { passkey, recovery_codes } = reply.json;
    assert.match(passkey.id, /^pky_/);
    assert.deepEqual(
      [passkey.name, passkey.created_at, passkey.last_used_at],
      ['A phone', new Date(kissi.clock.now()).toISOString(), null],
    );
    assert.equal(recovery_codes.length, 10);
    // The first factor ends the session, which was opened with the password alone.
    assert.equal((await me(token)).status, 401);
    const next = await session({ ...staff, device, passkeyId: passkey.id, recoveryCodes: recovery_codes });
    const { passkeys } = await status(next);
    assert.deepEqual(passkeys, [{ ...passkey, last_used_at: new Date(kissi.clock.now()).toISOString() }]);
    const [entry] = await auditLogs(kissi, { resource_id: staff.id, action: 'second_factor.passkey_add' });
    assert.deepEqual(entry.details, { passkey_id: passkey.id, name: 'A phone' });
  });

  for (const [what, forgery] of FORGERIES) {
    test(`with ${what} is refused`, async () => {
      const { token } = await openSession(kissi, await staffMember(kissi, 'support_user'));
      const credential = new Authenticator(SITE).create(await options(token), forgery);
      assertRefused(await register(token, credential), 401, 'INVALID_SECOND_FACTOR');
      assert.equal((await status(token)).enrolled, false);
    });
  }

  test('needs the password; its challenge works once, for its user, for 5 minutes, and not as a login', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const { token } = await openSession(kissi, staff);
    assertRefused(await post(kissi, 'second-factor/passkeys/options', {}, token), 400, 'INVALID_REQUEST');
    const wrong = { password: 'Wrong-Password-1' };
    assertRefused(await post(kissi, 'second-factor/passkeys/options', wrong, token), 401, 'UNAUTHORIZED');
    const asked = await options(token);
    const forged = new Authenticator(SITE).create(asked, { origin: 'https://evil.test' });
    assertRefused(await register(token, forged), 401, 'INVALID_SECOND_FACTOR');
    assertRefused(await register(token, new Authenticator(SITE).create(asked)), 401, 'INVALID_SECOND_FACTOR');
    const other = await openSession(kissi, await staffMember(kissi, 'support_user'));
    const foreign = new Authenticator(SITE).create(await options(token));
    assertRefused(await register(other.token, foreign), 401, 'INVALID_SECOND_FACTOR');
    const late = new Authenticator(SITE).create(await options(token));
    kissi.clock.advance(5 * MINUTE_MS);
    assertRefused(await register(token, late), 401, 'INVALID_SECOND_FACTOR');
    const { challenge: registration } = await options(token);
    assertRefused(await answer(kissi, { challenge: registration, code: '000000' }), 401, 'UNAUTHORIZED');
    assert.equal((await status(token)).enrolled, false);
  });

  test('of ten concurrent registrations with one challenge, one succeeds', async () => {
    const { token } = await openSession(kissi, await staffMember(kissi, 'support_user'));
    const asked = await options(token);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => register(token, new Authenticator(SITE).create(asked))),
    );
    assert.equal(replies.filter((reply) => reply.status === 201).length, 1);
  });

  test('a user has several passkeys, at most ten; a credential belongs to one user', async () => {
    const user = await passkeyUser(kissi);
    const token = await session(user);
    const { excludeCredentials } = await options(token);
    assert.equal(excludeCredentials[0].id, user.device.credentialId.toString('base64url'));
    const devices = Array.from({ length: 9 }, () => new Authenticator(SITE));
    for (const device of devices) {
      const reply = await addPasskey(kissi, token, device);
      assert.deepEqual([reply.status, reply.json.recovery_codes], [201, undefined], reply.text);
    }
    const tooMany = await post(kissi, 'second-factor/passkeys/options', { password: PASSWORD }, token);
    assertRefused(tooMany, 409, 'SECOND_FACTOR_EXISTS');
    await session({ ...user, device: devices[5] as Authenticator });
    const { token: other } = await openSession(kissi, await staffMember(kissi, 'support_user'));
    assertRefused(await addPasskey(kissi, other, user.device), 409, 'SECOND_FACTOR_EXISTS');
  });

  test('a malformed credential is refused without an error', async () => {
    const { token } = await openSession(kissi, await staffMember(kissi, 'support_user'));
    const asked = await options(token);
    const valid = new Authenticator(SITE).create(asked);
    const withResponse = (response: Json) => ({ ...valid, response: { ...valid.response, ...response } });
    for (const credential of [
      withResponse({ clientDataJSON: 'not base64url!' }),
      withResponse({ clientDataJSON: Buffer.from('null').toString('base64url') }),
      withResponse({ attestationObject: 'AAAA' }),
      { ...valid, id: 'other' },
    ]) {
      assertRefused(await register(token, credential), 401, 'INVALID_SECOND_FACTOR');
    }
    for (const credential of [null, {}, { ...valid, type: 'password' }, withResponse({ clientDataJSON: 7 })]) {
      assertRefused(await register(token, credential), 400, 'INVALID_REQUEST');
    }
  });
});

describe('a login with a passkey', () => {
  test('the first step returns request options, the second the tokens; both are audited', async () => {
    const user = await passkeyUser(kissi);
    const asked = await challenge(kissi, user);
    assert.deepEqual(asked.methods, ['passkey', 'recovery_code']);
    assert.equal(asked.webauthn.rpId, SITE.rpId);
    assert.equal(asked.webauthn.allowCredentials[0].id, user.device.credentialId.toString('base64url'));
    const reply = await answer(kissi, { challenge: asked.challenge, assertion: user.device.get(asked.webauthn) });
    assert.deepEqual(Object.keys(reply.json).sort(), ['expires_in', 'refresh_token', 'token']);
    assert.equal((await me(reply.json.token)).json.id, user.id);
    const [entry] = await auditLogs(kissi, { actor_id: user.id, action: 'session.login' });
    assert.deepEqual(entry.details, { second_factor: 'passkey' });
  });

  test('a user with both methods can choose', async () => {
    const user = await totpUser(kissi);
    const asked = await challenge(kissi, user);
    const { json } = await answer(kissi, { challenge: asked.challenge, code: user.nextCode() });
    const device = new Authenticator(SITE);
    assert.equal((await addPasskey(kissi, json.token, device)).status, 201);
    assert.deepEqual((await challenge(kissi, user)).methods, ['totp', 'passkey', 'recovery_code']);
    await session({ ...user, device, passkeyId: '' });
    const again = await challenge(kissi, user);
    assert.equal((await answer(kissi, { challenge: again.challenge, code: user.nextCode() })).status, 200);
  });

  for (const [what, forgery] of [
    ...FORGERIES,
    ['the type of a registration', { type: 'webauthn.create' }],
    ['the key of another device', { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
  ] as [string, Forgery][]) {
    test(`with ${what} is refused and counted`, async () => {
      const user = await passkeyUser(kissi);
      const reply = assertRefused(await enter(user, forgery), 401, 'INVALID_SECOND_FACTOR');
      assert.equal(reply.json.attempts_remaining, 4);
      await session(user);
    });
  }

  test('an assertion cannot be replayed, with its challenge or with another', async () => {
    const user = await passkeyUser(kissi);
    const asked = await challenge(kissi, user);
    const assertion = user.device.get(asked.webauthn);
    assert.equal((await answer(kissi, { challenge: asked.challenge, assertion })).status, 200);
    assertRefused(await answer(kissi, { challenge: asked.challenge, assertion }), 401, 'UNAUTHORIZED');
    const second = await challenge(kissi, user);
    assertRefused(await answer(kissi, { challenge: second.challenge, assertion }), 401, 'INVALID_SECOND_FACTOR');
  });

  test('of ten concurrent answers with one assertion, one succeeds', async () => {
    const user = await passkeyUser(kissi);
    const asked = await challenge(kissi, user);
    const assertion = user.device.get(asked.webauthn);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => answer(kissi, { challenge: asked.challenge, assertion })),
    );
    assert.equal(replies.filter((reply) => reply.status === 200).length, 1);
    const { rows } = await kissi.db.query('select from sessions where user_id = $1 and revoked_at is null', [user.id]);
    assert.equal(rows.length, 1);
  });

  test("another user's passkey is refused, even under the id of the caller's", async () => {
    const [user, other] = [await passkeyUser(kissi), await passkeyUser(kissi)];
    const asked = await challenge(kissi, user);
    const foreign = other.device.get(asked.webauthn);
    const own = user.device.credentialId.toString('base64url');
    for (const assertion of [foreign, { ...foreign, id: own, rawId: own }]) {
      assertRefused(await answer(kissi, { challenge: asked.challenge, assertion }), 401, 'INVALID_SECOND_FACTOR');
    }
  });

  test('a cloned device, whose counter did not grow, is refused; a counter that stays 0 is accepted', async () => {
    const user = await passkeyUser(kissi);
    const clone = user.device.clone();
    await session(user);
    await session(user);
    assertRefused(await enter({ ...user, device: clone }), 401, 'INVALID_SECOND_FACTOR');
    const { rows } = await kissi.db.query('select counter from passkeys where user_id = $1', [user.id]);
    assert.equal(Number(rows[0].counter), 2);
    const zero = await passkeyUser(kissi);
    for (let i = 0; i < 2; i++) assert.equal((await enter(zero, { counter: 0 })).status, 200);
  });

  test('five wrong assertions lock passwords and codes, but not the passkey', async () => {
    const user = await passkeyUser(kissi);
    const early = await challenge(kissi, user);
    for (let i = 0; i < 5; i++) {
      assertRefused(await enter(user, { rpId: 'evil.test' }), 401, 'INVALID_SECOND_FACTOR');
    }
    const byCode = { challenge: early.challenge, code: user.recoveryCodes[0] };
    assertRefused(await answer(kissi, byCode), 429, 'TOO_MANY_ATTEMPTS');
    const asked = await challenge(kissi, user);
    assert.deepEqual(asked.methods, ['passkey']);
    const lateCode = { challenge: asked.challenge, code: user.recoveryCodes[0] };
    assertRefused(await answer(kissi, lateCode), 429, 'TOO_MANY_ATTEMPTS');
    assertStatus(await answer(kissi, { challenge: asked.challenge, assertion: user.device.get(asked.webauthn) }), 200);
  });

  test('while passwords are locked, the reply to a password says nothing; with the passkey, five wrong ones do', async () => {
    const user = await passkeyUser(kissi);
    const wrong = { ...user, password: 'Wrong-Password-1' };
    for (let i = 0; i < 5; i++) assert.equal((await login(kissi, wrong)).json.code, 'UNAUTHORIZED');
    const shape = ({ challenge: _, webauthn: { challenge: __, ...webauthn }, ...reply }: Json) => ({
      ...reply,
      webauthn,
    });
    assert.deepEqual(shape(await challenge(kissi, wrong)), shape(await challenge(kissi, user)));
    for (let i = 0; i < 5; i++) assertRefused(await enter(wrong), 401, 'UNAUTHORIZED');
    assertRefused(await enter(user), 429, 'TOO_MANY_ATTEMPTS');
    kissi.clock.advance(15 * MINUTE_MS);
    await session(user);
  });

  test('recovery codes replace a lost device', async () => {
    const user = await passkeyUser(kissi);
    const asked = await challenge(kissi, user);
    assertStatus(await answer(kissi, { challenge: asked.challenge, code: user.recoveryCodes[0] }), 200);
  });
});

describe('removal', () => {
  const remove = (id: string, token: string, body: Json) =>
    post(kissi, `second-factor/passkeys/${id}/remove`, body, token);

  test('needs the password or a code; the last passkey takes the recovery codes with it', async () => {
    const user = await passkeyUser(kissi);
    const token = await session(user);
    const second = (await addPasskey(kissi, token, new Authenticator(SITE))).json.passkey.id;
    assertRefused(await remove(second, token, {}), 400, 'INVALID_REQUEST');
    assertRefused(await remove(second, token, { code: '000000' }), 401, 'INVALID_SECOND_FACTOR');
    assert.equal((await remove(second, token, { code: user.recoveryCodes[0] })).status, 200);
    assertRefused(await remove(second, token, { password: PASSWORD }), 404, 'NOT_FOUND');
    assert.equal((await status(token)).recovery_codes_remaining, 9);
    assert.equal((await remove(user.passkeyId, token, { password: PASSWORD })).status, 200);
    const { enrolled, recovery_codes_remaining } = await status(token);
    assert.deepEqual([enrolled, recovery_codes_remaining], [false, 0]);
    assert.equal((await login(kissi, user)).status, 200);
  });

  test("another user's passkey gets 404", async () => {
    const [user, other] = [await passkeyUser(kissi), await passkeyUser(kissi)];
    const token = await session(user);
    assertRefused(await remove(other.passkeyId, token, { password: PASSWORD }), 404, 'NOT_FOUND');
    await session(other);
  });

  test('the reset by an administrator removes passkeys too', async () => {
    const user = await passkeyUser(kissi);
    const path = `/api/v1/admin/users/${user.id}/reset-second-factor`;
    assert.equal((await kissi.call('POST', path, { token: await kissi.adminToken() })).status, 200);
    assert.equal((await login(kissi, user)).status, 200);
    const { rows } = await kissi.db.query('select from passkeys where user_id = $1', [user.id]);
    assert.equal(rows.length, 0);
  });
});

describe('the site of passkeys', () => {
  test('is localhost in development by default', async () => {
    const local = await testGateway({ env: { PORT: '8080' }, db: kissi.db, clock: kissi.clock });
    try {
      const { token } = await openSession(local, await staffMember(kissi, 'support_user'));
      const device = new Authenticator({ origin: 'http://localhost:8080', rpId: 'localhost' });
      assert.equal((await addPasskey(local, token, device)).status, 201);
    } finally {
      await local.close();
    }
  });

  test('must be configured outside development: 409 otherwise, and logins offer other methods', async () => {
    const env = { APP_ENV: 'staging', MESSAGING_APP_SECRET: 'a messaging app secret of 32 characters', ...SECRETS };
    const unconfigured = await testGateway({ env, db: kissi.db, clock: kissi.clock });
    try {
      const { token } = await openSession(unconfigured, await staffMember(kissi, 'support_user'));
      const reply = await post(unconfigured, 'second-factor/passkeys/options', { password: PASSWORD }, token);
      assertRefused(reply, 409, 'PASSKEYS_NOT_CONFIGURED');
      const asked = await challenge(unconfigured, await passkeyUser(kissi));
      assert.deepEqual([asked.methods, asked.webauthn], [['recovery_code'], undefined]);
    } finally {
      await unconfigured.close();
    }
  });
});
