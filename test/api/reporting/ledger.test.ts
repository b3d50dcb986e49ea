// The ledger's accounts by filter and page, and the floats of agents with the hours that they last.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Role } from '../../../src/auth/roles.ts';
import { agentFloats } from '../../../src/features/reporting/agent-floats.ts';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock.ts';
import { agentToken, fundAgent, newAgent, newSubAgent, type TestAgent } from '../../support/agents.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { markPep } from '../../support/pep.ts';
import { openSession, type Staff, staffMember } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const staff = new Map<Role, Staff>();

async function read(path: string, role: Role = 'finance_user'): Promise<Json> {
  if (!staff.has(role)) staff.set(role, await staffMember(kissi, role));
  const { token } = await openSession(kissi, staff.get(role) as Staff);
  return assertStatus(await kissi.call('GET', `/api/v1${path}`, { token }), 200).json;
}

async function done(reply: Promise<CallReply>): Promise<void> {
  assertStatus(await reply, 200);
}

describe('GET /admin/ledger/accounts', () => {
  test('lists every account once, by cursor and by offset', async () => {
    for (let n = 0; n < 5; n++) await bank.wallet(1_000 * n);
    const rows = (await kissi.db.query('select id from accounts order by id')).rows.map(({ id }) => id);
    const found: string[] = [];
    let cursor = '';
    for (let page = 0; page < 20; page++) {
      const next = cursor === '' ? '' : `&cursor=${cursor}`;
      const { accounts, next_cursor, total_count } = await read(`/admin/ledger/accounts?limit=7${next}`, 'audit_user');
      found.push(...accounts.map(({ account_id }: Json) => account_id));
      assert.equal(total_count, rows.length);
      if (next_cursor === null) break;
      cursor = next_cursor;
    }
    assert.deepEqual(found, rows);
    const { accounts } = await read('/admin/ledger/accounts?limit=3&offset=2');
    assert.deepEqual(
      accounts.map(({ account_id }: Json) => account_id),
      rows.slice(2, 5),
    );
  });

  test('filters by kind and owner, with the balance and bounds of the account', async () => {
    const wallet = await bank.wallet(12_345);
    const { accounts, total_count } = await read(`/admin/ledger/accounts?owner=${wallet.id}`);
    assert.equal(total_count, 1);
    const [{ opened_at, last_posting_at, ...account }] = accounts;
    assert.deepEqual(account, {
      ...{ account_id: wallet.id, kind: 'wallet', balance: 12_345, balance_formatted: '123.45 SLE', currency: 'SLE' },
      ...{ floor: 0, ceiling: 50_000_000, frozen: false, posting_count: 1 },
    });
    assert.equal(last_posting_at, new Date(kissi.clock.now()).toISOString());
    assert.equal(opened_at, new Date(kissi.clock.now()).toISOString());
    const fees = await read('/admin/ledger/accounts?kind=fee_income');
    assert.equal(fees.total_count, 16);
    assert.ok(fees.accounts.every(({ kind }: Json) => kind === 'fee_income'));
    assert.equal((await read('/admin/ledger/accounts?kind=wallet&owner=sys_suspense')).total_count, 0);
  });

  test("hides the balance of a politically exposed person's wallet", async () => {
    const wallet = await bank.wallet(777);
    await markPep(kissi, wallet.id);
    const { accounts } = await read(`/admin/ledger/accounts?owner=${wallet.id}`);
    assert.deepEqual(accounts, [{ account_id: wallet.id, kind: 'wallet' }]);
  });
});

