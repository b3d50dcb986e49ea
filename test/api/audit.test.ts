// The audit log: found by filter, unbroken unless somebody tampered, closed to the service's own role, free of secrets.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { iso } from '../../src/kernel/clock.ts';
import { testClock } from '../support/clock.ts';
import { ADMIN, gatewayForFile, type Json, type TestGateway, testGateway } from '../support/gateway.ts';
import { apiKey, assertRefused, login, openSession, PASSWORD, staffMember, staffToken } from '../support/staff.ts';

const kissi = await gatewayForFile();
const admin = await kissi.adminToken();

const logs = (query: string, token = admin) => kissi.call('GET', `/api/v1/audit/logs?${query}`, { token });
const verify = (token = admin) => kissi.call('GET', '/api/v1/audit/verify', { token });

describe('reading the log', () => {
  test('an entry has the fields of the contract, and its hashes are a chain', async () => {
    const requestId = 'audit-test-request';
    const body = { name: 'Chained', scopes: ['cards:read'] };
    const headers = { 'x-request-id': requestId };
    const made = await kissi.call('POST', '/api/v1/admin/api-keys', { body, headers, token: admin });
    kissi.clock.advance(1);
    await apiKey(kissi, ['cards:read']);
    const { logs: entries } = (await logs('limit=100')).json;
    const entry = entries.find(({ resource_id }: Json) => resource_id === made.json.api_key.id);
    const { id, hash, prev_hash, ...rest } = entry;
    assert.match(id, /^aud_/);
    assert.match(hash, /^[0-9a-f]{64}$/);
    assert.deepEqual(rest, {
      at: made.json.api_key.created_at,
      actor_type: 'user',
      actor_id: (await kissi.call('GET', '/api/v1/admin/me', { token: admin })).json.id,
      action: 'api_key.create',
      resource_type: 'api_key',
      resource_id: made.json.api_key.id,
      ip: '127.0.0.1',
      request_id: requestId,
      details: { name: 'Chained', scopes: ['cards:read'], partner_id: null, processor_id: null, expires_at: null },
    });
    const position = entries.indexOf(entry);
    assert.equal(entries[position - 1].prev_hash, hash);
    assert.equal(entries[position + 1].hash, prev_hash);
  });

  test('filters by actor, action, resource and time, and pages', async () => {
    const staff = await staffMember(kissi, 'audit_user');
    kissi.clock.advance(60_000);
    const from = iso(kissi.clock.now());
    const { token } = await openSession(kissi, staff);
    kissi.clock.advance(1_000);
    const to = iso(kissi.clock.now());
    await openSession(kissi, staff);
    kissi.clock.advance(1_000);
    await openSession(kissi, staff);
    const count = async (query: string) => (await logs(query, token)).json.total_count;
    const mine = `actor_id=${staff.id}`;
    assert.equal(await count(mine), 3);
    assert.equal(await count(`${mine}&from=${from}&to=${to}`), 2);
    assert.equal(await count(`${mine}&from=${to}`), 2);
    assert.equal(await count(`${mine}&to=${from}`), 1);
    assert.equal(await count(`${mine}&action=session.logout`), 0);
    assert.equal(await count(`resource_id=${staff.id}&action=user.create`), 1);
    const page = (await logs(`${mine}&limit=1&offset=1`, token)).json;
    assert.deepEqual([page.logs.length, page.total_count, page.limit, page.offset], [1, 3, 1, 1]);
    assert.equal(page.logs[0].at, to);
  });

  test('a day as the end of a period is the whole day', async () => {
    const own = await testGateway({ clock: testClock(Date.parse('2026-03-01T23:59:59.999Z')) });
    try {
      const staff = await staffMember(own, 'audit_user');
      const { token } = await openSession(own, staff);
      own.clock.advance(1);
      await openSession(own, staff);
      const found = async (query: string) => {
        const path = `/api/v1/audit/logs?actor_id=${staff.id}&${query}`;
        return (await own.call('GET', path, { token })).json.logs.map(({ at }: Json) => at);
      };
      assert.deepEqual(await found('to=2026-02-28'), []);
      assert.deepEqual(await found('from=2026-03-01&to=2026-03-01'), ['2026-03-01T23:59:59.999Z']);
      assert.deepEqual(await found('from=2026-03-02&to=2026-03-02'), ['2026-03-02T00:00:00.000Z']);
    } finally {
      await own.close();
    }
  });

  test('refuses a period that begins after its end', async () => {
    for (const query of ['from=2026-03-02&to=2026-03-01', 'from=2026-03-01T12:00:01Z&to=2026-03-01T12:00:00Z']) {
      assertRefused(await logs(query), 400, 'INVALID_REQUEST', query);
    }
  });

  test('refuses an instant that is none, naming the field', async () => {
    for (const query of ['from=yesterday', 'to=2026-02-30', 'from=', 'to=1700000000']) {
      const reply = await logs(query);
      assert.equal(reply.status, 400, query);
      assert.match(reply.json.error, new RegExp(`^${query.split('=')[0]}`));
    }
  });

  test('is for audit_user, compliance_user and system_admin; keys and the others get 403', async () => {
    for (const role of ['audit_user', 'compliance_user'] as const) {
      const token = await staffToken(kissi, role);
      assert.deepEqual([(await logs('', token)).status, (await verify(token)).status], [200, 200]);
    }
    const { key } = await apiKey(kissi, ['payments:read', 'subscribers:read']);
    for (const token of [await staffToken(kissi, 'support_user'), await staffToken(kissi, 'finance_user'), key]) {
      assert.deepEqual([(await logs('', token)).status, (await verify(token)).status], [403, 403]);
    }
  });
});

