// POST /admin/login: the token pair, the identical reply to every failed login, and the limit of five failures.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import { holdPasswords } from '../../runner/cheap-argon2.ts';
import { ADMIN, assertStatus, type CallReply, gatewayForFile, testGateway } from '../../support/gateway.ts';
import {
  auditLogs,
  login,
  openSession,
  PASSWORD,
  runChore,
  staffMember,
  withLockContention,
} from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';

const WRONG_PASSWORD = 'Wrong-Password-1';

const kissi = await gatewayForFile({ unauditedRecords: ['user'] });

function statusCounts(replies: CallReply[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function setStatus(id: string, status: string): Promise<void> {
  const reply = await kissi.asAdmin.put(`/admin/users/${id}`, { status });
  assert.equal(reply.status, 200, reply.text);
}

describe('a successful login', () => {
  test('returns exactly token, refresh_token and expires_in 900', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const pair = await openSession(kissi, staff);
    assert.deepEqual(Object.keys(pair).sort(), ['expires_in', 'refresh_token', 'token']);
    assert.equal(pair.expires_in, 900);
    const [, payload = ''] = pair.token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const iat = Math.floor(kissi.clock.now() / 1_000);
    assert.deepEqual(claims, { email: staff.email, role: 'support_user', sub: staff.id, iat, exp: iat + 900 });
  });

  test('accepts the email in any case and sets last_login_at', async () => {
    const staff = await staffMember(kissi, 'support_user', { email: 'Mixed.Case@Example.com' });
    const { token } = await openSession(kissi, { email: 'mixed.CASE@example.COM', password: staff.password });
    const me = await kissi.call('GET', '/api/v1/admin/me', { token });
    // test/api/access/roles.test.ts checks these two.
    const { permissions: _, service: __, ...user } = me.json;
    assert.deepEqual(user, {
      id: staff.id,
      email: 'Mixed.Case@Example.com',
      first_name: 'Test',
      last_name: 'Person',
      phone_number: null,
      role: 'support_user',
      status: 'active',
      last_login_at: new Date(kissi.clock.now()).toISOString(),
      created_at: new Date(kissi.clock.now()).toISOString(),
      agent_id: null,
      processor_id: null,
      pep_access_authorized: false,
    });
  });

  test('writes an audit entry with the user as actor', async () => {
    const staff = await staffMember(kissi, 'support_user');
    await openSession(kissi, staff);
    const [entry] = await auditLogs(kissi, { actor_id: staff.id, action: 'session.login' });
    assert.equal(entry.actor_type, 'user');
    assert.match(entry.resource_id, /^ses_/);
    assert.equal(entry.ip, '127.0.0.1');
  });
});

describe('a failed login', () => {
  test('returns the same 401 for an unknown email, a wrong password, and a suspended or inactive user', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const [suspended, inactive] = [await staffMember(kissi, 'support_user'), await staffMember(kissi, 'support_user')];
    await setStatus(suspended.id, 'suspended');
    await setStatus(inactive.id, 'inactive');
    const replies = [
      await login(kissi, { email: 'unknown@example.com', password: PASSWORD }),
      await login(kissi, { email: 'not an email', password: PASSWORD }),
      await login(kissi, { email: staff.email, password: WRONG_PASSWORD }),
      await login(kissi, suspended),
      await login(kissi, inactive),
    ];
    for (const { status, text } of replies) {
      assert.equal(status, 401);
      assert.equal(text, replies[0]?.text);
    }
    assert.equal(replies[0]?.json.code, 'UNAUTHORIZED');
  });

  test('writes an audit entry without the submitted password', async () => {
    const staff = await staffMember(kissi, 'support_user');
    await login(kissi, { email: staff.email, password: WRONG_PASSWORD });
    const [entry] = await auditLogs(kissi, { resource_id: staff.id, action: 'session.login.refused' });
    assert.equal(entry.actor_type, 'public');
    assert.deepEqual(entry.details, { address: '127.0.0.1', email: staff.email, code: 'UNAUTHORIZED' });
  });

  test('a missing or malformed field is rejected with 400 INVALID_REQUEST that names the field', async () => {
    for (const [body, field] of [
      [{ password: WRONG_PASSWORD }, 'email'],
      [{ email: 'a@example.com' }, 'password'],
      [{ email: 'a@example.com', password: 7 }, 'password'],
      [{ email: ['a@example.com'], password: WRONG_PASSWORD }, 'email'],
      [{ email: 'a@example.com', password: 'x'.repeat(129) }, 'password'],
    ] as const) {
      const reply = assertStatus(await kissi.call('POST', '/api/v1/admin/login', { body }), 400);
      assert.match(reply.json.error, new RegExp(`^${field}`));
    }
  });
});

