// Tests registration of subscribers, with and without credentials, and reading a subscriber.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hmac, serviceSignedString } from '@kissi/signatures/node';
import { luhnCheckDigit } from '../../../src/kernel/account-number.ts';
import { assertStatus, type CallOptions, gatewayForFile, type Json } from '../../support/gateway.ts';
import { containsDigits } from '../../support/secrets.ts';
import { apiKey, auditLogs, staffToken } from '../../support/staff.ts';

const SERVICES = { cards: 'secret-of-the-cards-service' };

const kissi = await gatewayForFile({ env: { SERVICE_SECRETS: JSON.stringify(SERVICES) } });
const key = (await apiKey(kissi, ['subscribers:read', 'subscribers:write'])).key;

let phones = 76_100_000;
const nextPhone = () => `0${phones++}`;
const body = (extra: Record<string, unknown> = {}) => ({
  phone_number: nextPhone(),
  first_name: 'Aminata',
  last_name: 'Kamara',
  pin: '1234',
  ...extra,
});
const register = (content: unknown, options: CallOptions = { token: key }) =>
  kissi.call('POST', '/api/v1/subscribers', { ...options, body: content });
const countRows = async () => {
  const [row] = (await kissi.db.query('select count(*) as n from subscribers')).rows;
  return row.n as number;
};

function serviceHeaders(method: string, target: string): Record<string, string> {
  const timestamp = String(Math.floor(kissi.clock.now() / 1_000));
  const signature = hmac(SERVICES.cards, serviceSignedString({ method, target, timestamp }) ?? '').toString('hex');
  return { 'x-service-name': 'cards', 'x-service-timestamp': timestamp, 'x-service-signature': signature };
}

async function assertRefused(content: unknown, status: number, code: string, message?: RegExp): Promise<void> {
  const before = await countRows();
  const reply = await register(content);
  assert.deepEqual([reply.status, reply.json.code, reply.json.success], [status, code, false], reply.text);
  if (message) assert.match(reply.json.error, message);
  assert.equal(await countRows(), before);
}

test('registration returns 201 with the full record: KYC level 1, ACTIVE and a zero balance', async () => {
  const content = {
    phone_number: '076 55-55-55',
    first_name: '  Fatmata ',
    last_name: 'Sesay',
    pin: '0042',
    email: 'fatmata@example.com',
    date_of_birth: '1990-02-28',
    address: '12 Siaka Stevens Street, Freetown',
    id_number: 'SL123456',
    id_type: 'PASSPORT',
    max_child_cards: 2,
    id_document_url: 'https://files.example.com/id.jpg',
    selfie_url: 'https://files.example.com/me.jpg',
  };
  const reply = assertStatus(await register(content), 201);
  const { subscriber, ...rest } = reply.json;
  assert.deepEqual(rest, { success: true, subscriber_id: subscriber.id, message: 'The subscriber was registered.' });
  const now = new Date(kissi.clock.now()).toISOString();
  const { id, account_number, ...record } = subscriber;
  assert.match(id, /^sub_[0-9A-Z]{26}$/);
  assert.match(account_number, /^\d{10}$/);
  assert.equal(luhnCheckDigit(account_number.slice(0, -1)), Number(account_number.at(-1)));
  assert.deepEqual(record, {
    phone_number: '+23276555555',
    first_name: 'Fatmata',
    last_name: 'Sesay',
    email: 'fatmata@example.com',
    date_of_birth: '1990-02-28',
    address: '12 Siaka Stevens Street, Freetown',
    kyc_level: 1,
    status: 'ACTIVE',
    disabled_transaction_types: [],
    ...{ balance: '0.00 SLE', held: '0.00 SLE', available: '0.00 SLE' },
    id_number: 'SL123456',
    id_type: 'PASSPORT',
    partner_wallet_id: null,
    cards_count: 0,
    max_child_cards: 2,
    is_pep: false,
    created_at: now,
    updated_at: now,
  });
  const read = await kissi.call('GET', `/api/v1/subscribers/${id}`, { token: key });
  assert.deepEqual([read.status, read.json], [200, { subscriber }]);
});

