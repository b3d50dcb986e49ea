// Tests one-time codes for PEP access: delivery, attempts, expiry, and the events that end access.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { iso, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { assertStatus, type CallReply } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import {
  type AuthorizedStaff,
  lastCodeSentTo,
  markPep,
  newAuthorizedStaff,
  newCode,
  openAccess,
  requestCode,
  verifyCode,
  wrongCode,
} from '../../support/pep.ts';
import { containsDigits } from '../../support/secrets.ts';
import {
  apiKey,
  assertRefused,
  auditLogs,
  auditRows,
  openSession,
  refusedAttemptCount,
  staffMember,
  withLockContention,
} from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ unauditedRecords: ['user'] });
const pep = (await bank.wallet()).id;
await markPep(kissi, pep);

const read = ({ token }: { token: string }) => kissi.call('GET', `/api/v1/subscribers/${pep}`, { token });

async function assertOpen(user: { token: string }): Promise<void> {
  const reply = assertStatus(await read(user), 200);
  assert.equal(reply.json.subscriber.is_pep, true);
}

const assertClosed = async (user: { token: string }) => assertRefused(await read(user), 403, 'PEP_ACCESS_REQUIRED');

const assertInvalidCode = (reply: CallReply, attemptsRemaining: number) => {
  assertRefused(reply, 401, 'INVALID_OTP');
  assert.equal(reply.json.attempts_remaining, attemptsRemaining);
};

async function updateUser(user: { id: string }, body: Record<string, unknown>): Promise<void> {
  const path = `/api/v1/admin/users/${user.id}`;
  assertStatus(await kissi.call('PUT', path, { token: await kissi.adminToken(), body }), 200);
}

test("a six-digit code is sent to the user's phone, is never logged, and opens access for 15 minutes", async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  await assertClosed(user);
  const sent = assertStatus(await requestCode(kissi, user), 200);
  const masked = user.phone.slice(-4).padStart(user.phone.length, '*');
  assert.deepEqual([sent.json.success, sent.json.phone_number], [true, masked]);
  assert.equal(sent.json.expires_at, iso(kissi.clock.now() + 5 * MINUTE_MS));
  const code = await lastCodeSentTo(kissi, user.phone);
  const opened = await verifyCode(kissi, user, code);
  assert.deepEqual(opened.json, {
    success: true,
    message: opened.json.message,
    access_until: iso(kissi.clock.now() + 15 * MINUTE_MS),
  });
  await assertOpen(user);
  const { rows } = await kissi.db.query('select * from pep_access where user_id = $1', [user.id]);
  assert.equal(rows[0].code_hash, null, 'the code is consumed');
  const entries = JSON.stringify(await auditRows(kissi, { actor_id: user.id }));
  for (const text of [sent.text, opened.text, kissi.logs(), entries]) assert.ok(!containsDigits(text, code));
});

test('a code is stored as a keyed hash', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const code = await newCode(kissi, user);
  const { rows } = await kissi.db.query('select * from pep_access where user_id = $1', [user.id]);
  assert.equal(rows[0].code_hash.length, 32);
  assert.ok(!containsDigits(JSON.stringify(rows[0]), code));
  const { rows: messages } = await kissi.db.query('select sealed_text from messages where recipient = $1', [
    user.phone,
  ]);
  for (const { sealed_text } of messages) assert.ok(!sealed_text.toString('latin1').includes(code));
});

test('access ends after exactly 15 minutes', async () => {
  const user = await newAuthorizedStaff(kissi, 'support_user');
  await openAccess(kissi, user);
  const { refresh_token } = await refreshSession(user);
  kissi.clock.advance(15 * MINUTE_MS - 1);
  const { json } = await kissi.call('POST', '/api/v1/admin/refresh', { body: { refresh_token } });
  await assertOpen(json);
  kissi.clock.advance(1);
  await assertClosed(json);
});

