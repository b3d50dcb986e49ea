// The audit log: filters, the hash chain and tamper detection, write protection, and absence of secrets.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { AUDIT_ACTIONS } from '../../../packages/console/src/screens/administration/audit-actions.ts';
import { iso } from '../../../src/kernel/clock.ts';
import { testClock } from '../../support/clock.ts';
import {
  ADMIN,
  assertStatus,
  gatewayForFile,
  type Json,
  type TestGateway,
  testGateway,
} from '../../support/gateway.ts';
import { apiKey, assertRefused, login, openSession, PASSWORD, staffMember } from '../../support/staff.ts';

const kissi = await gatewayForFile();
const admin = await kissi.adminToken();

const logs = (query: string, token = admin) => kissi.call('GET', `/api/v1/audit/logs?${query}`, { token });
const verify = (token = admin) => kissi.call('GET', '/api/v1/audit/verify', { token });

test('the console offers the action of every route as a filter', () => {
  const routes = kissi.gateway.routeGroups.flatMap(({ endpoints }) => endpoints);
  const missing = routes.flatMap(({ action }) => action ?? []).filter((action) => !AUDIT_ACTIONS.includes(action));
  assert.deepEqual([routes.length > 100, missing], [true, []]);
});

describe('GET /audit/logs', () => {
  test('an entry has the documented fields, and consecutive hashes form a chain', async () => {
    const requestId = 'audit-test-request';
    const body = { name: 'Chained', scopes: ['cards:read'] };
    const headers = { 'x-request-id': requestId };
    const created = await kissi.call('POST', '/api/v1/admin/api-keys', { body, headers, token: admin });
    kissi.clock.advance(1);
    await apiKey(kissi, ['cards:read']);
    const { logs: entries } = (await logs('limit=100')).json;
    const entry = entries.find(({ resource_id }: Json) => resource_id === created.json.api_key.id);
    const { id, hash, prev_hash, ...rest } = entry;
    assert.match(id, /^aud_/);
    assert.match(hash, /^[0-9a-f]{64}$/);
    const { json: me } = await kissi.call('GET', '/api/v1/admin/me', { token: admin });
    assert.deepEqual(rest, {
      at: created.json.api_key.created_at,
      actor_type: 'user',
      actor_id: me.id,
      actor_name: `${me.first_name} ${me.last_name}`,
      action: 'api_key.create',
      resource_type: 'api_key',
      resource_id: created.json.api_key.id,
      ip: '127.0.0.1',
      request_id: requestId,
      user_names: {},
      details: {
        name: 'Chained',
        scopes: ['cards:read'],
        partner_id: null,
        processor_id: null,
        expires_at: null,
        bearer: true,
      },
    });
    const position = entries.indexOf(entry);
    assert.equal(entries[position - 1].prev_hash, hash);
    assert.equal(entries[position + 1].hash, prev_hash);
  });

  test('filters by actor, action, resource and time, and paginates', async () => {
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
    const byActor = `actor_id=${staff.id}`;
    assert.equal(await count(byActor), 3);
    assert.equal(await count(`${byActor}&from=${from}&to=${to}`), 2);
    assert.equal(await count(`${byActor}&from=${to}`), 2);
    assert.equal(await count(`${byActor}&to=${from}`), 1);
    assert.equal(await count(`${byActor}&action=session.logout`), 0);
    assert.equal(await count(`resource_id=${staff.id}&action=user.create`), 1);
    const page = (await logs(`${byActor}&limit=1&offset=1`, token)).json;
    assert.deepEqual([page.logs.length, page.total_count, page.limit, page.offset], [1, 3, 1, 1]);
    assert.equal(page.logs[0].at, to);
  });

  test('filters by kind of actor: what people did, without the entries of API keys', async () => {
    const { key, id } = await apiKey(kissi, ['subscribers:write']);
    const body = { phone_number: '+23276555123', first_name: 'Isata', last_name: 'Kargbo', pin: '4826' };
    const registered = assertStatus(await kissi.call('POST', '/api/v1/subscribers', { body, token: key }), 201);
    const resource = `resource_id=${registered.json.subscriber_id}`;
    const byKeys = (await logs(`${resource}&actor_type=key`)).json;
    assert.deepEqual([byKeys.total_count, byKeys.logs[0].actor_id], [1, id]);
    assert.equal((await logs(`${resource}&actor_type=user`)).json.total_count, 0);
    const byPeople = (await logs(`resource_id=${id}&actor_type=user`)).json;
    assert.deepEqual(
      byPeople.logs.map(({ action }: Json) => action),
      ['api_key.create'],
    );
  });

  test('a date as the end of a period includes the whole day', async () => {
    const isolated = await testGateway({ clock: testClock(Date.parse('2026-03-01T23:59:59.999Z')) });
    try {
      const staff = await staffMember(isolated, 'audit_user');
      const { token } = await openSession(isolated, staff);
      isolated.clock.advance(1);
      await openSession(isolated, staff);
      const found = async (query: string) => {
        const path = `/api/v1/audit/logs?actor_id=${staff.id}&${query}`;
        return (await isolated.call('GET', path, { token })).json.logs.map(({ at }: Json) => at);
      };
      assert.deepEqual(await found('to=2026-02-28'), []);
      assert.deepEqual(await found('from=2026-03-01&to=2026-03-01'), ['2026-03-01T23:59:59.999Z']);
      assert.deepEqual(await found('from=2026-03-02&to=2026-03-02'), ['2026-03-02T00:00:00.000Z']);
    } finally {
      await isolated.close();
    }
  });

  test('rejects a period that starts after its end', async () => {
    for (const query of ['from=2026-03-02&to=2026-03-01', 'from=2026-03-01T12:00:01Z&to=2026-03-01T12:00:00Z']) {
      assertRefused(await logs(query), 400, 'INVALID_REQUEST', query);
    }
  });

  test('rejects an invalid date or time with 400 that names the field', async () => {
    for (const query of ['from=yesterday', 'to=2026-02-30', 'from=', 'to=1700000000']) {
      const reply = await logs(query);
      assert.equal(reply.status, 400, query);
      assert.match(reply.json.error, new RegExp(`^${query.split('=')[0]}`));
    }
  });
});

