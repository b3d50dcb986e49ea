// Logins of agents and processors, changed through their owner or with an API key: the same approval and the same independence.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newAgent } from '../../support/agents.ts';
import { decide, getApproval, pendingOf, user } from '../../support/approvals.ts';
import { assertStatus, gatewayForFile, type Json } from '../../support/gateway.ts';
import { type Merchant, merchantToken, newMerchant, newMerchantBody } from '../../support/processors.ts';
import { apiKey, assertRefused, auditLogs, messageTo } from '../../support/staff.ts';

const kissi = await gatewayForFile();
const first = { token: await kissi.adminToken() };
const second = await user(kissi, 'system_admin');
const finance = await user(kissi, 'finance_user');

const call = (method: string, path: string, { token }: { token: string }, body?: object) =>
  kissi.call(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
const loginOf = async (userId: string): Promise<Json> => (await call('GET', `/admin/users/${userId}`, first)).json.user;

let numbers = 0;
const freeNumber = () => `+23276${String(660_000 + ++numbers)}`;

interface Login {
  merchant: Merchant;
  token: string;
}

const logInAs = async (merchant: Merchant): Promise<Login> => ({
  merchant,
  token: await merchantToken(kissi, merchant),
});

// Before any policy applies: the second administrator changes the number of one merchant and rotates the key of another.
const renumbered = await logInAs(await newMerchant(kissi));
const newNumber = freeNumber();
assertStatus(await call('PUT', `/processors/${renumbered.merchant.id}`, second, { phone_number: newNumber }), 200);
const registrar = await apiKey(kissi, ['processors:write']);
const registered = await logInAs(await madeWith(registrar.key));
assert.equal((await call('POST', `/admin/api-keys/${registrar.id}/rotate`, second)).status, 200);
const policy = { action: 'beneficiaries.change', enabled: true };
const enabling = pendingOf(await call('PUT', '/admin/approval-policies', first, policy));
assert.equal((await decide(kissi, enabling.id, 'approve', second)).status, 200);

async function madeWith(key: string): Promise<Merchant> {
  const reply = assertStatus(await call('POST', '/processors', { token: key }, newMerchantBody()), 201);
  const { id, merchant_id: merchantId, email, phone_number: phone } = reply.json.processor;
  return { id, merchantId, userId: reply.json.user_id, email, phone };
}

/** These users cannot approve the login's request; another can. */
async function assertNotIndependent({ merchant, token }: Login, tied: { token: string }[]): Promise<void> {
  const account = { account_number: 'SL0042009', bank: 'Rokel Commercial Bank', holder: 'Fatu Sesay' };
  const { id } = pendingOf(await call('POST', `/processors/${merchant.id}/bank-accounts`, { token }, account));
  for (const each of tied) {
    assertRefused(await decide(kissi, id, 'approve', each), 403, 'NOT_INDEPENDENT');
    const { status, not_independent } = await getApproval(kissi, id, each);
    assert.deepEqual([status, not_independent], ['pending', true]);
  }
  assert.equal((await decide(kissi, id, 'approve', finance)).status, 200);
}

describe('not independent of the login of a merchant', () => {
  test('is a user who changed its phone number through the processor, which is audited as a change of the login', async () => {
    const { merchant } = renumbered;
    assert.equal((await loginOf(merchant.userId)).phone_number, newNumber);
    const [entry] = await auditLogs(kissi, { resource_id: merchant.userId, action: 'user.update' });
    assert.deepEqual([entry?.actor_id, entry?.details.fields], [second.id, ['phone_number']]);
    assert.equal((await messageTo(kissi, merchant.phone)).kind, 'number_changed');
    await assertNotIndependent(renumbered, [second]);
  });

  test('is the creator of the API key that registered the merchant, and the user who rotated the key', () =>
    assertNotIndependent(registered, [first, second]));
});

describe('while a policy is enabled, a new phone number', () => {
  async function assertNeedsApproval(path: string, login: { userId: string; phone: string }, by: { token: string }) {
    const { userId, phone } = login;
    const phone_number = freeNumber();
    const { id, action, summary } = pendingOf(await call('PUT', path, by, { phone_number }));
    assert.equal(action, 'users.change');
    assert.deepEqual([summary.before, summary.after], [{ phone_number: phone }, { phone_number }]);
    assert.equal((await loginOf(userId)).phone_number, phone);
    assert.notEqual((await messageTo(kissi, phone)).kind, 'number_changed');
    assert.equal((await decide(kissi, id, 'approve', second)).status, 200);
    assert.equal((await loginOf(userId)).phone_number, phone_number);
    assert.equal((await messageTo(kissi, phone)).kind, 'number_changed');
    const [entry] = await auditLogs(kissi, { resource_id: userId, action: 'user.update' });
    assert.equal(entry?.details.approved_by, second.id);
  }

  test('of an agent needs the approval that a change of its login needs, and a key cannot change it', async () => {
    const agent = await newAgent(kissi);
    const { key } = await apiKey(kissi, ['agents:write']);
    const path = `/agents/${agent.id}`;
    await assertNeedsApproval(path, agent, first);
    assertRefused(await call('PUT', path, { token: key }, { phone_number: freeNumber() }), 403, 'APPROVAL_REQUIRED');
    assert.equal((await call('PUT', path, { token: key }, { location: 'Bo' })).status, 200);
  });

  test('of a processor too; its name does not', async () => {
    const merchant = await newMerchant(kissi);
    const sales = await user(kissi, 'sales_user');
    const { key } = await apiKey(kissi, ['processors:write']);
    const path = `/processors/${merchant.id}`;
    await assertNeedsApproval(path, merchant, sales);
    assertRefused(await call('PUT', path, { token: key }, { phone_number: freeNumber() }), 403, 'APPROVAL_REQUIRED');
    const named = await call('PUT', path, sales, { business_name: 'Aberdeen Grill' });
    assert.deepEqual([named.status, named.json.processor?.business_name], [200, 'Aberdeen Grill']);
  });

  test('of an agent with other terms is one request, and the approver sees both', async () => {
    const agent = await newAgent(kissi);
    const both = { commission_tier: 'premium', phone_number: freeNumber() };
    const { id, summary } = pendingOf(await call('PUT', `/agents/${agent.id}`, first, both));
    assert.deepEqual(summary.after, both);
    assert.equal((await decide(kissi, id, 'approve', second)).status, 200);
    const { commission_tier, phone_number } = (await call('GET', `/agents/${agent.id}`, first)).json.agent;
    assert.deepEqual({ commission_tier, phone_number }, both);
  });
});
