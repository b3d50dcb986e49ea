// Tests API keys: creation, listing, revocation, expiry and rotation.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createVault } from '../../../src/auth/vault.ts';
import { DAY_MS, iso, SECOND_MS } from '../../../src/kernel/clock.ts';
import { assertStatus, type Json, SECRETS, testGateway } from '../../support/gateway.ts';
import { apiKey, auditLogs, withLockContention } from '../../support/staff.ts';

const PARTNER = 'ptn_00000000000000000000000001';
const kissi = await testGateway();
const admin = await kissi.adminToken();
const partner = { id: PARTNER, name: 'A bank', created_at: new Date(), updated_at: new Date() };
await kissi.db.database.queries.insertInto('partners').values(partner).execute();
after(() => kissi.close());

const token = () => kissi.adminToken();
const create = (body: unknown) => kissi.call('POST', '/api/v1/admin/api-keys', { body, token: admin });
const revoke = async (id: string) => kissi.call('DELETE', `/api/v1/admin/api-keys/${id}`, { token: await token() });
const rotate = async (id: string, query = '') =>
  kissi.call('POST', `/api/v1/admin/api-keys/${id}/rotate${query}`, { token: await token() });
const get = async (id: string) => kissi.call('GET', `/api/v1/admin/api-keys/${id}`, { token: await token() });

/** A valid key is authenticated and gets 403, because it lacks the permission; an invalid key gets 401. */
const isValid = async (key: string) => {
  const { status } = await kissi.call('GET', '/api/v1/admin/api-keys', { token: key });
  assert.ok(status === 403 || status === 401, `${status}`);
  return status === 403;
};

describe('creating a key', () => {
  test('returns 201 with the record, the key and the secret', async () => {
    const expires_at = iso(kissi.clock.now() + DAY_MS);
    const body = { name: 'Shop', scopes: ['payments:read', 'cards:read', 'payments:read'], expires_at, rate_limit: 5 };
    const { json } = assertStatus(await create(body), 201);
    assert.deepEqual(Object.keys(json).sort(), ['api_key', 'key', 'message', 'secret', 'success']);
    assert.match(json.api_key.id, /^key_[0-9A-Z]{26}$/);
    assert.deepEqual(json.api_key, {
      id: json.api_key.id,
      name: 'Shop',
      prefix: json.key.slice(0, 13),
      bearer: true,
      scopes: ['payments:read', 'cards:read'],
      partner_id: null,
      processor_id: null,
      rate_limit: 5,
      daily_limit: null,
      approval_id: null,
      expires_at,
      created_at: iso(kissi.clock.now()),
    });
    assert.match(json.key, /^svc_test_[\w-]{43,}$/);
    assert.match(json.secret, /^[\w-]{43}$/);
    assert.ok(await isValid(json.key));
  });

  test('gives keys the prefix svc_live_ in production', async () => {
    const production = await testGateway({ env: { APP_ENV: 'production' } });
    try {
      const { key } = await apiKey(production, ['payments:read']);
      assert.match(key, /^svc_live_/);
    } finally {
      await production.close();
    }
  });

  test('stores a hash of the key, and the secret encrypted and bound to the key id', async () => {
    const { id, key, secret } = await apiKey(kissi, ['payments:write']);
    const { rows } = await kissi.db.query('select * from api_key_credentials where key_id = $1', [id]);
    assert.equal(rows.length, 1);
    const vault = createVault(SECRETS.MASTER_KEY);
    assert.equal(vault.open(rows[0].sealed_secret, id), secret);
    assert.throws(() => vault.open(rows[0].sealed_secret, 'key_another'));
    const stored = Object.values(rows[0]).map((value) =>
      Buffer.isBuffer(value) ? value.toString('latin1') : `${value}`,
    );
    for (const text of stored) assert.ok(!text.includes(key.slice(13)) && !text.includes(secret));
  });

  test('writes an audit entry without the key or the secret', async () => {
    const { id, key, secret } = await apiKey(kissi, ['cards:read'], { name: 'Audited' });
    const [entry, ...more] = await auditLogs(kissi, { resource_id: id });
    assert.equal(more.length, 0);
    assert.equal(entry.action, 'api_key.create');
    const none = { partner_id: null, processor_id: null, expires_at: null };
    assert.deepEqual(entry.details, { name: 'Audited', scopes: ['cards:read'], ...none, bearer: true });
    assert.ok(!JSON.stringify(entry).includes(key) && !JSON.stringify(entry).includes(secret));
  });

  test('rejects inbound scopes without an existing partner', async () => {
    const scopes = ['inbound:read', 'inbound:write'];
    for (const extra of [{}, { partner_id: 'ptn_unknown' }]) {
      const reply = assertStatus(await create({ name: 'Bank', scopes, ...extra }), 400);
      assert.match(reply.json.error, /^partner_id/);
    }
    const { json } = await create({ name: 'Bank', scopes, partner_id: PARTNER });
    assert.equal(json.api_key.partner_id, PARTNER);
  });

  test('rejects missing, malformed and unknown fields with 400, naming the field', async () => {
    const invalid: [RegExp, Record<string, unknown>][] = [
      [/^name/, { name: undefined }],
      [/^name/, { name: ' ' }],
      [/^name/, { name: 'x'.repeat(101) }],
      [/^scopes/, { scopes: undefined }],
      [/^scopes/, { scopes: [] }],
      [/^scopes/, { scopes: 'payments:read' }],
      [/^scopes contains payments:everything/, { scopes: ['payments:read', 'payments:everything'] }],
      [/^scopes/, { scopes: ['toString'] }],
      [/^expires_at/, { expires_at: 'tomorrow' }],
      [/^expires_at/, { expires_at: '2027-02-30T00:00:00Z' }],
      [/^expires_at/, { expires_at: iso(kissi.clock.now()) }],
      [/^expires_at/, { expires_at: 1_900_000_000 }],
      [/^partner_id/, { partner_id: 'ptn_unknown' }],
      [/^processor_id/, { processor_id: 'proc_unknown' }],
      [/^rate_limit/, { rate_limit: 0 }],
      [/^rate_limit/, { rate_limit: 100_001 }],
      [/^rate_limit/, { rate_limit: 1.5 }],
      [/^rate_limit/, { rate_limit: '5' }],
    ];
    for (const [message, extra] of invalid) {
      const reply = await create({ name: 'Key', scopes: ['payments:read'], ...extra });
      assert.equal(reply.status, 400, JSON.stringify(extra));
      assert.equal(reply.json.code, 'INVALID_REQUEST');
      assert.match(reply.json.error, message);
    }
  });
});

