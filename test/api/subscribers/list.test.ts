// Tests the subscriber list: filters, search, pagination and exact counts.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertStatus, type Json, testGateway } from '../../support/gateway.ts';
import { apiKey } from '../../support/staff.ts';

const created = new Map<string, Json>();

const SUBSCRIBERS = [
  { phone_number: '076100001', first_name: 'Aminata', last_name: 'Kamara', email: 'ami@example.com' },
  { phone_number: '076100002', first_name: 'Foday', last_name: 'Sankoh' },
  { phone_number: '076100003', first_name: 'Percy', last_name: '100%_sure' },
  { phone_number: '076100004', first_name: 'Back\\slash', last_name: 'Bah' },
  { phone_number: '+447911123456', first_name: 'ÉLODIE', last_name: 'Cole' },
  { phone_number: '076100006', first_name: 'Pending', last_name: 'Person', status: 'PENDING' },
];

const kissi = await testGateway();
const key = (await apiKey(kissi, ['subscribers:read'])).key;
const admin = await kissi.adminToken();
for (const person of SUBSCRIBERS) {
  kissi.clock.advance(1_000);
  const body = { pin: '1234', ...person };
  const reply = assertStatus(await kissi.call('POST', '/api/v1/subscribers', { token: admin, body }), 201);
  created.set(person.first_name, reply.json.subscriber);
}
after(() => kissi.close());

const list = (query: Record<string, string> = {}) =>
  kissi.call('GET', `/api/v1/subscribers?${new URLSearchParams(query)}`, { token: key });

/** Returns the first names found and asserts that total_count matches. */
async function found(query: Record<string, string>): Promise<string[]> {
  const { json } = assertStatus(await list(query), 200);
  assert.equal(json.total_count, json.subscribers.length);
  return json.subscribers.map((subscriber: Json) => subscriber.first_name);
}

test('the list is newest first, with full records, the exact count, limit and offset', async () => {
  const { json } = await list();
  assert.deepEqual(json, {
    subscribers: [...created.values()].toReversed(),
    total_count: SUBSCRIBERS.length,
    limit: 50,
    offset: 0,
  });
});

test('pages have no gaps or overlaps; beyond the end they are empty with the same count', async () => {
  const all = (await list()).json.subscribers;
  const pages: Json[] = [];
  for (let offset = 0; offset < 8; offset += 2) {
    const { json } = await list({ limit: '2', offset: String(offset) });
    assert.deepEqual([json.total_count, json.limit, json.offset], [SUBSCRIBERS.length, 2, offset]);
    pages.push(...json.subscribers);
  }
  assert.deepEqual(pages, all);
  for (const query of [{ offset: '1000000' }, { limit: '0' }, { search: 'a', offset: '500' }]) {
    const { json } = await list(query as Record<string, string>);
    assert.equal(json.subscribers.length, 0);
    assert.ok(json.total_count >= 3);
  }
  for (const limit of ['5000', '9'.repeat(30)]) assert.equal((await list({ limit })).json.limit, 100);
});

test('an invalid filter, limit or offset is rejected by name', async () => {
  const wrong = { status: 'active', kyc_level: '4', limit: '-1', offset: '1.5' };
  for (const [field, value] of Object.entries(wrong)) {
    const { status, json } = await list({ [field]: value });
    assert.deepEqual([status, json.code], [400, 'INVALID_REQUEST']);
    assert.match(json.error, new RegExp(`^${field} `));
  }
});

test('status and KYC level filters work alone and combined', async () => {
  assert.deepEqual(await found({ status: 'PENDING' }), ['Pending']);
  assert.deepEqual(await found({ status: 'BLOCKED' }), []);
  assert.equal((await found({ status: 'ACTIVE', kyc_level: '1' })).length, 5);
  assert.deepEqual(await found({ kyc_level: '3' }), []);
});

test('the phone filter accepts any format of the number; an invalid number matches no subscriber', async () => {
  for (const phone_number of ['076100002', '+23276100002', '76 100-002', '0023276100002']) {
    assert.deepEqual(await found({ phone_number }), ['Foday']);
  }
  for (const phone_number of ['Foday', '12', '', '0761', '%']) assert.deepEqual(await found({ phone_number }), []);
  assert.deepEqual(await found({ phone_number: '076100002', status: 'PENDING' }), []);
  const unescaped = await kissi.call('GET', '/api/v1/subscribers?phone_number=+23276100002', { token: key });
  assert.equal(unescaped.json.total_count, 1);
});

test('the search matches any part of name, phone, account number and email, case-insensitively', async () => {
  const { account_number } = created.get('Aminata');
  const searches = ['aminata', 'INATA KAM', 'ami@exam', account_number, account_number.slice(2, 8), '+23276100001'];
  for (const search of searches) assert.deepEqual(await found({ search }), ['Aminata'], search);
  assert.deepEqual(await found({ search: 'élodie' }), ['ÉLODIE']);
  assert.deepEqual(await found({ search: 'E\u0301lodie' }), ['ÉLODIE']);
  assert.deepEqual(await found({ search: '7911123' }), ['ÉLODIE']);
  assert.deepEqual(await found({ search: 'no such person' }), []);
});

test('the search matches local phone formats', async () => {
  for (const search of ['076100002', '076 100 002', ' 076100002 '])
    assert.deepEqual(await found({ search }), ['Foday']);
});

test('%, _ and \\ are literal characters in a search', async () => {
  assert.deepEqual(await found({ search: '%' }), ['Percy']);
  assert.deepEqual(await found({ search: '0%_s' }), ['Percy']);
  assert.deepEqual(await found({ search: '_' }), ['Percy']);
  assert.deepEqual(await found({ search: '\\' }), ['Back\\slash']);
  assert.deepEqual(await found({ search: "' or 1=1 --" }), []);
});

test('search and filters combine; an empty search is ignored', async () => {
  assert.deepEqual(await found({ search: 'pe', status: 'PENDING' }), ['Pending']);
  assert.deepEqual(await found({ search: 'pe', status: 'ACTIVE' }), ['Percy']);
  assert.deepEqual(await found({ search: 'pending', phone_number: '076100006' }), ['Pending']);
  assert.equal((await found({ search: '  ' })).length, SUBSCRIBERS.length);
});

test('counts stay exact when statuses change concurrently', async () => {
  const act = (id: string, verb: string) =>
    kissi.call('POST', `/api/v1/subscribers/${id}/${verb}`, { token: admin, body: { reason: 'count' } });
  const ids = [...created.values()].map((subscriber) => subscriber.id);
  await Promise.all(ids.map((id) => act(id, 'activate')));
  await Promise.all(ids.map((id) => act(id, 'block')));
  assert.equal((await found({ status: 'BLOCKED' })).length, SUBSCRIBERS.length);
  await Promise.all(ids.flatMap((id) => [act(id, 'unblock'), act(id, 'unblock')]));
  assert.equal((await found({ status: 'ACTIVE' })).length, SUBSCRIBERS.length);
  assert.deepEqual(await found({ status: 'BLOCKED' }), []);
});
