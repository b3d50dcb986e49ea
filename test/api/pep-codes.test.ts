// The one-time code for PEP accounts: sent, guessed at, used up, outdated, and access that ends when it should.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { iso, MINUTE_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import type { CallReply } from '../support/gateway.ts';
import { bankForFile, PIN } from '../support/money.ts';
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
} from '../support/pep.ts';
import {
  apiKey,
  assertRefused,
  auditLogs,
  openSession,
  refusedAttemptCount,
  staffMember,
  withLockContention,
} from '../support/staff.ts';

const { kissi, bank } = await bankForFile();
const pep = (await bank.wallet()).id;
await markPep(kissi, pep);

const read = ({ token }: { token: string }) => kissi.call('GET', `/api/v1/subscribers/${pep}`, { token });

async function assertOpen(user: { token: string }): Promise<void> {
  const reply = await read(user);
  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.json.subscriber.is_pep, true);
}

const assertClosed = async (user: { token: string }) => assertRefused(await read(user), 403, 'PEP_ACCESS_REQUIRED');

const assertWrong = (reply: CallReply, left: number) => {
  assertRefused(reply, 401, 'INVALID_OTP');
  assert.equal(reply.json.attempts_remaining, left);
};

async function asAdmin(user: { id: string }, body: Record<string, unknown>): Promise<void> {
  const path = `/api/v1/admin/users/${user.id}`;
  const reply = await kissi.call('PUT', path, { token: await kissi.adminToken(), body });
  assert.equal(reply.status, 200, reply.text);
}

test('a code is six digits to the own phone, in no reply or log, and opens access for 15 minutes', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  await assertClosed(user);
  const sent = await requestCode(kissi, user);
  assert.equal(sent.status, 200, sent.text);
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
  assert.equal(rows[0].code_hash, null, 'used up');
  const entries = JSON.stringify(await auditLogs(kissi, { actor_id: user.id }));
  for (const text of [sent.text, opened.text, kissi.logs(), entries]) assert.ok(!text.includes(code));
});

test('what is kept of a code is a keyed hash', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const code = await newCode(kissi, user);
  const { rows } = await kissi.db.query('select * from pep_access where user_id = $1', [user.id]);
  assert.equal(rows[0].code_hash.length, 32);
  assert.ok(!JSON.stringify(rows[0]).includes(code));
  const { rows: messages } = await kissi.db.query('select sealed_text from messages where recipient = $1', [
    user.phone,
  ]);
  for (const { sealed_text } of messages) assert.ok(!sealed_text.toString('latin1').includes(code));
});

test('access ends after 15 minutes to the millisecond', async () => {
  const user = await newAuthorizedStaff(kissi, 'support_user');
  await openAccess(kissi, user);
  const { refresh_token } = await loggedInWithoutEnding(user);
  kissi.clock.advance(15 * MINUTE_MS - 1);
  const { json } = await kissi.call('POST', '/api/v1/admin/refresh', { body: { refresh_token } });
  await assertOpen(json);
  kissi.clock.advance(1);
  await assertClosed(json);
});

/** A refresh carries the session on, and access with it. */
async function loggedInWithoutEnding({ refreshToken }: AuthorizedStaff) {
  const { status, json } = await kissi.call('POST', '/api/v1/admin/refresh', { body: { refresh_token: refreshToken } });
  assert.equal(status, 200);
  await assertOpen(json);
  return json;
}

test('a wrong code says how many tries are left; after three the right one is worth nothing', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const code = await newCode(kissi, user);
  for (const [by, left] of [
    [1, 2],
    [2, 1],
    [3, 0],
  ] as const) {
    assertWrong(await verifyCode(kissi, user, wrongCode(code, by)), left);
  }
  assertWrong(await verifyCode(kissi, user, code), 0);
  await assertClosed(user);
  assert.equal(await refusedAttemptCount(kissi, { actor_id: user.id, action: 'pep.verify.refused' }), 4);
});

test('of 60 guesses at once three are judged, and the right code that comes after them opens nothing', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const code = await newCode(kissi, user);
  const lock = `select 1 from users where id = '${user.id}' for update`;
  // Some wait for the same row before any is judged.
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
  assertWrong(await verifyCode(kissi, user, code), 0);
  await assertClosed(user);
});

test('two who send the right code at once open access once', async () => {
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
  assertWrong(await verifyCode(kissi, user, code), 0);
  await assertOpen(user);
});

