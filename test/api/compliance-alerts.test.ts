// Alerts: raised by staff, listed, taken into review, resolved and dismissed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { agentToken, fundAgent, newAgent, newSubAgent } from '../support/agents.ts';
import { ALERTS, alertBody, raiseAlert } from '../support/compliance.ts';
import { type CallReply, type Json, type TestGateway, testGateway } from '../support/gateway.ts';
import { createBank } from '../support/money.ts';
import { directPayments, newMerchant } from '../support/processors.ts';
import {
  assertRefused,
  auditLogs,
  openSession,
  type Staff,
  staffMember,
  staffToken,
  withLockContention,
} from '../support/staff.ts';

let kissi: TestGateway;
let officer: Staff;

before(async () => {
  kissi = await testGateway();
  officer = await staffMember(kissi, 'compliance_user');
});
after(() => kissi.close());

/** Tests move the clock by days, and tokens end. */
const token = async () => (await openSession(kissi, officer)).token;
const post = async (body: unknown) => kissi.call('POST', ALERTS, { body, token: await token() });
const get = async (path: string) => kissi.call('GET', path, { token: await token() });
const put = async (id: string, body: unknown, by?: string) =>
  kissi.call('PUT', `${ALERTS}/${id}`, { body, token: by ?? (await token()) });
const resolve = async (id: string, body: unknown = { resolution: 'Known customer.' }, by?: string) =>
  kissi.call('POST', `${ALERTS}/${id}/resolve`, { body, token: by ?? (await token()) });
const ids = ({ json }: CallReply) => json.alerts.map(({ id }: Json) => id);
const now = () => new Date(kissi.clock.now()).toISOString();

function refused(reply: CallReply, status: number, code: string, names: RegExp): void {
  assertRefused(reply, status, code);
  assert.match(reply.json.error, names);
}

test('an alert that staff raise answers 201 with the whole record, and can be read back', async () => {
  const bank = await createBank(kissi);
  const { id: subscriber_id } = await bank.wallet();
  const reply = await post(alertBody({ subscriber_id }));
  assert.equal(reply.status, 201, reply.text);
  const { id, figures, ...rest } = reply.json.alert;
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
    resolution: null,
  });
  assert.deepEqual((await get(`${ALERTS}/${id}`)).json, { alert: reply.json.alert });
  const [entry] = await auditLogs(kissi, { resource_id: id });
  assert.deepEqual([entry.action, entry.actor_id], ['compliance_alert.create', officer.id]);
  assert.equal(entry.details.subscriber_id, subscriber_id);
});

test('the severity says when the review is due: CRITICAL at once, HIGH in 24 hours, MEDIUM in 48, LOW never', async () => {
  const due: Record<string, number | null> = { CRITICAL: 0, HIGH: DAY_MS, MEDIUM: 2 * DAY_MS, LOW: null };
  for (const [severity, after] of Object.entries(due)) {
    const { due_at } = await raiseAlert(kissi, { severity });
    assert.equal(due_at, after === null ? null : new Date(kissi.clock.now() + after).toISOString(), severity);
  }
});

test('a type is manual unless told; what is missing, unknown or too long is refused, naming it', async () => {
  assert.equal((await raiseAlert(kissi, { type: undefined })).type, 'manual');
  const before = (await get(`${ALERTS}?limit=0`)).json.total_count;
  for (const field of ['severity', 'description']) {
    refused(await post(alertBody({ [field]: undefined })), 400, 'INVALID_REQUEST', new RegExp(`^${field} is required`));
  }
  refused(await post(alertBody({ severity: 'high' })), 400, 'INVALID_REQUEST', /^severity must be one of/);
  for (const description of ['', ' \n ', 'x'.repeat(2_001), 'a\u202eb', 'a\u0007b', 7]) {
    refused(await post(alertBody({ description })), 400, 'INVALID_REQUEST', /^description must be a text/);
  }
  refused(await post(alertBody({ type: 'x'.repeat(65) })), 400, 'INVALID_REQUEST', /^type must be one line/);
  refused(await post(alertBody({ subscriber_id: 'sub_x' })), 404, 'SUBSCRIBER_NOT_FOUND', /^subscriber_id/);
  for (const field of ['agent_id', 'processor_id', 'transaction_id']) {
    refused(await post(alertBody({ [field]: 'nobody_0' })), 404, 'NOT_FOUND', new RegExp(`^${field} names no`));
  }
  refused(await post(alertBody({ agent_id: null })), 400, 'INVALID_REQUEST', /^agent_id must be the id of an agent/);
  assert.equal((await get(`${ALERTS}?limit=0`)).json.total_count, before);
  assert.equal((await raiseAlert(kissi, { description: 'Two\nlines' })).description, 'Two\nlines');
});

