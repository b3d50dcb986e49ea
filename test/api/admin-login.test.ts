// Logging in: the pair of tokens, one answer for every wrong login, and five attempts however they arrive.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { ADMIN, type CallReply, gatewayForFile, testGateway } from '../support/gateway.ts';
import { auditLogs, login, openSession, PASSWORD, staffMember, withLockContention } from '../support/staff.ts';

const WRONG = 'Wrong-Password-1';

const kissi = await gatewayForFile();

function statuses(replies: CallReply[]): Record<number, number> {
  const counted: Record<number, number> = {};
  for (const { status } of replies) counted[status] = (counted[status] ?? 0) + 1;
  return counted;
}

async function setStatus(id: string, status: string): Promise<void> {
  const reply = await kissi.call('PUT', `/api/v1/admin/users/${id}`, {
    body: { status },
    token: await kissi.adminToken(),
  });
  assert.equal(reply.status, 200, reply.text);
}

describe('a right login', () => {
  test('answers exactly token, refresh_token and expires_in 900', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const pair = await openSession(kissi, staff);
    assert.deepEqual(Object.keys(pair).sort(), ['expires_in', 'refresh_token', 'token']);
    assert.equal(pair.expires_in, 900);
    const [, payload = ''] = pair.token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const iat = Math.floor(kissi.clock.now() / 1_000);
    assert.deepEqual(claims, { email: staff.email, role: 'support_user', sub: staff.id, iat, exp: iat + 900 });
  });

  test('takes the email in any case and sets last_login_at', async () => {
    const staff = await staffMember(kissi, 'support_user', { email: 'Mixed.Case@Example.com' });
    const { token } = await openSession(kissi, { email: 'mixed.CASE@example.COM', password: staff.password });
    const me = await kissi.call('GET', '/api/v1/admin/me', { token });
    assert.deepEqual(me.json, {
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
      pep_access_authorized: false,
    });
  });

  test('is in the audit log as done by the user', async () => {
    const staff = await staffMember(kissi, 'support_user');
    await openSession(kissi, staff);
    const [entry] = await auditLogs(kissi, { actor_id: staff.id, action: 'session.login' });
    assert.equal(entry.actor_type, 'user');
    assert.match(entry.resource_id, /^ses_/);
    assert.equal(entry.ip, '127.0.0.1');
  });
});

describe('a wrong login', () => {
  test('is answered the same for an unknown email, a wrong password, and a user who is suspended or inactive', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const [suspended, inactive] = [await staffMember(kissi, 'support_user'), await staffMember(kissi, 'support_user')];
    await setStatus(suspended.id, 'suspended');
    await setStatus(inactive.id, 'inactive');
    const replies = [
      await login(kissi, { email: 'nobody@example.com', password: PASSWORD }),
      await login(kissi, { email: 'no email at all', password: PASSWORD }),
      await login(kissi, { email: staff.email, password: WRONG }),
      await login(kissi, suspended),
      await login(kissi, inactive),
    ];
    for (const { status, text } of replies) {
      assert.equal(status, 401);
      assert.equal(text, replies[0]?.text);
    }
    assert.equal(replies[0]?.json.code, 'UNAUTHORIZED');
  });

  test('takes as long for an unknown email as for a known one', async () => {
    const fastest = async (emails: string[]) => {
      const times: number[] = [];
      for (const email of emails) {
        const begin = performance.now();
        await login(kissi, { email, password: WRONG });
        times.push(performance.now() - begin);
      }
      return Math.min(...times);
    };
    const { email } = await staffMember(kissi, 'support_user');
    const known = await fastest([email, email, email, email]);
    const unknown = await fastest(['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com']);
    assert.ok(unknown > known / 3, `known ${known} ms, unknown ${unknown} ms`);
  });

  test('is in the audit log, without what was typed as the password', async () => {
    const staff = await staffMember(kissi, 'support_user');
    await login(kissi, { email: staff.email, password: WRONG });
    const [entry] = await auditLogs(kissi, { resource_id: staff.id, action: 'session.login.refused' });
    assert.equal(entry.actor_type, 'public');
    assert.deepEqual(entry.details, { email: staff.email, code: 'UNAUTHORIZED' });
  });

  test('400 INVALID_REQUEST names a missing or malformed field', async () => {
    for (const [body, field] of [
      [{ password: WRONG }, 'email'],
      [{ email: 'a@example.com' }, 'password'],
      [{ email: 'a@example.com', password: 7 }, 'password'],
      [{ email: ['a@example.com'], password: WRONG }, 'email'],
      [{ email: 'a@example.com', password: 'x'.repeat(129) }, 'password'],
    ] as const) {
      const reply = await kissi.call('POST', '/api/v1/admin/login', { body });
      assert.equal(reply.status, 400, reply.text);
      assert.match(reply.json.error, new RegExp(`^${field}`));
    }
  });
});

test('more logins at once than can be checked in time are sent away with 503, and were no attempts', async () => {
  const crowd = Array.from({ length: 180 }, (_, n) =>
    login(kissi, { email: `crowd${n}@example.com`, password: WRONG }),
  );
  const replies = await Promise.all(crowd);
  const sentAway = replies.filter(({ status }) => status === 503);
  assert.ok(sentAway.length > 0);
  for (const { headers, json } of sentAway) {
    assert.match(headers.get('retry-after') ?? '', /^[123]$/);
    assert.equal(json.code, 'SERVICE_UNAVAILABLE');
  }
  const checked = replies.filter(({ status }) => status === 401);
  assert.equal(checked.length + sentAway.length, replies.length);
  const { rows } = await kissi.db.database.pool.query(
    `select count(*)::int as n from login_attempts where email like 'crowd%' and failures > 0`,
  );
  assert.equal(rows[0].n, checked.length);
});