/** Refreshing a token continues the session and its PEP access. */
async function refreshSession({ refreshToken }: AuthorizedStaff) {
  const { status, json } = await kissi.call('POST', '/api/v1/admin/refresh', { body: { refresh_token: refreshToken } });
  assert.equal(status, 200);
  await assertOpen(json);
  return json;
}

test('a wrong code returns the attempts remaining; after three, the correct code is rejected', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const code = await newCode(kissi, user);
  for (const [offset, attemptsRemaining] of [
    [1, 2],
    [2, 1],
    [3, 0],
  ] as const) {
    assertInvalidCode(await verifyCode(kissi, user, wrongCode(code, offset)), attemptsRemaining);
  }
  assertInvalidCode(await verifyCode(kissi, user, code), 0);
  await assertClosed(user);
  assert.equal(await refusedAttemptCount(kissi, { actor_id: user.id, action: 'pep.verify.refused' }), 4);
});

test('of 60 concurrent wrong codes three count, and the correct code after them is rejected', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const code = await newCode(kissi, user);
  const lock = `select 1 from users where id = '${user.id}' for update`;
  // At least three wait for the row lock before the first is checked.
  const guesses = await withLockContention(kissi, {
    lock,
    waiters: 3,
    begin: () =>
      Promise.all(Array.from({ length: 60 }, (_, index) => verifyCode(kissi, user, wrongCode(code, index + 1)))),
  });
  const left = guesses.map(({ json }) => json.attempts_remaining).sort();
  assert.deepEqual(
    left.filter((remaining) => remaining > 0),
    [1, 2],
  );
  for (const guess of guesses) assertRefused(guess, 401, 'INVALID_OTP');
  assertInvalidCode(await verifyCode(kissi, user, code), 0);
  await assertClosed(user);
});

test('two concurrent requests with the correct code open access once', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const code = await newCode(kissi, user);
  const both = await Promise.all([verifyCode(kissi, user, code), verifyCode(kissi, user, code)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401]);
  const opened = await auditLogs(kissi, { actor_id: user.id, action: 'pep.verify' });
  assert.equal(opened.length, 1);
});

test('a code works once', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const code = await newCode(kissi, user);
  assert.equal((await verifyCode(kissi, user, code)).status, 200);
  assertInvalidCode(await verifyCode(kissi, user, code), 0);
  await assertOpen(user);
});

test('a code expires after five minutes', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const [early, late] = [await newCode(kissi, user), await newAuthorizedStaff(kissi, 'compliance_user')];
  const lateCode = await newCode(kissi, late);
  kissi.clock.advance(5 * MINUTE_MS - 1);
  assert.equal((await verifyCode(kissi, user, early)).status, 200);
  kissi.clock.advance(1);
  assertInvalidCode(await verifyCode(kissi, late, lateCode), 0);
  await assertClosed(late);
});

test("another user's code is rejected and remains valid for that user", async () => {
  const [user, other] = [
    await newAuthorizedStaff(kissi, 'compliance_user'),
    await newAuthorizedStaff(kissi, 'compliance_user'),
  ];
  const [code, otherCode] = [await newCode(kissi, user), await newCode(kissi, other)];
  if (code !== otherCode) assertInvalidCode(await verifyCode(kissi, other, code), 2);
  await assertClosed(other);
  assert.equal((await verifyCode(kissi, user, code)).status, 200);
  await assertClosed(other);
});

test('a new code replaces the previous one and allows three attempts', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const first = await newCode(kissi, user);
  assertInvalidCode(await verifyCode(kissi, user, wrongCode(first)), 2);
  const second = await newCode(kissi, user);
  if (first !== second) assertInvalidCode(await verifyCode(kissi, user, first), 2);
  assert.equal((await verifyCode(kissi, user, second)).status, 200);
});