describe('the chain', () => {
  let owner: pg.Client;
  before(async () => {
    owner = new pg.Client({ connectionString: kissi.db.url });
    await owner.connect();
    for (let i = 0; i < 3; i++) await apiKey(kissi, ['cards:read']);
  });
  after(() => owner.end());

  test('is whole after many changes at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => apiKey(kissi, ['cards:read'])));
    const { rows } = await owner.query(
      'select (select count(*) from audit_log) + (select count(*) from audit_inbox) as n',
    );
    const { status, json } = await verify();
    assert.equal(status, 200);
    assert.deepEqual(json, { success: true, valid: true, entries: Number(rows[0].n) });
  });

  const tamperings: [string, string, number][] = [
    ['a changed detail', `update audit_log set details = '{"role":"nobody"}' where seq = 3`, 3],
    ['a changed actor', `update audit_log set actor_id = 'usr_nobody' where seq = 1`, 1],
    ['a changed instant', `update audit_log set at = at + interval '1 second' where seq = 4`, 4],
    ['an entry taken out', 'delete from audit_log where seq = 5', 5],
    ['the first entries taken out', 'delete from audit_log where seq <= 2', 1],
    [
      'an entry taken out and the rest moved up',
      'delete from audit_log where seq = 2; update audit_log set seq = -seq; update audit_log set seq = -seq - 1 where seq < -2; update audit_log set seq = -seq where seq < 0',
      2,
    ],
    ['two entries swapped', 'update audit_log set seq = case seq when -6 then 7 else 6 end where seq in (-6, -7)', 6],
  ];
  for (const [what, statement, brokenAt] of tamperings) {
    test(`shows ${what}`, async () => {
      assert.equal((await verify()).json.valid, true);
      await owner.query('create table kept as select * from audit_log');
      try {
        if (statement.includes('-7')) await owner.query('update audit_log set seq = -seq where seq in (6, 7)');
        await owner.query(statement);
        const { status, json } = await verify();
        assert.equal(status, 200);
        assert.deepEqual(json, { success: true, valid: false, entries: brokenAt - 1, broken_at: brokenAt });
      } finally {
        await owner.query('truncate audit_log; insert into audit_log select * from kept; drop table kept');
      }
      assert.equal((await verify()).json.valid, true);
    });
  }

  test('shows entries cut off at its end', async () => {
    const { entries } = (await verify()).json;
    await owner.query('create table kept as select * from audit_log where seq = $1'.replace('$1', String(entries)));
    await owner.query('delete from audit_log where seq = $1', [entries]);
    assert.equal((await verify()).json.broken_at, entries);
    await owner.query('insert into audit_log select * from kept; drop table kept');
    assert.equal((await verify()).json.valid, true);
  });

  test("its end cannot be moved back by the service's role, and is found out when the owner does it", async () => {
    const own = await testGateway();
    try {
      const token = await own.adminToken();
      await own.call('GET', '/api/v1/audit/logs', { token });
      const back = 'update audit_head set (seq, hash) = (select seq, hash from audit_log where seq = 1)';
      await apiKey(own, ['cards:read']);
      await own.call('GET', '/api/v1/audit/logs', { token });
      await assert.rejects(own.db.database.pool.query(back), /does not move back/);
      const owner = new pg.Client({ connectionString: own.db.url });
      await owner.connect();
      await owner.query(`alter table audit_head disable trigger all; ${back}`);
      await owner.end();
      assert.equal((await own.call('GET', '/api/v1/audit/verify', { token })).json.valid, false);
    } finally {
      await own.close();
    }
  });

  test('cannot be rewritten by the role the service works as', async () => {
    const { pool } = kissi.db.database;
    for (const statement of [
      `update audit_log set action = 'nothing'`,
      'delete from audit_log',
      'truncate audit_log',
      'delete from audit_head',
      'alter table audit_log disable trigger all',
      'drop table audit_log',
    ]) {
      await assert.rejects(pool.query(statement), { code: '42501' }, statement);
    }
    assert.equal((await verify()).json.valid, true);
  });
});

