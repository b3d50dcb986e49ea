// Tests the scopes treasury:write and payouts:write, and the scopes that open a permission of the operator.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newAgent, newFundedAgent, registrationBody } from '../../support/agents.ts';
import { alertBody } from '../../support/compliance.ts';
import { assertStatus, type CallReply } from '../../support/gateway.ts';
import { bankForFile, newFundingId } from '../../support/money.ts';
import { assertRefused, directPayments, newMerchantBody } from '../../support/processors.ts';
import { apiKey, auditLogs, type TestKey } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const payments = directPayments(kissi, bank);
const call = (key: TestKey, method: string, path: string, body?: object): Promise<CallReply> =>
  kissi.call(method, `/api/v1${path}`, { token: key.key, ...(body ? { body } : {}) });

const paymentsKey = await apiKey(kissi, [
  'payments:read',
  'payments:write',
  'balance:read',
  'subscribers:read',
  'subscribers:write',
  'cards:read',
  'cards:write',
]);
const treasuryKey = await apiKey(kissi, ['treasury:write']);
const payoutKey = await apiKey(kissi, ['payouts:write']);
const agent = await newFundedAgent(kissi, 5_000);
const merchant = await payments.fundedMerchant(5_000);
const wallet = await bank.wallet();
const funding = { partner_id: bank.partnerId, subscriber_id: wallet.id, amount: 100 };
const payout = { to_subscriber_id: wallet.id, amount: 100 };

const balances = () => Promise.all([agent.id, merchant.id, wallet.id, bank.partnerId].map((id) => bank.balance(id)));

const ROUTES: [scope: string, key: TestKey, path: string, body: object][] = [
  ['treasury:write', treasuryKey, `/agents/${agent.id}/fund`, { amount: 100 }],
  ['treasury:write', treasuryKey, `/agents/${agent.id}/return-float`, { amount: 100 }],
  ['treasury:write', treasuryKey, '/wallet/fund-from-partner', funding],
  ['payouts:write', payoutKey, `/processors/${merchant.id}/transfer`, payout],
];

for (const [scope, key, path, body] of ROUTES) {
  const name = path.replace(/\/(agent|proc)_\w+/, '/{id}');
  describe(`a key on POST ${name}`, () => {
    test(`needs the scope ${scope}, which no other scope implies`, async () => {
      const before = await balances();
      for (const other of [paymentsKey, key === treasuryKey ? payoutKey : treasuryKey]) {
        assertRefused(await call(other, 'POST', path, { ...body, request_id: newFundingId() }), 403, 'FORBIDDEN');
      }
      assert.deepEqual(await balances(), before);
      assertStatus(await call(key, 'POST', path, { ...body, request_id: newFundingId() }), 200);
    });

    test('needs a request_id, in the body or in the header, and moves the money once', async () => {
      const before = await balances();
      const missing = assertRefused(await call(key, 'POST', path, body), 400, 'INVALID_REQUEST');
      assert.match(missing.json.error, /^request_id is required/);
      assert.deepEqual(await balances(), before);
      const headers = { 'x-request-id': newFundingId() };
      const send = () => kissi.call('POST', `/api/v1${path}`, { token: key.key, body, headers });
      const [first, second] = [await send(), await send()];
      assert.equal(first.status, 200, first.text);
      assert.deepEqual([second.text, second.headers.get('idempotent-replayed')], [first.text, 'true']);
      const changes = (await balances()).map((balance, index) => Math.abs(balance - (before[index] ?? 0)));
      assert.deepEqual([...new Set(changes)].sort(), [0, 100]);
    });

    test('does not need a request_id of a user', async () => {
      assertStatus(await kissi.asAdmin.post(path, body), 200);
    });
  });
}

test("a partner's own key funds wallets with payments:write, from its own partner only, and not with treasury:write", async () => {
  const owner = { partner_id: bank.partnerId };
  const own = await apiKey(kissi, ['payments:write'], owner);
  assert.equal((await call(own, 'POST', '/wallet/fund-from-partner', funding)).status, 200);
  const before = await balances();
  const treasury = await apiKey(kissi, ['treasury:write'], owner);
  const body = { ...funding, request_id: newFundingId() };
  assertRefused(await call(treasury, 'POST', '/wallet/fund-from-partner', body), 403, 'FORBIDDEN');
  assertRefused(await call(treasury, 'POST', `/agents/${agent.id}/fund`, body), 403, 'FORBIDDEN');
  assert.deepEqual(await balances(), before);
});