test('a user gets at most five codes in 15 minutes, across sessions and concurrent requests', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const replies = await Promise.all(Array.from({ length: 8 }, () => requestCode(kissi, user)));
  assert.equal(replies.filter(({ status }) => status === 200).length, 5);
  for (const reply of replies.filter(({ status }) => status !== 200)) assertRefused(reply, 429, 'RATE_LIMITED');
  await kissi.call('POST', '/api/v1/admin/logout', { body: { refresh_token: user.refreshToken } });
  kissi.clock.advance(MINUTE_MS);
  const again = await openSession(kissi, user);
  const refused = assertRefused(await requestCode(kissi, again), 429, 'RATE_LIMITED');
  assert.equal(refused.headers.get('retry-after'), String((14 * MINUTE_MS) / SECOND_MS));
  kissi.clock.advance(14 * MINUTE_MS);
  assert.equal((await requestCode(kissi, await openSession(kissi, user))).status, 200);
});

test('a code that is not six digits is rejected with 400 and does not count as an attempt', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const code = await newCode(kissi, user);
  for (const text of ['', '12345', '1234567', '12345a', '１２３４５６', ` ${code}`, 123456, null, [code]]) {
    const reply = assertRefused(await verifyCode(kissi, user, text), 400, 'INVALID_REQUEST');
    assert.match(reply.json.error, /^code /);
  }
  assert.equal((await verifyCode(kissi, user, code)).status, 200);
});

test('users without authorization or phone number, administrators included, and API keys get no code', async () => {
  const plain = await openSession(kissi, await staffMember(kissi, 'compliance_user', { phone_number: '+23288999999' }));
  const key = await apiKey(kissi, ['subscribers:read', 'subscribers:write']);
  for (const token of [plain.token, await kissi.adminToken(), key.key]) {
    assertRefused(await requestCode(kissi, { token }), 403, 'FORBIDDEN');
    assertRefused(await verifyCode(kissi, { token }, '123456'), 403, 'FORBIDDEN');
  }
  const refused = await requestCode(kissi, { token: plain.token });
  assert.match(refused.json.error, /^Your user is not authorized .* pep_access_authorized\.$/);
  const withoutPhone = await staffMember(kissi, 'compliance_user', { pep_access_authorized: true });
  assertRefused(await requestCode(kissi, await openSession(kissi, withoutPhone)), 409, 'NO_PHONE_NUMBER');
});

test('access applies only to the user who opened it', async () => {
  const [user, other] = [
    await newAuthorizedStaff(kissi, 'compliance_user'),
    await newAuthorizedStaff(kissi, 'compliance_user'),
  ];
  await openAccess(kissi, user);
  await assertOpen(user);
  await assertClosed(other);
});

/** The session and its access tokens have ended, and so have access and code before the next login. */
async function afterSession(user: AuthorizedStaff): Promise<{ token: string }> {
  assertRefused(await read(user), 401, 'UNAUTHORIZED');
  const { rows } = await kissi.db.query('select code_hash, open_until from pep_access where user_id = $1', [user.id]);
  assert.deepEqual(rows, [{ code_hash: null, open_until: null }]);
  return openSession(kissi, user);
}

const ENDINGS: Record<string, (user: AuthorizedStaff) => Promise<{ token: string }>> = {
  'a logout': async (user) => {
    await kissi.call('POST', '/api/v1/admin/logout', { body: { refresh_token: user.refreshToken } });
    return afterSession(user);
  },
  'a new login, which may be an attacker with the password': async (user) => {
    await openSession(kissi, user);
    return user;
  },
  'reuse of a refresh token': async (user) => {
    for (const _ of [1, 2]) {
      await kissi.call('POST', '/api/v1/admin/refresh', { body: { refresh_token: user.refreshToken } });
    }
    return afterSession(user);
  },
  'a revoked authorization, even if granted again': async (user) => {
    await updateUser(user, { pep_access_authorized: false });
    await assertClosed(user);
    await updateUser(user, { pep_access_authorized: true });
    return user;
  },
  'a change of phone number': async (user) => {
    await updateUser(user, { phone_number: '+23288777777' });
    return user;
  },
  'a suspension, even if lifted': async (user) => {
    await updateUser(user, { status: 'suspended' });
    assertRefused(await read(user), 401, 'UNAUTHORIZED');
    await updateUser(user, { status: 'active' });
    kissi.clock.advance(SECOND_MS);
    return openSession(kissi, user);
  },
  'a change of password': async (user) => {
    const changed = { current_password: user.password, new_password: 'Another-Password-2' };
    await kissi.call('POST', '/api/v1/admin/change-password', { token: user.token, body: changed });
    kissi.clock.advance(SECOND_MS);
    return openSession(kissi, { ...user, password: changed.new_password });
  },
};

