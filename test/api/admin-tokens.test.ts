// Access and refresh tokens: how long they live, what kills them, and what a thief gets.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { SignJWT } from 'jose';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import { type CallReply, gatewayForFile, SECRETS } from '../support/gateway.ts';
import {
  auditLogs,
  login,
  openSession,
  PASSWORD,
  refusedAttemptCount,
  staffMember,
  withLockContention,
} from '../support/staff.ts';

const kissi = await gatewayForFile();

const me = (token: string) => kissi.call('GET', '/api/v1/admin/me', { token });
const refresh = (refresh_token: string) => kissi.call('POST', '/api/v1/admin/refresh', { body: { refresh_token } });
const logout = (refresh_token: string) => kissi.call('POST', '/api/v1/admin/logout', { body: { refresh_token } });
const change = (token: string, current_password: string, new_password: string) =>
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
  test('works for 15 minutes and not a moment longer', async () => {
    const { token } = await newSession();
    kissi.clock.advance(15 * MINUTE_MS - 1);
    assert.equal((await me(token)).status, 200);
    kissi.clock.advance(1);
    assertUnauthorized(await me(token));
  });

  test('that was changed, signed by another, or not signed at all is refused', async () => {
    const { token, staff } = await newSession();
    const other = await newSession();
    const [head, payload, signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const key = (secret: string) => new TextEncoder().encode(secret);
    const signed = (alg: string, secret: string, own: object) =>
      new SignJWT({ ...own }).setProtectedHeader({ alg }).sign(key(secret));
    const withoutExpiry = { sub: claims.sub, iat: claims.iat };
    const forged = [
      `${head}.${encode({ ...claims, sub: other.staff.id })}.${signature}`,
      `${head}.${encode({ ...claims, role: 'system_admin' })}.${signature}`,
      `${head}.${encode({ ...claims, exp: claims.exp + 1 })}.${signature}`,
      `${head}.${payload}.${other.token.split('.')[2]}`,
      `${head}.${payload}.`,
      `${head}.${payload}`,
      `${encode({ alg: 'none' })}.${payload}.`,
      `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.${signature}`,
      `${encode({ alg: 'HS512', typ: 'JWT' })}.${payload}.${signature}`,
      await signed('HS256', 'another-secret-0123456789-abcdefghijkl', claims),
      await signed('HS512', SECRETS.JWT_SECRET, claims),
      await signed('HS256', SECRETS.JWT_SECRET, withoutExpiry),
      await signed('HS256', SECRETS.JWT_SECRET, { ...claims, sub: 'usr_nobody' }),
    ];
    for (const token of forged) assertUnauthorized(await me(token));
    // The control: signed like that with everything right, it is taken.
    const right = await signed('HS256', SECRETS.JWT_SECRET, claims);
    assert.equal((await me(right)).json.id, staff.id);
  });

  test('is not a refresh token, nor the other way round', async () => {
    const { token, refresh_token } = await newSession();
    assertUnauthorized(await me(refresh_token));
    assertUnauthorized(await refresh(token));
  });

  test('says who is calling: each sees the own account', async () => {
    const [one, other] = [await newSession(), await newSession()];
    assert.equal((await me(one.token)).json.id, one.staff.id);
    assert.equal((await me(other.token)).json.id, other.staff.id);
  });
});

describe('a refresh token', () => {
  test('gives a new pair once', async () => {
    const first = await newSession();
    kissi.clock.advance(20 * MINUTE_MS);
    assertUnauthorized(await me(first.token));
    const { status, json } = await refresh(first.refresh_token);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(json).sort(), ['expires_in', 'refresh_token', 'token']);
    assert.equal(json.expires_in, 900);
    assert.notEqual(json.refresh_token, first.refresh_token);
    assert.equal((await me(json.token)).json.id, first.staff.id);
    assert.equal((await refresh(json.refresh_token)).status, 200);
  });

  test('used again ends the whole family, and no other session of the user', async () => {
    const first = await newSession();
    const elsewhere = await openSession(kissi, first.staff);
    const second = (await refresh(first.refresh_token)).json;
    const third = (await refresh(second.refresh_token)).json;
    assertUnauthorized(await refresh(first.refresh_token));
    assertUnauthorized(await refresh(third.refresh_token));
    assertUnauthorized(await refresh(second.refresh_token));
    assert.equal((await refresh(elsewhere.refresh_token)).status, 200);
    const revocations = await auditLogs(kissi, { action: 'session.revoke' });
    assert.equal(revocations.filter(({ details }) => details.user_id === first.staff.id).length, 1);
  });

  test('used by ten at once serves one, and the family ends', async () => {
    const { refresh_token } = await newSession();
    const replies = await Promise.all(Array.from({ length: 10 }, () => refresh(refresh_token)));
    const winners = replies.filter(({ status }) => status === 200);
    assert.equal(winners.length, 1);
    assert.equal(replies.filter(({ status }) => status === 401).length, 9);
    assertUnauthorized(await refresh(winners[0]?.json.refresh_token));
  });

  test('lives 7 days from its own issue', async () => {
    const first = await newSession();
    kissi.clock.advance(7 * DAY_MS - 1);
    const second = await refresh(first.refresh_token);
    assert.equal(second.status, 200);
    kissi.clock.advance(7 * DAY_MS - 1);
    const third = await refresh(second.json.refresh_token);
    assert.equal(third.status, 200);
    kissi.clock.advance(7 * DAY_MS);
    assertUnauthorized(await refresh(third.json.refresh_token));
  });

  test('that nobody was given is refused', async () => {
    assertUnauthorized(await refresh('A'.repeat(43)));
    assert.equal((await refresh('')).status, 400);
  });

  test('does not outlive the session when its user is suspended while it is exchanged', async () => {
    const { staff, refresh_token } = await newSession();
    const reply = await withLockContention(kissi, {
      lock: `select from users where id = '${staff.id}' for update`,
      waiters: 1,
      begin: () => refresh(refresh_token),
      meanwhile: `update users set status = 'suspended' where id = '${staff.id}'`,
    });
    assertUnauthorized(reply);
  });

  test('of a suspended user is refused, also after the suspension', async () => {
    const { staff, refresh_token } = await newSession();
    const token = await kissi.adminToken();
    const set = (status: string) => kissi.call('PUT', `/api/v1/admin/users/${staff.id}`, { body: { status }, token });
    assert.equal((await set('suspended')).status, 200);
    assertUnauthorized(await refresh(refresh_token));
    assert.equal((await set('active')).status, 200);
    assertUnauthorized(await refresh(refresh_token));
    assert.equal((await login(kissi, staff)).status, 200);
  });

  test('is kept as a hash only', async () => {
    const { refresh_token } = await newSession();
    const { rows } = await kissi.db.database.pool.query('select t::text as row from refresh_tokens t');
    const stored = rows.map(({ row }) => row).join('\n');
    assert.ok(!stored.includes(refresh_token));
    assert.ok(!stored.includes(Buffer.from(refresh_token).toString('hex')));
    assert.ok(!stored.includes(Buffer.from(refresh_token, 'base64url').toString('hex')));
  });
});

