// Float requests: asked by a sub-agent, answered by its super-agent, and the float moves at most once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HOUR_MS } from '../../../src/kernel/clock.ts';
import {
  agentToken,
  assertRefused,
  floatOf,
  fundAgent,
  newAgent,
  newSubAgent,
  type TestAgent,
  wrongPin,
} from '../../support/agents.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { auditLogs } from '../../support/staff.ts';

const { kissi } = await bankForFile();

interface Network {
  superAgent: TestAgent;
  subAgent: TestAgent;
  superToken: string;
  subToken: string;
}

async function network(float = 1_000_000): Promise<Network> {
  const superAgent = await newAgent(kissi);
  const subAgent = await newSubAgent(kissi, superAgent);
  if (float > 0) await fundAgent(kissi, superAgent, float);
  return {
    superAgent,
    subAgent,
    superToken: await agentToken(kissi, superAgent),
    subToken: await agentToken(kissi, subAgent),
  };
}

const ask = ({ subAgent, subToken }: Network, body: Json) =>
  kissi.call('POST', `/api/v1/agents/${subAgent.id}/float-requests`, { token: subToken, body });
const decide = (id: string, decision: string, token: string, body?: Json) =>
  kissi.call('POST', `/api/v1/agents/float-requests/${id}/${decision}`, { token, ...(body ? { body } : {}) });
const accept = (id: string, { superToken, superAgent }: Network, pin = superAgent.pin) =>
  decide(id, 'accept', superToken, { pin });

async function asked(net: Network, body: Json = { amount: 50_000 }): Promise<Json> {
  return assertStatus(await ask(net, body), 201).json.float_request;
}

async function listed(agent: TestAgent, token: string, query = ''): Promise<Json[]> {
  const path = `/api/v1/agents/${agent.id}/float-requests${query}`;
  return assertStatus(await kissi.call('GET', path, { token }), 200).json.float_requests;
}

const floats = async ({ superAgent, subAgent }: Network) => [
  await floatOf(kissi, superAgent),
  await floatOf(kissi, subAgent),
];