for (const [ending, end] of Object.entries(ENDINGS)) {
  test(`access and a pending code end with ${ending}`, async () => {
    const user = await newAuthorizedStaff(kissi, 'compliance_user');
    await openAccess(kissi, user);
    await assertOpen(user);
    const pendingCode = await newCode(kissi, user);
    const later = await end(user);
    await assertClosed(later);
    assertInvalidCode(await verifyCode(kissi, later, pendingCode), 0);
    await assertClosed(later);
  });
}

test('a code is rejected if the authorization is revoked concurrently', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const code = await newCode(kissi, user);
  const verified = await withLockContention(kissi, {
    lock: `select 1 from users where id = '${user.id}' for update`,
    waiters: 1,
    begin: () => verifyCode(kissi, user, code),
    meanwhile: `update users set pep_access_authorized = false where id = '${user.id}'`,
  });
  assertRefused(verified, 403, 'FORBIDDEN');
  await assertClosed(user);
});

test('a concurrent logout ends access', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const code = await newCode(kissi, user);
  const [, verified] = await withLockContention(kissi, {
    lock: `select 1 from pep_access where user_id = '${user.id}' for update`,
    waiters: 2,
    begin: async () => {
      const body = { refresh_token: user.refreshToken };
      const loggedOut = kissi.call('POST', '/api/v1/admin/logout', { body });
      const verification = verifyCode(kissi, user, code);
      return Promise.all([loggedOut, verification]);
    },
  });
  // Either order is possible: the code was invalid, its session had ended, or the access it opened was closed.
  if (verified.json.code === 'UNAUTHORIZED') assert.equal(verified.status, 401);
  else if (verified.status !== 200) assertInvalidCode(verified, 0);
  await assertClosed(await afterSession(user));
});

test('only compliance and administrators can set is_pep; it is audited and ignored at registration', async () => {
  const { id } = await bank.wallet();
  const path = `/api/v1/subscribers/${id}`;
  const support = await openSession(kissi, await staffMember(kissi, 'support_user'));
  const key = await apiKey(kissi, ['subscribers:write']);
  for (const token of [support.token, key.key]) {
    const refused = assertRefused(await kissi.call('PUT', path, { token, body: { is_pep: true } }), 403, 'FORBIDDEN');
    assert.match(refused.json.error, / is_pep\.$/);
  }
  const compliance = await newAuthorizedStaff(kissi, 'compliance_user');
  const put = (body: unknown) => kissi.call('PUT', path, { token: compliance.token, body });
  assert.equal((await put({ is_pep: true })).status, 200);
  const [entry] = await auditRows(kissi, { resource_id: id, action: 'subscriber.update' });
  assert.deepEqual(entry.details, { fields: ['is_pep'], is_pep: { from: false, to: true } });
  assertRefused(await put({ is_pep: false }), 403, 'PEP_ACCESS_REQUIRED');
  await openAccess(kissi, compliance);
  assert.equal((await put({ is_pep: false })).json.subscriber.is_pep, false);
  const body = { phone_number: '+23276987654', first_name: 'A', last_name: 'B', pin: PIN, is_pep: true };
  const token = await kissi.adminToken();
  assertRefused(await kissi.call('POST', '/api/v1/subscribers', { token, body }), 400, 'INVALID_REQUEST');
  assertRefused(await kissi.call('POST', '/api/v1/public/subscribers', { body }), 400, 'INVALID_REQUEST');
});
