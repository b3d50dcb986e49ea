// Approvals under concurrency and after failures: decided once, executed once, and only for users who still may.
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { assertRefused, floatOf, newAgent, type TestAgent } from '../../support/agents.ts';
import { decide, getApproval, pendingOf, type User, user } from '../../support/approvals.ts';
import { assertStatus, type CallReply, testGateway } from '../../support/gateway.ts';
import { bankForFile, movementCount } from '../../support/money.ts';
import { auditLogs, runChore } from '../../support/staff.ts';

const MINUTE_MS = 60_000;
const ROUNDS = 6;
const { kissi } = await bankForFile();
const other = await testGateway({ db: kissi.db, clock: kissi.clock });
after(() => other.close());
const admin = { token: await kissi.adminToken() };
const [secondAdmin, maker, checker, second] = await Promise.all([
  user(kissi, 'system_admin'),
  user(kissi, 'finance_user'),
  user(kissi, 'finance_user'),
  user(kissi, 'finance_user'),
]);

/** With two administrators, the second one approves. */
async function setPolicy(action: string, enabled: boolean): Promise<void> {
  const path = '/api/v1/admin/approval-policies';
  const reply = await kissi.call('PUT', path, { body: { action, enabled }, ...admin });
  const decided = reply.status === 202 ? await decide(kissi, pendingOf(reply).id, 'approve', secondAdmin) : reply;
  assert.equal(decided.status, 200, decided.text);
}

let agent: TestAgent;
beforeEach(async () => {
  agent = await newAgent(kissi);
  await setPolicy('agents.fund', true);
});

const fund = (body: object, { token }: { token: string } = maker, gateway = kissi) =>
  gateway.call('POST', `/api/v1/agents/${agent.id}/fund`, { body, token });
const request = async (amount = 100, requester: User = maker) => pendingOf(await fund({ amount }, requester)).id;
/** While a policy is enabled, a second administrator approves user changes. */
const requestChange = async (id: string, body: object) =>
  pendingOf(await kissi.call('PUT', `/api/v1/admin/users/${id}`, { body, ...admin })).id;
const confirm = (changeId: string) => decide(kissi, changeId, 'approve', secondAdmin);
const change = async (id: string, body: object) => confirm(await requestChange(id, body));
const statuses = (replies: CallReply[]) => replies.map(({ status }) => status).toSorted();

describe('concurrent decisions', () => {
  test('of two approvers through two gateways execute the request once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await request();
      const replies = await Promise.all([decide(kissi, id, 'approve', checker), decide(other, id, 'approve', second)]);
      // The second one finds the payment decided, in progress, or executed, and reads who decided.
      assert.deepEqual(statuses(replies), [200, 409]);
      assert.equal(await floatOf(kissi, agent), (round + 1) * 100);
      const approval = await getApproval(kissi, id, maker);
      const late = replies.find(({ status }) => status === 409);
      assert.ok(late);
      assert.ok(late.json.error.startsWith(`${approval.decided_by_name} has already approved the request`), late.text);
      assert.equal(replies.indexOf(late), approval.decided_by === checker.id ? 1 : 0);
      assert.equal(approval.status, 'executed');
      const decided = await auditLogs(kissi, { action: 'approval.approve', resource_id: id });
      assert.deepEqual(
        decided.map(({ actor_id }) => actor_id),
        [approval.decided_by],
      );
    }
  });

  test('of one approver who clicks eight times execute it once, and each click gets the result', async () => {
    const id = await request();
    const replies = await Promise.all(Array.from({ length: 8 }, () => decide(kissi, id, 'approve', checker)));
    assert.deepEqual(statuses(replies), Array(8).fill(200));
    const transactions = new Set(replies.map(({ json }) => json.approval.result?.transaction_id));
    assert.equal(transactions.size, 1);
    assert.equal(await floatOf(kissi, agent), 100);
    assert.equal(await movementCount(kissi, agent.id), 1);
  });

  test('to approve, reject and withdraw: exactly one counts, and money moves only if it is the approval', async () => {
    let expected = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const id = await request();
      const replies = await Promise.all([
        decide(kissi, id, 'approve', checker),
        decide(other, id, 'reject', second),
        decide(kissi, id, 'withdraw', maker),
      ]);
      assert.deepEqual(statuses(replies), [200, 409, 409]);
      const { status } = await getApproval(kissi, id, maker);
      const winner = replies.findIndex((reply) => reply.status === 200);
      assert.equal(status, ['executed', 'rejected', 'withdrawn'][winner]);
      if (status === 'executed') expected += 100;
      assert.equal(await floatOf(kissi, agent), expected);
    }
  });

  test('of several requests that together exceed the treasury: the ledger refuses the rest for good', async () => {
    await setPolicy('agents.return_float', true);
    const first = await request(250);
    assert.equal((await decide(kissi, first, 'approve', checker)).status, 200);
    const path = `/api/v1/agents/${agent.id}/return-float`;
    const requests = await Promise.all(
      Array.from({ length: 4 }, () => kissi.call('POST', path, { body: { amount: 100 }, token: maker.token })),
    );
    const replies = await Promise.all(
      requests.map((reply, index) => decide(index % 2 ? kissi : other, pendingOf(reply).id, 'approve', checker)),
    );
    assert.deepEqual(statuses(replies), [200, 200, 422, 422]);
    assert.equal(await floatOf(kissi, agent), 50);
    await setPolicy('agents.return_float', false);
  });
});

