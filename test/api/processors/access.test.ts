// Tests which roles, scopes and owners can read processors and move their money.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Role, USER_ROLES } from '../../../src/auth/roles.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile, newFundingId } from '../../support/money.ts';
import { assertRefused, directPayments, merchantToken, newMerchantBody } from '../../support/processors.ts';
import { apiKey, auditLogs, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ brokenRules: ['recent_differs'], unauditedRecords: ['user'] });
const payments = directPayments(kissi, bank);
const own = await payments.fundedMerchant(1_000);
const foreign = await payments.fundedMerchant(1_000);
const token = await merchantToken(kissi, own);

const get = (path: string, credential: string) => kissi.call('GET', `/api/v1/processors${path}`, { token: credential });
const post = (path: string, body: unknown, credential: string) =>
  kissi.call('POST', `/api/v1/processors${path}`, { body, token: credential });
const balances = () => Promise.all([own, foreign].map(({ id }) => bank.balance(id)));

/** The credentials of `own`: its user and its key. */
const ownCredentials: [string, () => Promise<string>][] = [
  ['its user', async () => token],
  ['its key', async () => (await apiKey(kissi, ['payments:read', 'payouts:write'], { processor_id: own.id })).key],
];

test('GET /admin/me shows the processor of a user', async () => {
  const { json } = await kissi.call('GET', '/api/v1/admin/me', { token });
  assert.deepEqual([json.role, json.processor_id, json.agent_id], ['processor', own.id, null]);
});

for (const [who, credential] of ownCredentials) {
  describe(`${who}`, () => {
    test('can read its own record and history, and a list with only itself', async () => {
      const ownToken = await credential();
      assert.equal((await get(`/${own.id}`, ownToken)).json.processor.id, own.id);
      const history = await get(`/${own.id}/transactions`, ownToken);
      assert.deepEqual([history.status, history.json.total_count > 0], [200, true]);
      const list = (await get('', ownToken)).json;
      assert.deepEqual([list.total_count, list.processors.map(({ id }: Json) => id)], [1, [own.id]]);
      const search = `?search=${encodeURIComponent(foreign.email)}`;
      assert.deepEqual((await get(search, ownToken)).json.processors, []);
      assert.equal((await get('?status=active', ownToken)).json.total_count, 1);
    });

    test('can transfer its own money', async () => {
      const before = await balances();
      const body = { to_processor_id: foreign.id, amount: 10, request_id: newFundingId() };
      assertStatus(await post(`/${own.id}/transfer`, body, await credential()), 200);
      assert.deepEqual(await balances(), [(before[0] ?? 0) - 10, (before[1] ?? 0) + 10]);
    });

    test('gets 403 on the id of another processor and 404 on an unknown id', async () => {
      const [ownToken, before] = [await credential(), await balances()];
      const others = { [foreign.id]: [403, 'FORBIDDEN'] } as Record<string, [number, string]>;
      for (const id of ['proc_unknown', own.id.toLowerCase(), `${own.id}%20`]) others[id] = [404, 'NOT_FOUND'];
      for (const [id, [status, code]] of Object.entries(others)) {
        assertRefused(await get(`/${id}`, ownToken), status, code, id);
        assertRefused(await get(`/${id}/transactions`, ownToken), status, code, id);
        for (const payee of [{ to_processor_id: own.id }, { to_processor_id: 'proc_unknown' }]) {
          const body = { ...payee, amount: 10, request_id: newFundingId() };
          assertRefused(await post(`/${id}/transfer`, body, ownToken), status, code, id);
        }
      }
      assert.deepEqual(await balances(), before);
    });

    test('cannot create, suspend or reactivate processors, including itself', async () => {
      const ownToken = await credential();
      assertRefused(await post('', newMerchantBody(), ownToken), 403, 'FORBIDDEN');
      for (const { id } of [own, foreign]) {
        assertRefused(await post(`/${id}/suspend`, { reason: 'x' }, ownToken), 403, 'FORBIDDEN');
        assertRefused(await post(`/${id}/reactivate`, {}, ownToken), 403, 'FORBIDDEN');
      }
    });

    test('sees only its own account in GET /transactions and cannot name another', async () => {
      const ownToken = await credential();
      const transactions = await kissi.call('GET', '/api/v1/transactions', { token: ownToken });
      const history = await get(`/${own.id}/transactions`, ownToken);
      assert.deepEqual(transactions.json.transactions, history.json.transactions);
      const wallet = await bank.wallet();
      const other = await kissi.call('GET', `/api/v1/transactions?subscriber_id=${wallet.id}`, { token: ownToken });
      assertRefused(other, 403, 'FORBIDDEN');
    });
  });
}