describe('GET /admin/agents/float', () => {
  const cashIn = async (agent: TestAgent, subscriberId: string, amount: number) => {
    const body = { agent_id: agent.id, subscriber_id: subscriberId, pin: agent.pin, amount };
    await done(kissi.call('POST', '/api/v1/agents/cashin', { body, token: await agentToken(kissi, agent) }));
  };

  test('estimates the hours left from what customers took out, most urgent first', async () => {
    const free = { fee_type: 'flat', fee_value: 0, debit_enabled: false, credit_enabled: false };
    for (const party_type of ['agent', 'recipient']) {
      const body = { transaction_type: 'agent_cashin', party_type, ...free };
      await done(kissi.asAdmin.put('/fee-settings', body));
    }
    const wallet = await bank.wallet(1_000_000);
    const [busy, calm, idle, growing] = [
      await newAgent(kissi),
      await newAgent(kissi),
      await newAgent(kissi),
      await newAgent(kissi),
    ];
    const sub = await newSubAgent(kissi, busy);
    await fundAgent(kissi, busy, 100_000);
    await fundAgent(kissi, calm, 50_000);
    await fundAgent(kissi, idle, 10);
    // Seven days ago, so that it counts neither for the day nor for the week.
    kissi.clock.advance(8 * DAY_MS);
    await cashIn(calm, wallet.id, 7_000);
    kissi.clock.advance(3 * DAY_MS);
    await fundAgent(kissi, busy, 24_000);
    await cashIn(busy, wallet.id, 24_000);
    const transfer = { from_agent_id: busy.id, to_agent_id: sub.id, pin: busy.pin, amount: 40_000 };
    const token = await agentToken(kissi, busy);
    await done(kissi.call('POST', '/api/v1/agents/transfer', { body: transfer, token }));
    await cashIn(sub, wallet.id, 16_000);
    const withdrawal = { subscriber_id: wallet.id, agent_id: growing.id, amount: 3_000, pin: PIN };
    await done(bank.post('/wallet/withdraw', withdrawal));
    kissi.clock.advance(HOUR_MS);
    const { floats, total_count } = await read('/admin/agents/float');
    assert.equal(total_count, 5);
    const shown = floats.map(({ agent_id, balance, outflow_24_hours, outflow_7_days, hours_left }: Json) => ({
      ...{ agent_id, balance, outflow_24_hours, outflow_7_days, hours_left },
    }));
    assert.deepEqual(shown, [
      // 16,000 in a day: 24,000 last 36 hours. What the parent gave is no income from customers.
      { agent_id: sub.id, balance: 24_000, outflow_24_hours: 16_000, outflow_7_days: 16_000, hours_left: 36 },
      // 24,000 in a day, although the agent was funded with as much.
      { agent_id: busy.id, balance: 60_000, outflow_24_hours: 24_000, outflow_7_days: 24_000, hours_left: 60 },
      // 7,000 in the week.
      { agent_id: calm.id, balance: 43_000, outflow_24_hours: 0, outflow_7_days: 7_000, hours_left: 1_032 },
      { agent_id: idle.id, balance: 10, outflow_24_hours: 0, outflow_7_days: 0, hours_left: null },
      { agent_id: growing.id, balance: 3_000, outflow_24_hours: -3_000, outflow_7_days: -3_000, hours_left: null },
    ]);
    const { floats: page } = await read('/admin/agents/float?limit=1&offset=1', 'audit_user');
    assert.deepEqual(
      page.map(({ agent_id }: Json) => agent_id),
      [busy.id],
    );
    assert.equal((await read('/admin/agents/float?offset=99')).total_count, 5);
    const roots = await read('/admin/agents/float?type=super_agent');
    assert.deepEqual(
      roots.floats.map((float: Json) => [float.agent_id, float.sub_agent_count, float.network_balance]),
      [
        [busy.id, 1, 84_000],
        [calm.id, 0, 43_000],
        [idle.id, 0, 10],
        [growing.id, 0, 3_000],
      ],
    );
    assert.deepEqual([roots.total_count, roots.floats[0].hours_left, roots.floats[0].network_hours_left], [4, 60, 36]);
    const below = await read(`/admin/agents/float?parent_agent_id=${busy.id}`);
    assert.deepEqual([below.total_count, below.floats[0].agent_id, below.floats[0].sub_agent_count], [1, sub.id, 0]);
    assert.equal((await read(`/admin/agents/float?parent_agent_id=${idle.id}`)).total_count, 0);
  });

  test('keeps the rate until the hour ends, and counts the floats that last less than some hours', async () => {
    const wallet = await bank.wallet(2_000_000);
    const agent = await newAgent(kissi);
    await fundAgent(kissi, agent, 100_000);
    await cashIn(agent, wallet.id, 48_000);
    const floatOf = async (query = '') => {
      const { floats, total_count } = await read(`/admin/agents/float${query}`);
      const { balance, hours_left } = floats.find(({ agent_id }: Json) => agent_id === agent.id) ?? {};
      return { balance, hours_left, total_count };
    };
    kissi.clock.advance(HOUR_MS);
    const { total_count } = await floatOf();
    // 48,000 in a day.
    assert.deepEqual(await floatOf(), { balance: 52_000, hours_left: 26, total_count });
    const dry = '?hours_left_below=24';
    const none = await read(`/admin/agents/float${dry}`);
    const before: number = none.total_count;
    assert.equal((await read(`/admin/agents/float${dry}&offset=99`)).total_count, before);
    await cashIn(agent, wallet.id, 12_000);
    assert.deepEqual(await floatOf(), { balance: 40_000, hours_left: 20, total_count });
    assert.deepEqual(await floatOf(dry), { balance: 40_000, hours_left: 20, total_count: before + 1 });
    await done(
      bank.post('/wallet/withdraw', { subscriber_id: wallet.id, agent_id: agent.id, amount: 59_000, pin: PIN }),
    );
    assert.deepEqual(await floatOf(), { balance: 99_000, hours_left: 49.5, total_count });
    kissi.clock.advance(HOUR_MS);
    // 1,000 in a day.
    assert.deepEqual(await floatOf(), { balance: 99_000, hours_left: 2_376, total_count });
    await cashIn(agent, wallet.id, 98_900);
    await done(kissi.asAdmin.post(`/agents/${agent.id}/suspend`, { reason: 'Closed' }));
    assert.deepEqual(await floatOf(), { balance: 100, hours_left: 2.4, total_count });
    assert.equal((await read(`/admin/agents/float${dry}`)).total_count, before, 'a suspended agent does not pay');
  });

  test('an export has all agents although one is terminated between two pages', async () => {
    const page = async (after: string | null) => {
      const { floats } = await agentFloats(
        kissi.db.database.pool,
        kissi.clock.now(),
        {},
        { limit: 2, offset: 0, after },
      );
      return floats.map(({ agentId }) => agentId);
    };
    const { floats } = await read('/admin/agents/float');
    const ids: string[] = floats.map(({ agent_id }: Json) => agent_id).sort();
    const first = await page(null);
    assert.deepEqual(first, ids.slice(0, 2));
    await kissi.db.query(`update agents set status = 'terminated' where id = $1`, [first[1]]);
    const rest = [...(await page(first[1] ?? ''))];
    rest.push(...(await page(rest.at(-1) ?? '')));
    await kissi.db.query(`update agents set status = 'active' where id = $1`, [first[1]]);
    assert.deepEqual(rest, ids.slice(2));
  });
});
