// Thresholds of approval policies: totals per requester and UTC day, which neither slicing nor concurrency gets around.
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { floatOf, newAgent, type TestAgent } from '../../support/agents.ts';
import { decide, pendingOf, setPolicy, type User, user } from '../../support/approvals.ts';
import { assertStatus, type TestGateway, testGateway } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';

const DAY_MS = 86_400_000;
const { kissi } = await bankForFile();
const other = await testGateway({ db: kissi.db, clock: kissi.clock });
after(() => other.close());

let agent: TestAgent;
let maker: User;
let checker: User;
beforeEach(async () => {
  kissi.clock.set((Math.floor(kissi.clock.now() / DAY_MS) + 1) * DAY_MS);
  agent = await newAgent(kissi);
  [maker, checker] = [await user(kissi, 'finance_user'), await user(kissi, 'finance_user')];
  await setPolicy(kissi, 'agents.fund', { enabled: true, threshold: 1_000 });
});

const fund = (amount: number, { token }: { token: string } = maker, gateway: TestGateway = kissi, extra = {}) =>
  gateway.call('POST', `/api/v1/agents/${agent.id}/fund`, { body: { amount, ...extra }, token });
const executed = async (amount: number, by = maker) => {
  assertStatus(await fund(amount, by), 200);
};

describe('a threshold', () => {
  test('lets requests through up to the total of the day, and stores what exceeds it', async () => {
    await executed(400);
    await executed(600);
    const { id } = pendingOf(await fund(1));
    assert.equal(await floatOf(kissi, agent), 1_000);
    assert.equal((await decide(kissi, id, 'approve', checker)).status, 200);
    assert.equal(await floatOf(kissi, agent), 1_001);
    pendingOf(await fund(1));
  });

  test('counts what waits for approval, until it is rejected or withdrawn', async () => {
    const large = pendingOf(await fund(5_000));
    const small = pendingOf(await fund(10));
    assert.equal((await decide(kissi, large.id, 'reject', checker)).status, 200);
    assert.equal((await decide(kissi, small.id, 'withdraw', maker)).status, 200);
    await executed(1_000);
    pendingOf(await fund(1));
  });

  test("counts what was approved on its request's day", async () => {
    const { id } = pendingOf(await fund(1_001));
    assert.equal((await decide(kissi, id, 'approve', checker)).status, 200);
    pendingOf(await fund(1));
  });

  test('is per requester, action and UTC day', async () => {
    await executed(1_000);
    await executed(1_000, checker);
    await setPolicy(kissi, 'agents.return_float', { enabled: true, threshold: 500 });
    const back = { body: { amount: 500 }, token: maker.token };
    assert.equal((await kissi.call('POST', `/api/v1/agents/${agent.id}/return-float`, back)).status, 200);
    pendingOf(await fund(1));
    kissi.clock.advance(DAY_MS);
    const session = await kissi.call('POST', '/api/v1/admin/login', { body: maker });
    await executed(1_000, { ...maker, token: session.json.token });
  });

  test('counts a replayed request once', async () => {
    const extra = { request_id: 'threshold-1' };
    const first = await fund(600, maker, kissi, extra);
    assert.equal((await fund(600, maker, other, extra)).text, first.text);
    await executed(400);
    pendingOf(await fund(1));
  });

  test('that is removed makes every request wait', async () => {
    await executed(100);
    await setPolicy(kissi, 'agents.fund', { enabled: true });
    pendingOf(await fund(1));
  });

  test('holds for forty concurrent slices through two gateways', async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) => fund(100, maker, index % 2 ? kissi : other)),
    );
    const through = replies.filter(({ status }) => status === 200).length;
    for (const { status, text } of replies) assert.ok([200, 202].includes(status), text);
    assert.ok(through <= 10, `${through} of 40 slices were executed`);
    assert.equal(await floatOf(kissi, agent), through * 100);
    assert.ok(through > 0);
  });
});