test('rejects concurrent logins above capacity with 503 without counting them as failed attempts', async () => {
  const release = holdPasswords();
  let answered = 0;
  const attempts = Array.from({ length: 180 }, async (_, n) => {
    const reply = await login(kissi, { email: `overload${n}@example.com`, password: WRONG_PASSWORD });
    answered += 1;
    return reply;
  });
  // Two passwords are compared at a time, and a hundred wait.
  await waitFor('78 logins are rejected', () => answered === 78);
  release();
  const replies = await Promise.all(attempts);
  const rejected = replies.filter(({ status }) => status === 503);
  assert.equal(rejected.length, 78);
  for (const { headers, json } of rejected) {
    assert.match(headers.get('retry-after') ?? '', /^[123]$/);
    assert.equal(json.code, 'SERVICE_UNAVAILABLE');
  }
  const checked = replies.filter(({ status }) => status === 401);
  assert.equal(checked.length + rejected.length, replies.length);
  const { rows } = await kissi.db.query(
    `select count(*)::int as n from login_attempts where email like 'overload%' and failures > 0`,
  );
  assert.equal(rows[0].n, checked.length);
});

describe('after five failed logins', () => {
  test('locks the email until the 15-minute window ends, even for the correct password', async () => {
    const staff = await staffMember(kissi, 'support_user');
    for (let i = 0; i < 5; i++) {
      assert.equal((await login(kissi, { email: staff.email, password: WRONG_PASSWORD })).status, 401);
      kissi.clock.advance(MINUTE_MS);
    }
    const locked = assertStatus(await login(kissi, staff), 429);
    assert.equal(locked.json.code, 'TOO_MANY_ATTEMPTS');
    assert.equal(locked.headers.get('retry-after'), String(10 * 60));
    kissi.clock.advance(10 * MINUTE_MS - 1);
    assert.equal((await login(kissi, staff)).headers.get('retry-after'), '1');
    kissi.clock.advance(1);
    assert.equal((await login(kissi, staff)).status, 200);
  });

  test('locks an unknown email in the same way', async () => {
    const unknownUser = { email: 'unknown.user@example.com', password: WRONG_PASSWORD };
    for (let i = 0; i < 5; i++) assert.equal((await login(kissi, unknownUser)).status, 401);
    const locked = assertStatus(await login(kissi, { ...unknownUser, email: unknownUser.email.toUpperCase() }), 429);
    assert.equal(locked.headers.get('retry-after'), '900');
  });

  test('does not lock other emails', async () => {
    const [locked, other] = [await staffMember(kissi, 'support_user'), await staffMember(kissi, 'support_user')];
    for (let i = 0; i < 6; i++) await login(kissi, { email: locked.email, password: WRONG_PASSWORD });
    assert.equal((await login(kissi, other)).status, 200);
  });

  test('a successful login resets the count', async () => {
    const staff = await staffMember(kissi, 'support_user');
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++) {
        assert.equal((await login(kissi, { email: staff.email, password: WRONG_PASSWORD })).status, 401);
      }
      assert.equal((await login(kissi, staff)).status, 200);
    }
  });

  test('counts wrong current passwords of change-password as failed logins', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const { token } = await openSession(kissi, staff);
    const body = { current_password: WRONG_PASSWORD, new_password: 'Another-Password-1' };
    const change = () => kissi.call('POST', '/api/v1/admin/change-password', { body, token });
    for (let i = 0; i < 5; i++) assert.equal((await change()).status, 401);
    assert.equal((await change()).status, 429);
    assert.equal((await login(kissi, staff)).status, 429);
  });

  test('audits the first of the five failures, their repetitions as one entry, and TOO_MANY_ATTEMPTS once', async () => {
    const staff = await staffMember(kissi, 'support_user');
    for (let i = 0; i < 12; i++) {
      await login(kissi, { email: staff.email, password: WRONG_PASSWORD });
      kissi.clock.advance(1);
    }
    kissi.clock.advance(MINUTE_MS);
    await runChore(kissi, 'count refused attempts');
    const entries = await auditLogs(kissi, { resource_id: staff.id, action: 'session.login.refused' });
    const counts = entries.map(({ details }) => [details.code, details.count]);
    const expected = [
      ['UNAUTHORIZED', 4],
      ['TOO_MANY_ATTEMPTS', undefined],
      ['UNAUTHORIZED', undefined],
    ];
    assert.deepEqual(counts, expected);
  });
});

