// Who did what, by name, in the lists that a record's timeline merges: payments, cases and messages.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentToken, fundAgent, newAgent } from '../../support/agents.ts';
import { user } from '../../support/approvals.ts';
import { newPhone } from '../../support/customers.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile, newFundingId, PIN } from '../../support/money.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { assertRefused } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const admin = { token: await kissi.adminToken() };
const get = (path: string, { token }: { token: string } = admin) => kissi.call('GET', `/api/v1${path}`, { token });
const read = async (path: string, by?: { token: string }): Promise<Json> => assertStatus(await get(path, by), 200).json;
const named = (first_name: string, last_name: string) => ({ first_name, last_name });

async function transferBy(token: string, from: string, to: string): Promise<string> {
  const body = { sender_id: from, recipient_id: to, amount: 300, pin: PIN };
  const reply = await kissi.call('POST', '/api/v1/wallet/transfer', { body, token });
  return assertStatus(reply, 200).json.transaction_id;
}

/** Without the fields of other authors. */
const authors = ({ transactions }: Json) =>
  transactions.map(({ actor_type, actor_id, actor_name }: Json) => ({ actor_type, actor_id, actor_name }));

describe('actor_name of transactions', () => {
  test('is the current name of the user or key, for staff only', async () => {
    const mariama = await user(kissi, 'finance_user', named('Mariama', 'Conteh'));
    const agent = await newAgent(kissi);
    const body = { amount: 5_000, request_id: newFundingId() };
    assertStatus(await kissi.call('POST', `/api/v1/agents/${agent.id}/fund`, { body, ...mariama }), 200);
    await fundAgent(kissi, agent, 400);
    const support = await user(kissi, 'support_user');
    const path = `/agents/${agent.id}/transactions`;
    const [byAdmin, byUser] = authors(await read(path, support));
    const me = await read('/admin/me', { token: await kissi.adminToken() });
    const ownName = `${me.first_name} ${me.last_name}`;
    assert.deepEqual(byAdmin, { actor_type: 'user', actor_id: me.id, actor_name: ownName });
    assert.deepEqual(byUser, { actor_type: 'user', actor_id: mariama.id, actor_name: 'Mariama Conteh' });

    const renamed = { ...named('Mariama', 'Kanu') };
    assertStatus(await kissi.call('PUT', `/api/v1/admin/users/${mariama.id}`, { body: renamed, ...admin }), 200);
    assert.equal(authors(await read(path, support))[1].actor_name, 'Mariama Kanu');

    const own = await read(path, { token: await agentToken(kissi, agent) });
    assert.equal(own.transactions.length, 2);
    for (const record of own.transactions) assert.ok(!('actor_name' in record) && !('actor_id' in record));
  });

  test('is null for a payment by the customer, and absent for a key', async () => {
    const [payer, payee] = [await bank.wallet(50_000), await bank.wallet()];
    const phone = await newPhone(kissi, payer);
    await transferBy(bank.key, payer.id, payee.id);
    const quote = { type: 'transfer', phone_number: payee.phone, amount: 200 };
    const { quote: offered } = assertStatus(await phone.post('/me/quote', quote), 200).json;
    const confirmed = { quote_id: offered.id, pin: PIN, request_id: newFundingId() };
    assertStatus(await phone.post('/me/transfers', confirmed), 200);
    const path = `/transactions?subscriber_id=${payee.id}`;
    assert.deepEqual(authors(await read(path)), [
      { actor_type: 'subscriber', actor_id: payer.id, actor_name: null },
      { actor_type: 'key', actor_id: bank.keyId, actor_name: 'Test key' },
    ]);
    const byKey = await read(path, { token: bank.key });
    for (const record of byKey.transactions) assert.ok(!('actor_name' in record), JSON.stringify(record));
  });

  test('does not lead to a politically exposed person, not even as the author', async () => {
    const [person, other] = [await bank.wallet(50_000, named('Alhaji', 'Bundu')), await bank.wallet()];
    const phone = await newPhone(kissi, person);
    const quote = { type: 'transfer', phone_number: other.phone, amount: 200 };
    const { quote: offered } = assertStatus(await phone.post('/me/quote', quote), 200).json;
    const confirmed = { quote_id: offered.id, pin: PIN, request_id: newFundingId() };
    const { transaction_id } = assertStatus(await phone.post('/me/transfers', confirmed), 200).json;
    await markPep(kissi, person.id);
    const path = `/transactions?subscriber_id=${other.id}`;
    assert.deepEqual((await read(path, await user(kissi, 'finance_user'))).transactions, []);
    const authorized = await newAuthorizedStaff(kissi, 'finance_user');
    assert.deepEqual((await read(path, authorized)).transactions, []);
    await openAccess(kissi, authorized);
    const { transactions } = await read(path, authorized);
    assert.deepEqual(
      transactions.map((record: Json) => record.transaction_id),
      [transaction_id],
    );
    // The record of somebody else: the person on the other side stays without id and name, although the list shows the payment.
    assert.ok(!JSON.stringify(transactions).includes(person.id), JSON.stringify(transactions));
    assert.doesNotMatch(JSON.stringify(transactions), /Alhaji|Bundu/);
  });
});

