// Series, overview and trial balance equal the sums over all movements, over day borders, refunds, reversals and two gateways.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Role } from '../../../src/auth/roles.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { ACCOUNT_KINDS } from '../../../src/ledger/account-kinds.ts';
import { agentToken, fundAgent, newAgent } from '../../support/agents.ts';
import { testClock } from '../../support/clock.ts';
import { assertStatus, type CallReply, type Json, testGateway } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { assertRefused, openSession, type Staff, staffMember } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

// Saturday evening: the history crosses a day, a week and several hours.
const START = Date.parse('2026-03-07T21:10:00Z');
const { kissi, bank } = await bankForFile({ clock: testClock(START) });
const second = await testGateway({ db: kissi.db, clock: kissi.clock });
after(() => second.close());

const staff = new Map<Role, Staff>();

/** Tokens expire as the clock moves, so each call has a new one. */
async function get(path: string, role: Role = 'finance_user'): Promise<CallReply> {
  if (!staff.has(role)) staff.set(role, await staffMember(kissi, role));
  const { token } = await openSession(kissi, staff.get(role) as Staff);
  return kissi.call('GET', `/api/v1${path}`, { token });
}

async function read(path: string, role?: Role): Promise<Json> {
  return assertStatus(await get(path, role), 200).json;
}

const done = async (reply: Promise<CallReply>): Promise<Json> => {
  const { status, json, text } = await reply;
  assert.ok(status < 300, text);
  return json;
};

/** Payments of several types on both gateways, refunds and a reversal, spread over 30 hours. */
async function makeHistory() {
  const admin = async (path: string, body: object, method = 'POST') =>
    done(kissi.call(method, `/api/v1${path}`, { body, token: await kissi.adminToken() }));
  const fee = { fee_type: 'percentage', fee_value: 1.5, debit_enabled: true, credit_enabled: false };
  await admin('/fee-settings', { transaction_type: 'transfer_p2p', party_type: 'sender', ...fee }, 'PUT');
  const wallets = [await bank.wallet(500_000), await bank.wallet(400_000), await bank.wallet()];
  const [alice, bob, carol] = wallets as [{ id: string }, { id: string }, { id: string; phone: string }];
  const card = await bank.card(wallets[0] as { id: string; phone: string });
  const agent = await newAgent(kissi);
  await fundAgent(kissi, agent, 90_000);
  const terminal = await terminalOf(kissi);
  const partner = await testBank(kissi);
  const transfer = (gateway: typeof kissi, amount: number) =>
    gateway.call('POST', '/api/v1/wallet/transfer', {
      body: { sender_id: alice.id, recipient_id: bob.id, amount, pin: PIN },
      token: bank.key,
    });
  const reference = newReference();
  const credit = (await done(partner.credit({ reference, msisdn: carol.phone, amount: 8_000 }))).data;
  for (let hour = 0; hour < 30; hour++) {
    kissi.clock.advance(HOUR_MS);
    for (let n = 0; n <= hour % 3; n++) await done(transfer(n % 2 === 0 ? kissi : second, 1_000 + 10 * hour + n));
    if (hour % 7 === 3) {
      const paid = await done(terminal.pay(card, { amount: 2_000 + hour }));
      kissi.clock.advance(MINUTE_MS);
      await done(terminal.refund(paid.transaction_id, { amount: 500 }));
    }
    if (hour === 11) await admin(`/admin/inbound/${credit.inbound_id}/reverse`, { reason: 'Sent twice' });
    if (hour % 5 === 0) {
      const body = { agent_id: agent.id, subscriber_id: bob.id, pin: agent.pin, amount: 1_000 };
      const token = await agentToken(kissi, agent);
      await done(kissi.call('POST', '/api/v1/agents/cashin', { body, token }));
      assert.equal((await transfer(kissi, 90_000_000)).json.code, 'DAILY_LIMIT_EXCEEDED');
      assert.equal((await transfer(second, 0)).json.code, 'INVALID_AMOUNT');
    }
  }
  await done(
    bank.post('/wallet/transfer', { sender_id: carol.id, recipient_id: bob.id, amount: 0, pin: PIN }).then(refused),
  );
  return { agent, alice };
}