describe('reading keys', () => {
  test('lists keys newest first, including revoked ones, without keys or secrets', async () => {
    const own = await testGateway();
    try {
      const created = [];
      for (let i = 0; i < 3; i++) {
        created.unshift(await apiKey(own, ['cards:read'], { name: `Key ${i}` }));
        own.clock.advance(1);
      }
      const token = await own.adminToken();
      await own.call('DELETE', `/api/v1/admin/api-keys/${created[1]?.id}`, { token });
      const reply = await own.call('GET', '/api/v1/admin/api-keys?limit=2', { token });
      assert.equal(reply.json.total_count, 3);
      assert.deepEqual(
        reply.json.api_keys.map(({ id }: Json) => id),
        [created[0]?.id, created[1]?.id],
      );
      const revoked = reply.json.api_keys.map(({ revoked_at }: Json) => revoked_at);
      assert.deepEqual(revoked, [null, iso(own.clock.now())]);
      const single = await own.call('GET', `/api/v1/admin/api-keys/${created[0]?.id}`, { token });
      assert.deepEqual(single.json, { api_key: reply.json.api_keys[0] });
      for (const { key, secret } of created) {
        assert.ok(![reply.text, single.text].some((text) => text.includes(key.slice(13)) || text.includes(secret)));
      }
    } finally {
      await own.close();
    }
  });

  test('returns 404 NOT_FOUND for an unknown id', async () => {
    for (const reply of [await get('key_unknown'), await revoke('key_unknown'), await rotate('key_unknown')]) {
      assert.deepEqual([reply.status, reply.json.code], [404, 'NOT_FOUND']);
    }
  });
});

describe('validity of a key', () => {
  test('ends with the next request after revocation; a second revocation changes nothing', async () => {
    const { id, key } = await apiKey(kissi, ['cards:read']);
    assert.ok(await isValid(key));
    const reply = await revoke(id);
    assert.deepEqual([reply.status, reply.text], [204, '']);
    assert.ok(!(await isValid(key)));
    const { revoked_at } = (await get(id)).json.api_key;
    kissi.clock.advance(SECOND_MS);
    assert.equal((await revoke(id)).status, 204);
    assert.equal((await get(id)).json.api_key.revoked_at, revoked_at);
    assert.equal((await auditLogs(kissi, { resource_id: id, action: 'api_key.revoke' })).length, 1);
  });

  test('ends exactly at expires_at', async () => {
    const { key } = await apiKey(kissi, ['cards:read'], { expires_at: iso(kissi.clock.now() + DAY_MS) });
    kissi.clock.advance(DAY_MS - 1);
    assert.ok(await isValid(key));
    kissi.clock.advance(1);
    assert.ok(!(await isValid(key)));
  });

  test('cannot be restored: rotating a revoked or expired key returns 404', async () => {
    const revoked = await apiKey(kissi, ['cards:read']);
    await revoke(revoked.id);
    const expired = await apiKey(kissi, ['cards:read'], { expires_at: iso(kissi.clock.now() + 1) });
    kissi.clock.advance(1);
    for (const { id } of [revoked, expired]) {
      const reply = await rotate(id);
      assert.deepEqual([reply.status, reply.json.code], [404, 'NOT_FOUND']);
    }
  });

  test('requires the exact value', async () => {
    const { key } = await apiKey(kissi, ['cards:read']);
    for (const other of [`${key}x`, key.slice(0, -1), key.replace('svc_test_', 'svc_live_'), key.toUpperCase()]) {
      assert.ok(!(await isValid(other)), other);
    }
  });
});

