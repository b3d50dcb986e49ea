// POST /compliance/check: previews the rules for a payment, with the same rules and counts as the payment itself.
import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import pg from 'pg';
import { MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { ALERTS } from '../../support/compliance.ts';
import { assertStatus, type CallReply, type Json, testGateway } from '../../support/gateway.ts';
import { createBank, PIN, type Wallet } from '../../support/money.ts';
import { apiKey, assertRefused, auditLogs, openSession, staffMember } from '../../support/staff.ts';

let admin: string;
const CHECK = '/api/v1/compliance/check';
const RULES = '/api/v1/compliance/rules';

const kissi = await testGateway();
const bank = await createBank(kissi);
admin = await kissi.adminToken();
const { rules } = (await kissi.call('GET', RULES, { token: admin })).json;
for (const { id } of rules) await disable(id);
after(() => kissi.close());

const createdRules: string[] = [];
afterEach(async () => {
  admin = await kissi.adminToken();
  for (const id of createdRules.splice(0)) await disable(id);
});

async function disable(id: string): Promise<void> {
  await kissi.call('PUT', `${RULES}/${id}`, { body: { enabled: false }, token: admin });
}

async function addRule(extra: Record<string, unknown> = {}): Promise<Json> {
  const defaults = {
    name: 'Large',
    kind: 'amount',
    transaction_types: ['transfer_p2p'],
    threshold: 100_000,
    outcome: 'flag',
  };
  const reply = assertStatus(await kissi.call('POST', RULES, { body: { ...defaults, ...extra }, token: admin }), 201);
  createdRules.push(reply.json.rule.id);
  return reply.json.rule;
}

const check = (wallet: { id: string }, extra: Record<string, unknown> = {}, headers: Record<string, string> = {}) => {
  const body = { subscriber_id: wallet.id, transaction_type: 'transfer_p2p', amount: 100_000, ...extra };
  return kissi.call('POST', CHECK, { body, token: bank.key, headers });
};
const transfer = (from: Wallet, to: Wallet, amount: number) =>
  bank.post('/wallet/transfer', { sender_id: from.id, recipient_id: to.id, amount, pin: PIN });

async function alertsOf(wallet: { id: string }): Promise<Json[]> {
  const reply = await kissi.call('GET', `${ALERTS}?subscriber_id=${wallet.id}`, { token: await kissi.adminToken() });
  return reply.json.alerts;
}

/** The value that an alert states for its first rule; replies to keys do not contain it. */
const countedIn = async ({ json }: CallReply, field: 'count' | 'sum') => {
  const { alert } = (await kissi.call('GET', `${ALERTS}/${json.alert_id}`, { token: await kissi.adminToken() })).json;
  return alert.figures.rules[0][field];
};

const outcomeOf = ({ status, json }: CallReply) => [status, json.success, json.outcome];

test('a payment that exceeds no rule passes without an alert', async () => {
  await addRule();
  const wallet = await bank.wallet();
  assert.deepEqual((await check(wallet)).json, { success: true, outcome: 'pass', rules: [] });
  const other = await check(wallet, { transaction_type: 'pos_payment', amount: 100_001 });
  assert.deepEqual(outcomeOf(other), [200, true, 'pass']);
  assert.deepEqual(await alertsOf(wallet), []);
});

test('exceeding the threshold of a flagging rule flags the payment and raises an alert of its severity', async () => {
  const { id, name } = await addRule({ severity: 'HIGH' });
  const wallet = await bank.wallet();
  const reply = await check(wallet, { amount: '100001' });
  assert.deepEqual(outcomeOf(reply), [200, true, 'flag']);
  assert.deepEqual(reply.json.rules, [{ id }], 'a key learns no threshold');
  const asStaff = { subscriber_id: (await bank.wallet()).id, transaction_type: 'transfer_p2p', amount: 100_001 };
  const [exceeded] = (await kissi.call('POST', CHECK, { body: asStaff, token: admin })).json.rules;
  assert.deepEqual(
    [exceeded.id, exceeded.name, exceeded.threshold, exceeded.window_seconds, exceeded.found],
    [id, name, 100_000, null, 100_001],
  );
  const [alert] = await alertsOf(wallet);
  assert.equal(alert.id, reply.json.alert_id);
  assert.deepEqual([alert.severity, alert.status, alert.rule_id, alert.rule_version], ['HIGH', 'open', id, 1]);
  assert.deepEqual([alert.transaction_id, alert.subscriber_id], [null, wallet.id]);
  assert.deepEqual(alert.figures.checked_by, { type: 'key', id: bank.keyId });
});

test('a blocking rule outranks flagging rules, and its alert is CRITICAL', async () => {
  await addRule({ severity: 'HIGH' });
  const blocking = await addRule({ outcome: 'block', threshold: 200_000, severity: 'LOW' });
  const wallet = await bank.wallet();
  assert.deepEqual(outcomeOf(await check(wallet, { amount: 200_000 })), [200, true, 'flag']);
  const reply = await check(wallet, { amount: 200_001 });
  assert.deepEqual([...outcomeOf(reply), reply.json.rules.length], [200, true, 'block', 2]);
  const alert = (await alertsOf(wallet)).find(({ id }) => id === reply.json.alert_id);
  assert.deepEqual([alert.severity, alert.rule_id, alert.due_at], ['CRITICAL', blocking.id, alert.created_at]);
});

test('a limit of three payments per hour allows three, for checks and payments, in a sliding window', async () => {
  await addRule({ kind: 'velocity_count', threshold: 3, window_seconds: 3_600, outcome: 'block' });
  const [from, to] = [await bank.wallet(1_000_000), await bank.wallet()];
  for (let paid = 0; paid < 3; paid++) {
    assert.equal((await check(from, { amount: 1_000 })).json.outcome, 'pass');
    assert.equal((await transfer(from, to, 1_000)).status, 200);
    kissi.clock.advance(SECOND_MS);
  }
  const blocked = await check(from, { amount: 1_000 });
  assert.deepEqual([blocked.json.outcome, await countedIn(blocked, 'count')], ['block', 4]);
  assertRefused(await transfer(from, to, 1_000), 422, 'COMPLIANCE_BLOCKED');
  assert.equal((await check(to, { amount: 1_000 })).json.outcome, 'pass');
  kissi.clock.advance(3_597 * SECOND_MS);
  assert.equal((await check(from, { amount: 1_000 })).json.outcome, 'pass');
  assert.equal((await transfer(from, to, 1_000)).status, 200);
});

test('velocity_amount sums the payments within the window, including this one', async () => {
  await addRule({ kind: 'velocity_amount', threshold: 300_000, window_seconds: 86_400 });
  const [from, to] = [await bank.wallet(1_000_000), await bank.wallet()];
  assert.equal((await transfer(from, to, 200_000)).status, 200);
  assert.equal((await check(from, { amount: 100_000 })).json.outcome, 'pass');
  const flagged = await check(from, { amount: 100_001 });
  assert.deepEqual([flagged.json.outcome, await countedIn(flagged, 'sum')], ['flag', 300_001]);
});

test('a changed or disabled rule applies from the next check', async () => {
  const { id } = await addRule();
  const wallet = await bank.wallet();
  const change = (body: unknown) => kissi.call('PUT', `${RULES}/${id}`, { body, token: admin });
  const outcome = async () => (await check(wallet, { amount: 150_000 })).json.outcome;
  assert.equal(await outcome(), 'flag');
  await change({ threshold: 150_000 });
  assert.equal(await outcome(), 'pass');
  await change({ threshold: 149_999, outcome: 'block' });
  assert.equal(await outcome(), 'block');
  await change({ enabled: false });
  assert.equal(await outcome(), 'pass');
});

test('another gateway applies a changed rule within one second', async () => {
  const other = await testGateway({ db: kissi.db, clock: kissi.clock });
  try {
    const wallet = await bank.wallet();
    const body = { subscriber_id: wallet.id, transaction_type: 'transfer_p2p', amount: 150_000 };
    const outcome = async () => (await other.call('POST', CHECK, { body, token: bank.key })).json.outcome;
    assert.equal(await outcome(), 'pass');
    await addRule();
    kissi.clock.advance(SECOND_MS);
    assert.equal(await outcome(), 'flag');
  } finally {
    await other.close();
  }
});

test('the same check under the same request_id returns the same alert', async () => {
  await addRule();
  const wallet = await bank.wallet();
  const first = await check(wallet, { amount: 150_000, request_id: 'check-1' });
  const again = await check(wallet, { amount: 150_000 }, { 'x-request-id': 'check-1' });
  const others = [
    await check(wallet, { amount: 150_001, request_id: 'check-1' }),
    await check(wallet, { amount: 150_000, request_id: 'check-2' }),
    await check(wallet, { amount: 150_000 }),
  ];
  assert.equal(again.json.alert_id, first.json.alert_id);
  // Within a minute, an identical check under another request_id, or none, returns the same alert too.
  const ids = [first, ...others].map(({ json }) => json.alert_id);
  assert.deepEqual(ids, [ids[0], ids[1], ids[0], ids[0]]);
  assert.deepEqual([new Set(ids).size, (await alertsOf(wallet)).length], [2, 2]);
  kissi.clock.advance(MINUTE_MS);
  assert.notEqual((await check(wallet, { amount: 150_000, request_id: 'check-3' })).json.alert_id, ids[0]);
  const repeated = await check(wallet, { amount: 150_000, request_id: 'check-1' });
  assert.deepEqual([repeated.json.alert_id, (await alertsOf(wallet)).length], [ids[0], 3]);
});

test('rejects an unknown subscriber, an invalid type and an invalid amount', async () => {
  const wallet = await bank.wallet();
  assertRefused(await check({ id: 'sub_x' }), 404, 'SUBSCRIBER_NOT_FOUND');
  for (const amount of [0, -1, 1.5, '1e3', '', 2 ** 53]) {
    assertRefused(await check(wallet, { amount }), 400, 'INVALID_AMOUNT', String(amount));
  }
  for (const body of [{ transaction_type: 'loan' }, { amount: null }, { subscriber_id: 7 }, { request_id: 'a b' }]) {
    assertRefused(await check(wallet, body), 400, 'INVALID_REQUEST', JSON.stringify(body));
  }
});

test("an alert raised by a compliance officer's check is audited; a partner's key gets 403", async () => {
  await addRule();
  const wallet = await bank.wallet();
  const member = await staffMember(kissi, 'compliance_user');
  const { token } = await openSession(kissi, member);
  const body = { subscriber_id: wallet.id, transaction_type: 'transfer_p2p', amount: 150_000 };
  const { json } = await kissi.call('POST', CHECK, { body, token });
  const [entry] = await auditLogs(kissi, { resource_id: json.alert_id });
  assert.deepEqual([entry.action, entry.actor_id], ['compliance.check', member.id]);
  const partnerKey = await apiKey(kissi, ['payments:write'], { partner_id: bank.partnerId });
  assertRefused(await kissi.call('POST', CHECK, { body, token: partnerKey.key }), 403, 'FORBIDDEN');
});

test('unreadable rules fail the check with 500 instead of passing it', async () => {
  const wallet = await bank.wallet();
  kissi.clock.advance(SECOND_MS);
  const owner = new pg.Client({ connectionString: kissi.db.url });
  await owner.connect();
  try {
    await owner.query('alter table compliance_rules rename to compliance_rules_gone');
    assertRefused(await check(wallet), 500, 'INTERNAL_ERROR');
    await owner.query('alter table compliance_rules_gone rename to compliance_rules');
  } finally {
    await owner.end();
  }
  assert.equal((await check(wallet)).json.outcome, 'pass');
});