/** A refused request of the history, as an accepted one. */
const refused = (reply: CallReply): CallReply => ({ ...reply, status: reply.status === 400 ? 200 : 500 });

const made = await makeHistory();
await second.gateway.services.reporting.flush();
const from = new Date(START - HOUR_MS).toISOString();

async function query(text: string, values: unknown[] = []): Promise<Json[]> {
  return (await kissi.db.query(text, values)).rows;
}

const TRUNCATE = { hour: 'hour', day: 'day', week: 'week' } as const;
const NOT_PAYMENTS = `('pos_refund', 'inbound_reversal', 'agent_fund', 'agent_return', 'agent_transfer', 'partner_settlement')`;
const CORRECTIONS = `type in ('pos_refund', 'inbound_reversal')`;
const EXPECTED: Record<string, string> = {
  payments: `count(*) filter (where type not in ${NOT_PAYMENTS})`,
  value: `coalesce(sum(amount) filter (where type not in ${NOT_PAYMENTS}), 0)`,
  fees: 'sum(fee)',
  refunds: `count(*) filter (where ${CORRECTIONS})`,
  refunded_value: `coalesce(sum(amount) filter (where ${CORRECTIONS}), 0)`,
  movements: 'count(*)',
};

describe('GET /admin/series', () => {
  for (const step of ['hour', 'day', 'week'] as const) {
    for (const [metric, sum] of Object.entries(EXPECTED)) {
      test(`${metric} by ${step} equals the sums over all movements`, async () => {
        const { series, unit } = await read(`/admin/series?metric=${metric}&step=${step}&from=${from}`);
        assert.equal(unit, ['payments', 'refunds', 'movements'].includes(metric) ? 'count' : 'minor_units');
        const rows = await query(
          `select date_trunc('${TRUNCATE[step]}', at at time zone 'UTC')::text as at, (${sum})::int as value from movements group by 1`,
        );
        const expected = new Map(rows.map((row) => [new Date(`${row.at}Z`).toISOString(), row.value]));
        const [{ points, total, type }] = series;
        assert.equal(type, null);
        for (const { at, value } of points) assert.equal(value, expected.get(at) ?? 0, at);
        assert.equal(
          total,
          rows.reduce((all, { value }) => all + value, 0),
        );
        assert.ok(total > 0);
      });
    }

    test(`active_wallets by ${step} equals the distinct wallets with a posting`, async () => {
      const { series } = await read(`/admin/series?metric=active_wallets&step=${step}&from=${from}`);
      const rows = await query(
        `select date_trunc('${TRUNCATE[step]}', m.at at time zone 'UTC')::text as at, count(distinct p.account_id)::int as value
         from movements m join postings p on p.movement_id = m.id join accounts a on a.id = p.account_id
         where a.kind = 'wallet' group by 1`,
      );
      const expected = new Map(rows.map((row) => [new Date(`${row.at}Z`).toISOString(), row.value]));
      for (const { at, value } of series[0].points) assert.equal(value, expected.get(at) ?? 0, at);
      assert.equal(series[0].total, null);
    });
  }

  test('steps are zero-filled, aligned to UTC and contain from and to', async () => {
    const path = '/admin/series?metric=payments&step=hour&from=2026-03-07T10:30:00Z&to=2026-03-07T13:05:00Z';
    const { series, ...rest } = await read(path);
    assert.deepEqual(rest, {
      ...{ metric: 'payments', unit: 'count', step: 'hour' },
      ...{ from: '2026-03-07T10:00:00.000Z', to: '2026-03-07T14:00:00.000Z' },
    });
    const values = series[0].points.map(({ value }: Json) => value);
    assert.deepEqual(values, [0, 0, 0, 0]);
    const { from: monday } = await read('/admin/series?metric=fees&step=week&from=2026-03-04&to=2026-03-04');
    assert.equal(monday, '2026-03-02T00:00:00.000Z');
    assert.equal((await read('/admin/series?metric=value')).series[0].points.length, 30);
  });

  test('by=type splits a sum exactly', async () => {
    const whole = await read(`/admin/series?metric=value&from=${from}`);
    const { series } = await read(`/admin/series?metric=value&by=type&from=${from}`);
    const sum = series.reduce((all: number, { total }: Json) => all + total, 0);
    assert.equal(sum, whole.series[0].total);
    const cashins = series.find(({ type }: Json) => type === 'agent_cashin');
    assert.equal(cashins.total, 6_000);
    assert.ok(!series.some(({ type }: Json) => type === 'agent_fund'));
  });

  test('new_wallets counts registrations, refusals the refused payments of both gateways', async () => {
    const [{ n }] = await query('select count(*)::int as n from subscribers');
    assert.equal((await read(`/admin/series?metric=new_wallets&from=${from}`)).series[0].total, n);
    assert.equal((await read(`/admin/series?metric=refusals&step=hour&from=${from}`)).series[0].total, 13);
  });

  test('a period with too many points, a wrong split and an unknown metric are refused', async () => {
    for (const path of [
      'metric=payments&step=hour&from=2026-01-01&to=2026-03-01',
      'metric=payments&from=2026-03-02&to=2026-03-01',
      'metric=payments&from=1960-01-01',
      'metric=refusals&by=type',
      'metric=profit',
      'metric=payments&step=month',
    ]) {
      assertRefused(await get(`/admin/series?${path}`), 400, 'INVALID_REQUEST', path);
    }
  });
});

