// Access and refresh tokens: lifetime, rotation, revocation, and rejection of forged or reused tokens.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { SignJWT } from 'jose';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { assertStatus, type CallReply, gatewayForFile, SECRETS, testGateway } from '../../support/gateway.ts';
import {
  auditLogs,
  login,
  openSession,
  PASSWORD,
  refusedAttemptCount,
  staffMember,
  withLockContention,
} from '../../support/staff.ts';

const kissi = await gatewayForFile({ unauditedRecords: ['user'] });

const me = (token: string) => kissi.call('GET', '/api/v1/admin/me', { token });
const refresh = (refresh_token: string) => kissi.call('POST', '/api/v1/admin/refresh', { body: { refresh_token } });
const logout = (refresh_token: string) => kissi.call('POST', '/api/v1/admin/logout', { body: { refresh_token } });
const changePassword = (token: string, current_password: string, new_password: string) =>
  kissi.call('POST', '/api/v1/admin/change-password', { token, body: { current_password, new_password } });

async function newSession() {
  const staff = await staffMember(kissi, 'support_user');
  return { staff, ...(await openSession(kissi, staff)) };
}

function assertUnauthorized(reply: CallReply): void {
  assert.equal(reply.status, 401, reply.text);
  assert.equal(reply.json.code, 'UNAUTHORIZED');
}

