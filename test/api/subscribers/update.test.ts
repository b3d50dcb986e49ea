// Tests updates of subscribers: permissions per field, KYC requirements and concurrent changes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentToken, newAgent, newSubAgent } from '../../support/agents.ts';
import { assertStatus, gatewayForFile, type Json } from '../../support/gateway.ts';
import { createBank, newFundingId, PIN } from '../../support/money.ts';
import { apiKey, auditLogs, staffToken } from '../../support/staff.ts';

const kissi = await gatewayForFile();
const key = (await apiKey(kissi, ['subscribers:read', 'subscribers:write'])).key;
const admin = await kissi.adminToken();
const compliance = await staffToken(kissi, 'compliance_user');

let phones = 76_200_000;
async function subscriber(extra: Record<string, unknown> = {}): Promise<Json> {
  const body = { phone_number: `0${phones++}`, first_name: 'Isatu', last_name: 'Koroma', pin: '1234', ...extra };
  return assertStatus(await kissi.call('POST', '/api/v1/subscribers', { token: key, body }), 201).json.subscriber;
}
const ID_DOCUMENT = { id_number: 'A1', id_type: 'NATIONAL_ID', id_document_url: 'https://files.example.com/a1.jpg' };

const put = (id: string, body: unknown, token = key) => kissi.call('PUT', `/api/v1/subscribers/${id}`, { token, body });
const read = async (id: string) =>
  (await kissi.call('GET', `/api/v1/subscribers/${id}`, { token: key })).json.subscriber;

async function assertRefused(before: Json, body: unknown, expected: [number, string], token = key): Promise<Json> {
  const reply = await put(before.id, body, token);
  assert.deepEqual([reply.status, reply.json.code], expected, `${JSON.stringify(body)} → ${reply.text}`);
  assert.deepEqual(await read(before.id), before);
  return reply.json;
}

test('an update changes only the given fields; the audit entry has their names but not their values', async () => {
  const before = await subscriber({ email: 'old@example.com', address: 'Old Road' });
  kissi.clock.advance(60_000);
  const change = { first_name: ' Kadiatu ', email: 'new@example.com', max_child_cards: 0, date_of_birth: '1980-01-01' };
  const reply = await put(before.id, change);
  const updated_at = new Date(kissi.clock.now()).toISOString();
  const expected = { ...before, ...change, first_name: 'Kadiatu', updated_at };
  const message = 'The subscriber was updated.';
  assert.deepEqual([reply.status, reply.json], [200, { success: true, message, subscriber: expected }]);
  assert.deepEqual(await read(before.id), expected);
  const [entry] = await auditLogs(kissi, { resource_id: before.id, action: 'subscriber.update' });
  assert.deepEqual(entry.details.fields.toSorted(), ['date_of_birth', 'email', 'first_name', 'max_child_cards']);
  assert.doesNotMatch(JSON.stringify(entry), /new@example|Kadiatu/);
});

test('empty text clears optional fields and is rejected for required ones', async () => {
  const before = await subscriber({
    email: 'x@example.com',
    address: 'Road 1',
    date_of_birth: '1980-01-01',
    ...ID_DOCUMENT,
  });
  const fields = ['email', 'address', 'date_of_birth', 'id_number', 'id_type'];
  const withAll = (value: string | null) => Object.fromEntries(fields.map((field) => [field, value]));
  const unseen = { id_document_url: '', selfie_url: '', partner_wallet_id: '' };
  assertStatus(await put(before.id, { ...withAll(''), ...unseen }), 200);
  const after = await read(before.id);
  assert.deepEqual(after, { ...before, ...withAll(null), updated_at: after.updated_at });
  for (const field of ['phone_number', 'first_name', 'last_name', 'kyc_level', 'max_child_cards']) {
    await assertRefused(after, { [field]: '' }, [400, 'INVALID_REQUEST'], admin);
  }
});

test('read-only fields are rejected with a message that explains how they change', async () => {
  const before = await subscriber();
  const readOnly: Record<string, [unknown, RegExp]> = {
    status: ['BLOCKED', /^status is changed with POST .*block/],
    pin: ['9999', /^pin is changed with POST .*change-pin/],
    balance: ['1.00 SLE', /^balance changes only when money moves/],
    id: ['sub_x', /^id never changes/],
    account_number: ['1234567897', /^account_number never changes/],
    disabled_transaction_types: [['transfer_p2p'], /^disabled_transaction_types is changed with/],
    created_at: ['2020-01-01', /^created_at /],
  };
  for (const [field, [value, sentence]] of Object.entries(readOnly)) {
    const { error } = await assertRefused(
      before,
      { [field]: value, first_name: 'New' },
      [400, 'INVALID_REQUEST'],
      admin,
    );
    assert.match(error, sentence);
  }
});

