// Who sees and moves which processor: each role, scope and owner, against its own and against others'.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ROLES, type Role } from '../../src/auth/roles.ts';
import type { Json } from '../support/gateway.ts';
import { bankForFile } from '../support/money.ts';
import { assertRefused, directPayments, merchantToken, newMerchantBody } from '../support/processors.ts';
import { apiKey, auditLogs, staffToken } from '../support/staff.ts';

const { kissi, bank } = await bankForFile();
const payments = directPayments(kissi, bank);
const own = await payments.fundedMerchant(1_000);
const foreign = await payments.fundedMerchant(1_000);
const token = await merchantToken(kissi, own);

const get = (path: string, credential: string) => kissi.call('GET', `/api/v1/processors${path}`, { token: credential });
const post = (path: string, body: unknown, credential: string) =>
  kissi.call('POST', `/api/v1/processors${path}`, { body, token: credential });
const balances = () => Promise.all([own, foreign].map(({ id }) => bank.balance(id)));

/** Whoever belongs to `own`: its user, and a key that was issued for it. */
const belonging: [string, () => Promise<string>][] = [
  ['its user', async () => token],
  ['its key', async () => (await apiKey(kissi, ['payments:read', 'payments:write'], { processor_id: own.id })).key],
];

for (const [who, credential] of belonging) {
  describe(`${who}`, () => {
    test('sees its own record and history, and a list of itself alone', async () => {
      const mine = await credential();
      assert.equal((await get(`/${own.id}`, mine)).json.processor.id, own.id);
      const history = await get(`/${own.id}/transactions`, mine);
      assert.deepEqual([history.status, history.json.total_count > 0], [200, true]);
      const list = (await get('', mine)).json;
      assert.deepEqual([list.total_count, list.processors.map(({ id }: Json) => id)], [1, [own.id]]);
      const search = `?search=${encodeURIComponent(foreign.email)}`;
      assert.deepEqual((await get(search, mine)).json.processors, []);
      assert.equal((await get('?status=active', mine)).json.total_count, 1);
    });

    test('moves its own money', async () => {
      const before = await balances();
      const reply = await post(`/${own.id}/transfer`, { to_processor_id: foreign.id, amount: 10 }, await credential());
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(await balances(), [(before[0] ?? 0) - 10, (before[1] ?? 0) + 10]);
    });

    test('is 403 on another’s id, and 404 on one that nobody has', async () => {
      const [mine, before] = [await credential(), await balances()];
      const others = { [foreign.id]: [403, 'FORBIDDEN'] } as Record<string, [number, string]>;
      for (const id of ['proc_nobody', own.id.toLowerCase(), `${own.id}%20`]) others[id] = [404, 'NOT_FOUND'];
      for (const [id, [status, code]] of Object.entries(others)) {
        assertRefused(await get(`/${id}`, mine), status, code, id);
        assertRefused(await get(`/${id}/transactions`, mine), status, code, id);
        for (const payee of [{ to_processor_id: own.id }, { to_processor_id: 'proc_nobody' }]) {
          assertRefused(await post(`/${id}/transfer`, { ...payee, amount: 10 }, mine), status, code, id);
        }
      }
      assert.deepEqual(await balances(), before);
    });

    test('neither takes processors in nor suspends or reactivates one, not even itself', async () => {
      const mine = await credential();
      assertRefused(await post('', newMerchantBody(), mine), 403, 'FORBIDDEN');
      for (const { id } of [own, foreign]) {
        assertRefused(await post(`/${id}/suspend`, { reason: 'x' }, mine), 403, 'FORBIDDEN');
        assertRefused(await post(`/${id}/reactivate`, {}, mine), 403, 'FORBIDDEN');
      }
    });

    test('sees in GET /transactions its own account and may name no other', async () => {
      const mine = await credential();
      const house = await kissi.call('GET', '/api/v1/transactions', { token: mine });
      const history = await get(`/${own.id}/transactions`, mine);
      assert.deepEqual(house.json.transactions, history.json.transactions);
      const wallet = await bank.wallet();
      const other = await kissi.call('GET', `/api/v1/transactions?subscriber_id=${wallet.id}`, { token: mine });
      assertRefused(other, 403, 'FORBIDDEN');
    });
  });
}

