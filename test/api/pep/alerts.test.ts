// Tests that, without open access, alerts about politically exposed persons show only an id and a status.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ALERTS, alertBody, raiseAlert, SERVICE_ENV, serviceCall } from '../../support/compliance.ts';
import { assertStatus, type Json, testGateway } from '../../support/gateway.ts';
import { createBank, PIN, type Wallet } from '../../support/money.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { assertRefused, auditLogs, staffToken } from '../../support/staff.ts';

/** Above the threshold of the built-in rule that flags payments. */
const LARGE = 6_000_000;

const kissi = await testGateway({ env: SERVICE_ENV });
const bank = await createBank(kissi);
const [pep, other] = [await bank.wallet(40_000_000), await bank.wallet(40_000_000)];
await markPep(kissi, pep.id);
const open = await newAuthorizedStaff(kissi, 'system_admin');
await openAccess(kissi, open);
const unopened = await newAuthorizedStaff(kissi, 'compliance_user');
/** Tokens of users who may list alerts but have not opened access. */
const tokensWithoutAccess: string[] = [
  unopened.token,
  await staffToken(kissi, 'compliance_user'),
  await staffToken(kissi, 'audit_user'),
];
after(() => kissi.close());

async function pay(from: Wallet, to: Wallet, amount = LARGE): Promise<string> {
  const body = { sender_id: from.id, recipient_id: to.id, amount, pin: PIN };
  return assertStatus(await bank.post('/wallet/transfer', body), 200).json.transaction_id;
}

async function alertsOf(query: string, token: string): Promise<Json> {
  return assertStatus(await kissi.call('GET', `${ALERTS}?${query}`, { token }), 200).json;
}

const accesses = async () => (await auditLogs(kissi, { actor_id: open.id, action: 'pep.access' })).length;

test('an alert about a payment by or to the PEP is not found by payment, and is refused with 403 by id', async () => {
  for (const transaction of [await pay(pep, other), await pay(other, pep)]) {
    const { alerts, total_count } = await alertsOf(`transaction_id=${transaction}`, open.token);
    assert.deepEqual([total_count, alerts[0].transaction_id], [1, transaction]);
    const { id } = alerts[0];
    for (const token of tokensWithoutAccess) {
      const seen = await alertsOf(`transaction_id=${transaction}`, token);
      assert.deepEqual([seen.alerts, seen.total_count], [[], 0]);
      assertRefused(await kissi.call('GET', `${ALERTS}/${id}`, { token }), 403, 'PEP_ACCESS_REQUIRED');
    }
    const whole = await kissi.call('GET', `${ALERTS}/${id}`, { token: open.token });
    assert.deepEqual(whole.json.alert, alerts[0]);
  }
});

test('an alert that names only the transaction is masked too, and creating one requires access', async () => {
  const transaction_id = await pay(other, pep, 1_000);
  const raised = await kissi.call('POST', ALERTS, { body: alertBody({ transaction_id }), token: open.token });
  assert.equal(raised.status, 201, raised.text);
  const { id } = raised.json.alert;
  const [token = ''] = tokensWithoutAccess;
  const { alerts } = await alertsOf('status=open&limit=100', token);
  assert.deepEqual(
    alerts.find((alert: Json) => alert.id === id),
    { id, status: 'open' },
  );
  const body = alertBody({ transaction_id });
  assertRefused(await kissi.call('POST', ALERTS, { body, token }), 403, 'PEP_ACCESS_REQUIRED');
  const resolved = await kissi.call('POST', `${ALERTS}/${id}/resolve`, { body: { resolution: 'x' }, token });
  assertRefused(resolved, 403, 'PEP_ACCESS_REQUIRED');
  assertRefused(await kissi.call('POST', `${ALERTS}/${id}/assign`, { token }), 403, 'PEP_ACCESS_REQUIRED');
});

