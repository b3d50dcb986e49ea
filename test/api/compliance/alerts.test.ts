// Compliance alerts: creation by staff, listing, review, resolution, dismissal and conflicts of interest.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { agentToken, fundAgent, newAgent, newSubAgent } from '../../support/agents.ts';
import { ALERTS, alertBody, raiseAlert } from '../../support/compliance.ts';
import { assertStatus, type CallReply, type Json, testGateway } from '../../support/gateway.ts';
import { createBank } from '../../support/money.ts';
import { directPayments, newMerchant } from '../../support/processors.ts';
import {
  assertRefused,
  auditLogs,
  openSession,
  staffMember,
  staffToken,
  withLockContention,
} from '../../support/staff.ts';

const kissi = await testGateway();
const officer = await staffMember(kissi, 'compliance_user');
after(() => kissi.close());

/** A new session for each call, because tests advance the clock by days and tokens expire. */
const token = async () => (await openSession(kissi, officer)).token;
const post = async (body: unknown) => kissi.call('POST', ALERTS, { body, token: await token() });
const get = async (path: string) => kissi.call('GET', path, { token: await token() });
const put = async (id: string, body: unknown, by?: string) =>
  kissi.call('PUT', `${ALERTS}/${id}`, { body, token: by ?? (await token()) });
const resolve = async (id: string, body: unknown = { resolution: 'Known customer.' }, by?: string) =>
  kissi.call('POST', `${ALERTS}/${id}/resolve`, { body, token: by ?? (await token()) });
const ids = ({ json }: CallReply) => json.alerts.map(({ id }: Json) => id);
const now = () => new Date(kissi.clock.now()).toISOString();

function assertError(reply: CallReply, status: number, code: string, message: RegExp): void {
  assertRefused(reply, status, code);
  assert.match(reply.json.error, message);
}

test('an alert created by staff returns 201 with the whole record and can be read back', async () => {
  const bank = await createBank(kissi);
  const { id: subscriber_id } = await bank.wallet();
  const reply = assertStatus(await post(alertBody({ subscriber_id })), 201);
  const { id, figures, ...rest } = reply.json.alert;
  const names = 'select first_name, last_name from subscribers where id = $1';
  const [holder] = (await kissi.db.query(names, [subscriber_id])).rows;
  assert.match(id, /^alert_[0-9A-Z]{26}$/);
  assert.deepEqual(figures, { reported_by: { type: 'user', id: officer.id } });
  assert.deepEqual(rest, {
    ...alertBody(),
    status: 'open',
    subscriber_id,
    agent_id: null,
    processor_id: null,
    transaction_id: null,
    rule_id: null,
    rule_version: null,
    notes: null,
    created_at: now(),
    due_at: new Date(kissi.clock.now() + DAY_MS).toISOString(),
    resolved_at: null,
    resolved_by: null,
    resolved_by_name: null,
    reported_by_name: 'Test Person',
    resolution: null,
    outcome: null,
    subject_name: `${holder.first_name} ${holder.last_name}`,
    assigned_to: null,
    assignee_name: null,
    assigned_at: null,
  });
  assert.deepEqual((await get(`${ALERTS}/${id}`)).json, { alert: reply.json.alert });
  const [entry] = await auditLogs(kissi, { resource_id: id });
  assert.deepEqual([entry.action, entry.actor_id], ['compliance_alert.create', officer.id]);
  assert.equal(entry.details.subscriber_id, subscriber_id);
});

test('the severity sets due_at: CRITICAL immediately, HIGH after 24 hours, MEDIUM after 48, LOW none', async () => {
  const delays: Record<string, number | null> = { CRITICAL: 0, HIGH: DAY_MS, MEDIUM: 2 * DAY_MS, LOW: null };
  for (const [severity, delayMs] of Object.entries(delays)) {
    const { due_at } = await raiseAlert(kissi, { severity });
    assert.equal(due_at, delayMs === null ? null : new Date(kissi.clock.now() + delayMs).toISOString(), severity);
  }
});

