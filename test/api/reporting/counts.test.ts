// Counts for the navigation of a console, full hours of today against last week, and the health of the overview.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role } from '../../../src/auth/roles.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { newAgent } from '../../support/agents.ts';
import { decide, setPolicy } from '../../support/approvals.ts';
import { testClock } from '../../support/clock.ts';
import { raiseAlert } from '../../support/compliance.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { openSession, type Staff, staffMember } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ clock: testClock(Date.parse('2026-03-05T10:20:00Z')) });

async function read(path: string, user: Staff): Promise<Json> {
  const { token } = await openSession(kissi, user);
  return assertStatus(await kissi.call('GET', `/api/v1/admin${path}`, { token }), 200).json;
}

/** Counts are kept for seconds. */
async function counts(user: Staff): Promise<Json> {
  kissi.clock.advance(31 * SECOND_MS);
  const { at, ...rest } = await read('/counts', user);
  assert.equal(at, new Date(kissi.clock.now()).toISOString());
  return rest;
}

const roles: Role[] = ['finance_user', 'compliance_user', 'support_user', 'audit_user', 'sales_user'];
const users = new Map<Role, Staff>();
for (const role of roles) users.set(role, await staffMember(kissi, role));
const of = (role: Role) => users.get(role) as Staff;
const alice = await bank.wallet(100_000);
const bob = await bank.wallet();

test('contains the counts that the role may read, and no others', async () => {
  const names = async (role: Role) => Object.keys(await counts(of(role))).sort();
  const finance = ['approvals_to_decide', 'cases_overdue', 'deliveries_failing', 'suspense', 'unmatched'];
  assert.deepEqual(await names('finance_user'), finance);
  assert.deepEqual(await names('compliance_user'), [
    ...['alerts_overdue', 'approvals_to_decide', 'cases_overdue', 'deliveries_failing'],
  ]);
  assert.deepEqual(await names('support_user'), ['approvals_to_decide', 'cases_overdue', 'deliveries_failing']);
  assert.deepEqual(await names('audit_user'), [
    ...['alerts_overdue', 'cases_overdue', 'deliveries_failing', 'suspense', 'unmatched'],
  ]);
  assert.deepEqual(await names('sales_user'), []);
});

test('counts open approvals of others that the caller can decide', async () => {
  await setPolicy(kissi, 'agents.fund', { enabled: true });
  const agent = await newAgent(kissi);
  const { token } = await openSession(kissi, of('finance_user'));
  const body = { amount: 1_000, request_id: 'fund-1' };
  const asked = assertStatus(await kissi.call('POST', `/api/v1/agents/${agent.id}/fund`, { token, body }), 202);
  const colleague = await staffMember(kissi, 'finance_user');
  const toDecide = async (user: Staff) => (await counts(user)).approvals_to_decide;
  assert.deepEqual([await toDecide(of('finance_user')), await toDecide(of('support_user'))], [0, 0]);
  assert.equal(await toDecide(colleague), 1);
  assertStatus(await decide(kissi, asked.json.approval.id, 'reject', await openSession(kissi, colleague)), 200);
  assert.equal(await toDecide(colleague), 0);
});

test('counts overdue alerts and failing deliveries, at most 5 seconds late', async () => {
  const before = await counts(of('compliance_user'));
  await raiseAlert(kissi, { severity: 'CRITICAL', subscriber_id: alice.id });
  await kissi.db.query(
    `insert into webhook_deliveries (id, partner_id, event, reference, inbound_id, turn, body, status, attempts, step, created_at,
       next_attempt_at) select 'evt_' || n, 'ptn_x', 'x', 'x', 'x', 0, '{}', 'pending', n, n, now(), now() + interval '10 years'
     from generate_series(0, 2) n`,
  );
  const kept = await read('/counts', of('compliance_user'));
  assert.equal(kept.alerts_overdue, before.alerts_overdue, 'not read again yet');
  kissi.clock.advance(5 * SECOND_MS);
  const later = await read('/counts', of('compliance_user'));
  assert.equal(later.alerts_overdue, before.alerts_overdue + 1);
  const { overdue } = (await read('/overview', of('compliance_user'))).alerts;
  const { token } = await openSession(kissi, of('compliance_user'));
  const listed = await kissi.call('GET', '/api/v1/compliance/alerts?overdue=true', { token });
  assert.deepEqual([overdue, listed.json.total_count], [later.alerts_overdue, later.alerts_overdue]);
  // The third has not been attempted.
  assert.equal(later.deliveries_failing, before.deliveries_failing + 2);
  await kissi.db.query(`delete from webhook_deliveries where partner_id = 'ptn_x'`);
});

test('today_full_hours compares the same complete hours of today and of a week before', async () => {
  const pay = async (amount: number) => {
    const body = { sender_id: alice.id, recipient_id: bob.id, amount, pin: PIN };
    assert.equal((await bank.post('/wallet/transfer', body)).status, 200);
  };
  const start = Date.parse('2026-03-10T00:00:00Z');
  const at = async (time: number, amount: number) => {
    kissi.clock.set(time);
    await pay(amount);
  };
  await at(start + 8 * HOUR_MS, 100);
  // In the hour that is running a week later: before and after the same minute.
  await at(start + 9 * HOUR_MS + 5 * MINUTE_MS, 1_000);
  await at(start + 9 * HOUR_MS + 50 * MINUTE_MS, 10_000);
  await at(start + 7 * DAY_MS + 7 * HOUR_MS, 7);
  await at(start + 7 * DAY_MS + 9 * HOUR_MS + 10 * MINUTE_MS, 70);
  const { today, today_full_hours } = await read('/overview', of('finance_user'));
  assert.deepEqual([today.current.value, today.week_before.value], [77, 11_100]);
  const { current, week_before } = today_full_hours;
  assert.deepEqual([current.value, week_before.value], [7, 100]);
  assert.deepEqual([current.from, current.to], ['2026-03-17T00:00:00.000Z', '2026-03-17T09:00:00.000Z']);
  assert.deepEqual([week_before.to, current.active_wallets], ['2026-03-10T09:00:00.000Z', 2]);
  kissi.clock.set(start + 8 * DAY_MS + 20 * MINUTE_MS);
  const early = (await read('/overview', of('finance_user'))).today_full_hours;
  assert.deepEqual([early.current.payments, early.current.from, early.current.refusals], [0, early.current.to, []]);
});

test('the overview has the health of the audit chain and of the archive for those who read the audit log', async () => {
  const { health } = await read('/overview', of('audit_user'));
  assert.deepEqual(health.wal_archiving, { enabled: false, last_archived_at: null, last_failed_at: null });
  const unsealed = await kissi.db.query('select count(*)::int as n from audit_inbox');
  assert.equal(health.audit_chain.unsealed, unsealed.rows[0].n);
  await kissi.gateway.services.audit.seal();
  const sealed = (await read('/overview', of('audit_user'))).health.audit_chain;
  assert.ok(sealed.unsealed < health.audit_chain.unsealed || health.audit_chain.unsealed === 0);
  assert.equal((await read('/overview', of('finance_user'))).health, undefined);
});
