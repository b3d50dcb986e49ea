// Attempts to get around an approval: other request ids, records that change before the decision, and routes beside the gated ones.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRefused, floatOf, newAgent } from '../../support/agents.ts';
import { decide, getApproval, pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile, movementCount } from '../../support/money.ts';
import { totpUser } from '../../support/second-factor.ts';
import { apiKey, auditLogs, openSession, runChore } from '../../support/staff.ts';

const DAY_MS = 86_400_000;
const { kissi, bank } = await bankForFile();
const admin = { token: await kissi.adminToken() };
const maker = await user(kissi, 'finance_user');
const checker = await user(kissi, 'finance_user');
const support = await user(kissi, 'support_user');
const helper = await user(kissi, 'support_user');
const compliance = await user(kissi, 'compliance_user');
const auditor = await user(kissi, 'audit_user');

const call = (method: string, path: string, { token }: { token: string }, body?: object) =>
  kissi.call(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
const approve = (id: string, by: { token: string }) => decide(kissi, id, 'approve', by);

/** Under an enabled policy, which is disabled again afterwards. */
async function under(action: string, work: () => Promise<void>): Promise<void> {
  await setPolicy(kissi, action, { enabled: true });
  try {
    await work();
  } finally {
    await setPolicy(kissi, action, { enabled: false });
  }
}

describe('the id of an approval as a request_id', () => {
  test('does not replace the approved payment with another', async () => {
    await under('agents.fund', async () => {
      const [agent, wallet] = [await newAgent(kissi), await bank.wallet()];
      const { id } = pendingOf(await call('POST', `/agents/${agent.id}/fund`, maker, { amount: 500_000 }));
      const small = { partner_id: bank.partnerId, subscriber_id: wallet.id, amount: 7, request_id: id };
      assert.equal((await call('POST', '/wallet/fund-from-partner', maker, small)).status, 200);
      const approved = assertStatus(await approve(id, checker), 200);
      assert.equal(approved.json.approval.result.amount, 500_000);
      assert.equal(await floatOf(kissi, agent), 500_000);
      assert.equal(await movementCount(kissi, agent.id), 1);
    });
  });
});

describe('a repeated request', () => {
  test('says that it was executed', async () => {
    await under('agents.fund', async () => {
      const agent = await newAgent(kissi);
      const body = { amount: 300, request_id: 'evasion-repeat' };
      const fund = () => call('POST', `/agents/${agent.id}/fund`, maker, body);
      const first = await fund();
      assert.match(first.json.message, /Nothing was executed/);
      await approve(pendingOf(first).id, checker);
      const again = await fund();
      assert.deepEqual([again.status, again.json.approval.status], [202, 'executed']);
      assert.match(again.json.message, /approved and executed/);
      assert.equal(await floatOf(kissi, agent), 300);
    });
  });
});

describe('a record that changes between request and approval', () => {
  test('fails a payment whose partner wallet was moved to another subscriber', async () => {
    await under('wallet.fund_from_partner', async () => {
      const [approved, other] = [await bank.wallet(), await bank.wallet()];
      const link = (id: string, partner_wallet_id: string) =>
        call('PUT', `/subscribers/${id}`, admin, { partner_wallet_id });
      assert.equal((await link(approved.id, 'EVASION-1')).status, 200);
      const body = { partner_id: bank.partnerId, partner_wallet_id: 'EVASION-1', amount: 900 };
      const { id } = pendingOf(await call('POST', '/wallet/fund-from-partner', maker, body));
      assert.equal((await link(approved.id, '')).status, 200);
      assert.equal((await link(other.id, 'EVASION-1')).status, 200);
      const failed = assertRefused(await approve(id, checker), 422, 'EXECUTION_REFUSED');
      assert.equal(failed.json.refusal_code, 'RECORD_CHANGED');
      assert.deepEqual([await bank.balance(approved.id), await bank.balance(other.id)], [0, 0]);
    });
  });

  test('fails a PIN reset whose phone number was changed', async () => {
    await under('pin.reset', async () => {
      const wallet = await bank.wallet();
      const { id } = pendingOf(await call('POST', `/subscribers/${wallet.id}/reset-pin`, support));
      assertStatus(await call('PUT', `/subscribers/${wallet.id}`, admin, { phone_number: '+23288777666' }), 200);
      const failed = await approve(id, helper);
      assert.equal(failed.json.refusal_code, 'RECORD_CHANGED', failed.text);
      const messages = (await call('GET', '/admin/messages?limit=100', admin)).json.messages as Json[];
      assert.deepEqual(
        messages.filter(({ to, kind }) => to === '+23288777666' && kind === 'pin_reset_code'),
        [],
      );
      const again = pendingOf(await call('POST', `/subscribers/${wallet.id}/reset-pin`, helper));
      assert.equal((await getApproval(kissi, again.id, support)).status, 'pending');
    });
  });

  test('fails a raise of the KYC level for a person whose name was changed', async () => {
    await under('kyc.raise', async () => {
      const wallet = await bank.wallet();
      const documents = {
        ...{ id_number: 'EVA-1', id_type: 'PASSPORT', id_document_url: 'https://example.com/eva' },
        ...{ date_of_birth: '1990-01-01', selfie_url: 'https://example.com/selfie', address: 'Lumley' },
      };
      const raise = () => call('PUT', `/subscribers/${wallet.id}`, admin, { kyc_level: 2, ...documents });
      const { id } = pendingOf(await raise());
      assert.equal((await call('PUT', `/subscribers/${wallet.id}`, support, { first_name: 'Mallory' })).status, 200);
      const failed = await approve(id, compliance);
      assert.equal(failed.json.refusal_code, 'RECORD_CHANGED', failed.text);
      const level = async () => (await call('GET', `/subscribers/${wallet.id}`, admin)).json.subscriber.kyc_level;
      assert.equal(await level(), 1);
      assert.equal((await approve(pendingOf(await raise()).id, compliance)).status, 200);
      assert.equal(await level(), 2);
    });
  });

  test('does not matter if it is another record', async () => {
    await under('kyc.raise', async () => {
      const [wallet, other] = [await bank.wallet(), await bank.wallet()];
      const documents = {
        ...{ id_number: 'EVA-2', id_type: 'PASSPORT', id_document_url: 'https://example.com/eva' },
        ...{ date_of_birth: '1990-01-01', selfie_url: 'https://example.com/selfie', address: 'Lumley' },
      };
      const reply = await call('PUT', `/subscribers/${wallet.id}`, admin, { kyc_level: 2, ...documents });
      assert.equal((await call('PUT', `/subscribers/${other.id}`, support, { first_name: 'Mallory' })).status, 200);
      assert.equal((await approve(pendingOf(reply).id, compliance)).status, 200);
    });
  });
});

describe('routes beside the gated ones', () => {
  test('rotating an API key needs the approval of api_keys.create, and only the requester gets the secret', async () => {
    const { id } = await apiKey(kissi, ['payments:read']);
    const second = await user(kissi, 'system_admin');
    await withSecondAdmin(second, 'api_keys.create', async () => {
      const { id: approvalId } = pendingOf(
        await call('POST', `/admin/api-keys/${id}/rotate?overlap_seconds=60`, admin),
      );
      const approved = assertStatus(await approve(approvalId, second), 200);
      assert.equal(approved.json.approval.secrets_available, true);
      assert.doesNotMatch(approved.text, /"secret"|"key"/);
      assertRefused(await decide(kissi, approvalId, 'collect-secrets', second), 403, 'FORBIDDEN');
      const collected = assertStatus(await decide(kissi, approvalId, 'collect-secrets', admin), 200);
      assertStatus(await kissi.call('GET', '/api/v1/transactions?limit=1', { token: collected.json.secrets.key }), 200);
    });
  });

  test("rotating a partner's webhook secret needs the approval of partners.change", async () => {
    const second = await user(kissi, 'system_admin');
    await withSecondAdmin(second, 'partners.change', async () => {
      const path = `/admin/partners/${bank.partnerId}/rotate-webhook-secret`;
      const reply = await call('POST', path, admin, {
        activate_at: new Date(kissi.clock.now() + DAY_MS).toISOString(),
      });
      assertStatus(await approve(pendingOf(reply).id, second), 200);
      const collected = await decide(kissi, pendingOf(reply).id, 'collect-secrets', admin);
      assert.ok(collected.json.secrets.webhook_secret.length >= 32);
    });
  });

  test('removing the second factor of a user needs the approval of users.change', async () => {
    const staff = await totpUser(kissi);
    const second = await user(kissi, 'system_admin');
    await withSecondAdmin(second, 'users.change', async () => {
      const reply = await call('POST', `/admin/users/${staff.id}/reset-second-factor`, admin);
      assert.equal((await auditLogs(kissi, { action: 'user.reset_second_factor', resource_id: staff.id })).length, 0);
      assert.equal((await approve(pendingOf(reply).id, second)).status, 200);
      assert.equal((await auditLogs(kissi, { action: 'user.reset_second_factor', resource_id: staff.id })).length, 1);
    });
  });

  /** With two administrators, a policy is changed by both of them. */
  async function withSecondAdmin(second: { token: string; id: string }, action: string, work: () => Promise<void>) {
    const set = async (enabled: boolean) => {
      const reply = await call('PUT', '/admin/approval-policies', admin, { action, enabled });
      assert.equal((await approve(pendingOf(reply).id, second)).status, 200);
    };
    await set(true);
    try {
      await work();
    } finally {
      await set(false);
      await call('PUT', `/admin/users/${second.id}`, admin, { status: 'suspended' });
    }
  }
});

describe('readers', () => {
  test('a requester who lost the permission does not get the secrets', async () => {
    const second = await user(kissi, 'system_admin');
    await setPolicyOfTwo('api_keys.create', true, second);
    const body = { name: 'Treasury', scopes: ['treasury:write'], daily_limit: 1_000 };
    const { id } = pendingOf(await call('POST', '/admin/api-keys', second, body));
    assert.equal((await approve(id, admin)).status, 200);
    await setPolicyOfTwo('api_keys.create', false, second);
    assert.equal((await call('PUT', `/admin/users/${second.id}`, admin, { role: 'support_user' })).status, 200);
    const { token } = await openSession(kissi, second);
    assertRefused(await decide(kissi, id, 'collect-secrets', { token }), 403, 'FORBIDDEN');
  });

  test('auditors see neither the documents of a subscriber nor a copy of the record', async () => {
    await under('kyc.raise', async () => {
      const wallet = await bank.wallet();
      const documents = {
        ...{ id_number: 'EVA-3', id_type: 'PASSPORT', id_document_url: 'https://example.com/document' },
        ...{ date_of_birth: '1990-01-01', selfie_url: 'https://example.com/selfie', address: 'Lumley' },
      };
      const { id } = pendingOf(await call('PUT', `/subscribers/${wallet.id}`, admin, { kyc_level: 2, ...documents }));
      for (const decided of [false, true]) {
        if (decided) assert.equal((await approve(id, compliance)).status, 200);
        const seen = await getApproval(kissi, id, auditor);
        assert.doesNotMatch(JSON.stringify(seen), /example\.com\/|EVA-3/);
        assert.match(seen.summary.text, /KYC level/);
        const listed = await call('GET', '/admin/approvals?action=kyc.raise', auditor);
        assert.doesNotMatch(listed.text, /example\.com\/|EVA-3/);
        assert.match(JSON.stringify(await getApproval(kissi, id, compliance)), /EVA-3/);
      }
      const { result } = await getApproval(kissi, id, compliance);
      assert.deepEqual(result.subscriber, { id: wallet.id, kyc_level: 2, status: 'ACTIVE' });
    });
  });

  test('see a request as expired from the moment it is, before the task has written it', async () => {
    await under('agents.fund', async () => {
      const agent = await newAgent(kissi);
      const { id } = pendingOf(await call('POST', `/agents/${agent.id}/fund`, maker, { amount: 5 }));
      const listed = async (status: string) =>
        (await call('GET', `/admin/approvals?status=${status}&limit=100`, checker)).json.approvals.map(
          (each: Json) => each.id,
        );
      assert.ok((await listed('pending')).includes(id));
      kissi.clock.advance(7 * DAY_MS);
      checker.token = (await openSession(kissi, checker)).token;
      assert.equal((await getApproval(kissi, id, checker)).status, 'expired');
      assert.deepEqual([(await listed('pending')).includes(id), (await listed('expired')).includes(id)], [false, true]);
      await runChore(kissi, 'expire and complete approvals');
      assert.ok((await listed('expired')).includes(id));
      admin.token = await kissi.adminToken();
    });
  });

  async function setPolicyOfTwo(action: string, enabled: boolean, second: { token: string }) {
    const reply = await call('PUT', '/admin/approval-policies', admin, { action, enabled });
    assert.equal((await approve(pendingOf(reply).id, second)).status, 200);
  }
});