test('four fields are required; omitted fields are null', async () => {
  const { json } = await register(body());
  const { email, date_of_birth, address, id_number, id_type, max_child_cards } = json.subscriber;
  assert.deepEqual(
    { email, date_of_birth, address, id_number, id_type, max_child_cards },
    { email: null, date_of_birth: null, address: null, id_number: null, id_type: null, max_child_cards: 4 },
  );
});

test('the PIN is stored only as a keyed hash and appears in no reply, log or audit entry', async () => {
  const { json, text } = await register(body({ pin: '9753' }));
  const { rows } = await kissi.db.query('select * from pins where owner_id = $1', [json.subscriber_id]);
  assert.equal(rows[0].hash.length, 32);
  assert.doesNotMatch(text, /"pin"|9753"/);
  const entries = await auditLogs(kissi, { resource_id: json.subscriber_id });
  assert.deepEqual(
    entries.map((entry) => [entry.action, entry.actor_type, entry.details]),
    [['subscriber.register', 'key', { status: 'ACTIVE' }]],
  );
  assert.ok(!containsDigits(kissi.logs(), '9753'));
  const verified = await kissi.call('POST', `/api/v1/subscribers/${json.subscriber_id}/verify-pin`, {
    token: key,
    body: { pin: '9753' },
  });
  assert.deepEqual([verified.status, verified.json], [200, { success: true, verified: true }]);
});

test('the public route needs no credential; the audit log has the actor type public', async () => {
  const reply = assertStatus(await kissi.call('POST', '/api/v1/public/subscribers', { body: body() }), 201);
  const [entry] = await auditLogs(kissi, { resource_id: reply.json.subscriber_id });
  assert.deepEqual([entry.actor_type, entry.actor_id], ['public', null]);
});

test('a missing or invalid field is rejected by name and writes nothing', async () => {
  for (const field of ['phone_number', 'first_name', 'last_name', 'pin']) {
    const { [field]: _, ...rest } = body() as Record<string, unknown>;
    await assertRefused(rest, 400, 'INVALID_REQUEST', new RegExp(`^${field} is required`));
    await assertRefused(body({ [field]: 1234 }), 400, 'INVALID_REQUEST', new RegExp(`^${field} must`));
    await assertRefused(body({ [field]: null }), 400, 'INVALID_REQUEST', new RegExp(`^${field} is required`));
  }
  const invalid: Record<string, unknown> = {
    first_name: '   ',
    last_name: 'x'.repeat(101),
    email: 'not an email',
    id_type: 'LIBRARY_CARD',
    max_child_cards: 101,
    id_document_url: 'javascript:alert(1)',
    selfie_url: 'ftp://example.com/x',
    status: 'ACTIVE',
    address: '',
  };
  for (const [field, value] of Object.entries(invalid)) {
    await assertRefused(body({ [field]: value }), 400, 'INVALID_REQUEST', new RegExp(`^${field} `));
  }
  for (const cards of [-1, 1.5, '4']) await assertRefused(body({ max_child_cards: cards }), 400, 'INVALID_REQUEST');
  for (const notObject of [[], 'text', 7, null]) await assertRefused(notObject, 400, 'INVALID_REQUEST');
});

test('date_of_birth must be a valid date before today', async () => {
  const days = [
    '2026-03-01',
    '2027-01-01',
    '1990-02-30',
    '2023-02-29',
    '0000-01-01',
    '1990-1-1',
    '01-01-1990',
    '1899-12-31',
  ];
  for (const date_of_birth of days)
    await assertRefused(body({ date_of_birth }), 400, 'INVALID_REQUEST', /^date_of_birth /);
  assert.equal((await register(body({ date_of_birth: '2026-02-28' }))).status, 201);
  assert.equal((await register(body({ date_of_birth: '2024-02-29' }))).json.subscriber.date_of_birth, '2024-02-29');
});

test('a PIN that is not exactly four ASCII digits is rejected with INVALID_PIN', async () => {
  for (const pin of ['', '123', '12345', '12a4', ' 1234', '1234\n', '١٢٣٤', '１２３４', '1'.repeat(1_000)]) {
    await assertRefused(body({ pin }), 400, 'INVALID_PIN');
  }
});

test('an invalid phone number is rejected by name', async () => {
  for (const phone_number of ['123', 'CALL-ME-NOW', '+', '076123456 ext 5', "076123456'; drop table subscribers", '']) {
    await assertRefused(body({ phone_number }), 400, 'INVALID_REQUEST', /^phone_number /);
  }
});

test('a duplicate phone number is rejected in every format', async () => {
  const first = body({ phone_number: '076777001' });
  assert.equal((await register(first)).status, 201);
  for (const phone_number of ['076777001', '+23276777001', '0023276777001', '76 777 001', '(076) 777-001']) {
    await assertRefused(body({ phone_number }), 409, 'DUPLICATE_PHONE');
  }
});

test('of 40 concurrent registrations with one phone number exactly one succeeds', async () => {
  const forms = ['076777002', '+23276777002'];
  const before = await countRows();
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, index) => {
      const content = body({ phone_number: forms[index % 2] });
      return index % 4 < 2 ? register(content) : kissi.call('POST', '/api/v1/public/subscribers', { body: content });
    }),
  );
  const created = replies.filter((reply) => reply.status === 201);
  assert.equal(created.length, 1);
  assert.ok(replies.every((reply) => reply.status === 201 || reply.json.code === 'DUPLICATE_PHONE'));
  assert.equal(await countRows(), before + 1);
  const { rows } = await kissi.db.query(`select
    (select count(*) from pins p where not exists (select from subscribers s where s.id = p.owner_id)) as orphans`);
  assert.equal(rows[0].orphans, 0);
  assert.equal((await auditLogs(kissi, { resource_id: created[0]?.json.subscriber_id })).length, 1);
});