describe('identical concurrent requests', () => {
  test('with one request id are stored once', async () => {
    const body = { amount: 100, request_id: 'race-1' };
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => fund(body, maker, index % 2 ? kissi : other)),
    );
    assert.equal(new Set(replies.map((reply) => pendingOf(reply).id)).size, 1);
  });
});

describe('the requester', () => {
  test('that has been suspended: the approval fails for good, even after the suspension', async () => {
    const leaver = await user(kissi, 'finance_user');
    const id = await request(100, leaver);
    assert.equal((await change(leaver.id, { status: 'suspended' })).status, 200);
    const refused = assertRefused(await decide(kissi, id, 'approve', checker), 422, 'EXECUTION_REFUSED');
    assert.equal(refused.json.refusal_code, 'REQUESTER_NOT_PERMITTED');
    assert.equal((await change(leaver.id, { status: 'active' })).status, 200);
    assertRefused(await decide(kissi, id, 'approve', second), 409, 'ALREADY_DECIDED');
    assert.equal(await floatOf(kissi, agent), 0);
    const [entry] = await auditLogs(kissi, { action: 'approval.fail', resource_id: id });
    assert.deepEqual([entry.actor_id, entry.details.code], [checker.id, 'REQUESTER_NOT_PERMITTED']);
  });

  test('whose role is taken away while it is approved: refused, or executed before', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const leaver = await user(kissi, 'finance_user');
      const before = await floatOf(kissi, agent);
      const id = await request(100, leaver);
      const changeId = await requestChange(leaver.id, { role: 'support_user' });
      const [decision, changed] = await Promise.all([decide(kissi, id, 'approve', checker), confirm(changeId)]);
      assert.equal(changed.status, 200, changed.text);
      const { status } = await getApproval(kissi, id, checker);
      assert.equal(status, decision.status === 200 ? 'executed' : 'failed');
      assert.equal(await floatOf(kissi, agent), before + (status === 'executed' ? 100 : 0));
    }
  });
});

describe('the approver', () => {
  test('that loses the permission or is suspended can no longer approve', async () => {
    const leaver = await user(kissi, 'finance_user');
    const id = await request();
    assert.equal((await change(leaver.id, { role: 'support_user' })).status, 200);
    assertRefused(await decide(kissi, id, 'approve', leaver), 404, 'NOT_FOUND');
    assert.equal((await change(leaver.id, { role: 'finance_user', status: 'suspended' })).status, 200);
    assertRefused(await decide(kissi, id, 'approve', leaver), 401, 'UNAUTHORIZED');
    assert.equal((await getApproval(kissi, id, maker)).status, 'pending');
    assert.equal(await floatOf(kissi, agent), 0);
  });

  test('whose role is taken away at the same moment decides before that, or not at all', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const leaver = await user(kissi, 'finance_user');
      const before = await floatOf(kissi, agent);
      const id = await request();
      const changeId = await requestChange(leaver.id, { role: 'support_user' });
      const [decision] = await Promise.all([decide(kissi, id, 'approve', leaver), confirm(changeId)]);
      const { status } = await getApproval(kissi, id, maker);
      assert.ok([200, 403, 404].includes(decision.status), decision.text);
      assert.equal(status, decision.status === 200 ? 'executed' : 'pending');
      assert.equal(await floatOf(kissi, agent), before + (status === 'executed' ? 100 : 0));
    }
  });
});

