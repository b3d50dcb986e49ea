// Agents for tests: registered through the API, with the password and PIN from the message sent to each phone.
import assert from 'node:assert/strict';
import { assertStatus, type TestGateway } from './gateway.ts';
import { messageTo, openSession } from './staff.ts';

export { assertRefused, messageTo } from './staff.ts';

export interface TestAgent {
  id: string;
  userId: string;
  email: string;
  phone: string;
  password: string;
  pin: string;
  parentId: string | null;
}

let agents = 0;

/** Request body that registers a super-agent with a unique phone number and email. */
export function registrationBody(extra: Record<string, unknown> = {}): Record<string, unknown> {
  const n = ++agents;
  return {
    agent_type: 'super_agent',
    business_name: 'Kissy Road Traders',
    first_name: 'Ibrahim',
    last_name: 'Conteh',
    phone_number: `+23277${String(n).padStart(6, '0')}`,
    email: `agent${n}@example.com`,
    ...extra,
  };
}

export async function newAgent(kissi: TestGateway, extra: Record<string, unknown> = {}): Promise<TestAgent> {
  const body = registrationBody(extra);
  const reply = await kissi.asAdmin.post('/agents', body);
  assert.equal(reply.status, 201, reply.text);
  const phone = String(body.phone_number);
  const { text } = await messageTo(kissi, phone);
  const [, password = ''] = /^Password: (\S+)$/m.exec(text) ?? [];
  const [, pin = ''] = /^PIN: (\d{4})$/m.exec(text) ?? [];
  const { agent_id: id, user_id: userId, agent } = reply.json;
  return { id, userId, email: String(body.email), phone, password, pin, parentId: agent.parent_agent_id };
}

export function newSubAgent(kissi: TestGateway, { id }: TestAgent, extra: Record<string, unknown> = {}) {
  return newAgent(kissi, { agent_type: 'sub_agent', parent_agent_id: id, ...extra });
}

/** A PIN that differs from the agent's. */
export function wrongPin({ pin }: TestAgent): string {
  return pin === '0000' ? '1111' : '0000';
}

export async function agentToken(kissi: TestGateway, agent: TestAgent): Promise<string> {
  return (await openSession(kissi, agent)).token;
}

export async function fundAgent(kissi: TestGateway, { id }: TestAgent, amount: number): Promise<void> {
  assertStatus(await kissi.asAdmin.post(`/agents/${id}/fund`, { amount }), 200);
}

export async function newFundedAgent(kissi: TestGateway, amount: number): Promise<TestAgent> {
  const agent = await newAgent(kissi);
  await fundAgent(kissi, agent, amount);
  return agent;
}

export async function floatOf(kissi: TestGateway, { id }: { id: string }): Promise<number> {
  const row = kissi.db.database.queries.selectFrom('accounts').select('balance').where('id', '=', id);
  return (await row.executeTakeFirstOrThrow()).balance;
}