describe('an access token', () => {
  test('is valid for 15 minutes', async () => {
    const { token } = await newSession();
    kissi.clock.advance(15 * MINUTE_MS - 1);
    assert.equal((await me(token)).status, 200);
    kissi.clock.advance(1);
    assertUnauthorized(await me(token));
  });

  test('is rejected with 401 when it is altered, signed with another secret or algorithm, or unsigned', async () => {
    const { token, staff } = await newSession();
    const other = await newSession();
    const [header, payload, signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const key = (secret: string) => new TextEncoder().encode(secret);
    const { sid } = JSON.parse(Buffer.from(header, 'base64url').toString());
    const sign = (alg: string, secret: string, ownClaims: object, session: object = { sid }) =>
      new SignJWT({ ...ownClaims }).setProtectedHeader({ alg, ...session }).sign(key(secret));
    const withoutExpiry = { sub: claims.sub, iat: claims.iat };
    const forged = [
      `${header}.${encode({ ...claims, sub: other.staff.id })}.${signature}`,
      `${header}.${encode({ ...claims, role: 'system_admin' })}.${signature}`,
      `${header}.${encode({ ...claims, exp: claims.exp + 1 })}.${signature}`,
      `${header}.${payload}.${other.token.split('.')[2]}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${encode({ alg: 'none' })}.${payload}.`,
      `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.${signature}`,
      `${encode({ alg: 'HS512', typ: 'JWT' })}.${payload}.${signature}`,
      await sign('HS256', 'another-secret-0123456789-abcdefghijkl', claims),
      await sign('HS512', SECRETS.JWT_SECRET, claims),
      await sign('HS256', SECRETS.JWT_SECRET, withoutExpiry),
      await sign('HS256', SECRETS.JWT_SECRET, { ...claims, sub: 'usr_unknown' }),
      await sign('HS256', SECRETS.JWT_SECRET, { ...claims, sub: other.staff.id }),
      await sign('HS256', SECRETS.JWT_SECRET, claims, {}),
      await sign('HS256', SECRETS.JWT_SECRET, claims, { sid: 'ses_unknown' }),
    ];
    for (const token of forged) assertUnauthorized(await me(token));
    // Control: a token that the test signs with the right secret and claims is accepted.
    const valid = await sign('HS256', SECRETS.JWT_SECRET, claims);
    assert.equal((await me(valid)).json.id, staff.id);
  });

  test('cannot be used as a refresh token, nor a refresh token as an access token', async () => {
    const { token, refresh_token } = await newSession();
    assertUnauthorized(await me(refresh_token));
    assertUnauthorized(await refresh(token));
  });

  test("identifies the caller: GET /admin/me returns the caller's own account", async () => {
    const [one, other] = [await newSession(), await newSession()];
    assert.equal((await me(one.token)).json.id, one.staff.id);
    assert.equal((await me(other.token)).json.id, other.staff.id);
  });
});

describe('a refresh token', () => {
  test('is exchanged once for a new pair', async () => {
    const first = await newSession();
    kissi.clock.advance(20 * MINUTE_MS);
    assertUnauthorized(await me(first.token));
    const { json } = assertStatus(await refresh(first.refresh_token), 200);
    assert.deepEqual(Object.keys(json).sort(), ['expires_in', 'refresh_token', 'token']);
    assert.equal(json.expires_in, 900);
    assert.notEqual(json.refresh_token, first.refresh_token);
    assert.equal((await me(json.token)).json.id, first.staff.id);
    assert.equal((await refresh(json.refresh_token)).status, 200);
  });

  test('ends its whole token family when reused, but no other session of the user', async () => {
    const first = await newSession();
    const otherSession = await openSession(kissi, first.staff);
    const second = (await refresh(first.refresh_token)).json;
    const third = (await refresh(second.refresh_token)).json;
    assertUnauthorized(await refresh(first.refresh_token));
    assertUnauthorized(await refresh(third.refresh_token));
    assertUnauthorized(await refresh(second.refresh_token));
    assertUnauthorized(await me(third.token));
    assert.equal((await me(otherSession.token)).status, 200);
    assert.equal((await refresh(otherSession.refresh_token)).status, 200);
    const revocations = await auditLogs(kissi, { action: 'session.revoke' });
    assert.equal(revocations.filter(({ details }) => details.user_id === first.staff.id).length, 1);
  });

  test('succeeds once out of ten concurrent exchanges, and the token family ends', async () => {
    const { refresh_token } = await newSession();
    const replies = await Promise.all(Array.from({ length: 10 }, () => refresh(refresh_token)));
    const winners = replies.filter(({ status }) => status === 200);
    assert.equal(winners.length, 1);
    assert.equal(replies.filter(({ status }) => status === 401).length, 9);
    assertUnauthorized(await refresh(winners[0]?.json.refresh_token));
  });

  test('expires 7 days after it was issued', async () => {
    const longer = await testGateway({ db: kissi.db, clock: kissi.clock, env: { SESSION_MAX_HOURS: '720' } });
    try {
      const exchange = (refresh_token: string) =>
        longer.call('POST', '/api/v1/admin/refresh', { body: { refresh_token } });
      const first = await openSession(longer, await staffMember(longer, 'support_user'));
      kissi.clock.advance(7 * DAY_MS - 1);
      const second = assertStatus(await exchange(first.refresh_token), 200);
      kissi.clock.advance(7 * DAY_MS - 1);
      const third = assertStatus(await exchange(second.json.refresh_token), 200);
      kissi.clock.advance(7 * DAY_MS);
      assertUnauthorized(await exchange(third.json.refresh_token));
    } finally {
      await longer.close();
    }
  });

  test('is rejected with 401 when it was never issued, and with 400 when empty', async () => {
    assertUnauthorized(await refresh('A'.repeat(43)));
    assert.equal((await refresh('')).status, 400);
  });

  test('cannot be exchanged when its user is suspended during the exchange', async () => {
    const { staff, refresh_token } = await newSession();
    const reply = await withLockContention(kissi, {
      lock: `select from users where id = '${staff.id}' for update`,
      waiters: 1,
      begin: () => refresh(refresh_token),
      meanwhile: `update users set status = 'suspended' where id = '${staff.id}'`,
    });
    assertUnauthorized(reply);
  });

  test('stays invalid after its user is suspended and reactivated', async () => {
    const { staff, refresh_token } = await newSession();
    const set = (status: string) => kissi.asAdmin.put(`/admin/users/${staff.id}`, { status });
    assert.equal((await set('suspended')).status, 200);
    assertUnauthorized(await refresh(refresh_token));
    assert.equal((await set('active')).status, 200);
    assertUnauthorized(await refresh(refresh_token));
    assert.equal((await login(kissi, staff)).status, 200);
  });

  test('gives a token with the current role after a change of role', async () => {
    const { staff, refresh_token } = await newSession();
    const admin = await kissi.adminToken();
    const path = `/api/v1/admin/users/${staff.id}`;
    assert.equal((await kissi.call('PUT', path, { body: { role: 'audit_user' }, token: admin })).status, 200);
    const { json } = await refresh(refresh_token);
    const [, payload = ''] = json.token.split('.');
    assert.equal(JSON.parse(Buffer.from(payload, 'base64url').toString()).role, 'audit_user');
    assert.equal((await me(json.token)).json.role, 'audit_user');
  });

  test('is stored only as a hash', async () => {
    const { refresh_token } = await newSession();
    const { rows } = await kissi.db.query('select t::text as row from refresh_tokens t');
    const stored = rows.map(({ row }) => row).join('\n');
    assert.ok(!stored.includes(refresh_token));
    assert.ok(!stored.includes(Buffer.from(refresh_token).toString('hex')));
    assert.ok(!stored.includes(Buffer.from(refresh_token, 'base64url').toString('hex')));
  });
});

describe('a session', () => {
  test('ends SESSION_MAX_HOURS after its login, whatever its activity: no refresh, and no access token outlives it', async () => {
    kissi.clock.set(Math.ceil(kissi.clock.now() / SECOND_MS) * SECOND_MS);
    const strict = await testGateway({ db: kissi.db, clock: kissi.clock, env: { SESSION_MAX_HOURS: '1' } });
    try {
      const exchange = (refresh_token: string) =>
        strict.call('POST', '/api/v1/admin/refresh', { body: { refresh_token } });
      const own = (token: string) => strict.call('GET', '/api/v1/admin/me', { token });
      const staff = await staffMember(strict, 'support_user');
      let pair = await openSession(strict, staff);
      for (let minutes = 0; minutes < 50; minutes += 10) {
        kissi.clock.advance(10 * MINUTE_MS);
        const { json } = assertStatus(await exchange(pair.refresh_token), 200);
        pair = json;
      }
      assert.equal(pair.expires_in, 600);
      kissi.clock.advance(10 * MINUTE_MS - 1);
      assert.equal((await own(pair.token)).status, 200);
      kissi.clock.advance(1);
      assertUnauthorized(await own(pair.token));
      assertUnauthorized(await exchange(pair.refresh_token));
      assert.equal((await login(strict, staff)).status, 200);
    } finally {
      await strict.close();
    }
  });

  test('that began under a longer limit ends when the limit is lowered', async () => {
    const { token, refresh_token } = await newSession();
    kissi.clock.advance(61 * MINUTE_MS);
    const { token: later, refresh_token: next } = (await refresh(refresh_token)).json;
    const strict = await testGateway({ db: kissi.db, clock: kissi.clock, env: { SESSION_MAX_HOURS: '1' } });
    try {
      for (const each of [token, later]) {
        assertUnauthorized(await strict.call('GET', '/api/v1/admin/me', { token: each }));
      }
      const body = { refresh_token: next };
      assertUnauthorized(await strict.call('POST', '/api/v1/admin/refresh', { body }));
    } finally {
      await strict.close();
    }
  });
});

describe('POST /admin/logout', () => {
  test('ends the access tokens of the session at once on every gateway, and of no session of the same second', async () => {
    const { staff, token, refresh_token } = await newSession();
    const other = await openSession(kissi, staff);
    const second = (await refresh(refresh_token)).json;
    assert.notEqual(token, other.token, 'of one user and one second');
    const elsewhere = await testGateway({ db: kissi.db, clock: kissi.clock });
    try {
      const own = (each: string) => elsewhere.call('GET', '/api/v1/admin/me', { token: each });
      assert.deepEqual([(await own(token)).status, (await own(second.token)).status], [200, 200]);
      assert.equal((await logout(second.refresh_token)).status, 200);
      for (const ended of [token, second.token]) {
        assertUnauthorized(await own(ended));
        assertUnauthorized(await me(ended));
      }
      assert.equal((await own(other.token)).status, 200);
    } finally {
      await elsewhere.close();
    }
  });

  test('ends the token family of the current or an earlier refresh token and writes an audit entry', async () => {
    const { staff, refresh_token } = await newSession();
    const second = (await refresh(refresh_token)).json;
    const reply = assertStatus(await logout(refresh_token), 200);
    assert.deepEqual(Object.keys(reply.json).sort(), ['message', 'success']);
    assertUnauthorized(await refresh(second.refresh_token));
    const [entry] = await auditLogs(kissi, { actor_id: staff.id, action: 'session.logout' });
    assert.match(entry.resource_id, /^ses_/);
  });

  test('returns the same reply for an unknown token and for a repeated logout', async () => {
    const { staff, refresh_token } = await newSession();
    const replies = [await logout(refresh_token), await logout(refresh_token), await logout('unknown-token')];
    for (const { status, text } of replies) {
      assert.equal(status, 200);
      assert.equal(text, replies[0]?.text);
    }
    assert.equal((await auditLogs(kissi, { actor_id: staff.id, action: 'session.logout' })).length, 1);
  });

  test('ends no other session of the user', async () => {
    const { staff, refresh_token } = await newSession();
    const otherSession = await openSession(kissi, staff);
    await logout(refresh_token);
    assert.equal((await refresh(otherSession.refresh_token)).status, 200);
  });
});

describe('POST /admin/change-password', () => {
  const NEXT = 'Next-Password-2';
  // Tokens carry `iat` in whole seconds. At a second boundary, a token from before the change is hardest to tell
  // from one issued after it.
  beforeEach(() => kissi.clock.set(Math.ceil(kissi.clock.now() / SECOND_MS) * SECOND_MS));

  test('ends all sessions and access tokens of the user; only the new password works afterwards', async () => {
    const first = await newSession();
    const { staff } = first;
    const otherSession = await openSession(kissi, staff);
    const reply = assertStatus(await changePassword(first.token, PASSWORD, NEXT), 200);
    assert.equal(reply.json.success, true);
    for (const { token, refresh_token } of [first, otherSession]) {
      assertUnauthorized(await me(token));
      assertUnauthorized(await refresh(refresh_token));
    }
    assertUnauthorized(await login(kissi, staff));
    const next = await openSession(kissi, { email: staff.email, password: NEXT });
    assert.equal((await me(next.token)).status, 200);
    const [entry] = await auditLogs(kissi, { actor_id: staff.id, action: 'password.change' });
    assert.equal(entry.resource_id, staff.id);
    assert.deepEqual(entry.details, {});
  });

  test('two changes within one second also revoke the tokens issued in between', async () => {
    const first = await newSession();
    await changePassword(first.token, PASSWORD, NEXT);
    kissi.clock.advance(200);
    const second = await openSession(kissi, { email: first.staff.email, password: NEXT });
    assert.equal((await changePassword(second.token, NEXT, PASSWORD)).status, 200);
    assertUnauthorized(await me(second.token));
    const third = await openSession(kissi, first.staff);
    assert.equal((await me(third.token)).status, 200);
  });

  test('requires the current password and a strong new one; a refusal changes nothing and is audited', async () => {
    const { staff, token } = await newSession();
    assertUnauthorized(await changePassword(token, 'Wrong-Password-1', NEXT));
    for (const weak of ['Sh0rt!', 'alllowercase1!', 'ALLUPPERCASE1!', 'NoDigitsHere!', 'NoSpecial123']) {
      const reply = await changePassword(token, PASSWORD, weak);
      assert.equal(reply.status, 400, weak);
      assert.match(reply.json.error, /^new_password/);
    }
    assert.equal((await me(token)).status, 200);
    assert.equal((await login(kissi, staff)).status, 200);
    assert.equal(await refusedAttemptCount(kissi, { actor_id: staff.id, action: 'password.change.refused' }), 6);
  });

  test('one of two concurrent changes succeeds', async () => {
    const { staff, token } = await newSession();
    const replies = await Promise.all([
      changePassword(token, PASSWORD, NEXT),
      changePassword(token, PASSWORD, 'Third-Password-3'),
    ]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401]);
    const password = replies[0]?.status === 200 ? NEXT : 'Third-Password-3';
    assert.equal((await login(kissi, { email: staff.email, password })).status, 200);
  });
});