describe('logging out', () => {
  test('ends the family, whichever of its tokens is sent, and is in the audit log', async () => {
    const { staff, refresh_token } = await newSession();
    const second = (await refresh(refresh_token)).json;
    const reply = await logout(refresh_token);
    assert.equal(reply.status, 200);
    assert.deepEqual(Object.keys(reply.json).sort(), ['message', 'success']);
    assertUnauthorized(await refresh(second.refresh_token));
    const [entry] = await auditLogs(kissi, { actor_id: staff.id, action: 'session.logout' });
    assert.match(entry.resource_id, /^ses_/);
  });

  test('answers the same for a token nobody has, and a second time', async () => {
    const { staff, refresh_token } = await newSession();
    const replies = [await logout(refresh_token), await logout(refresh_token), await logout('nobodys-token')];
    for (const { status, text } of replies) {
      assert.equal(status, 200);
      assert.equal(text, replies[0]?.text);
    }
    assert.equal((await auditLogs(kissi, { actor_id: staff.id, action: 'session.logout' })).length, 1);
  });

  test('ends no other session', async () => {
    const { staff, refresh_token } = await newSession();
    const elsewhere = await openSession(kissi, staff);
    await logout(refresh_token);
    assert.equal((await refresh(elsewhere.refresh_token)).status, 200);
  });
});

describe('changing the password', () => {
  const NEXT = 'Next-Password-2';
  // On a whole second, which is what tokens say they were issued at: the hardest moment to tell before from after.
  beforeEach(() => kissi.clock.set(Math.ceil(kissi.clock.now() / SECOND_MS) * SECOND_MS));

  test('ends every session and access token of the user; the new password works and the old one does not', async () => {
    const first = await newSession();
    const { staff } = first;
    const elsewhere = await openSession(kissi, staff);
    const reply = await change(first.token, PASSWORD, NEXT);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.json.success, true);
    for (const { token, refresh_token } of [first, elsewhere]) {
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

  test('twice within one second ends the tokens in between as well', async () => {
    const first = await newSession();
    await change(first.token, PASSWORD, NEXT);
    kissi.clock.advance(200);
    const second = await openSession(kissi, { email: first.staff.email, password: NEXT });
    assert.equal((await change(second.token, NEXT, PASSWORD)).status, 200);
    assertUnauthorized(await me(second.token));
    const third = await openSession(kissi, first.staff);
    assert.equal((await me(third.token)).status, 200);
  });

  test('needs the current password and a strong new one; a refusal changes nothing and is in the audit log', async () => {
    const { staff, token } = await newSession();
    assertUnauthorized(await change(token, 'Wrong-Password-1', NEXT));
    for (const weak of ['Sh0rt!', 'alllowercase1!', 'ALLUPPERCASE1!', 'NoDigitsHere!', 'NoSpecial123']) {
      const reply = await change(token, PASSWORD, weak);
      assert.equal(reply.status, 400, weak);
      assert.match(reply.json.error, /^new_password/);
    }
    assert.equal((await me(token)).status, 200);
    assert.equal((await login(kissi, staff)).status, 200);
    assert.equal(await refusedAttemptCount(kissi, { actor_id: staff.id, action: 'password.change.refused' }), 6);
  });

  test('of two changes at once one succeeds', async () => {
    const { staff, token } = await newSession();
    const replies = await Promise.all([change(token, PASSWORD, NEXT), change(token, PASSWORD, 'Third-Password-3')]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401]);
    const password = replies[0]?.status === 200 ? NEXT : 'Third-Password-3';
    assert.equal((await login(kissi, { email: staff.email, password })).status, 200);
  });
});
