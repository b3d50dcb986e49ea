// Settlement of commission: accrued on the commission account, moved into the float once per agent and period.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ShardMap } from '../../../src/db/citus/shard-map.ts';
import { openDatabase } from '../../../src/db/database.ts';
import { APP_ROLE } from '../../../src/db/schema/migrate.ts';
import { endedPeriod } from '../../../src/features/finance/commission/periods.ts';
import { dueAfter, heldBy } from '../../../src/features/finance/commission/store.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { commissionAccountOf } from '../../../src/ledger/commission-accounts.ts';
import { agentToken, newSubAgent } from '../../support/agents.ts';
import { testClock } from '../../support/clock.ts';
import { earningAgent, payCommission, settle as settleDue } from '../../support/commissions.ts';
import { LONG_TIMEOUTS } from '../../support/database.ts';
import { type Json, type TestGateway, testGateway } from '../../support/gateway.ts';
import { bankForFile, totalBalance } from '../../support/money.ts';
import { assertRefused } from '../../support/processors.ts';
import { auditLogs, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
await payCommission(kissi);

const { clock } = kissi;
const at = (text: string) => clock.set(Date.parse(text));
/** With a new token, because the clock jumps. */
const post = async (path: string, body: object = {}) => kissi.asAdmin.post(path, body);
const get = async (path: string, token?: string, headers: Record<string, string> = {}) =>
  kissi.call('GET', `/api/v1${path}`, { token: token ?? (await kissi.adminToken()), headers });
/** Sends the texts for a Citus cluster, which one PostgreSQL accepts too. */
const citus = openDatabase({
  ...{ url: kissi.db.url, poolSize: 2, role: APP_ROLE, timeouts: LONG_TIMEOUTS },
  shards: new ShardMap([-(2 ** 31)]),
});
after(() => citus.close());

/** Settles, after comparing what both texts find due and held. */
async function settle(gateway: TestGateway): Promise<void> {
  const now = gateway.clock.now();
  const periods = { day: endedPeriod('day', now), week: endedPeriod('week', now), now };
  const due = await dueAfter(kissi.db.database.pool, '', 1_000, periods);
  assert.deepEqual(await dueAfter(citus.pool, '', 1_000, periods), due);
  for (const { agentId } of due) {
    const held = await heldBy(kissi.db.database.pool, agentId, periods.day.to);
    assert.deepEqual(await heldBy(citus.pool, agentId, periods.day.to), held);
  }
  await settleDue(gateway);
}

const income = () => totalBalance(kissi, 'fee_income');

describe('a daily agent', () => {
  test('accrues on its commission account and gets it into the float after the end of the UTC day, once', async () => {
    at('2027-03-01T10:00:00Z');
    const agent = await earningAgent(kissi, bank);
    const before = await income();
    const { transaction_id, total_debited } = await agent.deposit(10_000);
    assert.equal(total_debited, 10_000, 'the commission is not deducted from what the float pays');
    assert.deepEqual([await agent.float(), await agent.accrued()], [10_000_000 - 10_000, 100]);
    assert.equal(await income(), before - 100);
    const { transaction } = (await get(`/transactions/${transaction_id}`)).json;
    assert.deepEqual(
      transaction.postings.map(({ party, amount }: Json) => [party, amount]),
      [
        ['payer', -10_000],
        ['payee', 10_000],
        ['payer', 100],
        ['operator', -100],
      ],
    );
    at('2027-03-01T23:59:59.999Z');
    await settle(kissi);
    assert.deepEqual([await agent.accrued(), await agent.settlements()], [100, []]);
    at('2027-03-02T00:00:00Z');
    await agent.deposit(5_000);
    await settle(kissi);
    await settle(kissi);
    assert.deepEqual(await agent.settlements(), [['2027-03-01', 100]]);
    assert.deepEqual([await agent.float(), await agent.accrued()], [10_000_000 - 15_000 + 100, 50]);
    at('2027-03-03T00:10:00Z');
    await settle(kissi);
    assert.deepEqual(await agent.settlements(), [
      ['2027-03-02', 50],
      ['2027-03-01', 100],
    ]);
  });

  test('gets what several days accrued with the next settlement, if nothing settled in between', async () => {
    at('2027-03-05T10:00:00Z');
    const agent = await earningAgent(kissi, bank);
    await agent.deposit(1_000);
    clock.advance(DAY_MS);
    await agent.deposit(2_000);
    clock.advance(2 * DAY_MS);
    await agent.deposit(4_000);
    await settle(kissi);
    assert.deepEqual(await agent.settlements(), [['2027-03-07', 30]]);
    assert.equal(await agent.accrued(), 40);
  });

  test('gets no settlement for a day without commission', async () => {
    at('2027-03-10T10:00:00Z');
    const agent = await earningAgent(kissi, bank);
    clock.advance(DAY_MS);
    await agent.deposit(1_000);
    await settle(kissi);
    assert.deepEqual(await agent.settlements(), []);
    assert.equal(await agent.accrued(), 10);
  });
});

test('a weekly agent is settled after the end of the ISO week', async () => {
  at('2027-01-03T10:00:00Z');
  const agent = await earningAgent(kissi, bank, { settlement_mode: 'weekly' });
  await agent.deposit(1_000);
  at('2027-01-03T23:59:00Z');
  await settle(kissi);
  assert.equal(await agent.accrued(), 10);
  at('2027-01-04T00:00:01Z');
  await settle(kissi);
  assert.deepEqual(await agent.settlements(), [['2026-W53', 10]]);
  await agent.deposit(2_000);
  at('2027-01-10T23:59:59Z');
  await settle(kissi);
  assert.equal(await agent.accrued(), 20);
  at('2027-01-11T00:00:00Z');
  await settle(kissi);
  assert.deepEqual((await agent.settlements())[0], ['2027-W01', 20]);
});

test('an instant agent is paid in the movement itself, and accrues nothing', async () => {
  at('2027-03-12T10:00:00Z');
  const agent = await earningAgent(kissi, bank, { settlement_mode: 'instant' });
  assert.equal((await agent.deposit(10_000)).total_debited, 9_900);
  clock.advance(DAY_MS);
  await settle(kissi);
  assert.deepEqual([await agent.accrued(), await agent.settlements()], [0, []]);
});

describe('a change of the mode in the middle of a period', () => {
  test('from daily to instant: the rest is settled at the end of the day, and later payments pay at once', async () => {
    at('2027-04-05T10:00:00Z');
    const agent = await earningAgent(kissi, bank);
    await agent.deposit(1_000);
    await agent.put({ settlement_mode: 'instant' });
    await agent.deposit(2_000);
    assert.deepEqual([await agent.float(), await agent.accrued()], [10_000_000 - 3_000 + 20, 10]);
    await settle(kissi);
    assert.equal(await agent.accrued(), 10);
    clock.advance(DAY_MS);
    await settle(kissi);
    assert.deepEqual([await agent.settlements(), await agent.accrued()], [[['2027-04-05', 10]], 0]);
  });

  test('from daily to weekly and back: nothing is lost, and nothing is paid twice or early', async () => {
    at('2027-04-11T10:00:00Z');
    const agent = await earningAgent(kissi, bank);
    await agent.deposit(1_000);
    at('2027-04-12T00:01:00Z');
    await agent.deposit(2_000);
    await settle(kissi);
    assert.deepEqual(await agent.settlements(), [['2027-04-11', 10]]);
    await agent.put({ settlement_mode: 'weekly' });
    await settle(kissi);
    assert.deepEqual([(await agent.settlements()).length, await agent.accrued()], [1, 20], 'its week is settled');
    at('2027-04-14T10:00:00Z');
    await agent.deposit(4_000);
    await settle(kissi);
    assert.equal(await agent.accrued(), 60);
    await agent.put({ settlement_mode: 'daily' });
    await settle(kissi);
    assert.deepEqual((await agent.settlements())[0], ['2027-04-13', 20]);
    clock.advance(DAY_MS);
    await settle(kissi);
    assert.deepEqual((await agent.settlements())[0], ['2027-04-14', 40]);
    assert.deepEqual([await agent.float(), await agent.accrued()], [10_000_000 - 7_000 + 70, 0]);
  });
});

describe('clocks', () => {
  test('that jump back do not settle a period again; what accrues in it then is settled with the next one', async () => {
    at('2027-05-03T10:00:00Z');
    const agent = await earningAgent(kissi, bank);
    await agent.deposit(1_000);
    at('2027-05-04T00:00:30Z');
    await settle(kissi);
    at('2027-05-03T23:50:00Z');
    await agent.deposit(2_000);
    await settle(kissi);
    at('2027-05-04T00:01:00Z');
    await settle(kissi);
    assert.deepEqual([await agent.settlements(), await agent.accrued()], [[['2027-05-03', 10]], 20]);
    at('2027-05-05T00:01:00Z');
    await settle(kissi);
    assert.deepEqual((await agent.settlements())[0], ['2027-05-04', 20]);
  });

  test('that jump ahead settle early at most once, and later accruals are not delayed', async () => {
    at('2027-05-10T10:00:00Z');
    const agent = await earningAgent(kissi, bank);
    await agent.deposit(1_000);
    at('2027-06-10T10:00:00Z');
    await agent.deposit(2_000);
    await settle(kissi);
    assert.deepEqual([await agent.settlements(), await agent.accrued()], [[['2027-06-09', 10]], 20]);
    at('2027-05-10T11:00:00Z');
    await agent.deposit(4_000);
    await settle(kissi);
    assert.equal(await agent.accrued(), 60);
    at('2027-05-11T00:05:00Z');
    await settle(kissi);
    // Its postings are numbered after those of June, but it belongs to 10 May.
    assert.deepEqual((await agent.settlements()).toSorted()[0], ['2027-05-10', 40]);
    assert.equal(await agent.accrued(), 20);
    at('2027-06-11T00:05:00Z');
    await settle(kissi);
    assert.equal(await agent.accrued(), 0);
    assert.equal(await agent.float(), 10_000_000 - 7_000 + 70);
  });
});

describe('an agent that is not active', () => {
  test('waits for settlement while it is suspended, and gets everything once it is active again', async () => {
    at('2027-07-05T10:00:00Z');
    const agent = await earningAgent(kissi, bank);
    await agent.deposit(1_000);
    assert.equal((await post(`/agents/${agent.id}/suspend`, { reason: 'Test' })).status, 200);
    clock.advance(3 * DAY_MS);
    await settle(kissi);
    assert.deepEqual([await agent.accrued(), await agent.settlements()], [10, []]);
    assert.equal((await post(`/agents/${agent.id}/reactivate`)).status, 200);
    await settle(kissi);
    assert.deepEqual(await agent.settlements(), [['2027-07-07', 10]]);
  });

  test('is terminated only after its commission was settled into the float and the float was returned', async () => {
    at('2027-07-12T10:00:00Z');
    const agent = await earningAgent(kissi, bank);
    await agent.deposit(1_000);
    const float = await agent.float();
    const terminate = () => post(`/agents/${agent.id}/terminate`, { reason: 'Test' });
    const full = assertRefused(await terminate(), 409, 'FLOAT_NOT_EMPTY');
    assert.deepEqual([full.json.balance, await agent.accrued()], [float, 10], 'a full float is refused first');
    assert.equal((await post(`/agents/${agent.id}/suspend`, { reason: 'Test' })).status, 200);
    assert.equal((await post(`/agents/${agent.id}/return-float`, { amount: float })).status, 200);
    const attempts = await Promise.all([terminate(), terminate()]);
    for (const reply of attempts) {
      assertRefused(reply, 409, 'FLOAT_NOT_EMPTY');
      assert.equal(reply.json.balance, 10);
    }
    assert.deepEqual([await agent.float(), await agent.accrued()], [10, 0]);
    assert.deepEqual(await agent.settlements(), [['final-0', 10]]);
    const audited = await auditLogs(kissi, { action: 'agent.settle_commission' });
    assert.deepEqual(
      audited.map(({ actor_type, details }) => [actor_type, details]),
      [['user', { payer: `commission_${agent.id}`, payee: agent.id, amount: 10, fee: 0, reference: 'final-0' }]],
    );
    assert.equal((await post(`/agents/${agent.id}/return-float`, { amount: 10 })).status, 200);
    assert.equal((await terminate()).status, 200);
  });
});

describe('settlement happens once', () => {
  test('when many gateways try it at the same time, with payments in between', async () => {
    at('2027-08-02T23:00:00Z');
    const agents = await Promise.all(Array.from({ length: 5 }, () => earningAgent(kissi, bank)));
    for (const agent of agents) await agent.deposit(1_000);
    at('2027-08-03T00:00:01Z');
    const others = [await testGateway({ db: kissi.db, clock }), await testGateway({ db: kissi.db, clock })];
    await Promise.all([
      ...[kissi, ...others, kissi, ...others].map(({ gateway }) => gateway.services.commission.settleDue()),
      ...agents.map((agent) => agent.deposit(2_000)),
    ]);
    for (const other of others) await other.close();
    for (const agent of agents) {
      assert.deepEqual(await agent.settlements(), [['2027-08-02', 10]]);
      assert.equal(await agent.accrued(), 20);
    }
  });

  test('when gateways with different clocks settle different periods', async () => {
    at('2027-08-10T10:00:00Z');
    const agent = await earningAgent(kissi, bank);
    await agent.deposit(1_000);
    at('2027-08-11T00:01:00Z');
    await agent.deposit(2_000);
    const ahead = await testGateway({ db: kissi.db, clock: testClock(Date.parse('2027-08-12T00:01:00Z')) });
    await Promise.all([kissi, ahead, kissi, ahead].map(({ gateway }) => gateway.services.commission.settleDue()));
    await ahead.gateway.services.commission.settleDue();
    await ahead.close();
    assert.equal(await agent.accrued(), 0);
    const sum = (await agent.settlements()).reduce((total, [, amount]) => total + amount, 0);
    assert.equal(sum, 30);
    assert.equal(await agent.float(), 10_000_000 - 3_000 + 30);
  });
});

describe('GET /agents/{id}/commissions', () => {
  test('shows what is accrued by period, what was settled with its transaction, and its pages', async () => {
    at('2027-09-06T10:00:00Z');
    const agent = await earningAgent(kissi, bank);
    for (const amount of [1_000, 2_000, 3_000]) {
      await agent.deposit(amount);
      clock.advance(DAY_MS);
      await settle(kissi);
    }
    await agent.deposit(5_000);
    const path = `/agents/${agent.id}/commissions`;
    const { json } = await get(path);
    assert.deepEqual(
      [json.agent_id, json.settlement_mode, json.accrued, json.settled_total],
      [agent.id, 'daily', 50, 60],
    );
    assert.deepEqual(json.accrued_by_period, [
      { period: '2027-09-09', ends_at: '2027-09-10T00:00:00.000Z', status: 'running', amount: 50 },
    ]);
    assert.deepEqual(
      json.settlements.map(({ period, amount, settled_at }: Json) => [period, amount, settled_at]),
      [
        ['2027-09-08', 30, '2027-09-09T10:00:00.000Z'],
        ['2027-09-07', 20, '2027-09-08T10:00:00.000Z'],
        ['2027-09-06', 10, '2027-09-07T10:00:00.000Z'],
      ],
    );
    const [{ transaction_id }] = json.settlements;
    const { transaction } = (await get(`/transactions/${transaction_id}`)).json;
    assert.deepEqual(
      [transaction.type, transaction.amount, transaction.actor_type, transaction.payer.kind, transaction.payee.id],
      ['commission_settlement', 30, 'system', 'agent_commission', agent.id],
    );
    const second = (await get(`${path}?limit=1&offset=1`)).json;
    assert.deepEqual([second.total_count, second.settlements[0].period], [3, '2027-09-07']);
    clock.advance(DAY_MS);
    assert.deepEqual((await get(path)).json.accrued_by_period, [
      { period: '2027-09-09', ends_at: '2027-09-10T00:00:00.000Z', status: 'due', amount: 50 },
    ]);
    const csv = await get(path, undefined, { accept: 'text/csv' });
    assert.equal(csv.text.split('\r\n')[0], 'period,amount,amount_formatted,transaction_id,settled_at,currency');
    assert.equal(csv.text.trim().split('\r\n').length, 4);
  });

  test("is for finance, auditors, and the agents' own network", async () => {
    const agent = await earningAgent(kissi, bank);
    const sub = await newSubAgent(kissi, agent);
    const other = await earningAgent(kissi, bank);
    const statusFor = async (token: string, id: string) => (await get(`/agents/${id}/commissions`, token)).status;
    for (const role of ['finance_user', 'audit_user'] as const) {
      assert.equal(await statusFor(await staffToken(kissi, role), agent.id), 200);
    }
    const own = await agentToken(kissi, agent);
    assert.deepEqual([await statusFor(own, agent.id), await statusFor(own, sub.id)], [200, 200]);
    assert.equal(await statusFor(own, other.id), 403);
    assert.equal(await statusFor(await agentToken(kissi, sub), agent.id), 403);
    assert.equal(await statusFor(await staffToken(kissi, 'support_user'), agent.id), 403);
    assert.equal(await statusFor(bank.key, agent.id), 403);
    assert.equal((await get('/agents/agent_unknown/commissions')).status, 404);
  });
});

test('reports contain commission accounts: overview, trial balance, accounts, history and totals of the agent', async () => {
  at('2027-10-04T10:20:00Z');
  const agent = await earningAgent(kissi, bank);
  await agent.deposit(100_000);
  const total = await totalBalance(kissi, 'agent_commission');
  assert.ok(total >= 1_000);
  const { balances } = (await get('/admin/overview')).json;
  const others = (['agent_float', 'wallet', 'fee_income'] as const).map((kind) => totalBalance(kissi, kind));
  const eMoney = (await Promise.all(others)).reduce((sum, balance) => sum + balance, total);
  assert.deepEqual([balances.agent_commissions, balances.e_money], [total, eMoney]);
  clock.advance(MINUTE_MS);
  const kindsAt = async (query: string) => (await get(`/admin/ledger/trial-balance${query}`)).json;
  for (const query of ['', `?at=${new Date(clock.now()).toISOString()}`]) {
    const { kinds, total: zero } = await kindsAt(query);
    const balance = kinds.find(({ kind }: Json) => kind === 'agent_commission')?.balance;
    assert.deepEqual([balance, zero], [total, 0], query);
  }
  const account = commissionAccountOf(agent.id);
  const listed = (await get(`/admin/ledger/accounts?kind=agent_commission&owner=${agent.id}`)).json.accounts;
  assert.deepEqual(
    listed.map(({ account_id, balance }: Json) => [account_id, balance]),
    [[account, 1_000]],
  );
  at('2027-10-05T00:30:00Z');
  await settle(kissi);
  clock.advance(1);
  const { kinds } = await kindsAt(`?at=${new Date(clock.now()).toISOString()}`);
  assert.equal(
    kinds.find(({ kind }: Json) => kind === 'agent_commission').balance,
    await totalBalance(kissi, 'agent_commission'),
  );
  assert.equal(await agent.accrued(), 0);
  const { totals, transactions } = (await get(`/agents/${agent.id}/transactions`)).json;
  assert.deepEqual([totals.commissions, totals.cash_in, totals.funded], [1_000, 100_000, 10_000_000]);
  assert.equal(totals.balance_change, 10_000_000 - 100_000 + 1_000);
  assert.deepEqual([transactions[0].type, transactions[0].direction], ['commission_settlement', 'credit']);
});
