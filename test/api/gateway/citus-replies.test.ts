// A gateway with the statements for a Citus cluster gives the same replies as one with the plain ones. One PostgreSQL runs both.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ShardMap } from '../../../src/db/citus/shard-map.ts';
import { openDatabase } from '../../../src/db/database.ts';
import { APP_ROLE } from '../../../src/db/schema/migrate.ts';
import { DAY_MS, HOUR_MS, iso } from '../../../src/kernel/clock.ts';
import { asOwner } from '../../ledger/books.ts';
import { newAgent, newSubAgent } from '../../support/agents.ts';
import { csvFile, newTrustAccount, uploadStatement } from '../../support/bank-files.ts';
import { closableFrom, close, dayOf } from '../../support/closes.ts';
import { LONG_TIMEOUTS } from '../../support/database.ts';
import { assertStatus, type CallReply, type Json, type TestGateway, testGateway } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { webhookHeaders } from '../../support/partner.ts';
import { storeAccount } from '../../support/processors.ts';
import { terminalOf } from '../../support/terminal.ts';

const SECRET = 'a-webhook-secret-shared-with-one-partner';
const env = { PARTNER_CASHIN_WEBHOOK_SECRET: SECRET };
const { kissi, bank } = await bankForFile({ env });
const { url } = kissi.db;
const shards = new ShardMap([-(2 ** 31), 0]);
const database = openDatabase({ url, poolSize: 8, role: APP_ROLE, timeouts: LONG_TIMEOUTS, shards });
const onCitus = await testGateway({ env, clock: kissi.clock, db: { ...kissi.db, database } });
after(async () => {
  await onCitus.close();
  await database.close();
});