describe('five wrong passwords', () => {
  test('lock the email until the window ends, also for the right password; then it opens', async () => {
    const staff = await staffMember(kissi, 'support_user');
    for (let i = 0; i < 5; i++) {
      assert.equal((await login(kissi, { email: staff.email, password: WRONG })).status, 401);
      kissi.clock.advance(MINUTE_MS);
    }
    const locked = await login(kissi, staff);
    assert.equal(locked.status, 429);
    assert.equal(locked.json.code, 'TOO_MANY_ATTEMPTS');
    assert.equal(locked.headers.get('retry-after'), String(10 * 60));
    kissi.clock.advance(10 * MINUTE_MS - 1);
    assert.equal((await login(kissi, staff)).headers.get('retry-after'), '1');
    kissi.clock.advance(1);
    assert.equal((await login(kissi, staff)).status, 200);
  });

  test('lock an unknown email in the same way', async () => {
    const nobody = { email: 'somebody.else@example.com', password: WRONG };
    for (let i = 0; i < 5; i++) assert.equal((await login(kissi, nobody)).status, 401);
    const locked = await login(kissi, { ...nobody, email: nobody.email.toUpperCase() });
    assert.equal(locked.status, 429);
    assert.equal(locked.headers.get('retry-after'), '900');
  });

  test('lock nobody else', async () => {
    const [one, other] = [await staffMember(kissi, 'support_user'), await staffMember(kissi, 'support_user')];
    for (let i = 0; i < 6; i++) await login(kissi, { email: one.email, password: WRONG });
    assert.equal((await login(kissi, other)).status, 200);
  });

  test('are counted anew after a right login', async () => {
    const staff = await staffMember(kissi, 'support_user');
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++) {
        assert.equal((await login(kissi, { email: staff.email, password: WRONG })).status, 401);
      }
      assert.equal((await login(kissi, staff)).status, 200);
    }
  });

  test('include wrong current passwords of change-password', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const { token } = await openSession(kissi, staff);
    const body = { current_password: WRONG, new_password: 'Another-Password-1' };
    const change = () => kissi.call('POST', '/api/v1/admin/change-password', { body, token });
    for (let i = 0; i < 5; i++) assert.equal((await change()).status, 401);
    assert.equal((await change()).status, 429);
    assert.equal((await login(kissi, staff)).status, 429);
  });

  test('of a flood the audit log keeps the five and one that says it is locked', async () => {
    const staff = await staffMember(kissi, 'support_user');
    for (let i = 0; i < 12; i++) {
      await login(kissi, { email: staff.email, password: WRONG });
      kissi.clock.advance(1);
    }
    const entries = await auditLogs(kissi, { resource_id: staff.id, action: 'session.login.refused' });
    const codes = entries.map(({ details }) => details.code);
    assert.deepEqual(codes, ['TOO_MANY_ATTEMPTS', ...Array(5).fill('UNAUTHORIZED')]);
  });
});

describe('many at once', () => {
  test('of 40 guesses on two gateways five are looked at, and the right one behind them is not', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const second = await testGateway({ db: kissi.db, clock: kissi.clock });
    try {
      const guesses = Array.from({ length: 40 }, (_, i) =>
        login(i % 2 === 0 ? kissi : second, { email: staff.email, password: `${WRONG}${i}` }),
      );
      assert.deepEqual(statuses(await Promise.all(guesses)), { 401: 5, 429: 35 });
      assert.equal((await login(second, staff)).status, 429);
    } finally {
      await second.close();
    }
  });

  test('guesses spelled in different cases count together', async () => {
    const { email } = await staffMember(kissi, 'support_user');
    const spellings = Array.from({ length: 20 }, (_, i) => email.slice(0, i).toUpperCase() + email.slice(i));
    const replies = await Promise.all(spellings.map((spelled) => login(kissi, { email: spelled, password: WRONG })));
    assert.deepEqual(statuses(replies), { 401: 5, 429: 15 });
  });

  test('20 right logins of one user all succeed', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const replies = await Promise.all(Array.from({ length: 20 }, () => login(kissi, staff)));
    assert.deepEqual(statuses(replies), { 200: 20 });
    assert.equal(new Set(replies.map(({ json }) => json.refresh_token)).size, 20);
  });

  for (const [what, change] of [
    ['is suspended', `status = 'suspended'`],
    ['gets another password', `password_hash = 'another'`],
  ]) {
    test(`a login whose password was right does not get in when its user ${what} meanwhile`, async () => {
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

test('housekeeping forgets attempts and sessions that are over, and no others', async () => {
  const own = await testGateway();
  try {
    await own.adminToken();
    await login(own, { email: 'nobody@example.com', password: WRONG });
    const count = async (table: string) => {
      const { rows } = await own.db.database.pool.query(`select count(*)::int as n from ${table}`);
      return rows[0].n;
    };
    const prune = own.gateway.chores.find(({ name }) => name === 'prune sessions and attempts');
    await prune?.run();
    assert.deepEqual([await count('login_attempts'), await count('sessions')], [1, 1]);
    own.clock.advance(15 * MINUTE_MS);
    await prune?.run();
    assert.deepEqual([await count('login_attempts'), await count('sessions')], [0, 1]);
    own.clock.advance(7 * 24 * 60 * MINUTE_MS);
    await prune?.run();
    assert.deepEqual([await count('sessions'), await count('refresh_tokens')], [0, 0]);
    assert.equal((await login(own, ADMIN)).status, 200);
  } finally {
    await own.close();
  }
});