test('a filter by what is masked leaves the alert out of the list and of its count', async () => {
  const { alerts } = await alertsOf('limit=100', open.token);
  const { id, rule_id, severity, type, created_at } = alerts.find((alert: Json) => alert.rule_id);
  const filters = {
    rule_id,
    severity,
    type,
    subscriber_id: other.id,
    from: created_at,
    to: created_at,
    overdue: 'false',
  };
  for (const [name, value] of Object.entries(filters)) {
    const query = new URLSearchParams({ [name]: value, limit: '100' }).toString();
    const [whole, seen] = [await alertsOf(query, open.token), await alertsOf(query, unopened.token)];
    if (name !== 'subscriber_id')
      assert.ok(
        whole.alerts.some((alert: Json) => alert.id === id),
        name,
      );
    assert.ok(
      seen.alerts.every((alert: Json) => 'figures' in alert || 'severity' in alert),
      name,
    );
    assert.equal(seen.total_count, seen.alerts.length, name);
    const byDueTime = await alertsOf(`${query}&sort=due_at`, unopened.token);
    assert.equal(byDueTime.total_count, seen.total_count, name);
  }
});

test('alerts about others are shown in full, and each list that shows the PEP is audited once', async () => {
  const plain = await raiseAlert(kissi, { subscriber_id: other.id, type: 'manual' });
  for (const token of [...tokensWithoutAccess, open.token]) {
    const { alerts } = await alertsOf('limit=100', token);
    assert.deepEqual(
      alerts.find(({ id }: Json) => id === plain.id),
      plain,
    );
  }
  const before = await accesses();
  await alertsOf(`subscriber_id=${pep.id}`, open.token);
  await alertsOf('limit=100', open.token);
  assert.equal(await accesses(), before + 2);
  await alertsOf('type=manual', open.token);
  assert.equal(await accesses(), before + 2, 'no PEP was shown');
});

test('for callers without access, the queue by due time lists alerts about the PEP last, in order of creation', async () => {
  const transaction_id = await pay(other, pep, 1_000);
  const about = [
    { transaction_id, severity: 'LOW' },
    { subscriber_id: pep.id, severity: 'CRITICAL' },
  ];
  const hidden: string[] = [];
  for (const fields of about) {
    kissi.clock.advance(1_000);
    const raised = await kissi.call('POST', ALERTS, {
      body: alertBody({ type: 'queue', ...fields }),
      token: open.token,
    });
    assert.equal(raised.status, 201, raised.text);
    hidden.push(raised.json.alert.id);
  }
  const [low = '', critical = ''] = hidden;
  const plain = await raiseAlert(kissi, { subscriber_id: other.id, type: 'queue', severity: 'MEDIUM' });
  const query = 'pending=true&sort=due_at&limit=100';
  const raisedHere = (id: string) => [plain.id, low, critical].includes(id);
  const queue = async (token: string) =>
    (await alertsOf(query, token)).alerts.map(({ id }: Json) => id).filter(raisedHere);
  assert.deepEqual(await queue(open.token), [critical, plain.id, low]);
  for (const token of tokensWithoutAccess) {
    assert.deepEqual(await queue(token), [plain.id, low, critical]);
    assert.deepEqual((await alertsOf(query, token)).alerts.at(-1), { id: critical, status: 'open' });
    const csv = await kissi.call('GET', `${ALERTS}?${query}`, { token, headers: { accept: 'text/csv' } });
    const inFile = csv.text.match(/^alert_\w+/gm)?.filter(raisedHere);
    assert.deepEqual(inFile, [plain.id, low, critical]);
  }
});

test('an internal service can raise an alert about the PEP', async () => {
  const reply = assertStatus(await serviceCall(kissi, alertBody({ subscriber_id: pep.id })), 201);
  assert.equal(reply.json.alert.subject_name, null, 'it learns no name');
});

test('a compliance check requires access, which API keys never have; an unknown subscriber gets 404', async () => {
  const check = (token: string, subscriber_id: string) =>
    kissi.call('POST', '/api/v1/compliance/check', {
      token,
      body: { subscriber_id, transaction_type: 'transfer_p2p', amount: LARGE },
    });
  const [token = ''] = tokensWithoutAccess;
  for (const without of [token, bank.key]) assertRefused(await check(without, pep.id), 403, 'PEP_ACCESS_REQUIRED');
  assertRefused(await check(token, 'sub_unknown'), 404, 'SUBSCRIBER_NOT_FOUND');
  assert.equal((await check(open.token, pep.id)).json.outcome, 'flag');
});