test('names in any script are stored trimmed and normalized; markup and quotes are plain text', async () => {
  const names = ['Zoë', '李小龍', 'محمد', "O'Brien; --", '<script>alert(1)</script>', '{{7*7}}', '👩‍👩‍👧'];
  for (const first_name of names) {
    const { json } = await register(body({ first_name: `  ${first_name} ` }));
    assert.equal(json.subscriber.first_name, first_name);
  }
  assert.equal((await register(body({ first_name: 'Zoe\u0308' }))).json.subscriber.first_name, 'Zo\u00eb');
  for (const first_name of ['a\u0000b', 'two\nlines', '\u202Eegnar', '\u200B', 'half \ud800']) {
    await assertRefused(body({ first_name }), 400, 'INVALID_REQUEST', /first_name/);
  }
});

test('only staff can register a PENDING subscriber', async () => {
  const pending = body({ status: 'PENDING' });
  await assertRefused(pending, 403, 'FORBIDDEN');
  const publicReply = await kissi.call('POST', '/api/v1/public/subscribers', { body: pending });
  assert.deepEqual([publicReply.status, publicReply.json.code], [403, 'FORBIDDEN']);
  const agent = await register(pending, { token: await staffToken(kissi, 'super_agent') });
  assert.deepEqual([agent.status, agent.json.code], [403, 'FORBIDDEN'], 'an agent user is not staff');
  const reply = await register(pending, { token: await staffToken(kissi, 'sales_user') });
  assert.deepEqual([reply.status, reply.json.subscriber.status], [201, 'PENDING']);
});

test('fields that clients cannot set are ignored', async () => {
  const forged = { id: 'sub_mine', account_number: '1', kyc_level: 3, balance: '9.00 SLE', created_at: 'never' };
  const { subscriber } = (await register(body(forged))).json;
  for (const [field, value] of Object.entries(forged)) assert.notEqual(subscriber[field], value);
  assert.equal(subscriber.kyc_level, 1);
});

test('an unknown or malformed id returns 404', async () => {
  for (const id of ['sub_unknown', "'%20or%201=1--", '%F0%9F%98%80', 'sub_%25', 'x'.repeat(200), '..%2f..%2fadmin']) {
    const reply = await kissi.call('GET', `/api/v1/subscribers/${id}`, { token: key });
    assert.deepEqual([reply.status, reply.json.code], [404, 'NOT_FOUND'], id);
  }
});

