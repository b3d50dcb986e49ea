// Tests which callers see block reasons and KYC documents in records, and who lists politically exposed persons.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Role } from '../../../src/auth/roles.ts';
import { agentToken, newAgent, newFundedAgent, newSubAgent } from '../../support/agents.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { newMerchant } from '../../support/processors.ts';
import { apiKey, assertRefused, auditLogs, auditRows, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const admin = await kissi.adminToken();
const call = (method: string, path: string, token: string, body?: object) =>
  kissi.call(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });

async function get(path: string, token: string): Promise<Json> {
  return assertStatus(await call('GET', path, token), 200).json;
}

const DOCUMENTS = { id_document_url: 'https://example.com/id.png', selfie_url: 'https://example.com/me.png' };
const LOCK_READERS: Role[] = ['compliance_user', 'support_user'];
const STAFF: Role[] = ['compliance_user', 'support_user', 'finance_user', 'sales_user', 'audit_user'];

describe('a blocked subscriber', async () => {
  const holder = await bank.wallet(0, DOCUMENTS);
  const path = `/subscribers/${holder.id}`;
  const blocker = await staffToken(kissi, 'support_user');
  const blocked = await call('POST', `${path}/block`, blocker, { reason: 'Reported stolen' });
  const { id: blockedBy, first_name, last_name } = await get('/admin/me', blocker);
  const blockerName = `${first_name} ${last_name}`;
  const block = { block_reason: 'Reported stolen', blocked_by: blockedBy, blocked_by_name: blockerName };

  test("the reply to the block has the reason and the user's name", () => {
    assert.equal(blocked.status, 200, blocked.text);
    const { block_reason, blocked_by, blocked_by_name, blocked_at } = blocked.json.subscriber;
    assert.deepEqual({ block_reason, blocked_by, blocked_by_name }, block);
    assert.match(blocked_at, /^\d{4}-/);
  });

  const SEEN: Partial<Record<Role, object>> = {
    compliance_user: { ...block, ...DOCUMENTS },
    support_user: block,
  };
  for (const role of STAFF) {
    test(`${role} sees what the role decides on, in the record and in the list`, async () => {
      const token = await staffToken(kissi, role);
      const list = await get(`/subscribers?phone_number=${encodeURIComponent(holder.phone)}`, token);
      for (const record of [(await get(path, token)).subscriber, list.subscribers[0]]) {
        const { block_reason, blocked_by, blocked_by_name, id_document_url, selfie_url } = record;
        const fields = { block_reason, blocked_by, blocked_by_name, id_document_url, selfie_url };
        const seen = JSON.parse(JSON.stringify(fields));
        assert.deepEqual(seen, SEEN[role] ?? {});
        assert.equal('blocked_at' in record, role in SEEN);
      }
    });
  }

  test('system_admin sees both, and can send the record back unchanged', async () => {
    const { subscriber } = await get(path, admin);
    assert.deepEqual({ ...subscriber, ...block, ...DOCUMENTS }, subscriber);
    const reply = await call('PUT', path, admin, subscriber);
    assert.deepEqual([reply.status, reply.json.subscriber], [200, subscriber], reply.text);
    assertRefused(await call('PUT', path, admin, { block_reason: 'Another' }), 400, 'INVALID_REQUEST');
  });

  test('an API key sees neither, whatever its scopes', async () => {
    const { key } = await apiKey(kissi, ['subscribers:read', 'subscribers:write']);
    const { subscriber } = await get(path, key);
    assert.deepEqual(
      ['block_reason', 'blocked_at', 'blocked_by', 'blocked_by_name', 'id_document_url', 'selfie_url'].filter(
        (name) => name in subscriber,
      ),
      [],
    );
  });

  test('the reason is gone after unblocking', async () => {
    await call('POST', `${path}/unblock`, admin);
    const { block_reason, blocked_at, blocked_by, blocked_by_name } = (await get(path, admin)).subscriber;
    assert.deepEqual([block_reason, blocked_at, blocked_by, blocked_by_name], [null, null, null, null]);
  });

  test('the name of an API key that blocked it is shown', async () => {
    const { key, id } = await apiKey(kissi, ['subscribers:write']);
    assertStatus(await call('POST', `${path}/block`, key, { reason: 'Fraud service' }), 200);
    const { blocked_by, blocked_by_name } = (await get(path, admin)).subscriber;
    const { name } = (await get(`/admin/api-keys/${id}`, admin)).api_key;
    assert.deepEqual([blocked_by, blocked_by_name], [id, name]);
  });
});