describe('a gateway that stops between the movement and its result', () => {
  /** Puts the approval back into the state that such a gateway leaves. */
  async function approvedOnly(id: string): Promise<void> {
    await kissi.db.database.transact(async (trx) => {
      await trx
        .updateTable('approvals')
        .set({ status: 'approved', decided_by: checker.id, decided_at: new Date(kissi.clock.now()) })
        .where('id', '=', id)
        .execute();
      const caller = { kind: 'user', id: checker.id } as const;
      await kissi.gateway.services.audit.record(
        trx,
        { caller, ip: null, requestId: null },
        {
          action: 'approval.approve',
          resourceType: 'approval',
          resourceId: id,
        },
      );
    });
  }

  /** Executes the movement exactly as the approval does. */
  function executeOnly(id: string, amount: number) {
    const caller = { kind: 'user', id: maker.id, email: maker.email, role: 'finance_user' } as const;
    const owner = { agentId: null, processorId: null, pepAccessAuthorized: false };
    const approval = { id, approvedBy: { ...caller, ...owner, id: checker.id } };
    const actor = { caller: { ...caller, ...owner }, ip: '', requestId: id, approval };
    const input = { params: { id: agent.id }, body: { amount: String(amount) } };
    const options = { amount: String(amount), requestId: id };
    return kissi.gateway.services.agents.operations.fund.execute(actor, input, options);
  }

  test('the approval is completed with the same movement when it is approved again', async () => {
    const id = await request();
    await approvedOnly(id);
    const done = await executeOnly(id, 100);
    assert.ok('json' in done);
    assertRefused(await decide(kissi, id, 'approve', second), 409, 'ALREADY_DECIDED');
    const approval = await getApproval(kissi, id, maker);
    assert.deepEqual([approval.status, approval.decided_by], ['executed', checker.id], 'the first approver decided');
    assert.equal(approval.result.transaction_id, JSON.parse(done.json).transaction_id);
    const again = assertStatus(await decide(kissi, id, 'approve', checker), 200);
    assert.equal(again.json.approval.result.transaction_id, approval.result.transaction_id);
    assert.equal(await floatOf(kissi, agent), 100);
    assert.equal(await movementCount(kissi, agent.id), 1);
  });

  test('the approval is completed by the background task, whether the money had moved or not', async () => {
    const [moved, unmoved] = [await request(), await request()];
    for (const id of [moved, unmoved]) await approvedOnly(id);
    await executeOnly(moved, 100);
    await runChore(kissi, 'expire and complete approvals');
    assert.equal((await getApproval(kissi, moved, maker)).status, 'approved', 'its gateway may still be at work');
    kissi.clock.advance(MINUTE_MS);
    await runChore(kissi, 'expire and complete approvals');
    for (const id of [moved, unmoved]) assert.equal((await getApproval(kissi, id, maker)).status, 'executed');
    assert.equal(await floatOf(kissi, agent), 200);
    assert.equal(await movementCount(kissi, agent.id), 2);
  });

  test('it can no longer be rejected or withdrawn', async () => {
    const id = await request();
    await approvedOnly(id);
    assertRefused(await decide(kissi, id, 'reject', second), 409, 'ALREADY_DECIDED');
    assertRefused(await decide(kissi, id, 'withdraw', maker), 409, 'ALREADY_DECIDED');
    assertRefused(await decide(kissi, id, 'approve', maker), 403, 'FORBIDDEN');
    assert.equal((await decide(kissi, id, 'approve', checker)).status, 200);
  });

  test('a refusal that was stored counts, even if the money could move now', async () => {
    const id = await request();
    await approvedOnly(id);
    await kissi.call('POST', `/api/v1/agents/${agent.id}/suspend`, { body: { reason: 'Test' }, ...admin });
    assertRefused(await decide(kissi, id, 'approve', checker), 422, 'EXECUTION_REFUSED');
    await kissi.call('POST', `/api/v1/agents/${agent.id}/reactivate`, admin);
    const late = await executeOnly(id, 100);
    assert.ok('code' in late && late.code === 'REQUEST_CONFLICT', 'the id of the approval is used up');
    assert.equal(await floatOf(kissi, agent), 0);
  });

  test('a request that was executed under its own request id is not executed again', async () => {
    const body = { amount: 100, request_id: 'race-own-id' };
    const { id } = pendingOf(await fund(body));
    const input = { params: { id: agent.id }, body: { amount: '100' } };
    const caller = {
      kind: 'user',
      id: maker.id,
      email: '',
      role: 'finance_user',
      agentId: null,
      processorId: null,
    } as const;
    const actor = { caller: { ...caller, pepAccessAuthorized: false }, ip: '', requestId: 'x' };
    const options = { amount: '100', requestId: body.request_id };
    await kissi.gateway.services.agents.operations.fund.execute(actor, input, options);
    const refused = assertRefused(await decide(kissi, id, 'approve', checker), 422, 'EXECUTION_REFUSED');
    assert.equal(refused.json.refusal_code, 'REQUEST_CONFLICT');
    assert.equal(await floatOf(kissi, agent), 100);
  });
});