test('a key is issued for a processor there is, and says so', async () => {
  const admin = await kissi.adminToken();
  const issue = (processor_id: string) => {
    const body = { name: 'Till', scopes: ['payments:read'], processor_id };
    return kissi.call('POST', '/api/v1/admin/api-keys', { body, token: admin });
  };
  const { status, json } = await issue(own.id);
  assert.deepEqual([status, json.api_key?.processor_id], [201, own.id]);
  for (const nobody of ['proc_nobody', bank.partnerId]) assertRefused(await issue(nobody), 400, 'INVALID_REQUEST');
});

test('a refused attempt of a processor’s user on another’s money is in the audit log', async () => {
  await post(`/${foreign.id}/transfer`, { to_processor_id: own.id, amount: 10 }, token);
  const [entry] = await auditLogs(kissi, { action: 'processor.transfer.refused', resource_id: foreign.id });
  assert.deepEqual([entry.actor_id, entry.details.code], [own.userId, 'FORBIDDEN']);
});

test('a user of the role that belongs to no processor sees none and moves nothing', async () => {
  const { queries } = kissi.db.database;
  const lost = await payments.fundedMerchant(100);
  const orphan = await merchantToken(kissi, lost);
  await queries.updateTable('users').set({ processor_id: null }).where('id', '=', lost.userId).execute();
  assert.equal((await get('', orphan)).json.total_count, 0);
  for (const id of [lost.id, own.id]) assertRefused(await get(`/${id}`, orphan), 403, 'FORBIDDEN', id);
  for (const id of ['null', 'undefined', 'none']) assertRefused(await get(`/${id}`, orphan), 404, 'NOT_FOUND', id);
  const reply = await post(`/${own.id}/transfer`, { to_processor_id: foreign.id, amount: 1 }, orphan);
  assertRefused(reply, 403, 'FORBIDDEN');
});

test('a key that belongs to a partner moves no processor’s money, whatever its scopes', async () => {
  const { key } = await apiKey(kissi, ['payments:write', 'payments:read'], { partner_id: bank.partnerId });
  const before = await balances();
  const reply = await post(`/${own.id}/transfer`, { to_processor_id: foreign.id, amount: 1 }, key);
  assertRefused(reply, 403, 'FORBIDDEN');
  assert.deepEqual(await balances(), before);
});

test('each role and scope does with any processor what the contract gives it, and no more', async () => {
  const readers: Role[] = [
    'system_admin',
    'finance_user',
    'support_user',
    'sales_user',
    'audit_user',
    'compliance_user',
  ];
  const historians: Role[] = ['system_admin', 'finance_user', 'compliance_user', 'support_user', 'audit_user'];
  const may: Record<string, readonly Role[]> = {
    read: readers,
    history: historians,
    write: ['system_admin', 'sales_user'],
    transfer: ['system_admin', 'finance_user'],
  };
  const attempts: Record<string, (credential: string) => Promise<{ status: number }>> = {
    read: (credential) => get(`/${own.id}`, credential),
    history: (credential) => get(`/${own.id}/transactions`, credential),
    write: (credential) => post('', newMerchantBody(), credential),
    transfer: (credential) => post(`/${own.id}/transfer`, { to_processor_id: foreign.id, amount: 1 }, credential),
  };
  for (const role of ROLES.filter((role) => role !== 'processor')) {
    const credential = role === 'system_admin' ? await kissi.adminToken() : await staffToken(kissi, role);
    for (const [what, attempt] of Object.entries(attempts)) {
      const { status } = await attempt(credential);
      assert.equal(status < 300, may[what]?.includes(role), `${role}: ${what} got ${status}`);
      if (status >= 300) assert.equal(status, 403);
    }
  }
  const reading = (await apiKey(kissi, ['payments:read'])).key;
  const writing = (await apiKey(kissi, ['payments:write'])).key;
  const statuses = async (credential: string) =>
    Promise.all(Object.values(attempts).map(async (attempt) => (await attempt(credential)).status));
  assert.deepEqual(await statuses(reading), [200, 200, 403, 403]);
  assert.deepEqual(await statuses(writing), [403, 403, 403, 200]);
});