describe('GET /admin/overview', () => {
  test('sums today and the last 24 hours', async () => {
    const overview = await read('/admin/overview');
    const now = kissi.clock.now();
    for (const [period, since] of [
      ['today', Math.floor(now / DAY_MS) * DAY_MS],
      ['last_24_hours', (Math.floor(now / HOUR_MS) - 23) * HOUR_MS],
    ] as const) {
      const sums = Object.entries(EXPECTED).map(([metric, sum]) => `(${sum})::int as ${metric}`);
      const [expected] = await query(`select ${sums.join(', ')} from movements where at >= $1`, [new Date(since)]);
      const { current, week_before: before } = overview[period];
      for (const metric of ['payments', 'value', 'fees', 'refunds', 'refunded_value']) {
        assert.equal(current[metric], expected[metric], `${metric} ${period}`);
      }
      assert.equal(current.from, new Date(since).toISOString());
      assert.equal(Date.parse(current.from) - Date.parse(before.from), 7 * DAY_MS);
      assert.equal(Date.parse(current.to) - Date.parse(before.to), 7 * DAY_MS);
      assert.equal(before.payments, 0);
    }
    const [active] = await query(
      `select count(distinct a.id)::int as n from movements m join postings p on p.movement_id = m.id
       join accounts a on a.id = p.account_id and a.kind = 'wallet' where m.at >= $1`,
      [new Date(Math.floor(now / DAY_MS) * DAY_MS)],
    );
    assert.equal(overview.today.current.active_wallets, active.n);
    assert.equal(overview.last_24_hours.current.active_wallets, null);
    const codes = new Map(overview.last_24_hours.current.refusals.map(({ code, count }: Json) => [code, count]));
    assert.equal(codes.get('DAILY_LIMIT_EXCEEDED'), 4);
    assert.equal(codes.get('INVALID_AMOUNT'), 5);
  });

  test('has the courses of today, the same day a week before and 30 days, as the series have them', async () => {
    const overview = await read('/admin/overview');
    const day = (ago: number) => new Date(kissi.clock.now() - ago * DAY_MS).toISOString().slice(0, 10);
    const today = Math.floor((kissi.clock.now() % DAY_MS) / HOUR_MS) + 1;
    for (const [course, query, points] of [
      ['today_by_hour', `step=hour&from=${day(0)}`, today],
      ['week_before_by_hour', `step=hour&from=${day(7)}&to=${day(7)}T23:00:00Z`, 24],
      ['last_30_days', `step=day&from=${day(29)}`, 30],
    ] as const) {
      const { from, ...metrics } = overview[course];
      for (const [metric, values] of Object.entries(metrics)) {
        const series = await read(`/admin/series?metric=${metric}&${query}`);
        const expected = series.series[0].points.map(({ value }: Json) => value);
        assert.deepEqual({ from, values }, { from: series.from, values: expected }, `${course} of ${metric}`);
        assert.equal(expected.length, points);
      }
      assert.equal(Object.keys(metrics).length, 6);
    }
    assert.ok(overview.last_30_days.payments.at(-1) > 0 && overview.last_30_days.refusals.at(-1) > 0);
  });

  test('has the counts of the navigation, and how many floats run dry for roles that read the ledger', async () => {
    for (const role of ['finance_user', 'support_user'] as const) {
      const { counts, floats_dry: dry } = await read('/admin/overview', role);
      assert.deepEqual(counts, await read('/admin/counts', role));
      const { total_count: expected } = await read('/admin/agents/float?hours_left_below=24');
      assert.equal(dry, role === 'finance_user' ? expected : undefined);
    }
  });

  test('counts refusals whose replies are stored, as of inbound credits', async () => {
    const partner = await testBank(kissi);
    const counted = async () => {
      const { refusals } = (await read('/admin/overview?fresh=true')).today.current;
      return refusals.find(({ code }: Json) => code === 'BENEFICIARY_NOT_FOUND')?.count ?? 0;
    };
    const before = await counted();
    const body = { reference: newReference(), msisdn: '+23299999999', amount: 100 };
    const [refusal, replay] = [await partner.credit(body), await partner.credit(body)];
    assertRefused(refusal, 404, 'BENEFICIARY_NOT_FOUND');
    assert.equal(replay.headers.get('idempotent-replayed'), 'true');
    assert.equal(await counted(), before + 2, 'every refused request');
  });

  test('a week later the same hours are the week before', async () => {
    const { today } = await read('/admin/overview');
    const at = kissi.clock.now();
    kissi.clock.advance(7 * DAY_MS);
    const later = await read('/admin/overview');
    assert.deepEqual(later.today.week_before, today.current);
    assert.equal(later.today.current.payments, 0);
    kissi.clock.set(at);
  });

  test('balances are those of the accounts, by kind', async () => {
    const { balances } = await read('/admin/overview');
    const rows = await query('select kind, sum(balance)::bigint as sum from accounts group by kind');
    const of = (kind: string) => Number(rows.find((row) => row.kind === kind)?.sum ?? 0);
    assert.deepEqual(balances, {
      e_money: 0 - of('treasury') - of('partner_clearing') - of('suspense'),
      payouts_in_transit: of('payouts_in_transit'),
      ...{ wallets: of('wallet'), agent_floats: of('agent_float'), processors: of('processor') },
      agent_commissions: of('agent_commission'),
      partner_debts: -of('partner_clearing') || 0,
      ...{ suspense: of('suspense'), fee_income: of('fee_income'), treasury: of('treasury') },
    });
    assert.ok(balances.e_money > 0 && balances.fee_income > 0);
  });

  test('shows each role its parts: no figures of finance to compliance and support, no alerts to finance and support', async () => {
    const parts = ['balances', 'alerts', 'finance'];
    const partsOf = async (role: Role) =>
      Object.keys(await read('/admin/overview', role)).filter((part) => parts.includes(part));
    assert.deepEqual(await partsOf('finance_user'), ['balances', 'finance']);
    assert.deepEqual(await partsOf('compliance_user'), ['alerts']);
    assert.deepEqual(await partsOf('support_user'), []);
    assert.deepEqual(await partsOf('audit_user'), ['balances', 'alerts', 'finance']);
  });

  test('counts requests that wait for a decision by age', async () => {
    const policy = { action: 'agents.fund', enabled: true };
    const token = await kissi.adminToken();
    await done(kissi.call('PUT', '/api/v1/admin/approval-policies', { body: policy, token }));
    const body = { amount: 5_000 };
    assertStatus(await kissi.call('POST', `/api/v1/agents/${made.agent.id}/fund`, { body, token }), 202);
    const { approvals } = await read('/admin/overview', 'support_user');
    assert.deepEqual(approvals, { under_1_day: 1, under_3_days: 0, under_7_days: 0, older: 0 });
    const at = kissi.clock.now();
    kissi.clock.advance(2 * DAY_MS);
    assert.equal((await read('/admin/overview')).approvals.under_3_days, 1);
    kissi.clock.advance(6 * DAY_MS);
    const later = (await read('/admin/overview')).approvals;
    assert.deepEqual(later, { under_1_day: 0, under_3_days: 0, under_7_days: 0, older: 0 }, 'expired');
    kissi.clock.set(at);
  });

  test('counts open alerts by age, and pending deliveries', async () => {
    const before = (await read('/admin/overview', 'audit_user')).alerts;
    const body = { severity: 'HIGH', type: 'manual', description: 'Checked', subscriber_id: made.alice.id };
    await done(kissi.asAdmin.post('/compliance/alerts', body));
    const { alerts, deliveries } = await read('/admin/overview', 'audit_user');
    assert.equal(alerts.under_1_day, before.under_1_day + 1);
    const [{ n }] = await query(`select count(*)::int as n from webhook_deliveries where status = 'pending'`);
    assert.equal(deliveries.pending, n);
    assert.ok(!('pending_is_minimum' in deliveries));
    const at = kissi.clock.now();
    kissi.clock.advance(4 * DAY_MS);
    const later = (await read('/admin/overview', 'audit_user')).alerts;
    assert.ok(later.under_7_days >= alerts.under_1_day);
    assert.ok(later.overdue >= 1);
    kissi.clock.set(at);
  });
});