describe('the hash chain', () => {
  let owner: pg.Client;
  before(async () => {
    owner = new pg.Client({ connectionString: kissi.db.url });
    await owner.connect();
    for (let i = 0; i < 3; i++) await apiKey(kissi, ['cards:read']);
  });
  after(() => owner.end());

  test('is valid after concurrent changes', async () => {
    await Promise.all(Array.from({ length: 20 }, () => apiKey(kissi, ['cards:read'])));
    const { rows } = await owner.query(
      'select (select count(*) from audit_log) + (select count(*) from audit_inbox) as n',
    );
    const { json } = assertStatus(await verify(), 200);
    const { heads, ...verdict } = json;
    assert.deepEqual(verdict, { success: true, valid: true, entries: Number(rows[0].n) });
    assert.equal(heads.audit.entry, Number(rows[0].n));
  });

  const tamperings: [string, string, number][] = [
    ['a changed detail', `update audit_log set details = '{"role":"changed"}' where seq = 3`, 3],
    ['a changed actor', `update audit_log set actor_id = 'usr_changed' where seq = 1`, 1],
    ['a changed time', `update audit_log set at = at + interval '1 second' where seq = 4`, 4],
    ['a deleted entry', 'delete from audit_log where seq = 5', 5],
    ['deleted first entries', 'delete from audit_log where seq <= 2', 1],
    [
      'a deleted entry with the later ones renumbered',
      'delete from audit_log where seq = 2; update audit_log set seq = -seq; update audit_log set seq = -seq - 1 where seq < -2; update audit_log set seq = -seq where seq < 0',
      2,
    ],
    ['two swapped entries', 'update audit_log set seq = case seq when -6 then 7 else 6 end where seq in (-6, -7)', 6],
  ];
  for (const [tampering, statement, brokenAt] of tamperings) {
    test(`verification detects ${tampering}`, async () => {
      assert.equal((await verify()).json.valid, true);
      await owner.query('create table backup as select * from audit_log');
      try {
        if (statement.includes('-7')) await owner.query('update audit_log set seq = -seq where seq in (6, 7)');
        await owner.query(statement);
        const { json } = assertStatus(await verify(), 200);
        const { heads: _, ...verdict } = json;
        assert.deepEqual(verdict, { success: true, valid: false, entries: brokenAt - 1, broken_at: brokenAt });
      } finally {
        await owner.query('truncate audit_log; insert into audit_log select * from backup; drop table backup');
      }
      assert.equal((await verify()).json.valid, true);
    });
  }

  test('verification detects entries deleted from the end', async () => {
    const { entries } = (await verify()).json;
    await owner.query('create table backup as select * from audit_log where seq = $1'.replace('$1', String(entries)));
    await owner.query('delete from audit_log where seq = $1', [entries]);
    assert.equal((await verify()).json.broken_at, entries);
    await owner.query('insert into audit_log select * from backup; drop table backup');
    assert.equal((await verify()).json.valid, true);
  });

  test('the head cannot be moved back by kissi_app, and verification detects when the owner does it', async () => {
    const isolated = await testGateway();
    try {
      const token = await isolated.adminToken();
      await isolated.call('GET', '/api/v1/audit/logs', { token });
      const rewind = 'update audit_head set (seq, hash) = (select seq, hash from audit_log where seq = 1)';
      await apiKey(isolated, ['cards:read']);
      await isolated.call('GET', '/api/v1/audit/logs', { token });
      await assert.rejects(isolated.db.query(rewind), /does not move back/);
      const owner = new pg.Client({ connectionString: isolated.db.url });
      await owner.connect();
      await owner.query(`alter table audit_head disable trigger all; ${rewind}`);
      await owner.end();
      assert.equal((await isolated.call('GET', '/api/v1/audit/verify', { token })).json.valid, false);
    } finally {
      await isolated.close();
    }
  });

  test('kissi_app cannot rewrite the audit log', async () => {
    for (const statement of [
      `update audit_log set action = 'nothing'`,
      'delete from audit_log',
      'truncate audit_log',
      'delete from audit_head',
      'alter table audit_log disable trigger all',
      'drop table audit_log',
    ]) {
      await assert.rejects(kissi.db.query(statement), { code: '42501' }, statement);
    }
    assert.equal((await verify()).json.valid, true);
  });
});