test('type defaults to manual; missing, unknown or too long fields are rejected by name', async () => {
  assert.equal((await raiseAlert(kissi, { type: undefined })).type, 'manual');
  const before = (await get(`${ALERTS}?limit=0`)).json.total_count;
  for (const field of ['severity', 'description']) {
    assertError(
      await post(alertBody({ [field]: undefined })),
      400,
      'INVALID_REQUEST',
      new RegExp(`^${field} is required`),
    );
  }
  assertError(await post(alertBody({ severity: 'high' })), 400, 'INVALID_REQUEST', /^severity must be one of/);
  for (const description of ['', ' \n ', 'x'.repeat(2_001), 'a\u202eb', 'a\u0007b', 7]) {
    assertError(await post(alertBody({ description })), 400, 'INVALID_REQUEST', /^description must be a text/);
  }
  assertError(await post(alertBody({ type: 'x'.repeat(65) })), 400, 'INVALID_REQUEST', /^type must be one line/);
  assertError(await post(alertBody({ subscriber_id: 'sub_x' })), 404, 'SUBSCRIBER_NOT_FOUND', /^subscriber_id/);
  for (const field of ['agent_id', 'processor_id', 'transaction_id']) {
    assertError(
      await post(alertBody({ [field]: 'unknown_0' })),
      404,
      'NOT_FOUND',
      new RegExp(`^${field} does not identify`),
    );
  }
  assertError(await post(alertBody({ agent_id: 7 })), 400, 'INVALID_REQUEST', /^agent_id must be the id of an agent/);
  assert.equal((await get(`${ALERTS}?limit=0`)).json.total_count, before);
  assert.equal((await raiseAlert(kissi, { description: 'Two\nlines' })).description, 'Two\nlines');
});

test('lists alerts newest first, with filters and an exact total', async () => {
  const bank = await createBank(kissi);
  const [first, other] = [await bank.wallet(500_000), await bank.wallet()];
  kissi.clock.advance(DAY_MS);
  const from = now();
  const payment = await directPayments(kissi, bank).pay(first, await newMerchant(kissi), 10_000);
  const { transactionId: transaction_id } = payment;
  const a = await raiseAlert(kissi, { subscriber_id: first.id, severity: 'LOW', type: 'watch_list' });
  kissi.clock.advance(1_000);
  const b = await raiseAlert(kissi, {
    subscriber_id: first.id,
    transaction_id,
    severity: 'MEDIUM',
    type: 'watch_list',
  });
  kissi.clock.advance(1_000);
  const c = await raiseAlert(kissi, { subscriber_id: other.id, type: 'watch_list' });
  await put(c.id, { status: 'in_review' });
  const found = async (query: string) => ids(await get(`${ALERTS}?${query}`));
  assert.deepEqual(await found('type=watch_list'), [c.id, b.id, a.id]);
  assert.deepEqual(await found(`subscriber_id=${first.id}`), [b.id, a.id]);
  assert.deepEqual(await found(`subscriber_id=${first.id}&severity=LOW`), [a.id]);
  assert.deepEqual(await found(`transaction_id=${transaction_id}`), [b.id]);
  assert.deepEqual(await found('type=watch_list&status=in_review'), [c.id]);
  assert.deepEqual(await found('type=watch_list&status=open'), [b.id, a.id]);
  assert.deepEqual(await found('rule_id=rule_unknown'), []);
  assert.deepEqual(await found(`from=${from}&type=watch_list`), [c.id, b.id, a.id]);
  assert.deepEqual(await found(`from=${b.created_at}&type=watch_list`), [c.id, b.id]);
  assert.deepEqual(await found(`to=${b.created_at}&from=${from}&type=watch_list`), [b.id, a.id]);
  assert.deepEqual(await found(`to=${from.slice(0, 10)}&from=${from.slice(0, 10)}&type=watch_list`), [
    c.id,
    b.id,
    a.id,
  ]);
  const { json } = await get(`${ALERTS}?type=watch_list&limit=1&offset=1`);
  assert.deepEqual(
    [json.alerts.length, json.alerts[0].id, json.total_count, json.limit, json.offset],
    [1, b.id, 3, 1, 1],
  );
  const beyond = await get(`${ALERTS}?type=watch_list&offset=10`);
  assert.deepEqual([beyond.json.alerts, beyond.json.total_count], [[], 3]);
  for (const query of [
    'severity=high',
    'status=x',
    'from=soon',
    'to=2026-02-31',
    'overdue=1',
    'limit=-1',
    'offset=x',
  ]) {
    assertRefused(await get(`${ALERTS}?${query}`), 400, 'INVALID_REQUEST', query);
  }
  assertRefused(await get(`${ALERTS}?from=2026-03-02&to=2026-03-01`), 400, 'INVALID_REQUEST');
});