test('invalid values and empty updates are rejected', async () => {
  const before = await subscriber();
  const invalid: Record<string, unknown> = {
    phone_number: 'nobody',
    first_name: ' ',
    email: 'x',
    date_of_birth: '2026-03-05',
    id_type: 'X',
    id_document_url: 'file:///etc/passwd',
    max_child_cards: 101,
    kyc_level: 4,
    partner_wallet_id: ' ',
  };
  for (const [field, value] of Object.entries(invalid)) {
    const { error } = await assertRefused(before, { [field]: value }, [400, 'INVALID_REQUEST'], admin);
    assert.match(error, new RegExp(`^${field} `));
  }
  for (const empty of [{}, { nickname: 'K' }]) await assertRefused(before, empty, [400, 'INVALID_REQUEST']);
});

test('an update to the current values changes nothing and writes no audit entry', async () => {
  const before = await subscriber();
  kissi.clock.advance(60_000);
  const reply = await put(before.id, { first_name: 'Isatu', phone_number: before.phone_number });
  assert.deepEqual([reply.status, reply.json.subscriber], [200, before]);
  assert.equal((await auditLogs(kissi, { resource_id: before.id, action: 'subscriber.update' })).length, 0);
});

test("a phone number can be changed, in any format, but not to another subscriber's", async () => {
  const [one, two] = [await subscriber(), await subscriber()];
  await assertRefused(one, { phone_number: `0${two.phone_number.slice(4)}` }, [409, 'DUPLICATE_PHONE']);
  const reply = await put(one.id, { phone_number: '077 00 00 01' });
  assert.equal(reply.json.subscriber.phone_number, '+23277000001');
  // The previous number is available again.
  assert.equal((await put(two.id, { phone_number: one.phone_number })).status, 200);
});

test('a partner wallet is linked to at most one subscriber, even with concurrent requests', async () => {
  const subscribers = await Promise.all(Array.from({ length: 8 }, () => subscriber()));
  const replies = await Promise.all(subscribers.map(({ id }) => put(id, { partner_wallet_id: 'W-1' })));
  assert.equal(replies.filter((reply) => reply.status === 200).length, 1);
  for (const { status, json } of replies) if (status !== 200) assert.equal(json.code, 'PARTNER_WALLET_TAKEN');
});

test('only compliance and administrators can change kyc_level, and compliance nothing else at level 1', async () => {
  const before = await subscriber({ ...ID_DOCUMENT, id_number: 'A2' });
  await assertRefused(before, { kyc_level: 2 }, [403, 'FORBIDDEN']);
  for (const role of ['support_user', 'sales_user', 'super_agent'] as const) {
    await assertRefused(before, { kyc_level: 2 }, [403, 'FORBIDDEN'], await staffToken(kissi, role));
  }
  await assertRefused(before, { first_name: 'New' }, [403, 'FORBIDDEN'], compliance);
  await assertRefused(before, { kyc_level: 2, address: 'Road' }, [403, 'FORBIDDEN'], compliance);
  const { error } = (await put(before.id, { id_number: 'A3' }, compliance)).json;
  assert.match(error, /cannot change id_number at KYC level 1: support_user, sales_user and system_admin can\.$/);
  const reply = await put(before.id, { kyc_level: 2 }, compliance);
  assert.deepEqual([reply.status, reply.json.subscriber.kyc_level], [200, 2]);
  const [entry] = await auditLogs(kissi, { resource_id: before.id, action: 'subscriber.update' });
  assert.deepEqual(entry.details, { fields: ['kyc_level'], kyc_level: { from: 1, to: 2 } });
});

