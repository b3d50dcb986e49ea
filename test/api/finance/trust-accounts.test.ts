// Trust accounts: registration, changes, closing, and who may do what.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CSV, csvFile, newTrustAccount, uploadStatement } from '../../support/bank-files.ts';
import { assertStatus, gatewayForFile } from '../../support/gateway.ts';
import { assertRefused, auditLogs, openSession, staffMember } from '../../support/staff.ts';

const kissi = await gatewayForFile();
const staff = await staffMember(kissi, 'finance_user');
const token: string = (await openSession(kissi, staff)).token;
const PATH = '/api/v1/admin/trust-accounts';
const FIELDS = { name: 'E-money trust', bank: 'Salone Commercial Bank', account_number: '003-0012 3456.78' };
const call = (method: string, path: string, body?: object) =>
  kissi.call(method, `${PATH}${path}`, { token, ...(body ? { body } : {}) });

test('a trust account is registered, audited, listed and found', async () => {
  const reply = assertStatus(await call('POST', '', { ...FIELDS, currency: 'SLE' }), 201);
  const { trust_account: account, ...rest } = reply.json;
  assert.deepEqual(rest, { success: true, message: 'The trust account was registered.' });
  const { id, created_at, updated_at, ...fields } = account;
  assert.match(id, /^trust_[0-9A-Z]{26}$/);
  assert.equal(created_at, updated_at);
  assert.deepEqual(fields, {
    ...{ ...FIELDS, account_number: '0030012345678', currency: 'SLE', status: 'active' },
    ...{ balance: null, balance_date: null },
  });
  assert.deepEqual((await call('GET', `/${id}`)).json, { trust_account: account });
  const list = (await call('GET', '')).json;
  assert.deepEqual(list, { trust_accounts: [account], total_count: 1, limit: 50, offset: 0 });
  assert.equal((await call('GET', '?status=closed')).json.total_count, 0);
  const csv = await kissi.call('GET', PATH, { token, headers: { accept: 'text/csv' } });
  assert.match(csv.text, new RegExp(`^id,name,bank,.*\\r?\\n${id},E-money trust,`));
  const [entry] = await auditLogs(kissi, { action: 'trust_account.create' });
  assert.deepEqual([entry?.actor_id, entry?.resource_id], [staff.id, id]);
});

test('the same account of a bank is registered once, even when two requests race', async () => {
  const body = { ...FIELDS, bank: 'Race Bank' };
  const replies = await Promise.all(Array.from({ length: 6 }, () => call('POST', '', body)));
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409]);
  assertRefused(await call('POST', '', { ...body, account_number: '003.00-12345678' }), 409, 'TRUST_ACCOUNT_EXISTS');
  const other = await newTrustAccount(kissi, token, { bank: 'Race Bank', account_number: '999999' });
  const change = { account_number: FIELDS.account_number };
  assertRefused(await call('PUT', `/${other.id}`, change), 409, 'TRUST_ACCOUNT_EXISTS');
});

test('account numbers need letters or digits; the only currency is SLE', async () => {
  for (const account_number of ['', ' ', '---', '12', 'ABC€1', '1'.repeat(41), 5]) {
    assertRefused(await call('POST', '', { ...FIELDS, account_number }), 400, 'INVALID_REQUEST');
  }
  assertRefused(await call('POST', '', { ...FIELDS, bank: 'X', currency: 'USD' }), 400, 'INVALID_REQUEST');
});

test('a change is audited with its differences; unchanged fields are no change', async () => {
  const { id, name } = await newTrustAccount(kissi, token);
  const reply = assertStatus(await call('PUT', `/${id}`, { name: 'New name', account_number: '77-77' }), 200);
  assert.deepEqual([reply.json.trust_account.name, reply.json.trust_account.account_number], ['New name', '7777']);
  assertStatus(await call('PUT', `/${id}`, { account_number: '7777' }), 200);
  const entries = (await auditLogs(kissi, { action: 'trust_account.update' })).filter(
    ({ resource_id }) => resource_id === id,
  );
  assert.equal(entries.length, 1);
  assert.deepEqual(entries[0]?.details.name, { from: name, to: 'New name' });
  assertRefused(await call('PUT', `/${id}`, { balance: 5 }), 400, 'INVALID_REQUEST');
  assertRefused(await call('PUT', '/trust_UNKNOWN', { name: 'x' }), 404, 'NOT_FOUND');
  assertRefused(await call('GET', '/trust_UNKNOWN'), 404, 'NOT_FOUND');
});

test('an account with statements keeps its number, and is closed only when it is empty', async () => {
  const { id } = await newTrustAccount(kissi, token);
  const upload = (file: string) => uploadStatement(kissi, token, id, [CSV, file]);
  assert.equal((await upload(csvFile({ entries: [{ amount: 500 }] }))).status, 201);
  assertRefused(await call('PUT', `/${id}`, { account_number: '123456' }), 409, 'TRUST_ACCOUNT_IN_USE');
  assertRefused(await call('PUT', `/${id}`, { status: 'closed' }), 409, 'TRUST_ACCOUNT_IN_USE');
  const emptied = csvFile({ opening: 500, entries: [{ amount: -500 }], from: '2026-02-24' });
  assert.equal((await upload(emptied)).status, 201);
  const { balance, balance_date } = (await call('GET', `/${id}`)).json.trust_account;
  assert.deepEqual([balance, balance_date], [0, '2026-02-24']);
  assert.equal((await call('PUT', `/${id}`, { status: 'closed' })).status, 200);
  const more = csvFile({ entries: [{ amount: 1 }], from: '2026-02-25' });
  assertRefused(await upload(more), 409, 'TRUST_ACCOUNT_CLOSED');
  assert.equal((await upload(emptied)).status, 200);
  assert.equal((await call('PUT', `/${id}`, { status: 'active' })).status, 200);
  assert.equal((await upload(more)).status, 201);
});