test('overdue alerts are past due_at and neither resolved nor dismissed', async () => {
  const type = 'overdue_test';
  const alerts: Record<string, Json> = {};
  for (const severity of ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'])
    alerts[severity] = await raiseAlert(kissi, { severity, type });
  const overdue = async (value: boolean) => ids(await get(`${ALERTS}?type=${type}&overdue=${value}`)).sort();
  const idsOf = (...severities: string[]) => severities.map((severity) => alerts[severity].id).sort();
  assert.deepEqual(await overdue(true), []);
  kissi.clock.advance(1);
  assert.deepEqual(await overdue(true), idsOf('CRITICAL'));
  kissi.clock.advance(DAY_MS - 1);
  assert.deepEqual(await overdue(true), idsOf('CRITICAL'));
  kissi.clock.advance(1);
  assert.deepEqual(await overdue(true), idsOf('CRITICAL', 'HIGH'));
  await put(alerts.HIGH.id, { status: 'in_review' });
  assert.deepEqual(await overdue(true), idsOf('CRITICAL', 'HIGH'));
  await resolve(alerts.HIGH.id);
  await put(alerts.CRITICAL.id, { status: 'dismissed', notes: 'A test.' });
  assert.deepEqual(await overdue(true), []);
  kissi.clock.advance(30 * DAY_MS);
  assert.deepEqual(await overdue(true), idsOf('MEDIUM'));
  assert.deepEqual(await overdue(false), idsOf('CRITICAL', 'HIGH', 'LOW'));
});

test('a resolved alert is final: resolving or changing it again gets 409 ALREADY_RESOLVED', async () => {
  const { id } = await raiseAlert(kissi);
  kissi.clock.advance(MINUTE_MS);
  const reply = assertStatus(await resolve(id, { resolution: '  The customer showed where it came from. ' }), 200);
  const { status, resolution, resolved_at, resolved_by, resolved_by_name } = reply.json.alert;
  assert.match(resolved_by_name, /^\S+ \S+/);
  assert.deepEqual([status, resolution], ['resolved', 'The customer showed where it came from.']);
  assert.deepEqual([resolved_at, resolved_by], [now(), officer.id]);
  assertError(await resolve(id), 409, 'ALREADY_RESOLVED', /already resolved/);
  assertError(await put(id, { status: 'open' }), 409, 'ALREADY_RESOLVED', /already resolved/);
  assertError(await put(id, { notes: 'Changed my mind.' }), 409, 'ALREADY_RESOLVED', /already resolved/);
  assert.deepEqual((await get(`${ALERTS}/${id}`)).json.alert, reply.json.alert);
  const log = await auditLogs(kissi, { resource_id: id, action: 'compliance_alert.resolve' });
  assert.deepEqual([log.length, log[0].details.status], [1, { from: 'open', to: 'resolved' }]);
  const [refusal] = await auditLogs(kissi, { resource_id: id, action: 'compliance_alert.resolve.refused' });
  assert.deepEqual([refusal.actor_id, refusal.details.code], [officer.id, 'ALREADY_RESOLVED']);
});

test('a resolution is required, and an unknown alert gets 404', async () => {
  const { id } = await raiseAlert(kissi);
  assertError(await resolve(id, {}), 400, 'INVALID_REQUEST', /^resolution is required/);
  for (const resolution of ['', '  ', 'x'.repeat(2_001), 1]) {
    assertError(await resolve(id, { resolution }), 400, 'INVALID_REQUEST', /^resolution must be a text/);
  }
  assertRefused(await resolve('alert_unknown'), 404, 'NOT_FOUND');
  assertRefused(await put('alert_unknown', { status: 'open' }), 404, 'NOT_FOUND');
  assertRefused(await get(`${ALERTS}/alert_unknown`), 404, 'NOT_FOUND');
  assert.equal((await get(`${ALERTS}/${id}`)).json.alert.status, 'open');
});

test('an alert can be taken into review, reopened and dismissed, with notes', async () => {
  const { id } = await raiseAlert(kissi);
  const update = async (body: unknown) => {
    return assertStatus(await put(id, body), 200).json.alert;
  };
  assert.deepEqual([(await update({ status: 'in_review' })).status], ['in_review']);
  assert.equal((await update({ notes: ' Called the customer. ' })).notes, 'Called the customer.');
  const reopened = await update({ status: 'open' });
  assert.deepEqual([reopened.status, reopened.notes, reopened.resolved_at], ['open', 'Called the customer.', null]);
  const again = await update({ status: 'open' });
  assert.deepEqual(again, reopened);
  const dismissed = await update({ status: 'dismissed' });
  assert.deepEqual(
    [dismissed.status, dismissed.resolution, dismissed.resolved_by],
    ['dismissed', 'Called the customer.', officer.id],
  );
  assert.equal(dismissed.resolved_at, now());
  assertError(await resolve(id), 409, 'ALREADY_RESOLVED', /already dismissed/);
  const log = await auditLogs(kissi, { resource_id: id, action: 'compliance_alert.update' });
  assert.deepEqual(log[0].details.status, { from: 'open', to: 'dismissed' });
  assert.deepEqual(log[2].details, { notes: { from: null, to: 'Called the customer.' } });
  assert.equal(log.length, 4);
});

test('closing an alert requires a resolution or notes', async () => {
  const { id } = await raiseAlert(kissi);
  for (const status of ['resolved', 'dismissed']) {
    assertError(await put(id, { status }), 400, 'INVALID_REQUEST', /^resolution is required/);
  }
  assertError(await put(id, { status: 'closed' }), 400, 'INVALID_REQUEST', /^status must be one of/);
  assertError(await put(id, {}), 400, 'INVALID_REQUEST', /contains no field/);
  assertError(await put(id, { resolution: 'x' }), 400, 'INVALID_REQUEST', /status or notes/);
  assertError(
    await put(id, { status: 'open', resolution: 'x' }),
    400,
    'INVALID_REQUEST',
    /^resolution is only allowed with/,
  );
  const reply = await put(id, { status: 'resolved', resolution: 'A salary.', notes: 'Seen the slip.' });
  const { status, resolution, notes } = reply.json.alert;
  assert.deepEqual([status, resolution, notes], ['resolved', 'A salary.', 'Seen the slip.']);
});

test('one of several concurrent attempts to close an alert succeeds', async () => {
  const { id } = await raiseAlert(kissi);
  const officerToken = await token();
  const replies = await withLockContention(kissi, {
    lock: `select 1 from compliance_alerts where id = '${id}' for update`,
    waiters: 4,
    begin: () =>
      Promise.all([
        resolve(id, { resolution: 'First.' }, officerToken),
        resolve(id, { resolution: 'Second.' }, officerToken),
        put(id, { status: 'dismissed', resolution: 'Third.' }, officerToken),
        put(id, { status: 'in_review', notes: 'Fourth.' }, officerToken),
      ]),
  });
  const closed = replies.slice(0, 3).filter(({ status }) => status === 200);
  assert.equal(closed.length, 1);
  const { alert } = (await get(`${ALERTS}/${id}`)).json;
  assert.equal(alert.resolution, closed[0]?.json.alert.resolution);
  assert.notEqual(alert.resolved_at, null);
});

/** Returns the token of a compliance officer whose user also belongs to an agent or a processor. */
async function conflictedOfficer(owner: { agent_id?: string; processor_id?: string }): Promise<string> {
  const member = await staffMember(kissi, 'compliance_user');
  await kissi.db.database.queries.updateTable('users').set(owner).where('id', '=', member.id).execute();
  return (await openSession(kissi, member)).token;
}

async function assertConflict(id: string, by: string, message: string): Promise<void> {
  const replies = [
    await resolve(id, undefined, by),
    await put(id, { status: 'dismissed', notes: 'Nothing to see.' }, by),
    await put(id, { notes: 'Nothing to see.' }, by),
  ];
  for (const reply of replies) assertRefused(reply, 403, 'FORBIDDEN', message);
  const { status, notes } = (await get(`${ALERTS}/${id}`)).json.alert;
  assert.deepEqual([status, notes], ['open', null], message);
}

test("a reviewer from an agent's network cannot handle alerts about that agent", async () => {
  const superAgent = await newAgent(kissi);
  const [first, other] = [await newSubAgent(kissi, superAgent), await newSubAgent(kissi, superAgent)];
  const unrelated = await newAgent(kissi);
  const alert = await raiseAlert(kissi, { agent_id: first.id });
  for (const agent of [first, other, superAgent]) {
    await assertConflict(alert.id, await conflictedOfficer({ agent_id: agent.id }), agent.id);
  }
  const [entry] = await auditLogs(kissi, { resource_id: alert.id, action: 'compliance_alert.resolve.refused' });
  assert.equal(entry.details.code, 'FORBIDDEN');
  assert.equal((await resolve(alert.id, undefined, await conflictedOfficer({ agent_id: unrelated.id }))).status, 200);
  const superAgentAlert = await raiseAlert(kissi, { agent_id: superAgent.id });
  await assertConflict(superAgentAlert.id, await conflictedOfficer({ agent_id: first.id }), 'about its super-agent');
  assert.equal((await resolve(superAgentAlert.id)).status, 200);
});

test('a reviewer of a processor cannot handle alerts about it or about payments to it', async () => {
  const bank = await createBank(kissi);
  const [merchant, otherMerchant] = [await newMerchant(kissi), await newMerchant(kissi)];
  const customer = await bank.wallet(100_000);
  const { transactionId } = await directPayments(kissi, bank).pay(customer, merchant, 10_000);
  const ownOfficer = await conflictedOfficer({ processor_id: merchant.id });
  const otherOfficer = await conflictedOfficer({ processor_id: otherMerchant.id });
  const alerts = [
    await raiseAlert(kissi, { processor_id: merchant.id }),
    await raiseAlert(kissi, { subscriber_id: customer.id, transaction_id: transactionId }),
  ];
  for (const { id } of alerts) {
    await assertConflict(id, ownOfficer, 'its own');
    assert.equal((await resolve(id, undefined, otherOfficer)).status, 200);
  }
});

test('a reviewer of an agent cannot handle an alert about a blocked payment of that agent', async () => {
  const bank = await createBank(kissi);
  const [agent, customer] = [await newAgent(kissi), await bank.wallet()];
  await fundAgent(kissi, agent, 100_000);
  const ruleBody = {
    name: 'No deposits',
    kind: 'amount',
    transaction_types: ['agent_cashin'],
    threshold: 1,
    outcome: 'block',
  };
  assertStatus(await kissi.call('POST', '/api/v1/compliance/rules', { body: ruleBody, token: await token() }), 201);
  const body = { agent_id: agent.id, subscriber_id: customer.id, amount: 10_000, pin: agent.pin };
  const blocked = await kissi.call('POST', '/api/v1/agents/cashin', { body, token: await agentToken(kissi, agent) });
  assertRefused(blocked, 422, 'COMPLIANCE_BLOCKED');
  const { alert_id } = blocked.json;
  assert.equal((await get(`${ALERTS}/${alert_id}`)).json.alert.severity, 'CRITICAL');
  await assertConflict(alert_id, await conflictedOfficer({ agent_id: agent.id }), 'its own');
  assert.equal((await resolve(alert_id)).status, 200);
});

test('staff who may only read alerts cannot create or close them', async () => {
  const { id } = await raiseAlert(kissi);
  const auditor = await staffToken(kissi, 'audit_user');
  assert.equal((await kissi.call('GET', `${ALERTS}/${id}`, { token: auditor })).status, 200);
  assertRefused(await kissi.call('POST', ALERTS, { body: alertBody(), token: auditor }), 403, 'FORBIDDEN');
  assertRefused(await resolve(id, undefined, auditor), 403, 'FORBIDDEN');
  assertRefused(await put(id, { status: 'dismissed', notes: 'x' }, auditor), 403, 'FORBIDDEN');
  assert.equal((await get(`${ALERTS}/${id}`)).json.alert.status, 'open');
});

test('kissi_app can neither change the content of an alert nor delete alerts', async () => {
  const { id } = await raiseAlert(kissi);
  for (const change of ["severity = 'LOW'", 'agent_id = null', "description = 'x'", "figures = '{}'"]) {
    const update = kissi.db.query(`update compliance_alerts set ${change} where id = $1`, [id]);
    await assert.rejects(update, /permission denied/, change);
  }
  await assert.rejects(kissi.db.query('delete from compliance_alerts'), /permission denied/);
});