test('500 concurrent reads each return the requested subscriber', async () => {
  const created: Json[] = [];
  for (let index = 0; index < 20; index++) created.push((await register(body())).json.subscriber);
  const replies = await Promise.all(
    Array.from({ length: 500 }, (_, index) =>
      kissi.call('GET', `/api/v1/subscribers/${created[index % 20].id}`, { token: key }),
    ),
  );
  for (const [index, reply] of replies.entries()) assert.deepEqual(reply.json.subscriber, created[index % 20]);
});

test('an internal service can read a subscriber but not change or list subscribers', async () => {
  const { subscriber } = (await register(body())).json;
  const path = `/api/v1/subscribers/${subscriber.id}`;
  const signed = (method: string, target: string) => ({ headers: serviceHeaders(method, target) });
  assert.deepEqual((await kissi.call('GET', path, signed('GET', path))).json, { subscriber });
  assert.equal((await kissi.call('GET', path, signed('GET', `${path}x`))).status, 401);
  const writes = ['', '/block', '/unblock', '/activate', '/verify-pin', '/change-pin'].map((end) => path + end);
  for (const target of writes) {
    const method = target === path ? 'PUT' : 'POST';
    const reply = await kissi.call(method, target, { ...signed(method, target), body: { pin: '1234' } });
    assert.deepEqual([reply.status, reply.json.code], [401, 'UNAUTHORIZED'], target);
  }
  assertStatus(await kissi.call('GET', '/api/v1/subscribers', signed('GET', '/api/v1/subscribers')), 401);
});

test('every route except the public one requires a credential', async () => {
  const routes = [
    ['POST', ''],
    ['GET', ''],
    ['GET', '/sub_x'],
    ['PUT', '/sub_x'],
    ...['block', 'unblock', 'activate', 'verify-pin', 'change-pin'].map((verb) => ['POST', `/sub_x/${verb}`]),
  ];
  for (const [method = '', end = ''] of routes) {
    const reply = await kissi.call(method, `/api/v1/subscribers${end}`, method === 'GET' ? {} : { body: {} });
    assert.deepEqual([reply.status, reply.json.code], [401, 'UNAUTHORIZED'], `${method} ${end}`);
  }
});

test('a public registration with max_child_cards above the default gets 400; the default and less are accepted', async () => {
  const registerPublicly = (max_child_cards: number) =>
    kissi.call('POST', '/api/v1/public/subscribers', { body: body({ max_child_cards }) });
  const before = await countRows();
  for (const max of [5, 100]) {
    const reply = await registerPublicly(max);
    assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_REQUEST'], reply.text);
    assert.match(reply.json.error, /max_child_cards/);
  }
  assert.equal(await countRows(), before);
  for (const max of [0, 4]) {
    const reply = await registerPublicly(max);
    assert.deepEqual([reply.status, reply.json.subscriber?.max_child_cards], [201, max], reply.text);
  }
  assert.equal((await register(body({ max_child_cards: 5 }))).status, 201, 'with a credential more are possible');
});

test('a subscriber is read with a bearer credential although single service headers are sent too', async () => {
  const { json } = await register(body());
  const path = `/api/v1/subscribers/${json.subscriber_id}`;
  const { 'x-service-name': name = '', ...rest } = serviceHeaders('GET', path);
  const status = async (headers: Record<string, string>, token?: string) =>
    (await kissi.call('GET', path, { headers, ...(token ? { token } : {}) })).status;
  assert.equal(await status({ 'x-service-name': name }, key), 200, 'a stray name');
  assert.equal(await status(rest, key), 200, 'a timestamp and a signature without a name');
  assert.equal(await status({ 'x-service-name': name }), 401, 'no bearer credential');
  assert.equal(await status({ 'x-service-name': name }, 'wrong'), 401, 'a wrong bearer credential');
  assert.equal(await status({ 'x-service-name': name, ...rest }), 200, 'complete headers');
  assert.equal(await status({ 'x-service-name': name, ...rest }, 'wrong'), 200, 'the signature decides');
  const forged = { ...rest, 'x-service-signature': '0'.repeat(64), 'x-service-name': name };
  assert.equal(await status(forged, key), 401, 'a wrong signature is not replaced by a good credential');
});
