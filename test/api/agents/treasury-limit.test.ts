// Tests TREASURY_DAILY_LIMIT: what the treasury issues in one UTC day, over all gateways and treasury accounts.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { assertRefused, floatOf, newAgent, type TestAgent } from '../../support/agents.ts';
import { assertStatus, type TestGateway, testGateway } from '../../support/gateway.ts';
import { bankForFile, movementCount, totalBalance } from '../../support/money.ts';
import { auditLogs } from '../../support/staff.ts';

const DAY_MS = 86_400_000;
const LIMIT = 10_000;
const env = { TREASURY_DAILY_LIMIT: String(LIMIT) };

const { kissi } = await bankForFile({ env });
const other = await testGateway({ db: kissi.db, clock: kissi.clock, env });
after(() => other.close());

async function fund({ id }: TestAgent, body: object, { gateway = kissi, path = 'fund' } = {}) {
  return gateway.call('POST', `/api/v1/agents/${id}/${path}`, { body, token: await kissi.adminToken() });
}

/** Every test begins with an unused limit. */
function nextDay(): void {
  kissi.clock.set((Math.floor(kissi.clock.now() / DAY_MS) + 1) * DAY_MS);
}

describe('the daily limit of the treasury', () => {
  test('is shared by all agents and gateways: more gets 422 TREASURY_LIMIT_EXCEEDED and moves no money', async () => {
    nextDay();
    const [agent, another] = [await newAgent(kissi), await newAgent(kissi)];
    const before = await totalBalance(kissi, 'treasury');
    assert.equal((await fund(agent, { amount: 7_000 })).status, 200);
    const refused = await fund(another, { amount: 3_001 }, { gateway: other });
    assertRefused(refused, 422, 'TREASURY_LIMIT_EXCEEDED');
    assert.deepEqual([refused.json.available, refused.json.required], [3_000, 3_001]);
    assert.equal(await movementCount(kissi, another.id), 0);
    assert.equal((await fund(another, { amount: 3_000 }, { gateway: other })).status, 200);
    assertRefused(await fund(agent, { amount: 1 }), 422, 'TREASURY_LIMIT_EXCEEDED');
    assert.deepEqual([await floatOf(kissi, agent), await floatOf(kissi, another)], [7_000, 3_000]);
    assert.equal(await totalBalance(kissi, 'treasury'), before - LIMIT);
    const [entry] = await auditLogs(kissi, { action: 'agent.fund.refused', resource_id: another.id });
    assert.equal(entry.details.code, 'TREASURY_LIMIT_EXCEEDED');
  });

  test('counts per UTC day and begins again at midnight', async () => {
    nextDay();
    const agent = await newAgent(kissi);
    kissi.clock.advance(DAY_MS - 1);
    assert.equal((await fund(agent, { amount: LIMIT })).status, 200);
    assertRefused(await fund(agent, { amount: 1 }), 422, 'TREASURY_LIMIT_EXCEEDED');
    kissi.clock.advance(1);
    assert.equal((await fund(agent, { amount: LIMIT })).status, 200);
    assertRefused(await fund(agent, { amount: 1 }), 422, 'TREASURY_LIMIT_EXCEEDED');
  });

  test('is not used by refused fundings and replays, and not restored by returned float', async () => {
    nextDay();
    const agent = await newAgent(kissi);
    assertRefused(await fund(agent, { amount: LIMIT + 1 }), 422, 'TREASURY_LIMIT_EXCEEDED');
    const body = { amount: 6_000, request_id: 'treasury-limit-1' };
    const first = assertStatus(await fund(agent, body), 200);
    assert.equal((await fund(agent, body, { gateway: other })).text, first.text);
    assert.equal((await fund(agent, { amount: 6_000 }, { path: 'return-float' })).status, 200);
    const refused = assertRefused(await fund(agent, { amount: 4_001 }), 422, 'TREASURY_LIMIT_EXCEEDED');
    assert.equal(refused.json.available, 4_000);
    assert.equal((await fund(agent, { amount: 4_000 })).status, 200);
    assert.equal((await fund(agent, body)).text, first.text, 'a replay needs no rest of the limit');
  });

  test('holds for sixty concurrent fundings through two gateways', async () => {
    nextDay();
    const agents = await Promise.all([newAgent(kissi), newAgent(kissi), newAgent(kissi)]);
    const token = await kissi.adminToken();
    const gateways: TestGateway[] = [kissi, other];
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        const path = `/api/v1/agents/${agents[index % 3]?.id}/fund`;
        return (gateways[index % 2] as TestGateway).call('POST', path, { body: { amount: 300 }, token });
      }),
    );
    const funded = replies.filter(({ status }) => status === 200);
    assert.equal(funded.length, Math.floor(LIMIT / 300));
    for (const reply of replies) if (reply.status !== 200) assertRefused(reply, 422, 'TREASURY_LIMIT_EXCEEDED');
    const floats = await Promise.all(agents.map((agent) => floatOf(kissi, agent)));
    assert.equal(
      floats.reduce((sum, float) => sum + float, 0),
      funded.length * 300,
    );
  });
});