describe('failed logins with invented names', () => {
  test('write two audit entries per minute, however many there are', async () => {
    const isolated = await testGateway();
    try {
      for (let n = 0; n < 30; n++)
        await login(isolated, { email: `invented${n}@example.com`, password: WRONG_PASSWORD });
      isolated.clock.advance(MINUTE_MS);
      await runChore(isolated, 'count refused attempts');
      const entries = await auditLogs(isolated, { action: 'session.login.refused' });
      assert.deepEqual(
        entries.map(({ resource_id, details }) => [resource_id, details.code, details.count, details.addresses]),
        [
          [null, 'UNAUTHORIZED', 29, ['127.0.0.1']],
          [null, 'UNAUTHORIZED', undefined, undefined],
        ],
      );
    } finally {
      await isolated.close();
    }
  });
});

describe('concurrent logins', () => {
  test('verifies 5 of 40 guesses sent to two gateways and then rejects the correct password with 429', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const second = await testGateway({ db: kissi.db, clock: kissi.clock });
    try {
      const guesses = Array.from({ length: 40 }, (_, n) =>
        login(n % 2 === 0 ? kissi : second, { email: staff.email, password: `${WRONG_PASSWORD}${n}` }),
      );
      assert.deepEqual(statusCounts(await Promise.all(guesses)), { 401: 5, 429: 35 });
      assert.equal((await login(second, staff)).status, 429);
    } finally {
      await second.close();
    }
  });

  test('counts guesses for one email together, whatever the letter case', async () => {
    const { email } = await staffMember(kissi, 'support_user');
    const spellings = Array.from({ length: 20 }, (_, n) => email.slice(0, n).toUpperCase() + email.slice(n));
    const replies = await Promise.all(
      spellings.map((spelling) => login(kissi, { email: spelling, password: WRONG_PASSWORD })),
    );
    assert.deepEqual(statusCounts(replies), { 401: 5, 429: 15 });
  });

  test('20 correct logins of one user all succeed', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const replies = await Promise.all(Array.from({ length: 20 }, () => login(kissi, staff)));
    assert.deepEqual(statusCounts(replies), { 200: 20 });
    assert.equal(new Set(replies.map(({ json }) => json.refresh_token)).size, 20);
  });

  for (const [event, change] of [
    ['is suspended', `status = 'suspended'`],
    ['changes the password', `password_hash = 'another'`],
  ]) {
    test(`rejects a correct password with 401 when the user ${event} before the session is created`, async () => {
      const staff = await staffMember(kissi, 'support_user');
      const reply = await withLockContention(kissi, {
        lock: `select from users where id = '${staff.id}' for update`,
        waiters: 1,
        begin: () => login(kissi, staff),
        meanwhile: `update users set ${change} where id = '${staff.id}'`,
      });
      assert.deepEqual([reply.status, reply.json.code], [401, 'UNAUTHORIZED']);
    });
  }
});

test('pruning deletes expired login attempts and sessions, and keeps the others', async () => {
  const isolated = await testGateway();
  try {
    await isolated.adminToken();
    await login(isolated, { email: 'unknown@example.com', password: WRONG_PASSWORD });
    const count = async (table: string) => {
      const { rows } = await isolated.db.query(`select count(*)::int as n from ${table}`);
      return rows[0].n;
    };
    const prune = isolated.gateway.backgroundTasks.find(({ name }) => name === 'prune sessions and attempts');
    await prune?.run();
    assert.deepEqual([await count('login_attempts'), await count('sessions')], [1, 1]);
    isolated.clock.advance(15 * MINUTE_MS);
    await prune?.run();
    assert.deepEqual([await count('login_attempts'), await count('sessions')], [0, 1]);
    isolated.clock.advance(7 * 24 * 60 * MINUTE_MS);
    await prune?.run();
    assert.deepEqual([await count('sessions'), await count('refresh_tokens')], [0, 0]);
    assert.equal((await login(isolated, ADMIN)).status, 200);
  } finally {
    await isolated.close();
  }
});