describe('rotating a key', () => {
  test('returns new credentials; the old ones work until previous_valid_until', async () => {
    const { id, key, secret } = await apiKey(kissi, ['cards:read']);
    const { json } = assertStatus(await rotate(id), 200);
    const fields = ['api_key', 'key', 'message', 'previous_valid_until', 'secret', 'success'];
    assert.deepEqual(Object.keys(json).sort(), fields);
    assert.equal(json.api_key.id, id);
    assert.equal(json.previous_valid_until, iso(kissi.clock.now() + DAY_MS));
    assert.notEqual(json.key, key);
    assert.notEqual(json.secret, secret);
    assert.ok((await isValid(key)) && (await isValid(json.key)));
    kissi.clock.advance(DAY_MS - 1);
    assert.ok(await isValid(key));
    kissi.clock.advance(1);
    assert.ok(!(await isValid(key)));
    assert.ok(await isValid(json.key));
    const [entry] = await auditLogs(kissi, { resource_id: id, action: 'api_key.rotate' });
    assert.deepEqual(entry.details, { previous_valid_until: json.previous_valid_until });
  });

  test('a second time shortens earlier overlaps to the new end and extends none', async () => {
    const { id, key: first } = await apiKey(kissi, ['cards:read']);
    const { key: second } = (await rotate(id, '?overlap_seconds=1000')).json;
    const { key: third } = (await rotate(id, '?overlap_seconds=10')).json;
    const { key: fourth } = (await rotate(id, '?overlap_seconds=500')).json;
    kissi.clock.advance(10 * SECOND_MS);
    assert.deepEqual(await Promise.all([first, second, third, fourth].map(isValid)), [false, false, true, true]);
    kissi.clock.advance(490 * SECOND_MS);
    assert.deepEqual(await Promise.all([third, fourth].map(isValid)), [false, true]);
  });

  test('with an overlap of 0 invalidates the old credentials immediately', async () => {
    const { id, key } = await apiKey(kissi, ['cards:read']);
    const { json } = await rotate(id, '?overlap_seconds=0');
    assert.equal(json.previous_valid_until, iso(kissi.clock.now()));
    assert.ok(!(await isValid(key)));
    assert.ok(await isValid(json.key));
  });

  test('uses the configured overlap and rejects one that is not an integer or exceeds 90 days', async () => {
    const own = await testGateway({ env: { KEY_ROTATION_OVERLAP_SECONDS: '60' } });
    try {
      const { id } = await apiKey(own, ['cards:read']);
      const path = `/api/v1/admin/api-keys/${id}/rotate`;
      const token = await own.adminToken();
      for (const overlap of ['-1', '1.5', 'x', '', '7776001', '99999999']) {
        const reply = await own.call('POST', `${path}?overlap_seconds=${overlap}`, { token });
        assert.equal(reply.status, 400, overlap);
        assert.match(reply.json.error, /^overlap_seconds/);
      }
      const { json } = await own.call('POST', path, { token });
      assert.equal(json.previous_valid_until, iso(own.clock.now() + 60 * SECOND_MS));
    } finally {
      await own.close();
    }
  });

  test('concurrently leaves exactly one pair of credentials valid', async () => {
    const { id } = await apiKey(kissi, ['cards:read']);
    const replies = await withLockContention(kissi, {
      lock: `select from api_keys where id = '${id}' for update`,
      waiters: 3,
      begin: () => Promise.all(Array.from({ length: 3 }, () => rotate(id, '?overlap_seconds=0'))),
    });
    const keys = replies.map(({ json }) => json.key);
    const valid = await Promise.all(keys.map(isValid));
    assert.equal(valid.filter(Boolean).length, 1);
  });

  test('does not keep old credentials valid after the key is revoked', async () => {
    const { id, key } = await apiKey(kissi, ['cards:read']);
    const { json } = await rotate(id);
    await revoke(id);
    assert.deepEqual([await isValid(key), await isValid(json.key)], [false, false]);
  });
});