describe('a float request', () => {
  test('is seen by both agents and nobody else, and accepted once with the PIN', async () => {
    const net = await network();
    const request = await asked(net, { amount: '50000', note: ' For the weekend ' });
    assert.deepEqual([request.state, request.amount, request.note], ['open', 50_000, 'For the weekend']);
    assert.deepEqual(await listed(net.superAgent, net.superToken, '?state=open'), [request]);
    assert.deepEqual(await listed(net.subAgent, net.subToken), [request]);
    const other = await network(0);
    const path = `/api/v1/agents/${net.subAgent.id}/float-requests`;
    assertRefused(await kissi.call('GET', path, { token: other.superToken }), 403, 'FORBIDDEN');
    assertRefused(await accept(request.id, other), 404, 'NOT_FOUND');
    assertRefused(await decide(request.id, 'decline', other.superToken, { reason: 'x' }), 404, 'NOT_FOUND');
    assertRefused(await decide(request.id, 'cancel', other.subToken), 404, 'NOT_FOUND');
    assertRefused(await accept(request.id, net, wrongPin(net.superAgent)), 400, 'INVALID_PIN');
    assert.equal((await listed(net.subAgent, net.subToken))[0]?.state, 'open');
    const paid = assertStatus(await accept(request.id, net), 200).json;
    const again = assertStatus(await accept(request.id, net), 200);
    assert.deepEqual(again.json, paid);
    assert.deepEqual(await floats(net), [950_000, 50_000]);
    const [answer] = await listed(net.subAgent, net.subToken);
    assert.deepEqual([answer?.state, answer?.transaction_id], ['accepted', paid.transaction_id]);
    const [entry] = await auditLogs(kissi, { action: 'float_request.accept', resource_id: request.id });
    assert.deepEqual([entry.actor_id, entry.details.amount], [net.superAgent.userId, 50_000]);
    assertRefused(await decide(request.id, 'decline', net.superToken, { reason: 'Late' }), 409, 'ALREADY_PAID');
    assertRefused(await decide(request.id, 'cancel', net.subToken), 409, 'ALREADY_PAID');
  });

  test('that is accepted many times at once moves the float once', async () => {
    const net = await network();
    const { id } = await asked(net);
    const replies = await Promise.all(Array.from({ length: 6 }, () => accept(id, net)));
    for (const reply of replies) assertStatus(reply, 200);
    assert.equal(new Set(replies.map(({ json }) => json.transaction_id)).size, 1);
    assert.deepEqual(await floats(net), [950_000, 50_000]);
  });

  test('has one answer, whichever of accepting and declining comes first', async () => {
    const net = await network();
    const { id } = await asked(net);
    const reason = { reason: 'No float today' };
    const [accepted, declined] = await Promise.all([accept(id, net), decide(id, 'decline', net.superToken, reason)]);
    const state = (await listed(net.subAgent, net.subToken))[0]?.state;
    assert.equal([accepted, declined].filter(({ status }) => status === 200).length, 1);
    assert.equal(state, accepted.status === 200 ? 'accepted' : 'declined');
    assert.deepEqual(await floats(net), accepted.status === 200 ? [950_000, 50_000] : [1_000_000, 0]);
  });

  test('is declined with a reason that the sub-agent reads, or withdrawn, and moves nothing', async () => {
    const net = await network();
    const first = await asked(net);
    assertRefused(await ask(net, { amount: 1 }), 409, 'FLOAT_REQUEST_OPEN');
    const declined = assertStatus(await decide(first.id, 'decline', net.superToken, { reason: 'Tomorrow' }), 200);
    assert.deepEqual([declined.json.float_request.state, declined.json.float_request.reason], ['declined', 'Tomorrow']);
    assertRefused(await accept(first.id, net), 409, 'DECLINED');
    const second = await asked(net);
    assertStatus(await decide(second.id, 'cancel', net.subToken), 200);
    assertRefused(await accept(second.id, net), 409, 'CANCELLED');
    assert.deepEqual(await floats(net), [1_000_000, 0]);
  });

  test('that is repeated with its request id is the same request', async () => {
    const net = await network();
    const body = { amount: 700, request_id: 'ask-1' };
    const first = await asked(net, body);
    assert.deepEqual(await asked(net, body), first);
    assertRefused(await ask(net, { ...body, amount: 701 }), 409, 'REQUEST_CONFLICT');
    assert.equal((await listed(net.subAgent, net.subToken)).length, 1);
  });

  test('stays open when the float is too small, and expires after 48 hours', async () => {
    const net = await network(100);
    const { id } = await asked(net);
    assertRefused(await accept(id, net), 400, 'INSUFFICIENT_FLOAT');
    assert.equal((await listed(net.subAgent, net.subToken))[0]?.state, 'open');
    kissi.clock.advance(48 * HOUR_MS);
    const later = {
      ...net,
      superToken: await agentToken(kissi, net.superAgent),
      subToken: await agentToken(kissi, net.subAgent),
    };
    assert.equal((await listed(net.subAgent, later.subToken, '?state=expired')).length, 1);
    assertRefused(await accept(id, later), 409, 'EXPIRED');
    await asked(later);
  });

  test('whose gateway stopped after the transfer counts as accepted', async () => {
    const net = await network();
    const { id } = await asked(net);
    const paid = assertStatus(await accept(id, net), 200).json;
    await kissi.db.query(
      `update float_requests set state = 'accepting', transaction_id = null, decided_at = null where id = $1`,
      [id],
    );
    assertRefused(await decide(id, 'decline', net.superToken, { reason: 'x' }), 409, 'ALREADY_DECIDED');
    kissi.clock.advance(61_000);
    assertRefused(await decide(id, 'cancel', net.subToken), 409, 'ALREADY_PAID');
    const [answer] = await listed(net.subAgent, net.subToken);
    assert.deepEqual([answer?.state, answer?.transaction_id], ['accepted', paid.transaction_id]);
    assert.deepEqual(await floats(net), [950_000, 50_000]);
  });

  test('is for sub-agents that are active, with an amount', async () => {
    const net = await network();
    for (const amount of [0, -1, '1.5', '']) assertRefused(await ask(net, { amount }), 400, 'INVALID_AMOUNT');
    const path = (agent: TestAgent) => `/api/v1/agents/${agent.id}/float-requests`;
    const body = { amount: 1 };
    assertRefused(await kissi.call('POST', path(net.superAgent), { token: net.superToken, body }), 403, 'FORBIDDEN');
    assertRefused(await kissi.call('POST', path(net.superAgent), { token: net.subToken, body }), 403, 'FORBIDDEN');
    const { id } = await asked(net);
    assertStatus(await kissi.asAdmin.post(`/agents/${net.subAgent.id}/suspend`, { reason: 'Under review' }), 200);
    assertRefused(await accept(id, net), 403, 'AGENT_SUSPENDED');
    assert.deepEqual(await floats(net), [1_000_000, 0]);
  });
});