test('no password, token, key or secret is in the logs, the audit log or any table', async () => {
  const own = await testGateway();
  try {
    const secrets = await everythingSecret(own);
    const { rows } = await own.db.database.pool.query(`select table_name as name from information_schema.tables
      where table_schema = 'public' and table_name not like 'kysely%'`);
    await own.gateway.services.audit.seal();
    let stored = '';
    for (const { name } of rows) {
      const dump = await own.db.database.pool.query(`select t::text as row from ${name} t`);
      stored += dump.rows.map(({ row }) => row).join('\n');
    }
    assert.ok(stored.includes('user.create') && own.logs().includes('/api/v1/admin/login'));
    for (const secret of secrets) {
      assert.ok(!own.logs().includes(secret), `logged: ${secret}`);
      assert.ok(!stored.includes(secret), `stored: ${secret}`);
      assert.ok(!stored.includes(Buffer.from(secret).toString('hex')), `stored as bytes: ${secret}`);
    }
  } finally {
    await own.close();
  }
});

/** Walks through everything that takes or gives a secret, right and wrong, and returns them all. */
async function everythingSecret(own: TestGateway): Promise<string[]> {
  const wrong = 'Wrong-But-Private-1';
  const next = 'Next-Private-Password-2';
  const reset = 'Reset-Private-Password-3';
  const token = await own.adminToken();
  const staff = await staffMember(own, 'support_user', { phone_number: '076222001' });
  await login(own, { email: staff.email, password: wrong });
  const first = await openSession(own, staff);
  const post = (path: string, body: unknown, as?: string) =>
    own.call('POST', `/api/v1/admin/${path}`, { body, ...(as ? { token: as } : {}) });
  const second = (await post('refresh', { refresh_token: first.refresh_token })).json;
  await post('refresh', { refresh_token: first.refresh_token });
  await post('logout', { refresh_token: second.refresh_token });
  await post('change-password', { current_password: wrong, new_password: next }, first.token);
  await post('change-password', { current_password: PASSWORD, new_password: next }, first.token);
  await post('users', { email: 'not-an-email', password: next }, token);
  await own.call('PUT', `/api/v1/admin/users/${staff.id}`, { body: { password: reset }, token });
  const made = await apiKey(own, ['cards:read']);
  const rotated = (await own.call('POST', `/api/v1/admin/api-keys/${made.id}/rotate`, { token })).json;
  await own.call('GET', '/api/v1/admin/users', { token: made.key });
  await own.call('GET', `/api/v1/admin/users?token=${made.key}`, { token: `${rotated.key}x` });
  const tokens = [token, first.token, first.refresh_token, second.token, second.refresh_token];
  return [ADMIN.password, PASSWORD, wrong, next, reset, ...tokens, made.key, made.secret, rotated.key, rotated.secret];
}