test('the agent that registered a subscriber does not see its block reason or documents', async () => {
  const token = await agentToken(kissi, await newAgent(kissi));
  const body = { phone_number: '+23279000001', first_name: 'Finda', last_name: 'Bah', pin: '4711', ...DOCUMENTS };
  const { json } = await call('POST', '/subscribers', token, body);
  await call('POST', `/subscribers/${json.subscriber_id}/block`, admin, { reason: 'Suspected mule' });
  const reply = await call('GET', `/subscribers/${json.subscriber_id}`, token);
  assert.equal(reply.json.subscriber.first_name, 'Finda', reply.text);
  assert.doesNotMatch(reply.text, /mule|example\.com|block_reason/);
});

test('the reason of an agent’s suspension is shown to compliance and to the super-agent that gave it', async () => {
  const parent = await newAgent(kissi);
  const [own, held] = [await newSubAgent(kissi, parent), await newSubAgent(kissi, parent)];
  const parentToken = await agentToken(kissi, parent);
  await call('POST', `/agents/${own.id}/suspend`, parentToken, { reason: 'Cash missing' });
  await call('POST', `/agents/${held.id}/suspend`, admin, { reason: 'Under investigation' });
  const reasonOf = async (id: string, token: string) => (await get(`/agents/${id}`, token)).agent.status_reason;
  const [compliance, support] = [await staffToken(kissi, 'compliance_user'), await staffToken(kissi, 'support_user')];
  for (const token of [admin, compliance]) {
    assert.deepEqual(
      [await reasonOf(own.id, token), await reasonOf(held.id, token)],
      ['Cash missing', 'Under investigation'],
    );
  }
  assert.deepEqual(
    [await reasonOf(own.id, parentToken), await reasonOf(held.id, parentToken)],
    ['Cash missing', undefined],
  );
  assert.deepEqual([await reasonOf(own.id, support), await reasonOf(own.id, bank.key)], [undefined, undefined]);
});

test('the reason of a processor’s suspension is shown to sales and compliance only', async () => {
  const { id } = await newMerchant(kissi);
  const sales = await staffToken(kissi, 'sales_user');
  const reply = await call('POST', `/processors/${id}/suspend`, sales, { reason: 'Charge-backs' });
  assert.equal(reply.json.processor.suspend_reason, 'Charge-backs', reply.text);
  for (const [role, reason] of [
    ['compliance_user', 'Charge-backs'],
    ['finance_user', undefined],
    ['support_user', undefined],
  ] as const) {
    const token = await staffToken(kissi, role);
    assert.equal((await get(`/processors/${id}`, token)).processor.suspend_reason, reason, role);
    const { processors } = await get('/processors', token);
    assert.equal(processors.find((each: Json) => each.id === id).suspend_reason, reason, role);
  }
});

describe('GET /subscribers?is_pep=true', async () => {
  const [person, ordinary] = [await bank.wallet(), await bank.wallet()];
  await markPep(kissi, person.id);
  const authorized = await newAuthorizedStaff(kissi, 'compliance_user');

  test('is 403 without open access, and the attempt is audited', async () => {
    const { key } = await apiKey(kissi, ['subscribers:read']);
    for (const token of [authorized.token, await staffToken(kissi, 'compliance_user'), admin, key]) {
      assertRefused(await call('GET', '/subscribers?is_pep=true', token), 403, 'PEP_ACCESS_REQUIRED');
    }
    const [entry] = await auditLogs(kissi, { actor_id: authorized.id, action: 'pep.access.refused' });
    assert.deepEqual([entry?.details.code, entry?.resource_id], ['PEP_ACCESS_REQUIRED', null]);
  });

  test('lists exactly the politically exposed persons with open access, and audits the access', async () => {
    await openAccess(kissi, authorized);
    const { subscribers, total_count } = await get('/subscribers?is_pep=true', authorized.token);
    assert.equal(total_count, 1);
    assert.deepEqual(
      subscribers.map(({ id, is_pep, phone_number }: Json) => [id, is_pep, phone_number]),
      [[person.id, true, person.phone]],
    );
    const none = await get('/subscribers?is_pep=true&status=BLOCKED', authorized.token);
    assert.deepEqual([none.subscribers, none.total_count], [[], 0]);
    const entries = await auditRows(kissi, { actor_id: authorized.id, action: 'pep.access', resource_id: person.id });
    assert.equal(entries.length, 1);
    assert.notEqual(person.id, ordinary.id);
  });

  test('other values are refused', async () => {
    assertRefused(await call('GET', '/subscribers?is_pep=false', authorized.token), 400, 'INVALID_REQUEST');
  });
});