test('a key can be created only for an existing processor', async () => {
  const admin = await kissi.adminToken();
  const issue = (processor_id: string) => {
    const body = { name: 'Terminal', scopes: ['payments:read'], processor_id };
    return kissi.call('POST', '/api/v1/admin/api-keys', { body, token: admin });
  };
  const { status, json } = await issue(own.id);
  assert.deepEqual([status, json.api_key?.processor_id], [201, own.id]);
  for (const unknown of ['proc_unknown', bank.partnerId]) assertRefused(await issue(unknown), 400, 'INVALID_REQUEST');
});

test("a processor user's refused transfer from another processor is in the audit log", async () => {
  await post(`/${foreign.id}/transfer`, { to_processor_id: own.id, amount: 10 }, token);
  const [entry] = await auditLogs(kissi, { action: 'processor.transfer.refused', resource_id: foreign.id });
  assert.deepEqual([entry.actor_id, entry.details.code], [own.userId, 'FORBIDDEN']);
});

test('a processor user without a processor can read none and move no money', async () => {
  const { queries } = kissi.db.database;
  const unlinked = await payments.fundedMerchant(100);
  const orphan = await merchantToken(kissi, unlinked);
  await queries.updateTable('users').set({ processor_id: null }).where('id', '=', unlinked.userId).execute();
  assert.equal((await get('', orphan)).json.total_count, 0);
  for (const id of [unlinked.id, own.id]) assertRefused(await get(`/${id}`, orphan), 403, 'FORBIDDEN', id);
  for (const id of ['null', 'undefined', 'none']) assertRefused(await get(`/${id}`, orphan), 404, 'NOT_FOUND', id);
  const reply = await post(`/${own.id}/transfer`, { to_processor_id: foreign.id, amount: 1 }, orphan);
  assertRefused(reply, 403, 'FORBIDDEN');
});

test("a partner's key cannot move a processor's money, whatever its scopes", async () => {
  const { key } = await apiKey(kissi, ['payments:write', 'payments:read', 'payouts:write'], {
    partner_id: bank.partnerId,
  });
  const before = await balances();
  assertRefused(await post(`/${own.id}/transfer`, { to_processor_id: foreign.id, amount: 1 }, key), 403, 'FORBIDDEN');
  assert.deepEqual(await balances(), before);
});

test('each role and scope has exactly the permissions of the contract', async () => {
  const readers: Role[] = [
    'system_admin',
    'finance_user',
    'support_user',
    'sales_user',
    'audit_user',
    'compliance_user',
  ];
  const historyReaders: Role[] = ['system_admin', 'finance_user', 'compliance_user', 'support_user', 'audit_user'];
  const permitted: Record<string, readonly Role[]> = {
    read: readers,
    history: historyReaders,
    write: ['system_admin', 'sales_user'],
    transfer: ['system_admin', 'finance_user'],
  };
  const attempts: Record<string, (credential: string) => Promise<{ status: number }>> = {
    read: (credential) => get(`/${own.id}`, credential),
    history: (credential) => get(`/${own.id}/transactions`, credential),
    write: (credential) => post('', newMerchantBody(), credential),
    transfer: (credential) =>
      post(`/${own.id}/transfer`, { to_processor_id: foreign.id, amount: 1, request_id: newFundingId() }, credential),
  };
  for (const role of USER_ROLES.filter((role) => role !== 'processor')) {
    const credential = role === 'system_admin' ? await kissi.adminToken() : await staffToken(kissi, role);
    for (const [action, attempt] of Object.entries(attempts)) {
      const { status } = await attempt(credential);
      assert.equal(status < 300, permitted[action]?.includes(role), `${role}: ${action} got ${status}`);
      if (status >= 300) assert.equal(status, 403);
    }
  }
  const readKey = (await apiKey(kissi, ['payments:read'])).key;
  const writeKey = (await apiKey(kissi, ['payments:write', 'treasury:write'])).key;
  const registrationKey = (await apiKey(kissi, ['processors:write'])).key;
  const payoutKey = (await apiKey(kissi, ['payouts:write'])).key;
  const statuses = async (credential: string) =>
    Promise.all(Object.values(attempts).map(async (attempt) => (await attempt(credential)).status));
  assert.deepEqual(await statuses(readKey), [200, 200, 403, 403]);
  assert.deepEqual(await statuses(writeKey), [403, 403, 403, 403]);
  assert.deepEqual(await statuses(registrationKey), [403, 403, 201, 403]);
  assert.deepEqual(await statuses(payoutKey), [403, 403, 403, 200]);
});