test('a code is over after five minutes', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const [early, late] = [await newCode(kissi, user), await newAuthorizedStaff(kissi, 'compliance_user')];
  const lateCode = await newCode(kissi, late);
  kissi.clock.advance(5 * MINUTE_MS - 1);
  assert.equal((await verifyCode(kissi, user, early)).status, 200);
  kissi.clock.advance(1);
  assertWrong(await verifyCode(kissi, late, lateCode), 0);
  await assertClosed(late);
});

test("another user's code opens nothing and is not used up by it", async () => {
  const [user, other] = [
    await newAuthorizedStaff(kissi, 'compliance_user'),
    await newAuthorizedStaff(kissi, 'compliance_user'),
  ];
  const [code, others] = [await newCode(kissi, user), await newCode(kissi, other)];
  if (code !== others) assertWrong(await verifyCode(kissi, other, code), 2);
  await assertClosed(other);
  assert.equal((await verifyCode(kissi, user, code)).status, 200);
  await assertClosed(other);
});

test('a new code ends the one before, and brings three tries of its own', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const first = await newCode(kissi, user);
  assertWrong(await verifyCode(kissi, user, wrongCode(first)), 2);
  const second = await newCode(kissi, user);
  if (first !== second) assertWrong(await verifyCode(kissi, user, first), 2);
  assert.equal((await verifyCode(kissi, user, second)).status, 200);
});

test('five codes in 15 minutes, however often one logs in anew or asks at once', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const asked = await Promise.all(Array.from({ length: 8 }, () => requestCode(kissi, user)));
  assert.equal(asked.filter(({ status }) => status === 200).length, 5);
  for (const reply of asked.filter(({ status }) => status !== 200)) assertRefused(reply, 429, 'RATE_LIMITED');
  await kissi.call('POST', '/api/v1/admin/logout', { body: { refresh_token: user.refreshToken } });
  kissi.clock.advance(MINUTE_MS);
  const again = await openSession(kissi, user);
  const refused = await requestCode(kissi, again);
  assertRefused(refused, 429, 'RATE_LIMITED');
  assert.equal(refused.headers.get('retry-after'), String((14 * MINUTE_MS) / SECOND_MS));
  kissi.clock.advance(14 * MINUTE_MS);
  assert.equal((await requestCode(kissi, await openSession(kissi, user))).status, 200);
});

test('what is not six digits is refused by name and costs no try', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const code = await newCode(kissi, user);
  for (const text of ['', '12345', '1234567', '12345a', '１２３４５６', ` ${code}`, 123456, null, [code]]) {
    const reply = await verifyCode(kissi, user, text);
    assertRefused(reply, 400, 'INVALID_REQUEST');
    assert.match(reply.json.error, /^code /);
  }
  assert.equal((await verifyCode(kissi, user, code)).status, 200);
});

test('who is not authorized gets no code, administrators and keys included; nor who has no phone', async () => {
  const plain = await openSession(kissi, await staffMember(kissi, 'compliance_user', { phone_number: '+23288999999' }));
  const key = await apiKey(kissi, ['subscribers:read', 'subscribers:write']);
  for (const token of [plain.token, await kissi.adminToken(), key.key]) {
    assertRefused(await requestCode(kissi, { token }), 403, 'FORBIDDEN');
    assertRefused(await verifyCode(kissi, { token }, '123456'), 403, 'FORBIDDEN');
  }
  const silent = await staffMember(kissi, 'compliance_user', { pep_access_authorized: true });
  assertRefused(await requestCode(kissi, await openSession(kissi, silent)), 409, 'NO_PHONE_NUMBER');
});

test('access is its own: nobody else who is authorized gets in with it', async () => {
  const [user, other] = [
    await newAuthorizedStaff(kissi, 'compliance_user'),
    await newAuthorizedStaff(kissi, 'compliance_user'),
  ];
  await openAccess(kissi, user);
  await assertOpen(user);
  await assertClosed(other);
});

