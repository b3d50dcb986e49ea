// What a processor's login does by itself: keys that take payments, and a second login that an administrator gives it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decide, pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { assertStatus, type CallReply, gatewayForFile } from '../../support/gateway.ts';
import { assertRefused, type Merchant, merchantToken, messageTo, newMerchant } from '../../support/processors.ts';
import { apiKey, auditLogs, openSession } from '../../support/staff.ts';

const kissi = await gatewayForFile();
const admin = await kissi.adminToken();

const createKey = ({ id }: Merchant, token: string, fields: object = {}): Promise<CallReply> =>
  kissi.call('POST', `/api/v1/processors/${id}/keys`, {
    body: { name: 'Till 2', scopes: ['payments:read', 'payments:write'], ...fields },
    token,
  });
const revokeKey = ({ id }: Merchant, keyId: string, token: string): Promise<CallReply> =>
  kissi.call('DELETE', `/api/v1/processors/${id}/keys/${keyId}`, { token });
const keyStates = async ({ id }: Merchant, token: string): Promise<string[]> => {
  const { json } = await kissi.call('GET', `/api/v1/processors/${id}/keys`, { token });
  return json.keys.map(({ status }: { status: string }) => status);
};

describe('own keys of a processor', () => {
  test('are created without approval by its login, signed only, and revoked by it', async () => {
    const merchant = await newMerchant(kissi);
    const token = await merchantToken(kissi, merchant);
    await setPolicy(kissi, 'api_keys.create', { enabled: true });
    const reply = assertStatus(await createKey(merchant, token), 201);
    const { api_key, key, secret } = reply.json;
    assert.deepEqual(
      [api_key.processor_id, api_key.partner_id, api_key.scopes, api_key.bearer, key],
      [merchant.id, null, ['payments:read', 'payments:write'], false, null],
    );
    assert.ok(secret.length >= 32);
    const [entry] = await auditLogs(kissi, { action: 'api_key.create', resource_id: api_key.id });
    assert.equal(entry.actor_id, merchant.userId);
    assert.equal((await revokeKey(merchant, api_key.id, token)).status, 204);
    assert.deepEqual(await keyStates(merchant, token), ['revoked']);
  });

  test('have no other scope, owner or bearer value', async () => {
    const [merchant, other] = [await newMerchant(kissi), await newMerchant(kissi)];
    const token = await merchantToken(kissi, merchant);
    for (const scopes of [
      ['payouts:write'],
      ['payments:read', 'cards:read'],
      ['treasury:write'],
      [],
      'payments:read',
    ]) {
      assertRefused(await createKey(merchant, token, { scopes }), 400, 'INVALID_REQUEST', String(scopes));
    }
    const { api_key, key } = (await createKey(merchant, token, { processor_id: other.id, bearer: true })).json;
    assert.deepEqual([api_key.processor_id, api_key.bearer, key], [merchant.id, false, null]);
    assertRefused(await createKey(other, token), 403, 'FORBIDDEN');
    assert.deepEqual(await keyStates(other, admin), []);
  });

  test('are not created by administrators, whose keys can need approval, nor are other keys revoked', async () => {
    const [merchant, other] = [await newMerchant(kissi), await newMerchant(kissi)];
    const [token, others] = [await merchantToken(kissi, merchant), await merchantToken(kissi, other)];
    assertRefused(await createKey(merchant, admin), 403, 'FORBIDDEN');
    const own = (await createKey(merchant, token)).json.api_key.id;
    assertRefused(await revokeKey(merchant, own, admin), 403, 'FORBIDDEN');
    assertRefused(await revokeKey(other, own, others), 404, 'NOT_FOUND');
    assertRefused(await revokeKey(merchant, own, others), 403, 'FORBIDDEN');
    await setPolicy(kissi, 'api_keys.create', { enabled: false });
    const payingOut = await apiKey(kissi, ['payouts:write'], { processor_id: merchant.id });
    assertRefused(await revokeKey(merchant, payingOut.id, token), 403, 'FORBIDDEN');
    assert.deepEqual(await keyStates(merchant, token), ['active', 'active']);
  });
});

describe('a second login', () => {
  const addLogin = ({ id }: Merchant, token = admin, fields: object = {}): Promise<CallReply> =>
    kissi.call('POST', `/api/v1/processors/${id}/users`, {
      body: {
        ...{ email: `second.${id}@example.com`, first_name: 'Isha', last_name: 'Bangura' },
        ...{ phone_number: '076 990 001', ...fields },
      },
      token,
    });

  test('acts for the processor; its password is sent to its phone and replaced by its owner', async () => {
    const merchant = await newMerchant(kissi);
    const reply = assertStatus(await addLogin(merchant), 201);
    assert.deepEqual([reply.json.user.role, reply.json.user.status], ['processor', 'active']);
    const { text } = await messageTo(kissi, '+23276990001');
    const password = /^Temporary password: (.+)$/m.exec(text)?.[1] ?? '';
    const { token } = await openSession(kissi, { email: reply.json.user.email, password });
    assert.equal((await kissi.call('GET', `/api/v1/processors/${merchant.id}`, { token })).status, 200);
    assertRefused(await addLogin(merchant), 409, 'USER_EXISTS');
    assertRefused(await addLogin(merchant, token), 403, 'FORBIDDEN');
    assertRefused(await addLogin({ ...merchant, id: 'proc_none' }), 404, 'NOT_FOUND');
    assertRefused(await addLogin(merchant, admin, { phone_number: 'none' }), 400, 'INVALID_REQUEST');
    await kissi.call('POST', `/api/v1/processors/${merchant.id}/suspend`, { body: { reason: 'Fraud' }, token: admin });
    assertRefused(await createKey(merchant, token), 403, 'PROCESSOR_SUSPENDED');
  });

  test('waits for a second administrator under the policy users.change', async () => {
    const merchant = await newMerchant(kissi);
    const second = await user(kissi, 'system_admin');
    const policy = { action: 'users.change', enabled: true };
    const changed = pendingOf(
      await kissi.call('PUT', '/api/v1/admin/approval-policies', { body: policy, token: admin }),
    );
    assert.equal((await decide(kissi, changed.id, 'approve', second)).status, 200);
    const approval = pendingOf(await addLogin(merchant, admin, { phone_number: '076 990 002' }));
    assert.equal(await messageTo(kissi, '+23276990002'), undefined, 'nothing is sent before the approval');
    const approved = await decide(kissi, approval.id, 'approve', second);
    assert.equal(approved.json.approval.status, 'executed', approved.text);
    assert.match((await messageTo(kissi, '+23276990002')).text, /Temporary password/);
  });
});