test("a processor's own key pays out from its own processor only, with payouts:write", async () => {
  const other = await payments.fundedMerchant(1_000);
  const own = await apiKey(kissi, ['payouts:write'], { processor_id: merchant.id });
  const request = () => ({ ...payout, request_id: newFundingId() });
  assert.equal((await call(own, 'POST', `/processors/${merchant.id}/transfer`, request())).status, 200);
  assertRefused(await call(own, 'POST', `/processors/${other.id}/transfer`, request()), 403, 'FORBIDDEN');
  const writer = await apiKey(kissi, ['payments:write'], { processor_id: merchant.id });
  assertRefused(await call(writer, 'POST', `/processors/${merchant.id}/transfer`, request()), 403, 'FORBIDDEN');
  assert.equal(await bank.balance(other.id), 1_000);
});

describe('a key without an owner', () => {
  test('registers, suspends and reactivates agents with agents:write, audited as the key', async () => {
    const key = await apiKey(kissi, ['agents:write']);
    const created = assertStatus(await call(key, 'POST', '/agents', registrationBody()), 201);
    const path = `/agents/${created.json.agent_id}`;
    for (const [action, body] of [
      ['suspend', { reason: 'x' }],
      ['reactivate', {}],
      ['terminate', {}],
    ] as const) {
      assert.equal((await call(key, 'POST', `${path}/${action}`, body)).status, 200, action);
    }
    const entries = await auditLogs(kissi, { actor_id: key.id });
    assert.deepEqual(
      entries.map(({ action }) => action).filter((action) => action.startsWith('agent.')),
      ['agent.terminate', 'agent.reactivate', 'agent.suspend', 'agent.register'],
    );
    assertRefused(await call(key, 'GET', path), 403, 'FORBIDDEN');
    assertRefused(await call(key, 'POST', `/agents/${(await newAgent(kissi)).id}/fund`, {}), 403, 'FORBIDDEN');
  });

  test('registers and suspends processors with processors:write', async () => {
    const key = await apiKey(kissi, ['processors:write']);
    const created = assertStatus(await call(key, 'POST', '/processors', newMerchantBody()), 201);
    const path = `/processors/${created.json.processor.id}`;
    assert.equal((await call(key, 'POST', `${path}/suspend`, { reason: 'x' })).status, 200);
    assert.equal((await call(key, 'POST', `${path}/reactivate`, {})).status, 200);
    const [entry] = await auditLogs(kissi, { actor_id: key.id, action: 'processor.suspend' });
    assert.equal(entry.actor_type, 'key');
  });

  test('reads and changes alerts and rules with compliance:read and compliance:write', async () => {
    const [reader, writer] = [await apiKey(kissi, ['compliance:read']), await apiKey(kissi, ['compliance:write'])];
    const raised = await call(writer, 'POST', '/compliance/alerts', alertBody({ subscriber_id: wallet.id }));
    assert.equal(raised.status, 201, raised.text);
    const path = `/compliance/alerts/${raised.json.alert.id}`;
    assertRefused(await call(reader, 'PUT', path, { notes: 'x' }), 403, 'FORBIDDEN');
    assertRefused(await call(writer, 'GET', path), 403, 'FORBIDDEN');
    assert.equal((await call(writer, 'PUT', path, { notes: 'x' })).status, 200);
    assert.equal((await call(writer, 'POST', `${path}/resolve`, { resolution: 'x' })).status, 200);
    const read = await call(reader, 'GET', path);
    assert.deepEqual([read.json.alert.status, read.json.alert.resolved_by], ['resolved', writer.id]);
    for (const list of ['/compliance/alerts', '/compliance/rules', '/compliance/account-rules', '/account-rules/2']) {
      assert.equal((await call(reader, 'GET', list)).status, 200, list);
    }
  });

  test('reads the audit log with audit:read', async () => {
    const key = await apiKey(kissi, ['audit:read']);
    for (const path of ['/audit/logs', '/audit/verify']) assert.equal((await call(key, 'GET', path)).status, 200, path);
    assertRefused(await call(paymentsKey, 'GET', '/audit/logs'), 403, 'FORBIDDEN');
  });

  test('reads the limits of the KYC levels with subscribers:read', async () => {
    const key = await apiKey(kissi, ['subscribers:read']);
    for (const path of ['/compliance/account-rules', '/account-rules/1']) {
      assert.equal((await call(key, 'GET', path)).status, 200, path);
    }
    assertRefused(await call(key, 'GET', '/compliance/rules'), 403, 'FORBIDDEN');
  });
});