describe('opened_by_name of cases', () => {
  test('is the name of the user, and null for a case that the customer opened', async () => {
    const foday = await user(kissi, 'support_user', named('Foday', 'Sesay'));
    const customer = await bank.wallet();
    const body = { kind: 'other', subscriber_id: customer.id, description: 'The app is slow.' };
    assertStatus(await kissi.call('POST', '/api/v1/cases', { body, ...foday }), 201);
    const phone = await newPhone(kissi, customer);
    assertStatus(await phone.post('/me/cases', { kind: 'other', description: 'It is still slow.' }), 201);
    const path = `/cases?subscriber_id=${customer.id}`;
    const names = (reply: Json) =>
      reply.cases.map(({ description, opened_by_name }: Json) => [description, opened_by_name]).toSorted();
    assert.deepEqual(names(await read(path, foday)), [
      ['It is still slow.', null],
      ['The app is slow.', 'Foday Sesay'],
    ]);
    assertRefused(await get(path, await user(kissi, 'sales_user')), 403, 'FORBIDDEN');

    await markPep(kissi, customer.id);
    const reply = await get(path, foday);
    assert.doesNotMatch(reply.text, /slow|Foday/);
    const authorized = await newAuthorizedStaff(kissi, 'support_user');
    await openAccess(kissi, authorized);
    assert.equal(names(await read(path, authorized)).length, 2);
  });
});

describe('the filter `to` of messages', () => {
  const messages = async (query: string) => (await read(`/admin/messages?limit=100${query}`)).messages;

  test("finds one number's messages, newest first and by page, as the whole list has them", async () => {
    const [one, other] = [await bank.wallet(), await bank.wallet()];
    await newPhone(kissi, one);
    await newPhone(kissi, other);
    await newPhone(kissi, one);
    const to = `&to=${encodeURIComponent(one.phone)}`;
    const found = await messages(to);
    const all = await messages('');
    assert.deepEqual(
      found,
      all.filter((message: Json) => message.to === one.phone),
    );
    assert.ok(found.length >= 2);
    const pages = await Promise.all([0, 1].map((offset) => read(`/admin/messages?limit=1&offset=${offset}${to}`)));
    assert.deepEqual(
      pages.flatMap((page) => page.messages),
      found.slice(0, 2),
    );
    assert.deepEqual(
      pages.map(({ total_count }) => total_count),
      [found.length, found.length],
    );
    // The whole number, as it was sent to: no part of it, no other form, nobody else's.
    for (const text of [one.phone.slice(0, -1), one.phone.slice(1), '%', `${one.phone} `, '+23200000000']) {
      assert.deepEqual(await messages(`&to=${encodeURIComponent(text)}`), [], text);
    }
  });

  test('is for administrators', async () => {
    const { phone } = await bank.wallet();
    const path = `/admin/messages?to=${encodeURIComponent(phone)}`;
    for (const role of ['compliance_user', 'support_user', 'finance_user', 'audit_user', 'sales_user'] as const) {
      assertRefused(await get(path, await user(kissi, role)), 403, 'FORBIDDEN', role);
    }
    assertRefused(await get(path, { token: bank.key }), 403, 'FORBIDDEN');
    assertRefused(await get('/admin/messages?to='), 400, 'INVALID_REQUEST');
  });

  test('says no more about a politically exposed person than the list does', async () => {
    const person = await bank.wallet();
    await newPhone(kissi, person);
    await markPep(kissi, person.id);
    const all = await messages('');
    assert.deepEqual(
      await messages(`&to=${encodeURIComponent(person.phone)}`),
      all.filter((message: Json) => message.to === person.phone),
    );
    // Nor does the record of the person lead there: without access it has no number to ask with.
    assertRefused(await get(`/subscribers/${person.id}`), 403, 'PEP_ACCESS_REQUIRED');
  });
});
