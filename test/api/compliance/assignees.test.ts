// Alerts have an assignee and the name of their subject, and are listed by due time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAgent } from '../../support/agents.ts';
import { user } from '../../support/approvals.ts';
import { ALERTS, alertBody } from '../../support/compliance.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { assertRefused, auditLogs } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const [aminata, sorie] = await Promise.all([user(kissi, 'compliance_user'), user(kissi, 'compliance_user')]);

async function raise(fields: Record<string, unknown>): Promise<string> {
  const reply = assertStatus(await kissi.call('POST', ALERTS, { body: alertBody(fields), token: aminata.token }), 201);
  return reply.json.alert.id;
}

const act = (name: 'assign' | 'release', id: string, token: string) =>
  kissi.call('POST', `${ALERTS}/${id}/${name}`, { token });

async function list(query: string, token = aminata.token): Promise<Json[]> {
  return assertStatus(await kissi.call('GET', `${ALERTS}?${query}`, { token }), 200).json.alerts;
}
const ids = (alerts: Json[]) => alerts.map(({ id }) => id);

test('a reviewer takes an alert, a colleague takes it over and releases it', async () => {
  const { id: subscriber_id } = await bank.wallet();
  const id = await raise({ subscriber_id });
  const taken = assertStatus(await act('assign', id, aminata.token), 200);
  const { assigned_to, assignee_name, assigned_at } = taken.json.alert;
  const { rows } = await kissi.db.query(`select first_name || ' ' || last_name as name from users where id = $1`, [
    aminata.id,
  ]);
  const since = new Date(kissi.clock.now()).toISOString();
  assert.deepEqual([assigned_to, assignee_name, assigned_at], [aminata.id, rows[0].name, since]);
  assert.deepEqual(ids(await list('assignee=me')), [id]);
  assert.deepEqual(ids(await list('assignee=me', sorie.token)), []);
  kissi.clock.advance(1_000);
  assert.equal((await act('assign', id, aminata.token)).json.alert.assigned_at, since, 'its time does not change');
  assert.equal((await act('assign', id, sorie.token)).json.alert.assigned_to, sorie.id);
  assert.ok(!ids(await list('assignee=none&limit=100')).includes(id));
  assert.equal((await act('release', id, sorie.token)).json.alert.assigned_to, null);
  assert.ok(ids(await list('assignee=none&limit=100')).includes(id));
  const entries = await auditLogs(kissi, { resource_id: id });
  assert.deepEqual(
    entries.map(({ action, actor_id, details }) => [action, actor_id, details.assigned_to]).slice(0, 3),
    [
      ['compliance_alert.release', sorie.id, { from: sorie.id, to: null }],
      ['compliance_alert.assign', sorie.id, { from: aminata.id, to: sorie.id }],
      ['compliance_alert.assign', aminata.id, { from: null, to: aminata.id }],
    ],
  );
});

test('whoever begins the review of an alert that nobody has is its reviewer', async () => {
  const { id: subscriber_id } = await bank.wallet();
  const begin = async (id: string, token: string) =>
    assertStatus(await kissi.call('PUT', `${ALERTS}/${id}`, { body: { status: 'in_review' }, token }), 200).json.alert;
  const [free, taken] = [await raise({ subscriber_id }), await raise({ subscriber_id })];
  assert.deepEqual([(await begin(free, sorie.token)).assigned_to, await assignmentsOf(free)], [sorie.id, 1]);
  await act('assign', taken, aminata.token);
  assert.deepEqual([(await begin(taken, sorie.token)).assigned_to, await assignmentsOf(taken)], [aminata.id, 1]);
  await act('release', free, sorie.token);
  assert.equal((await begin(free, aminata.token)).assigned_to, null, 'the review had begun before');
});

const assignmentsOf = async (id: string) =>
  (await auditLogs(kissi, { resource_id: id, action: 'compliance_alert.assign' })).length;

test('a closed alert keeps its assignee, and cannot be taken', async () => {
  const { id: agent_id } = await newAgent(kissi);
  const id = await raise({ agent_id });
  await act('assign', id, aminata.token);
  const body = { resolution: 'Known customer.' };
  const resolved = await kissi.call('POST', `${ALERTS}/${id}/resolve`, { body, token: sorie.token });
  assert.equal(resolved.json.alert.assigned_to, aminata.id);
  assertRefused(await act('assign', id, sorie.token), 409, 'ALREADY_RESOLVED');
  assertRefused(await act('release', id, aminata.token), 409, 'ALREADY_RESOLVED');
  assertRefused(await act('assign', 'alert_unknown', aminata.token), 404, 'NOT_FOUND');
});

test('the queue is ordered by due time, alerts without one last, and names the subjects', async () => {
  const { id: subscriber_id } = await bank.wallet();
  const agent = await newAgent(kissi, { business_name: 'Kissy Road Traders' });
  const low = await raise({ severity: 'LOW', subscriber_id });
  const medium = await raise({ severity: 'MEDIUM', agent_id: agent.id });
  const critical = await raise({ severity: 'CRITICAL', subscriber_id });
  const high = await raise({ severity: 'HIGH', subscriber_id });
  const mine = new Set([low, medium, critical, high]);
  const queue = (await list('pending=true&sort=due_at&limit=100')).filter(({ id }) => mine.has(id));
  assert.deepEqual(ids(queue), [critical, high, medium, low]);
  const holder = (
    await kissi.db.query(`select first_name || ' ' || last_name as name from subscribers where id = $1`, [
      subscriber_id,
    ])
  ).rows[0].name;
  assert.deepEqual(
    queue.map(({ subject_name }) => subject_name),
    [holder, holder, 'Kissy Road Traders', holder],
  );
  const [first] = await list('pending=true&sort=due_at&limit=1&offset=1');
  assert.equal(first?.id, (await list('pending=true&sort=due_at&limit=2'))[1]?.id);
  const csv = await kissi.call('GET', `${ALERTS}?pending=true&sort=due_at`, {
    token: aminata.token,
    headers: { accept: 'text/csv' },
  });
  const lines = csv.text.split('\r\n').flatMap((line) => [...mine].filter((id) => line.includes(id)));
  assert.deepEqual(lines, [critical, high, medium, low]);
  assert.ok((await list('pending=false&limit=100')).every(({ status }) => ['resolved', 'dismissed'].includes(status)));
});
