// API keys under approval policies: the daily limit of keys that move the operator's money, and who may act without approval.
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { floatOf, newAgent } from '../../support/agents.ts';
import { decide, pendingOf, setPolicy, type User, user } from '../../support/approvals.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile, newFundingId } from '../../support/money.ts';
import { merchantToken, newMerchant } from '../../support/processors.ts';
import { apiKey, assertRefused } from '../../support/staff.ts';

const DAY_MS = 86_400_000;
const { kissi, bank } = await bankForFile();
const admin = { token: await kissi.adminToken() };
let second: User | null = null;

const call = (method: string, path: string, { token }: { token: string }, body?: object) =>
  kissi.call(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
const fund = (token: string, id: string, amount: number, request_id = newFundingId()) =>
  call('POST', `/agents/${id}/fund`, { token }, { amount, request_id });
const create = (body: object) => call('POST', '/admin/api-keys', admin, { name: 'Treasury', bearer: true, ...body });

/** Enables or disables a policy, with the second administrator once there is one. */
async function set(action: string, enabled: boolean): Promise<void> {
  const reply = await call('PUT', '/admin/approval-policies', admin, { action, enabled });
  if (reply.status !== 200) await approved(reply);
}

async function approved(reply: Parameters<typeof pendingOf>[0]): Promise<Json> {
  second ??= await user(kissi, 'system_admin');
  const { id } = pendingOf(reply);
  return assertStatus(await decide(kissi, id, 'approve', second), 200).json.approval;
}

/** A key that a second administrator approved. */
async function approvedKey(body: object): Promise<{ id: string; key: string }> {
  await set('api_keys.create', true);
  const { id, result, summary } = await approved(await create(body));
  assert.match(summary.text, /up to .* a day/);
  const collected = await decide(kissi, id, 'collect-secrets', admin);
  await set('api_keys.create', false);
  return { id: result.api_key.id, key: collected.json.secrets.key };
}

afterEach(async () => {
  for (const action of ['agents.fund', 'wallet.fund_from_partner', 'api_keys.create']) await set(action, false);
  if (second) await call('PUT', `/admin/users/${second.id}`, admin, { status: 'suspended' });
  second = null;
});

describe("a key's daily limit", () => {
  test('is required with treasury:write and payouts:write, and only for them; it can only be reduced', async () => {
    for (const scope of ['treasury:write', 'payouts:write']) {
      assertRefused(await create({ scopes: [scope] }), 400, 'INVALID_REQUEST', scope);
      for (const daily_limit of [0, -1, 1.5, 'much', '9007199254740992'])
        assertRefused(await create({ scopes: [scope], daily_limit }), 400, 'INVALID_REQUEST', String(daily_limit));
    }
    assertRefused(await create({ scopes: ['payments:read'], daily_limit: 5 }), 400, 'INVALID_REQUEST');
    const { api_key } = (await create({ scopes: ['treasury:write'], daily_limit: '5000' })).json;
    assert.deepEqual([api_key.daily_limit, api_key.approval_id], [5_000, null]);
    const path = `/admin/api-keys/${api_key.id}`;
    assertRefused(await call('PUT', path, admin, { daily_limit: 5_001 }), 400, 'INVALID_REQUEST');
    assert.equal((await call('PUT', path, admin, { daily_limit: 4_000 })).json.api_key.daily_limit, 4_000);
    assertRefused(await call('PUT', path, admin, { daily_limit: 4_001 }), 400, 'INVALID_REQUEST');
    const plain = (await create({ scopes: ['payments:read'] })).json.api_key;
    assert.equal(plain.daily_limit, null);
    assertRefused(await call('PUT', `/admin/api-keys/${plain.id}`, admin, { daily_limit: 5 }), 400, 'INVALID_REQUEST');
  });

  test('binds the total of a UTC day over all routes, without a policy too and for requests at once', async () => {
    const { key } = await apiKey(kissi, ['treasury:write'], { daily_limit: 1_000 });
    const [agent, wallet] = [await newAgent(kissi), await bank.wallet()];
    const replies = await Promise.all(Array.from({ length: 8 }, () => fund(key, agent.id, 200)));
    const statuses = replies.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 422, 422, 422]);
    const refused = replies.find(({ status }) => status === 422);
    assertRefused(refused as never, 422, 'KEY_LIMIT_EXCEEDED');
    assert.deepEqual([refused?.json.available, refused?.json.required], [0, 200]);
    assert.equal(await floatOf(kissi, agent), 1_000);
    const funding = { partner_id: bank.partnerId, subscriber_id: wallet.id, amount: 1, request_id: newFundingId() };
    assertRefused(await call('POST', '/wallet/fund-from-partner', { token: key }, funding), 422, 'KEY_LIMIT_EXCEEDED');
    kissi.clock.advance(DAY_MS);
    admin.token = await kissi.adminToken();
    const [id, again] = ['key-limit-replay', await fund(key, agent.id, 1_000, 'key-limit-replay')];
    assert.equal(again.status, 200, again.text);
    const replayed = await fund(key, agent.id, 1_000, id);
    assert.deepEqual(
      [replayed.status, replayed.json.transaction_id],
      [200, again.json.transaction_id],
      'a retry does not count again',
    );
  });
});