test('finance reads partners and cannot change them', async () => {
  const token = await staffToken(kissi, 'finance_user');
  const { partners } = await get('/admin/partners', token);
  assert.deepEqual(
    partners.map(({ id }: Json) => id),
    [bank.partnerId],
  );
  assert.equal((await get(`/admin/partners/${bank.partnerId}`, token)).partner.id, bank.partnerId);
  assertRefused(await call('PUT', `/admin/partners/${bank.partnerId}`, token, { name: 'Mine' }), 403, 'FORBIDDEN');
});

describe('an account locked after wrong PINs', async () => {
  const [holder, agent] = [await bank.wallet(500), await newFundedAgent(kissi, 10_000)];
  const token = await agentToken(kissi, agent);
  const verify = () => call('POST', `/subscribers/${holder.id}/verify-pin`, admin, { pin: '9999' });
  const cashIn = () =>
    call('POST', '/agents/cashin', token, { agent_id: agent.id, subscriber_id: holder.id, amount: 1, pin: '9999' });
  for (let n = 0; n < 3; n++) await Promise.all([verify(), cashIn()]);
  const [ofHolder, ofAgent] = [await verify(), await cashIn()];
  const until = ofHolder.json.locked_until;

  test('is refused with a sentence that says whose it is', () => {
    assertRefused(ofHolder, 403, 'ACCOUNT_LOCKED');
    assertRefused(ofAgent, 403, 'ACCOUNT_LOCKED');
    assert.equal(ofHolder.json.error, `Too many wrong PINs: the customer's account is locked until ${until}.`);
    assert.equal(
      ofAgent.json.error,
      `Too many wrong PINs: the agent's account is locked until ${ofAgent.json.locked_until}.`,
    );
  });

  for (const role of STAFF) {
    test(`is ${LOCK_READERS.includes(role) ? 'shown to' : 'hidden from'} ${role}`, async () => {
      const staff = await staffToken(kissi, role);
      const { subscriber } = await get(`/subscribers/${holder.id}`, staff);
      const record = (await get(`/agents/${agent.id}`, staff)).agent;
      const seen = LOCK_READERS.includes(role) ? [until, ofAgent.json.locked_until] : [undefined, undefined];
      assert.deepEqual([subscriber.pin_locked_until, record.pin_locked_until], seen);
    });
  }

  test('is hidden from API keys and from the agent, and can be sent back but not changed', async () => {
    const { key } = await apiKey(kissi, ['subscribers:read', 'subscribers:write']);
    assert.equal('pin_locked_until' in (await get(`/subscribers/${holder.id}`, key)).subscriber, false);
    assert.equal('pin_locked_until' in (await get(`/agents/${agent.id}`, token)).agent, false);
    const path = `/subscribers/${holder.id}`;
    const { subscriber } = await get(path, admin);
    assert.equal((await call('PUT', path, admin, subscriber)).status, 200);
    assertRefused(await call('PUT', path, admin, { pin_locked_until: null }), 400, 'INVALID_REQUEST');
  });

  test('is null once it is unlocked, and after 30 minutes', async () => {
    await call('POST', `/subscribers/${holder.id}/unlock`, admin);
    assert.equal((await get(`/subscribers/${holder.id}`, admin)).subscriber.pin_locked_until, null);
    kissi.clock.advance(30 * 60_000);
    const support = await staffToken(kissi, 'support_user');
    assert.equal((await get(`/agents/${agent.id}`, support)).agent.pin_locked_until, null);
  });
});