test('the overview counts 20,000 pending deliveries, and says when there are more', async () => {
  const [{ n }] = await query(`select count(*)::int as n from webhook_deliveries where status = 'pending'`);
  const more = (count: number) =>
    kissi.db.query(
      `insert into webhook_deliveries (id, partner_id, event, reference, inbound_id, turn, body, status, attempts, step,
         created_at, next_attempt_at)
       select 'evt_more' || gen_random_uuid(), 'ptn_more', 'x', 'x', 'x', 0, '{}', 'pending', 0, 0, now(),
         now() + interval '10 years' from generate_series(1, $1::int)`,
      [count],
    );
  await more(20_000 - n);
  const full = (await read('/admin/overview')).deliveries;
  assert.deepEqual([full.pending, full.pending_is_minimum], [20_000, undefined]);
  await more(1);
  const over = (await read('/admin/overview')).deliveries;
  assert.deepEqual([over.pending, over.pending_is_minimum], [20_000, true]);
  await kissi.db.query(`delete from webhook_deliveries where partner_id = 'ptn_more'`);
});

describe('GET /admin/ledger/trial-balance', () => {
  const balancesBefore = (at: Date) =>
    query(
      `select a.kind, sum(p.amount)::bigint as sum from movements m join postings p on p.movement_id = m.id
       join accounts a on a.id = p.account_id where m.at < $1 group by a.kind`,
      [at],
    );

  test('at any instant it equals the postings before it, and sums to zero', async () => {
    const now = kissi.clock.now();
    const movements = await query('select at from movements order by at');
    const instants = [0, 0.2, 0.5, 0.9].map((part) => movements[Math.floor(part * movements.length)].at as Date);
    const midnight = new Date(Date.parse('2026-03-08T00:00:00Z'));
    for (const at of [
      new Date(START - DAY_MS),
      ...instants,
      midnight,
      new Date(Number(instants[1]) + 1),
      new Date(now),
    ]) {
      const { kinds, total, at: shown } = await read(`/admin/ledger/trial-balance?at=${at.toISOString()}`);
      const expected = new Map((await balancesBefore(at)).map(({ kind, sum }) => [kind, Number(sum)]));
      assert.equal(shown, at.toISOString());
      assert.equal(total, 0);
      for (const { kind, balance } of kinds) assert.equal(balance, expected.get(kind) ?? 0, `${kind} at ${shown}`);
      assert.equal(kinds.length, ACCOUNT_KINDS.length);
    }
  });

  test('now by default: the balances of all accounts', async () => {
    const { kinds, total } = await read('/admin/ledger/trial-balance');
    const rows = await query('select kind, sum(balance)::bigint as sum from accounts group by kind');
    for (const { kind, sum } of rows) {
      assert.equal(kinds.find((each: Json) => each.kind === kind).balance, Number(sum), kind);
    }
    assert.equal(total, 0);
  });

  test('a day is its start; the future and other text are refused', async () => {
    const [day, instant] = [
      await read('/admin/ledger/trial-balance?at=2026-03-08'),
      await read('/admin/ledger/trial-balance?at=2026-03-08T00:00:00Z'),
    ];
    assert.deepEqual(day, instant);
    for (const at of ['2030-01-01', 'yesterday', '1960-01-01']) {
      assertRefused(await get(`/admin/ledger/trial-balance?at=${at}`), 400, 'INVALID_REQUEST');
    }
  });
});