const ENDINGS: Record<string, (user: AuthorizedStaff) => Promise<{ token: string }>> = {
  'logging out': async (user) => {
    await kissi.call('POST', '/api/v1/admin/logout', { body: { refresh_token: user.refreshToken } });
    return user;
  },
  'a login, which may be somebody else who knows the password': async (user) => {
    await openSession(kissi, user);
    return user;
  },
  'a refresh token that is used twice': async (user) => {
    for (const _ of [1, 2]) {
      await kissi.call('POST', '/api/v1/admin/refresh', { body: { refresh_token: user.refreshToken } });
    }
    return user;
  },
  'losing the authorization, also when it is given again': async (user) => {
    await asAdmin(user, { pep_access_authorized: false });
    await assertClosed(user);
    await asAdmin(user, { pep_access_authorized: true });
    return user;
  },
  'another phone number': async (user) => {
    await asAdmin(user, { phone_number: '+23288777777' });
    return user;
  },
  'suspension, also when it is lifted': async (user) => {
    await asAdmin(user, { status: 'suspended' });
    assertRefused(await read(user), 401, 'UNAUTHORIZED');
    await asAdmin(user, { status: 'active' });
    kissi.clock.advance(SECOND_MS);
    return openSession(kissi, user);
  },
  'another password': async (user) => {
    const changed = { current_password: user.password, new_password: 'Another-Password-2' };
    await kissi.call('POST', '/api/v1/admin/change-password', { token: user.token, body: changed });
    kissi.clock.advance(SECOND_MS);
    return openSession(kissi, { ...user, password: changed.new_password });
  },
};

for (const [ending, end] of Object.entries(ENDINGS)) {
  test(`access, and a code that would open it, end with ${ending}`, async () => {
    const user = await newAuthorizedStaff(kissi, 'compliance_user');
    await openAccess(kissi, user);
    await assertOpen(user);
    const waiting = await newCode(kissi, user);
    const later = await end(user);
    await assertClosed(later);
    assertWrong(await verifyCode(kissi, later, waiting), 0);
    await assertClosed(later);
  });
}

test('an authorization that is taken away while a code is judged wins', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const code = await newCode(kissi, user);
  const judged = await withLockContention(kissi, {
    lock: `select 1 from users where id = '${user.id}' for update`,
    waiters: 1,
    begin: () => verifyCode(kissi, user, code),
    meanwhile: `update users set pep_access_authorized = false where id = '${user.id}'`,
  });
  assertRefused(judged, 403, 'FORBIDDEN');
  await assertClosed(user);
});

test('a logout while a code is judged wins too', async () => {
  const user = await newAuthorizedStaff(kissi, 'compliance_user');
  const code = await newCode(kissi, user);
  const [, judged] = await withLockContention(kissi, {
    lock: `select 1 from pep_access where user_id = '${user.id}' for update`,
    waiters: 2,
    begin: async () => {
      const body = { refresh_token: user.refreshToken };
      const loggedOut = kissi.call('POST', '/api/v1/admin/logout', { body });
      const verified = verifyCode(kissi, user, code);
      return Promise.all([loggedOut, verified]);
    },
  });
  // Whichever of the two came first: either the code was dead, or what it opened was closed.
  if (judged.status !== 200) assertWrong(judged, 0);
  await assertClosed(user);
});

test('who is a PEP is said by compliance and administrators alone, in the audit log, and not at registration', async () => {
  const { id } = await bank.wallet();
  const path = `/api/v1/subscribers/${id}`;
  const support = await openSession(kissi, await staffMember(kissi, 'support_user'));
  const key = await apiKey(kissi, ['subscribers:write']);
  for (const token of [support.token, key.key]) {
    const refused = await kissi.call('PUT', path, { token, body: { is_pep: true } });
    assertRefused(refused, 403, 'FORBIDDEN');
    assert.match(refused.json.error, /^is_pep /);
  }
  const compliance = await newAuthorizedStaff(kissi, 'compliance_user');
  const put = (body: unknown) => kissi.call('PUT', path, { token: compliance.token, body });
  assert.equal((await put({ is_pep: true })).status, 200);
  const [entry] = await auditLogs(kissi, { resource_id: id, action: 'subscriber.update' });
  assert.deepEqual(entry.details, { fields: ['is_pep'], is_pep: { from: false, to: true } });
  assertRefused(await put({ is_pep: false }), 403, 'PEP_ACCESS_REQUIRED');
  await openAccess(kissi, compliance);
  assert.equal((await put({ is_pep: false })).json.subscriber.is_pep, false);
  const body = { phone_number: '+23276987654', first_name: 'A', last_name: 'B', pin: PIN, is_pep: true };
  const token = await kissi.adminToken();
  assertRefused(await kissi.call('POST', '/api/v1/subscribers', { token, body }), 400, 'INVALID_REQUEST');
  assertRefused(await kissi.call('POST', '/api/v1/public/subscribers', { body }), 400, 'INVALID_REQUEST');
});