/** Tokens expire as the clock moves, so each call has a new one. */
async function call(gateway: TestGateway, method: string, path: string, body?: object): Promise<CallReply> {
  const token = await kissi.adminToken();
  const reply = await gateway.call(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
  assert.ok(reply.status < 300, `${path}: ${reply.text}`);
  return reply;
}

const post = async (path: string, body: object): Promise<Json> => (await call(kissi, 'POST', path, body)).json;

/** The reply of both gateways. */
async function same(path: string, body?: object): Promise<Json> {
  const method = body ? 'POST' : 'GET';
  const [expected, found] = [await call(kissi, method, path, body), await call(onCitus, method, path, body)];
  assert.equal(found.text, expected.text, path);
  return found.json;
}

const firstDay = dayOf(kissi.clock.now());
const terminal = await terminalOf(kissi);
const { wallet, card } = await bank.customer(500_000);
const customer = wallet;
const agent = await newAgent(kissi);
const sub = await newSubAgent(kissi, agent);
await post(`/agents/${agent.id}/fund`, { amount: 90_000, request_id: 'fund-1' });
await post(`/agents/${sub.id}/fund`, { amount: 30_000, request_id: 'fund-2' });
kissi.clock.advance(2 * DAY_MS);
for (const amount of [20_000, 30_000]) assert.equal((await terminal.pay(card, { amount })).status, 200);
await post(`/agents/${agent.id}/return-float`, { amount: 15_000, request_id: 'return-1' });
for (const amount of [1_000, 2_000, 3_000]) {
  const to = await bank.wallet();
  const body = { sender_id: wallet.id, recipient_id: to.id, amount, pin: PIN };
  assert.equal((await bank.post('/wallet/transfer', body)).status, 200);
  const back = { sender_id: to.id, recipient_id: wallet.id, amount: 500, pin: PIN };
  assert.equal((await bank.post('/wallet/transfer', back)).status, 200);
}
await payOut();
await creditFromSuspense();
await matchStatement();

/** Three pay-outs: one is returned, and another is on the statement below. */
async function payOut(): Promise<void> {
  const { id } = terminal.merchant;
  await storeAccount(kissi, id, 'RCB-00001');
  for (const amount of [7_000, 6_000, 5_000]) {
    const body = { amount, bank_account: 'RCB-00001', request_id: `payout-${amount}` };
    const { transaction_id } = await post(`/processors/${id}/payout`, body);
    if (amount !== 6_000) continue;
    await post(`/processors/${id}/payouts/${transaction_id}/return`, {
      reason: 'Account closed',
      request_id: 'back-1',
    });
  }
}

/** Three credits, of which one is resolved. */
async function creditFromSuspense(): Promise<void> {
  for (const amount of [700, 800, 900]) {
    const raw = JSON.stringify({
      card_serial: await bank.card(await bank.wallet()),
      amount,
      reference: `slip-${amount}`,
    });
    const reply = await kissi.call('POST', '/webhooks/partner/cashin', { raw, headers: webhookHeaders(SECRET, raw) });
    assert.equal(reply.status, 200, reply.text);
    const { transaction_id } = reply.json;
    const body = { partner_id: bank.partnerId, reason: 'The slip names the partner' };
    if (amount === 800) await post(`/admin/suspense/${transaction_id}/resolve`, body);
  }
}

async function matchStatement(): Promise<void> {
  const token = await kissi.adminToken();
  const trust = await newTrustAccount(kissi, token);
  const entries = [
    { amount: 90_000, reference: 'fund-1' },
    { amount: -7_000 },
    { amount: -250, description: 'Charges' },
  ];
  const file = csvFile({ from: dayOf(kissi.clock.now()), entries });
  assert.equal((await uploadStatement(kissi, token, trust.id, ['text/csv', file])).status, 201);
  const { items } = (await call(kissi, 'GET', '/admin/reconciliation?limit=100')).json;
  const idOf = (side: string) => items.find((each: Json) => each.side === side && each.amount === -7_000).id;
  await post('/admin/reconciliation/matches', { bank_entry_ids: [idOf('bank')], transaction_ids: [idOf('books')] });
}

test('pay-outs, of each state and in pages', async () => {
  for (const base of ['/admin/payouts', `/processors/${terminal.merchant.id}/payouts`]) {
    assert.equal((await same(base)).payouts.length, 3);
    for (const state of ['in_transit', 'cleared', 'returned']) {
      assert.equal((await same(`${base}?state=${state}`)).payouts.length, 1, state);
    }
    assert.equal((await same(`${base}?limit=1&offset=1`)).total_count, 3);
  }
});

test('open suspense items', async () => {
  const { suspense } = await same('/admin/suspense');
  assert.deepEqual(
    suspense.map(({ amount }: Json) => amount),
    [700, 900],
  );
  assert.equal((await same('/admin/suspense?reference=slip-900')).suspense.length, 1);
});

test("items of the reconciliation, and a match's", async () => {
  assert.ok((await same('/admin/reconciliation')).items.length > 6);
  assert.ok((await same('/admin/reconciliation?status=unmatched&side=books&limit=2&offset=1')).items.length === 2);
  const { matches } = await same('/admin/reconciliation/matches');
  assert.equal((await same(`/admin/reconciliation/matches/${matches[0].id}`)).items.length, 2);
});

test('the overview of finance, and trial balances of past instants', async () => {
  const finance = async (gateway: TestGateway) => (await call(gateway, 'GET', '/admin/overview')).json.finance;
  const found = await finance(onCitus);
  assert.deepEqual(found, await finance(kissi));
  assert.equal(found.suspense.under_1_day, 2);
  const now = kissi.clock.now();
  for (const at of [now, now - HOUR_MS, now - DAY_MS]) {
    const { kinds } = await same(`/admin/ledger/trial-balance?at=${encodeURIComponent(iso(at))}`);
    assert.ok(kinds.length > 3);
  }
});

test('the forecast of agent floats', async () => {
  assert.equal((await same('/admin/agents/float')).floats.length, 2);
  assert.equal((await same('/admin/agents/float?type=sub_agent')).floats.length, 1);
});

test("an account's network", async () => {
  const { nodes, links } = await same(`/compliance/network/${customer.id}`);
  assert.ok(nodes.length > 4 && links.length > 6);
});

test('what-if reports', async () => {
  const rule = { name: 'Many transfers', kind: 'velocity_count', transaction_types: ['transfer_p2p'] };
  const terms = { ...rule, threshold: 1, window_seconds: 3_600, outcome: 'flag' };
  assert.ok((await same('/compliance/rules/what-if', terms)).payments_checked > 3);
  const settings = [{ transaction_type: 'transfer_p2p', party_type: 'sender', fee_type: 'flat', fee_value: 5 }];
  assert.ok((await same('/fee-settings/what-if', { settings })).payments > 3);
});

test('a run of the reconciliation finds the same, and undoing and making a match clears the same', async () => {
  const run = (await call(onCitus, 'POST', '/admin/reconciliation/run')).json.run;
  assert.equal(run.matched, 1);
  const { matches } = await same('/admin/reconciliation/matches');
  const cleared = matches.find((each: Json) => each.bank_amount === -7_000);
  await call(onCitus, 'DELETE', `/admin/reconciliation/matches/${cleared.id}`);
  assert.equal((await same('/admin/payouts?state=cleared')).payouts.length, 0);
  const again = { bank_entry_ids: cleared.bank_entry_ids, transaction_ids: cleared.transaction_ids };
  await call(onCitus, 'POST', '/admin/reconciliation/matches', again);
  assert.equal((await same('/admin/payouts?state=cleared')).payouts.length, 1);
});

/** While workers answer that nothing was interrupted there. */
async function withWorkers<T>(work: () => Promise<T>): Promise<T> {
  return asOwner(url, async (owner) => {
    await owner.query(`create function public.run_command_on_workers(text) returns table (success boolean, result text)
      language sql as $$ values (true, '0') $$`);
    try {
      return await work();
    } finally {
      await owner.query('drop function public.run_command_on_workers');
    }
  });
}

test('a close signs the same figures', async () => {
  kissi.clock.advance(closableFrom(dayOf(kissi.clock.now())) - kissi.clock.now());
  const first = assertStatus(await close(kissi, { date: firstDay }), 201);
  const correction = { date: firstDay, corrects: first.json.close.id, reason: 'Read on a cluster' };
  const second = assertStatus(await withWorkers(() => close(onCitus, correction)), 201);
  const figures = ({ json }: CallReply) => {
    const { e_money, ledger, partners, suspense, unmatched, movements } = JSON.parse(json.close.document);
    return { e_money, ledger, partners, suspense, unmatched, movements };
  };
  assert.equal(figures(second).partners.partners.length, 1);
  assert.deepEqual(figures(second), figures(first));
});
