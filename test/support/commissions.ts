// Agents that earn commission in tests: payments that earn, what they accrued, and settlement.
import type { Actor } from '../../src/audit/log.ts';
import { commissionAccountOf } from '../../src/ledger/commission-accounts.ts';
import { floatOf, fundAgent, newAgent, type TestAgent } from './agents.ts';
import { assertStatus, type Json, type TestGateway } from './gateway.ts';
import type { Bank } from './money.ts';
import { runChore } from './staff.ts';

export interface EarningAgent extends TestAgent {
  /** A deposit into a customer's wallet earns 1 % at 100 %. */
  deposit(amount: number): Promise<Json>;
  float(): Promise<number>;
  accrued(): Promise<number>;
  /** The settlements, newest first: period and amount. */
  settlements(): Promise<[string, number][]>;
  put(body: object): Promise<Json>;
}

/** Deposits earn the agent 1 %; withdrawals charge 1 %. */
export async function payCommission(kissi: TestGateway): Promise<void> {
  const setting = { transaction_type: 'agent_cashin', party_type: 'agent', fee_type: 'percentage', fee_value: 1 };
  const body = { ...setting, debit_enabled: false, credit_enabled: true };
  assertStatus(await kissi.asAdmin.put('/fee-settings', body), 200);
}

export async function earningAgent(kissi: TestGateway, bank: Bank, terms: object = {}): Promise<EarningAgent> {
  const agent = await newAgent(kissi, { settlement_mode: 'daily', ...terms });
  await fundAgent(kissi, agent, 10_000_000);
  const wallet = await bank.wallet(0);
  return {
    ...agent,
    async deposit(amount) {
      const body = { agent_id: agent.id, subscriber_id: wallet.id, amount, pin: agent.pin };
      return assertStatus(await kissi.call('POST', '/api/v1/agents/cashin', { body, token: bank.key }), 200).json;
    },
    float: () => floatOf(kissi, agent),
    accrued: () => floatOf(kissi, { id: commissionAccountOf(agent.id) }),
    async settlements() {
      const reply = assertStatus(await kissi.asAdmin.get(`/agents/${agent.id}/commissions`), 200);
      return reply.json.settlements.map(({ period, amount }: Json) => [period, amount]);
    },
    async put(body) {
      return assertStatus(await kissi.asAdmin.put(`/agents/${agent.id}`, body), 200).json.agent;
    },
  };
}

export function settle(kissi: TestGateway): Promise<void> {
  return runChore(kissi, 'settle commissions');
}

/** As before a termination: whatever the period. */
export function settleFinally({ gateway }: TestGateway, agentId: string): Promise<void> {
  const caller = { kind: 'user', id: 'usr_test', role: 'system_admin' } as Actor['caller'];
  return gateway.services.commission.settleFinally({ caller, ip: '127.0.0.1', requestId: 'req_test' }, agentId);
}