describe('under a policy', () => {
  test('a key that was approved acts up to its limit; one that was not is refused', async () => {
    const agent = await newAgent(kissi);
    const unapproved = await apiKey(kissi, ['treasury:write'], { daily_limit: 1_000 });
    const { id, key } = await approvedKey({ scopes: ['treasury:write'], daily_limit: 1_000 });
    await set('agents.fund', true);
    assertRefused(await fund(unapproved.key, agent.id, 1), 403, 'APPROVAL_REQUIRED');
    assert.equal((await fund(key, agent.id, 900)).status, 200);
    const beyond = assertRefused(await fund(key, agent.id, 101), 422, 'KEY_LIMIT_EXCEEDED');
    assert.deepEqual([beyond.json.available, beyond.json.required], [100, 101]);
    assert.equal((await call('PUT', `/admin/api-keys/${id}`, admin, { daily_limit: 950 })).status, 200);
    assertRefused(await fund(key, agent.id, 51), 422, 'KEY_LIMIT_EXCEEDED');
    assert.equal((await fund(key, agent.id, 50)).status, 200);
    assert.equal(await floatOf(kissi, agent), 950);
  });

  test('a key that one administrator rotated alone acts no more; a rotation under approval changes nothing', async () => {
    const agent = await newAgent(kissi);
    const { id, key } = await approvedKey({ scopes: ['treasury:write'], daily_limit: 1_000 });
    const path = `/admin/api-keys/${id}`;
    await set('api_keys.create', true);
    const rotation = await approved(await call('POST', `${path}/rotate`, admin));
    const collected = (await decide(kissi, rotation.id, 'collect-secrets', admin)).json.secrets;
    await set('api_keys.create', false);
    await set('agents.fund', true);
    for (const each of [key, collected.key]) assert.equal((await fund(each, agent.id, 10)).status, 200);
    const alone = await call('POST', `${path}/rotate`, admin);
    assert.deepEqual([alone.status, alone.json.api_key.approval_id], [200, null]);
    for (const each of [collected.key, alone.json.key])
      assertRefused(await fund(each, agent.id, 10), 403, 'APPROVAL_REQUIRED');
    assert.equal(await floatOf(kissi, agent), 20);
  });

  test("a partner's own key funds wallets without approval, up to the partner's outstanding_limit", async () => {
    const partner = (await call('POST', '/admin/partners', admin, { name: 'Limited', outstanding_limit: 500 })).json;
    const { id: partner_id } = partner.partner;
    const { key } = await apiKey(kissi, ['payments:write'], { partner_id });
    const wallet = await bank.wallet();
    await set('wallet.fund_from_partner', true);
    const send = (amount: number, by: string, from = partner_id) =>
      call(
        'POST',
        '/wallet/fund-from-partner',
        { token: by },
        { partner_id: from, subscriber_id: wallet.id, amount, request_id: newFundingId() },
      );
    assert.equal((await send(500, key)).status, 200);
    assertRefused(await send(1, key), 422, 'PARTNER_EXPOSURE_LIMIT_EXCEEDED');
    assertRefused(await send(1, key, bank.partnerId), 403, 'FORBIDDEN');
    assertRefused(await send(1, bank.key), 403, 'APPROVAL_REQUIRED');
    assert.equal(await bank.balance(wallet.id), 500);
  });

  test("a processor's login decides nothing, not even on a request of its own processor", async () => {
    const checker = await user(kissi, 'finance_user');
    const token = await merchantToken(kissi, await newMerchant(kissi));
    await setPolicy(kissi, 'agents.fund', { enabled: true });
    const agent = await newAgent(kissi);
    const { id } = pendingOf(await call('POST', `/agents/${agent.id}/fund`, admin, { amount: 5 }));
    for (const decision of ['approve', 'reject', 'withdraw'] as const)
      assertRefused(await decide(kissi, id, decision, { token }), 404, 'NOT_FOUND');
    assert.equal((await decide(kissi, id, 'approve', checker)).status, 200);
  });
});
