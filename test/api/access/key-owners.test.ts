// Tests the creation and rotation of keys that belong to a partner or processor, and test keys in production.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITED_SCOPES, SCOPES } from '../../../src/auth/roles.ts';
import { gatewayForFile, testGateway } from '../../support/gateway.ts';
import { newPartner } from '../../support/money.ts';
import { assertRefused, newMerchant } from '../../support/processors.ts';
import { apiKey, auditLogs } from '../../support/staff.ts';
import { sendSigned } from '../../support/terminal.ts';

const kissi = await gatewayForFile({ unauditedRecords: ['api_key'] });
const admin = await kissi.adminToken();
const partner_id = await newPartner(kissi);
const processor_id = (await newMerchant(kissi)).id;

const create = (body: object) =>
  kissi.call('POST', '/api/v1/admin/api-keys', { body: { name: 'Key', ...body }, token: admin });
const limitOf = (scope: string) => (LIMITED_SCOPES.some((each) => each === scope) ? { daily_limit: 1_000 } : {});
const rotate = (id: string) => kissi.call('POST', `/api/v1/admin/api-keys/${id}/rotate`, { token: admin });
const asBearer = (key: string) => kissi.call('GET', '/api/v1/transactions', { token: key });
const verifyAccount = (key: { id: string; secret: string }, gateway = kissi) =>
  sendSigned(gateway, '/api/v1/pos/verify-account', { account_number: '0000000000' }, { key });

test('a key with an owner has a bearer value only if the request asks for it, even after a rotation', async () => {
  for (const owner of [{ partner_id }, { processor_id }]) {
    for (const bearer of [undefined, false, true]) {
      const scopes = ['payments:read', 'payments:write'];
      const { status, json } = await create({ scopes, ...owner, bearer });
      assert.deepEqual([status, json.api_key.bearer], [201, bearer === true]);
      const rotated = (await rotate(json.api_key.id)).json;
      for (const issued of [json, rotated]) {
        assert.match(issued.secret, /^[\w-]{43}$/);
        if (bearer) assert.equal((await asBearer(issued.key)).status, 200);
        else assert.equal(issued.key, null);
      }
      assert.equal(rotated.api_key.bearer, bearer === true);
      const [entry] = await auditLogs(kissi, { resource_id: json.api_key.id, action: 'api_key.create' });
      assert.equal(entry.details.bearer, bearer === true);
    }
  }
});

test('a key without an owner has a bearer value unless the request declines it', async () => {
  for (const [bearer, expected] of [
    [undefined, true],
    [true, true],
    [false, false],
  ]) {
    const { json } = await create({ scopes: ['payments:read'], bearer });
    assert.deepEqual([json.api_key.bearer, json.key !== null], [expected, expected]);
  }
});

test('a bearer value of a key without one is rejected, even if its hash is stored', async () => {
  const key = await apiKey(kissi, ['payments:read'], { partner_id });
  await kissi.db.query('update api_keys set bearer = false where id = $1', [key.id]);
  assertRefused(await asBearer(key.key), 401, 'UNAUTHORIZED');
});

test('a key cannot belong to a partner and a processor', async () => {
  const reply = await create({ scopes: ['payments:read'], partner_id, processor_id });
  assertRefused(reply, 400, 'INVALID_REQUEST');
  assert.match(reply.json.error, /^Send at most one of partner_id and processor_id/);
});

test("a key with an owner cannot have the scopes of the operator's systems", async () => {
  const reserved = ['agents:write', 'processors:write', 'compliance:read', 'compliance:write', 'audit:read'];
  for (const scope of reserved) {
    for (const owner of [{ partner_id }, { processor_id }]) {
      const reply = await create({ scopes: ['payments:read', scope], ...owner });
      assertRefused(reply, 400, 'INVALID_REQUEST', scope);
      assert.match(reply.json.error, new RegExp(`^scopes contains ${scope}`));
    }
    assert.equal((await create({ scopes: [scope], ...limitOf(scope) })).status, 201, scope);
  }
  for (const scope of SCOPES.filter((each) => !reserved.includes(each))) {
    assert.equal((await create({ scopes: [scope], partner_id, ...limitOf(scope) })).status, 201, scope);
  }
});

test('test keys of a restored database are rejected in production, as bearer values and as signatures', async () => {
  const key = await apiKey(kissi, ['payments:read', 'payments:write']);
  assert.match(key.key, /^svc_test_/);
  assert.deepEqual([(await asBearer(key.key)).status, (await verifyAccount(key)).status], [200, 200]);
  const env = { APP_ENV: 'production', DATABASE_URL: kissi.db.url };
  const production = await testGateway({ db: kissi.db, clock: kissi.clock, env });
  try {
    const list = (token: string) => production.call('GET', '/api/v1/transactions', { token });
    assertRefused(await list(key.key), 401, 'UNAUTHORIZED');
    assertRefused(await verifyAccount(key, production), 401, 'INVALID_SIGNATURE');
    const live = await apiKey(production, ['payments:read', 'payments:write']);
    assert.deepEqual([(await list(live.key)).status, (await verifyAccount(live, production)).status], [200, 200]);
  } finally {
    await production.close();
  }
});