describe("an agent's user", () => {
  test('can change personal details of a subscriber it registered', async () => {
    const change = { first_name: 'Kadie', email: 'k@example.com', address: 'Road 2', ...ID_DOCUMENT };
    const superAgent = await newAgent(kissi);
    for (const agent of [superAgent, await newSubAgent(kissi, superAgent)]) {
      const token = await agentToken(kissi, agent);
      const body = { phone_number: `0${phones++}`, first_name: 'Isatu', last_name: 'Koroma', pin: PIN };
      const { json } = await kissi.call('POST', '/api/v1/subscribers', { token, body });
      assertStatus(await put(json.subscriber_id, change, token), 200);
    }
  });

  test('cannot change fields that determine where money goes; the refusal names the field and is audited', async () => {
    const fields = { phone_number: '+23276999001', partner_wallet_id: 'BANK-1', max_child_cards: 9 };
    const superAgent = await newAgent(kissi);
    for (const agent of [superAgent, await newSubAgent(kissi, superAgent)]) {
      const token = await agentToken(kissi, agent);
      const person = { phone_number: `0${phones++}`, first_name: 'Isatu', last_name: 'Koroma', pin: PIN };
      const { json } = await kissi.call('POST', '/api/v1/subscribers', { token, body: person });
      await put(json.subscriber_id, { partner_wallet_id: `BANK-${agent.id}` }, admin);
      const before = await read(json.subscriber_id);
      for (const [field, value] of Object.entries({ ...fields, kyc_level: 2 })) {
        const { error } = await assertRefused(before, { [field]: value }, [403, 'FORBIDDEN'], token);
        assert.match(error, new RegExp(`\\b${field}\\b`));
        await assertRefused(before, { first_name: 'New', [field]: value }, [403, 'FORBIDDEN'], token);
      }
      await assertRefused(before, { partner_wallet_id: '' }, [403, 'FORBIDDEN'], token);
      for (const field of ['status', 'disabled_transaction_types']) {
        await assertRefused(before, { [field]: 'BLOCKED' }, [400, 'INVALID_REQUEST'], token);
      }
      const refused = await auditLogs(kissi, { actor_id: agent.userId, action: 'subscriber.update.refused' });
      assert.equal(refused.length, 2);
    }
    const { id } = await subscriber();
    assert.equal((await put(id, fields, await staffToken(kissi, 'support_user'))).status, 200);
  });

  test('cannot redirect money from one subscriber to the wallet of another', async () => {
    const bank = await createBank(kissi);
    const [victim, own, sender] = [await bank.wallet(), await bank.wallet(), await bank.wallet(100_000)];
    await put(victim.id, { partner_wallet_id: 'BANK-77' }, admin);
    const attacker = await staffToken(kissi, 'sub_agent');
    await put(victim.id, { phone_number: '+23276999002', partner_wallet_id: '' }, attacker);
    await put(own.id, { phone_number: victim.phone, partner_wallet_id: 'BANK-77' }, attacker);
    const transfer = { sender_id: sender.id, recipient_phone: victim.phone, amount: 5_000, pin: PIN };
    assert.equal((await bank.post('/wallet/transfer', transfer)).status, 200);
    const funding = {
      partner_id: bank.partnerId,
      partner_wallet_id: 'BANK-77',
      amount: 7_000,
      request_id: newFundingId(),
    };
    assert.equal((await bank.post('/wallet/fund-from-partner', funding)).status, 200);
    assert.deepEqual([await bank.balance(victim.id), await bank.balance(own.id)], [12_000, 0]);
  });
});

test('a KYC level requires its documents, which may be part of the same update', async () => {
  const before = await subscriber({ id_number: 'A1' });
  const two = await assertRefused(before, { kyc_level: 2 }, [422, 'KYC_REQUIREMENT_MISSING'], admin);
  assert.deepEqual(two.missing, ['id_type', 'id_document_url']);
  const three = await assertRefused(before, { kyc_level: 3, ...ID_DOCUMENT }, [422, 'KYC_REQUIREMENT_MISSING'], admin);
  assert.deepEqual(three.missing, ['address']);
  const complete = { kyc_level: 3, ...ID_DOCUMENT, id_number: 'A3', address: 'Road 1' };
  assert.equal((await put(before.id, complete, admin)).status, 200);
});

test('documents that the level requires can be cleared only if the level is lowered too', async () => {
  const created = await subscriber({ ...ID_DOCUMENT, id_number: 'A4', address: 'Road 1' });
  assert.equal((await put(created.id, { kyc_level: 3 }, admin)).status, 200);
  const before = await read(created.id);
  const { missing } = await assertRefused(before, { address: '' }, [422, 'KYC_REQUIREMENT_MISSING']);
  assert.deepEqual(missing, ['address']);
  const reply = await put(before.id, { address: '', kyc_level: 2 }, admin);
  assert.deepEqual([reply.status, reply.json.subscriber.kyc_level], [200, 2]);
});

test('clearing a document and raising the level concurrently do not both succeed', async () => {
  for (let run = 0; run < 10; run++) {
    const { id } = await subscriber({ ...ID_DOCUMENT, id_number: `B${run}` });
    const replies = await Promise.all([put(id, { id_number: '' }, admin), put(id, { kyc_level: 2 }, compliance)]);
    assert.deepEqual(replies.map((reply) => reply.status).toSorted(), [200, 422]);
  }
});

test('concurrent updates of different fields are all stored', async () => {
  const { id } = await subscriber();
  const changes = { email: 'a@example.com', address: 'Road 9', id_number: 'Z9', last_name: 'Bah', max_child_cards: 9 };
  const replies = await Promise.all(Object.entries(changes).map(([field, value]) => put(id, { [field]: value })));
  assert.ok(replies.every((reply) => reply.status === 200));
  const after = await read(id);
  for (const [field, value] of Object.entries(changes)) assert.equal(after[field], value);
  assert.equal((await auditLogs(kissi, { resource_id: id, action: 'subscriber.update' })).length, 5);
});

test('an unknown subscriber returns 404; the permission is checked first', async () => {
  assert.deepEqual((await put('sub_unknown', { first_name: 'A' })).json.code, 'NOT_FOUND');
  assert.deepEqual((await put('sub_unknown', { kyc_level: 2 })).json.code, 'FORBIDDEN');
});