test('no password, token, key or secret is in the service log, the audit log or any table', async () => {
  const isolated = await testGateway();
  try {
    const secrets = await useEverySecret(isolated);
    const { rows } = await isolated.db.query(`select table_name as name from information_schema.tables
      where table_schema = 'public' and table_name not like 'kysely%'`);
    await isolated.gateway.services.audit.seal();
    let stored = '';
    for (const { name } of rows) {
      const dump = await isolated.db.query(`select t::text as row from ${name} t`);
      stored += dump.rows.map(({ row }) => row).join('\n');
    }
    assert.ok(stored.includes('user.create') && isolated.logs().includes('/api/v1/admin/login'));
    for (const secret of secrets) {
      assert.ok(!isolated.logs().includes(secret), `logged: ${secret}`);
      assert.ok(!stored.includes(secret), `stored: ${secret}`);
      assert.ok(!stored.includes(Buffer.from(secret).toString('hex')), `stored as bytes: ${secret}`);
    }
  } finally {
    await isolated.close();
  }
});

/** Calls every operation that takes or returns a secret, with valid and invalid input, and returns the secrets. */
async function useEverySecret(isolated: TestGateway): Promise<string[]> {
  const wrongPassword = 'Wrong-But-Private-1';
  const newPassword = 'Next-Private-Password-2';
  const resetPassword = 'Reset-Private-Password-3';
  const token = await isolated.adminToken();
  const staff = await staffMember(isolated, 'support_user', { phone_number: '076222001' });
  await login(isolated, { email: staff.email, password: wrongPassword });
  const first = await openSession(isolated, staff);
  const post = (path: string, body: unknown, as?: string) =>
    isolated.call('POST', `/api/v1/admin/${path}`, { body, ...(as ? { token: as } : {}) });
  const second = (await post('refresh', { refresh_token: first.refresh_token })).json;
  await post('refresh', { refresh_token: first.refresh_token });
  await post('logout', { refresh_token: second.refresh_token });
  await post('change-password', { current_password: wrongPassword, new_password: newPassword }, first.token);
  await post('change-password', { current_password: PASSWORD, new_password: newPassword }, first.token);
  await post('users', { email: 'not-an-email', password: newPassword }, token);
  await isolated.call('PUT', `/api/v1/admin/users/${staff.id}`, { body: { password: resetPassword }, token });
  const created = await apiKey(isolated, ['cards:read']);
  const rotated = (await isolated.call('POST', `/api/v1/admin/api-keys/${created.id}/rotate`, { token })).json;
  await isolated.call('GET', '/api/v1/admin/users', { token: created.key });
  await isolated.call('GET', `/api/v1/admin/users?search=${created.key}`, { token: `${rotated.key}x` });
  const tokens = [token, first.token, first.refresh_token, second.token, second.refresh_token];
  return [
    ADMIN.password,
    PASSWORD,
    wrongPassword,
    newPassword,
    resetPassword,
    ...tokens,
    created.key,
    created.secret,
    rotated.key,
    rotated.secret,
  ];
}