test('alerts are listed newest first, filtered and counted exactly', async () => {
  const bank = await createBank(kissi);
  const [one, other] = [await bank.wallet(500_000), await bank.wallet()];
  kissi.clock.advance(DAY_MS);
  const from = now();
  const paid = await directPayments(kissi, bank).pay(one, await newMerchant(kissi), 10_000);
  const { transactionId: transaction_id } = paid;
  const a = await raiseAlert(kissi, { subscriber_id: one.id, severity: 'LOW', type: 'watch_list' });
  kissi.clock.advance(1_000);
  const b = await raiseAlert(kissi, { subscriber_id: one.id, transaction_id, severity: 'MEDIUM', type: 'watch_list' });
  kissi.clock.advance(1_000);
  const c = await raiseAlert(kissi, { subscriber_id: other.id, type: 'watch_list' });
  await put(c.id, { status: 'in_review' });
  const found = async (query: string) => ids(await get(`${ALERTS}?${query}`));
  assert.deepEqual(await found('type=watch_list'), [c.id, b.id, a.id]);
  assert.deepEqual(await found(`subscriber_id=${one.id}`), [b.id, a.id]);
  assert.deepEqual(await found(`subscriber_id=${one.id}&severity=LOW`), [a.id]);
  assert.deepEqual(await found(`transaction_id=${transaction_id}`), [b.id]);
  assert.deepEqual(await found('type=watch_list&status=in_review'), [c.id]);
  assert.deepEqual(await found('type=watch_list&status=open'), [b.id, a.id]);
  assert.deepEqual(await found('rule_id=rule_nobody'), []);
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

test('overdue are those whose review is late and that are neither resolved nor dismissed', async () => {
  const type = 'overdue_test';
  const alerts: Record<string, Json> = {};
  for (const severity of ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'])
    alerts[severity] = await raiseAlert(kissi, { severity, type });
  const overdue = async (is: boolean) => ids(await get(`${ALERTS}?type=${type}&overdue=${is}`)).sort();
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

test('resolving closes an alert for good; resolving it again is 409 ALREADY_RESOLVED', async () => {
  const { id } = await raiseAlert(kissi);
  kissi.clock.advance(MINUTE_MS);
  const reply = await resolve(id, { resolution: '  The customer showed where it came from. ' });
  assert.equal(reply.status, 200, reply.text);
  const { status, resolution, resolved_at, resolved_by } = reply.json.alert;
  assert.deepEqual([status, resolution], ['resolved', 'The customer showed where it came from.']);
  assert.deepEqual([resolved_at, resolved_by], [now(), officer.id]);
  refused(await resolve(id), 409, 'ALREADY_RESOLVED', /resolved already/);
  refused(await put(id, { status: 'open' }), 409, 'ALREADY_RESOLVED', /resolved already/);
  refused(await put(id, { notes: 'Changed my mind.' }), 409, 'ALREADY_RESOLVED', /resolved already/);
  assert.deepEqual((await get(`${ALERTS}/${id}`)).json.alert, reply.json.alert);
  const log = await auditLogs(kissi, { resource_id: id, action: 'compliance_alert.resolve' });
  assert.deepEqual([log.length, log[0].details.status], [1, { from: 'open', to: 'resolved' }]);
  const [denied] = await auditLogs(kissi, { resource_id: id, action: 'compliance_alert.resolve.refused' });
  assert.deepEqual([denied.actor_id, denied.details.code], [officer.id, 'ALREADY_RESOLVED']);
});

test('a resolution is required, and an alert there is not is 404', async () => {
  const { id } = await raiseAlert(kissi);
  refused(await resolve(id, {}), 400, 'INVALID_REQUEST', /^resolution is required/);
  for (const resolution of ['', '  ', 'x'.repeat(2_001), 1]) {
    refused(await resolve(id, { resolution }), 400, 'INVALID_REQUEST', /^resolution must be a text/);
  }
  assertRefused(await resolve('alert_nobody'), 404, 'NOT_FOUND');
  assertRefused(await put('alert_nobody', { status: 'open' }), 404, 'NOT_FOUND');
  assertRefused(await get(`${ALERTS}/alert_nobody`), 404, 'NOT_FOUND');
  assert.equal((await get(`${ALERTS}/${id}`)).json.alert.status, 'open');
});

test('an alert goes into review and back, with notes, until it is dismissed in words', async () => {
  const { id } = await raiseAlert(kissi);
  const moved = async (body: unknown) => {
    const reply = await put(id, body);
    assert.equal(reply.status, 200, reply.text);
    return reply.json.alert;
  };
  assert.deepEqual([(await moved({ status: 'in_review' })).status], ['in_review']);
  assert.equal((await moved({ notes: ' Called the customer. ' })).notes, 'Called the customer.');
  const back = await moved({ status: 'open' });
  assert.deepEqual([back.status, back.notes, back.resolved_at], ['open', 'Called the customer.', null]);
  const again = await moved({ status: 'open' });
  assert.deepEqual(again, back);
  const end = await moved({ status: 'dismissed' });
  assert.deepEqual([end.status, end.resolution, end.resolved_by], ['dismissed', 'Called the customer.', officer.id]);
  assert.equal(end.resolved_at, now());
  refused(await resolve(id), 409, 'ALREADY_RESOLVED', /dismissed already/);
  const log = await auditLogs(kissi, { resource_id: id, action: 'compliance_alert.update' });
  assert.deepEqual(log[0].details.status, { from: 'open', to: 'dismissed' });
  assert.deepEqual(log[2].details, { notes: { from: null, to: 'Called the customer.' } });
  assert.equal(log.length, 4);
});

test('an alert is closed only with words for it', async () => {
  const { id } = await raiseAlert(kissi);
  for (const status of ['resolved', 'dismissed']) {
    refused(await put(id, { status }), 400, 'INVALID_REQUEST', /^resolution is required/);
  }
  refused(await put(id, { status: 'closed' }), 400, 'INVALID_REQUEST', /^status must be one of/);
  refused(await put(id, {}), 400, 'INVALID_REQUEST', /status or notes/);
  refused(await put(id, { resolution: 'x' }), 400, 'INVALID_REQUEST', /status or notes/);
  refused(await put(id, { status: 'open', resolution: 'x' }), 400, 'INVALID_REQUEST', /^resolution goes with/);
  const reply = await put(id, { status: 'resolved', resolution: 'A salary.', notes: 'Seen the slip.' });
  const { status, resolution, notes } = reply.json.alert;
  assert.deepEqual([status, resolution, notes], ['resolved', 'A salary.', 'Seen the slip.']);
});

test('of several who close an alert at once, one does', async () => {
  const { id } = await raiseAlert(kissi);
  const by = await token();
  const replies = await withLockContention(kissi, {
    lock: `select 1 from compliance_alerts where id = '${id}' for update`,
    waiters: 4,
    begin: () =>
      Promise.all([
        resolve(id, { resolution: 'First.' }, by),
        resolve(id, { resolution: 'Second.' }, by),
        put(id, { status: 'dismissed', resolution: 'Third.' }, by),
        put(id, { status: 'in_review', notes: 'Fourth.' }, by),
      ]),
  });
  const closed = replies.slice(0, 3).filter(({ status }) => status === 200);
  assert.equal(closed.length, 1);
  const { alert } = (await get(`${ALERTS}/${id}`)).json;
  assert.equal(alert.resolution, closed[0]?.json.alert.resolution);
  assert.notEqual(alert.resolved_at, null);
});

/** A compliance officer whose user belongs to an agent or a processor as well. */
async function officerOf(owner: { agent_id?: string; processor_id?: string }): Promise<string> {
  const member = await staffMember(kissi, 'compliance_user');
  await kissi.db.database.queries.updateTable('users').set(owner).where('id', '=', member.id).execute();
  return (await openSession(kissi, member)).token;
}

async function assertConflict(id: string, by: string, what: string): Promise<void> {
  const replies = [
    await resolve(id, undefined, by),
    await put(id, { status: 'dismissed', notes: 'Nothing to see.' }, by),
    await put(id, { notes: 'Nothing to see.' }, by),
  ];
  for (const reply of replies) assertRefused(reply, 403, 'FORBIDDEN', what);
  const { status, notes } = (await get(`${ALERTS}/${id}`)).json.alert;
  assert.deepEqual([status, notes], ['open', null], what);
}

test('who acts for an agent, or for anybody in its network, does not judge alerts about it', async () => {
  const chief = await newAgent(kissi);
  const [one, other] = [await newSubAgent(kissi, chief), await newSubAgent(kissi, chief)];
  const stranger = await newAgent(kissi);
  const about = await raiseAlert(kissi, { agent_id: one.id });
  for (const agent of [one, other, chief]) {
    await assertConflict(about.id, await officerOf({ agent_id: agent.id }), agent.id);
  }
  const [entry] = await auditLogs(kissi, { resource_id: about.id, action: 'compliance_alert.resolve.refused' });
  assert.equal(entry.details.code, 'FORBIDDEN');
  assert.equal((await resolve(about.id, undefined, await officerOf({ agent_id: stranger.id }))).status, 200);
  const aboutChief = await raiseAlert(kissi, { agent_id: chief.id });
  await assertConflict(aboutChief.id, await officerOf({ agent_id: one.id }), 'of its chief');
  assert.equal((await resolve(aboutChief.id)).status, 200);
});

test('who acts for a processor does not judge alerts about it, nor about what it was paid', async () => {
  const bank = await createBank(kissi);
  const [shop, stranger] = [await newMerchant(kissi), await newMerchant(kissi)];
  const customer = await bank.wallet(100_000);
  const { transactionId } = await directPayments(kissi, bank).pay(customer, shop, 10_000);
  const own = await officerOf({ processor_id: shop.id });
  const other = await officerOf({ processor_id: stranger.id });
  const alerts = [
    await raiseAlert(kissi, { processor_id: shop.id }),
    await raiseAlert(kissi, { subscriber_id: customer.id, transaction_id: transactionId }),
  ];
  for (const { id } of alerts) {
    await assertConflict(id, own, 'its own');
    assert.equal((await resolve(id, undefined, other)).status, 200);
  }
});

test('who acts for an agent does not judge what it was kept from paying', async () => {
  const bank = await createBank(kissi);
  const [agent, customer] = [await newAgent(kissi), await bank.wallet()];
  await fundAgent(kissi, agent, 100_000);
  const terms = {
    name: 'No deposits',
    kind: 'amount',
    transaction_types: ['agent_cashin'],
    threshold: 1,
    outcome: 'block',
  };
  const rule = await kissi.call('POST', '/api/v1/compliance/rules', { body: terms, token: await token() });
  assert.equal(rule.status, 201, rule.text);
  const body = { agent_id: agent.id, subscriber_id: customer.id, amount: 10_000, pin: agent.pin };
  const blocked = await kissi.call('POST', '/api/v1/agents/cashin', { body, token: await agentToken(kissi, agent) });
  assertRefused(blocked, 422, 'COMPLIANCE_BLOCKED');
  const { alert_id } = blocked.json;
  assert.equal((await get(`${ALERTS}/${alert_id}`)).json.alert.severity, 'CRITICAL');
  await assertConflict(alert_id, await officerOf({ agent_id: agent.id }), 'its own');
  assert.equal((await resolve(alert_id)).status, 200);
});

test('who may read alerts may not raise or close them', async () => {
  const { id } = await raiseAlert(kissi);
  const auditor = await staffToken(kissi, 'audit_user');
  assert.equal((await kissi.call('GET', `${ALERTS}/${id}`, { token: auditor })).status, 200);
  assertRefused(await kissi.call('POST', ALERTS, { body: alertBody(), token: auditor }), 403, 'FORBIDDEN');
  assertRefused(await resolve(id, undefined, auditor), 403, 'FORBIDDEN');
  assertRefused(await put(id, { status: 'dismissed', notes: 'x' }, auditor), 403, 'FORBIDDEN');
  assert.equal((await get(`${ALERTS}/${id}`)).json.alert.status, 'open');
});

test('what an alert says cannot be changed by the service itself, and none is deleted', async () => {
  const { id } = await raiseAlert(kissi);
  for (const change of ["severity = 'LOW'", 'agent_id = null', "description = 'x'", "figures = '{}'"]) {
    const update = kissi.db.query(`update compliance_alerts set ${change} where id = $1`, [id]);
    await assert.rejects(update, /permission denied/, change);
  }
  await assert.rejects(kissi.db.query('delete from compliance_alerts'), /permission denied/);
});
