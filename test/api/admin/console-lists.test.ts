// Lists that the console needs: keys by owner, a merchant's own keys, pay-outs of all merchants, and names in the audit log.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { user } from '../../support/approvals.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { testBank } from '../../support/inbound.ts';
import { bankForFile } from '../../support/money.ts';
import { directPayments, merchantToken, newMerchant } from '../../support/processors.ts';
import { apiKey, assertRefused, auditLogs, runChore } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const admin = await kissi.adminToken();

async function get(path: string, token = admin): Promise<Json> {
  return assertStatus(await kissi.call('GET', `/api/v1${path}`, { token }), 200).json;
}
const ids = (rows: Json[]) => rows.map(({ id }) => id);

test('API keys are listed by partner and by processor', async () => {
  const [merchant, other] = [await newMerchant(kissi), await newMerchant(kissi)];
  const { partnerId, key } = await testBank(kissi);
  const first = await apiKey(kissi, ['payments:read'], { processor_id: merchant.id });
  const second = await apiKey(kissi, ['payments:read'], { processor_id: merchant.id });
  const ofMerchant = await get(`/admin/api-keys?processor_id=${merchant.id}`);
  assert.deepEqual([ids(ofMerchant.api_keys), ofMerchant.total_count], [[second.id, first.id], 2]);
  assert.deepEqual(ids((await get(`/admin/api-keys?partner_id=${partnerId}`)).api_keys), [key.id]);
  assert.deepEqual((await get(`/admin/api-keys?processor_id=${other.id}`)).api_keys, []);
});

test("a merchant's own login lists the keys of its terminals without secrets, and not those of others", async () => {
  const merchant = await newMerchant(kissi);
  const key = await apiKey(kissi, ['payments:write'], { processor_id: merchant.id, name: 'Terminal 1' });
  const revoked = await apiKey(kissi, ['payments:write'], { processor_id: merchant.id, name: 'Terminal 2' });
  await kissi.call('DELETE', `/api/v1/admin/api-keys/${revoked.id}`, { token: admin });
  const terminal = await terminalOf(kissi, { keyExtra: {} });
  const own = await merchantToken(kissi, merchant);
  const { keys, total_count } = await get(`/processors/${merchant.id}/keys`, own);
  assert.equal(total_count, 2);
  const created_at = new Date(kissi.clock.now()).toISOString();
  assert.deepEqual(keys, [
    { id: revoked.id, name: 'Terminal 2', status: 'revoked', last_used_at: null, expires_at: null, created_at },
    { id: key.id, name: 'Terminal 1', status: 'active', last_used_at: null, expires_at: null, created_at },
  ]);
  const foreign = await kissi.call('GET', `/api/v1/processors/${terminal.merchant.id}/keys`, { token: own });
  assert.ok([403, 404].includes(foreign.status), foreign.text);
  assertRefused(await kissi.call('GET', '/api/v1/processors/proc_unknown/keys', { token: admin }), 404, 'NOT_FOUND');
});

test('the list of keys shows when a terminal last used its key', async () => {
  const merchant = await newMerchant(kissi);
  const terminal = await terminalOf(kissi, { merchant, keyExtra: { processor_id: merchant.id } });
  const card = await bank.card(await bank.wallet(1_000_000));
  assertStatus(await terminal.pay(card), 200);
  await runChore(kissi, 'write the request log');
  const [key] = (await get(`/processors/${merchant.id}/keys`)).keys;
  assert.equal(key.last_used_at, new Date(kissi.clock.now()).toISOString());
});

test('finance lists the pay-outs of all merchants, with their names', async () => {
  const finance = await user(kissi, 'finance_user');
  const payments = directPayments(kissi, bank);
  const made: string[] = [];
  for (const business_name of ['Abacha Street Electronics', 'Lumley Beach Bar']) {
    const merchant = await payments.fundedMerchant(500, { business_name });
    const body = { amount: 500, bank_account: 'SL0042001', request_id: `payout-${made.length}` };
    const reply = await kissi.call('POST', `/api/v1/processors/${merchant.id}/payout`, { body, token: finance.token });
    assert.equal(reply.status, 200, reply.text);
    made.unshift(reply.json.transaction_id);
  }
  const { payouts, total_count } = await get('/admin/payouts', finance.token);
  assert.deepEqual(
    payouts.map(({ transaction_id, processor_name, state }: Json) => [transaction_id, processor_name, state]),
    [
      [made[0], 'Lumley Beach Bar', 'in_transit'],
      [made[1], 'Abacha Street Electronics', 'in_transit'],
    ],
  );
  assert.equal(total_count, 2);
  assert.deepEqual((await get('/admin/payouts?state=cleared', finance.token)).payouts, []);
  const support = await user(kissi, 'support_user');
  assertRefused(await kissi.call('GET', '/api/v1/admin/payouts', { token: support.token }), 403, 'FORBIDDEN');
});

test('the audit log names users and keys, and its verification shows the ends of the chains', async () => {
  const sales = await user(kissi, 'sales_user');
  const { rows } = await kissi.db.query('select first_name, last_name from users where id = $1', [sales.id]);
  const merchant = await newMerchant(kissi);
  const body = { reason: 'Documents expired' };
  const suspended = await kissi.call('POST', `/api/v1/processors/${merchant.id}/suspend`, { body, token: sales.token });
  assert.equal(suspended.status, 200, suspended.text);
  const [entry] = await auditLogs(kissi, { action: 'processor.suspend', resource_id: merchant.id });
  assert.equal(entry?.actor_name, `${rows[0].first_name} ${rows[0].last_name}`);
  const all = await auditLogs(kissi, { limit: '100' });
  const key = all.find(({ actor_type }) => actor_type === 'key');
  if (key) assert.equal(typeof key.actor_name, 'string');
  for (const { actor_type, actor_name } of all) if (actor_type === 'system') assert.equal(actor_name, null);
  const { valid, entries, heads } = await get('/audit/verify');
  const last = await kissi.db.query(`select encode(hash, 'hex') as hash from audit_log where seq = $1`, [entries]);
  assert.deepEqual([valid, heads.audit.entry, heads.audit.hash], [true, entries, last.rows[0].hash]);
  const sealed = await kissi.db.query('select count(distinct batch >> 32)::int as chains from seals');
  assert.equal(heads.seals.length, sealed.rows[0].chains);
  assert.ok(heads.seals.length > 0);
});
