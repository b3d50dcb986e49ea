// Requests to the reconciliation that can succeed: items of their own statement, prepared through the API.
import assert from 'node:assert/strict';
import { csvFile, newTrustAccount, uploadStatement } from '../support/bank-files.ts';
import { assertStatus, type Json, type TestGateway } from '../support/gateway.ts';
import type { PreparedRequest } from './world.ts';

export interface ReconciliationHost {
  call: TestGateway['call'];
  token: string;
  agentId: string;
  now: number;
}

const ROUTE = '/api/v1/admin/reconciliation';
let amounts = 1_000;

/** By the operation's name. They work once, so they are prepared again periodically. */
export async function prepareReconciliation(host: ReconciliationHost): Promise<[string, PreparedRequest][]> {
  const amount = ++amounts;
  await send(host, 'POST', `/api/v1/agents/${host.agentId}/fund`, { amount });
  const [first, second, third, fourth, fifth, sixth, charges, suggested] = await entries(host, amount);
  const shown = await matchOf(host, first, second);
  const undone = await matchOf(host, third, fourth);
  await send(host, 'POST', `${ROUTE}/run`);
  const { items } = await send(host, 'GET', `${ROUTE}?side=bank&status=suggested&limit=100`);
  const { suggestion_id } = items.find(({ id }: Json) => id === suggested) ?? {};
  assert.ok(suggestion_id);
  const write = { bank_entry_ids: [charges], transaction_ids: [], reason: 'Charges' };
  const owned = { bank_entry_ids: [charges], transaction_ids: [] };
  return [
    [`POST ${ROUTE}/assign`, { fields: () => owned }],
    [`POST ${ROUTE}/release`, { fields: () => owned }],
    [`GET ${ROUTE}/matches/{id}`, { pathValue: shown, fields: () => ({}) }],
    [`DELETE ${ROUTE}/matches/{id}`, { pathValue: undone, fields: () => ({}) }],
    [`POST ${ROUTE}/suggestions/{id}/accept`, { pathValue: suggestion_id, fields: () => ({}) }],
    [`POST ${ROUTE}/matches`, { fields: () => ({ bank_entry_ids: [fifth, sixth], transaction_ids: [] }) }],
    [`POST ${ROUTE}/write-offs`, { fields: () => write }],
  ];
}

async function entries(host: ReconciliationHost, amount: number): Promise<string[]> {
  const kissi = { call: host.call } as TestGateway;
  const { id } = await newTrustAccount(kissi, host.token, { bank: `Hostile bank ${amount}` });
  const day = new Date(host.now).toISOString().slice(0, 10);
  const amounts = [50, -50, 60, -60, 70, -70, -5, amount];
  const file = csvFile({ from: day, opening: 1_000, entries: amounts.map((each) => ({ amount: each })) });
  const { json } = assertStatus(await uploadStatement(kissi, host.token, id, ['text/csv', file]), 201);
  const path = `/api/v1/admin/trust-accounts/${id}/statements/${json.statement.id}/entries?limit=100`;
  const list: Json[] = (await send(host, 'GET', path)).entries;
  return amounts.map((each) => list.find((entry) => entry.amount === each)?.id ?? '');
}

async function matchOf(host: ReconciliationHost, ...bank_entry_ids: (string | undefined)[]): Promise<string> {
  return (await send(host, 'POST', `${ROUTE}/matches`, { bank_entry_ids, transaction_ids: [] })).match.id;
}

async function send({ call, token }: ReconciliationHost, method: string, path: string, body?: object): Promise<Json> {
  const reply = await call(method, path, { token, ...(body ? { body } : {}) });
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
  return reply.json;
}
