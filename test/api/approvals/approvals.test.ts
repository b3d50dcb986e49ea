// Approvals of agents' funding: policies, requests, decisions, and what is stored and audited about them.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { assertRefused, floatOf, fundAgent, newAgent, type TestAgent } from '../../support/agents.ts';
import { decide, getApproval, pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile, movementCount, newFundingId } from '../../support/money.ts';
import { auditLogs, runChore } from '../../support/staff.ts';

const DAY_MS = 86_400_000;
const { kissi, bank } = await bankForFile();
const admin = { token: await kissi.adminToken() };
const maker = await user(kissi, 'finance_user');
const checker = await user(kissi, 'finance_user');
const support = await user(kissi, 'support_user');
const auditor = await user(kissi, 'audit_user');

/** The actions in the contract's part "Operator API"; later parts added others. */
const ACTIONS = [
  ...['agents.fund', 'agents.return_float', 'wallet.fund_from_partner', 'partners.settle', 'inbound.reverse'],
  ...['processors.transfer', 'fees.change', 'rules.change', 'kyc.raise', 'pin.reset', 'users.change'],
  ...['api_keys.create', 'partners.change'],
];

let agent: TestAgent;
beforeEach(async () => {
  agent = await newAgent(kissi);
  await setPolicy(kissi, 'agents.fund', { enabled: true });
});

const fund = (body: object, { token } = maker, { id } = agent) =>
  kissi.call('POST', `/api/v1/agents/${id}/fund`, { body, token });
const list = (query: Record<string, string>, { token }: { token: string }) =>
  kissi.call('GET', `/api/v1/admin/approvals?${new URLSearchParams(query)}`, { token });
const relogin = async () => {
  const session = await kissi.call('POST', '/api/v1/admin/login', { body: maker });
  maker.token = session.json.token;
};

describe('policies', () => {
  test('cover every action, ship disabled except those that always apply, and change one at a time', async () => {
    const reply = await kissi.call('GET', '/api/v1/admin/approval-policies', { token: auditor.token });
    const actions = reply.json.policies.map(({ action }: Json) => action);
    assert.deepEqual(
      ACTIONS.filter((action) => !actions.includes(action)),
      [],
    );
    assert.equal(reply.json.count, actions.length);
    const others = reply.json.policies.filter(({ action }: Json) => !['agents.fund', 'users.change'].includes(action));
    for (const { action, enabled, threshold, updated_by } of others)
      assert.deepEqual(
        [enabled, threshold, updated_by],
        [['cases.recall', 'privacy.erase'].includes(action), null, null],
        action,
      );
    const saved = await setPolicy(kissi, 'partners.settle', { enabled: true, threshold: 5_000 });
    assert.deepEqual([saved.enabled, saved.threshold], [true, 5_000]);
    const back = await setPolicy(kissi, 'partners.settle', { enabled: false });
    assert.deepEqual([back.enabled, back.threshold], [false, null]);
    const [entry] = await auditLogs(kissi, { action: 'approval_policy.update', resource_id: 'partners.settle' });
    assert.deepEqual(entry.details, {
      from: { enabled: true, threshold: 5_000 },
      to: { enabled: false, threshold: null },
    });
  });

  test('refuse a threshold that is not an amount, or for an action without an amount', async () => {
    for (const [action, threshold] of [
      ['agents.fund', 0],
      ['agents.fund', '1.5'],
      ['users.change', 100],
    ]) {
      const body = { action, enabled: true, threshold };
      assertRefused(
        await kissi.call('PUT', '/api/v1/admin/approval-policies', { body, ...admin }),
        400,
        'INVALID_REQUEST',
      );
    }
  });

  test('that are disabled leave the interface as it is', async () => {
    await setPolicy(kissi, 'agents.fund', { enabled: false });
    assertStatus(await fund({ amount: 700 }), 200);
    assert.equal(await floatOf(kissi, agent), 700);
  });
});

describe('a request under a policy', () => {
  test('is stored with its input and a summary, and moves no money', async () => {
    await fundPlain(1_000);
    const reply = await fund({ amount: '250', request_id: 'apr-1', description: 'March' });
    const approval = pendingOf(reply);
    assert.match(approval.id, /^apr_[0-9A-Z]{26}$/);
    assert.deepEqual(approval.params, { id: agent.id });
    assert.deepEqual(approval.input, { amount: '250', request_id: 'apr-1', description: 'March' });
    const text = `Fund the float of agent ${agent.id} with 2.50 SLE.`;
    const { parties, ...summary } = approval.summary;
    assert.deepEqual(summary, { text, before: { balance: 1_000 }, after: { balance: 1_250 } });
    assert.deepEqual(parties, [{ id: agent.id, name: 'Kissy Road Traders' }]);
    assert.deepEqual([approval.action, approval.operation, approval.amount], ['agents.fund', 'agents.fund', 250]);
    assert.equal(approval.requested_by, maker.id);
    assert.deepEqual([approval.requested_by_name, approval.requested_by_email], ['Test Person', maker.email]);
    assert.deepEqual([approval.decided_by_name, approval.decided_by_email], [null, null]);
    assert.equal(Date.parse(approval.expires_at) - Date.parse(approval.requested_at), 7 * DAY_MS);
    assert.equal(await floatOf(kissi, agent), 1_000);
    assert.equal(await movementCount(kissi, agent.id), 1);
    const [entry] = await auditLogs(kissi, { action: 'approval.request', resource_id: approval.id });
    assert.deepEqual([entry.actor_id, entry.details.summary, entry.details.amount], [maker.id, text, 250]);
  });

  test('gets exactly the refusal that the immediate execution would have got, and stores nothing', async () => {
    const before = (await list({}, admin)).json.total_count;
    const bodies = [{ amount: 0 }, { amount: '1e3' }, { amount: 10 ** 15 }, { amount: 9_007_199_254_740_991 }];
    for (const body of bodies) {
      await setPolicy(kissi, 'agents.fund', { enabled: false });
      const immediate = await fund(body);
      await setPolicy(kissi, 'agents.fund', { enabled: true });
      const checked = await fund(body);
      assert.ok(immediate.status >= 400, immediate.text);
      assert.deepEqual([checked.status, checked.json], [immediate.status, immediate.json]);
    }
    assertRefused(await fund({ amount: 1 }, maker, { ...agent, id: 'agent_X' }), 404, 'NOT_FOUND');
    await kissi.call('POST', `/api/v1/agents/${agent.id}/suspend`, { body: { reason: 'Test' }, ...admin });
    assertRefused(await fund({ amount: 1 }), 403, 'AGENT_SUSPENDED');
    assert.equal((await list({}, admin)).json.total_count, before);
  });

  test('is found by the party that it names, by those who see it', async () => {
    const other = await newAgent(kissi);
    const mine = pendingOf(await fund({ amount: 300 }));
    pendingOf(await fund({ amount: 400 }, maker, other));
    const found = assertStatus(await list({ party_id: agent.id }, checker), 200).json;
    assert.deepEqual([found.total_count, found.approvals.map(({ id }: Json) => id)], [1, [mine.id]]);
    assert.equal((await list({ party_id: agent.id }, support)).json.total_count, 0);
    assert.equal((await list({ party_id: 'agent_X' }, checker)).json.total_count, 0);
  });

  test('checks the balance of that moment: a return of more than the float is refused', async () => {
    await setPolicy(kissi, 'agents.return_float', { enabled: true });
    await fundPlain(500);
    const giveBack = (amount: number) =>
      kissi.call('POST', `/api/v1/agents/${agent.id}/return-float`, { body: { amount }, token: maker.token });
    const refused = assertRefused(await giveBack(501), 400, 'INSUFFICIENT_FLOAT');
    assert.deepEqual([refused.json.available, refused.json.required], [500, 501]);
    const approval = pendingOf(await giveBack(500));
    assert.deepEqual(approval.summary.after, { balance: 0 });
    assert.equal((await decide(kissi, approval.id, 'approve', checker)).status, 200);
    assert.equal(await floatOf(kissi, agent), 0);
    await setPolicy(kissi, 'agents.return_float', { enabled: false });
  });

  test('with the request id of a stored one returns that one, even after the policy was disabled', async () => {
    const body = { amount: 100, request_id: 'apr-same' };
    const first = pendingOf(await fund(body));
    const again = await fund(body);
    assert.equal(pendingOf(again).id, first.id);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assertRefused(await fund({ ...body, amount: 101 }), 409, 'REQUEST_CONFLICT');
    await setPolicy(kissi, 'agents.fund', { enabled: false });
    assert.equal(pendingOf(await fund(body)).id, first.id);
    assert.equal((await decide(kissi, first.id, 'approve', checker)).status, 200);
    const executed = await fund(body);
    assert.deepEqual([executed.status, executed.json.approval.status], [202, 'executed']);
    assert.equal(await floatOf(kissi, agent), 100);
  });

  test('with the request id of an executed one returns that reply', async () => {
    await setPolicy(kissi, 'agents.fund', { enabled: false });
    const body = { amount: 100, request_id: 'apr-executed' };
    const first = await fund(body);
    await setPolicy(kissi, 'agents.fund', { enabled: true });
    const again = await fund(body);
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(await floatOf(kissi, agent), 100);
  });

  test('by an API key gets 403 APPROVAL_REQUIRED, also below the threshold', async () => {
    const body = { amount: 1, request_id: newFundingId() };
    assertRefused(await fund(body, { ...maker, token: bank.key }), 403, 'APPROVAL_REQUIRED');
    await setPolicy(kissi, 'agents.fund', { enabled: true, threshold: 1_000 });
    assertRefused(await fund(body, { ...maker, token: bank.key }), 403, 'APPROVAL_REQUIRED');
    await setPolicy(kissi, 'agents.fund', { enabled: false });
    assert.equal((await fund(body, { ...maker, token: bank.key })).status, 200);
  });
});

describe('an approval', () => {
  test('executes the request once, for its requester, and stores the result', async () => {
    const { id } = pendingOf(await fund({ amount: 300, description: 'April' }));
    kissi.clock.advance(1_000);
    const reply = assertStatus(await decide(kissi, id, 'approve', checker), 200);
    const { approval } = reply.json;
    assert.deepEqual([approval.status, approval.decided_by, approval.refusal], ['executed', checker.id, null]);
    assert.equal(approval.result.request_id, id);
    assert.equal(approval.result.balance, 300);
    assert.equal(await floatOf(kissi, agent), 300);
    const movement = await movementOf(approval.result.transaction_id);
    assert.deepEqual([movement.actor_type, movement.actor_id, movement.request_id], ['user', maker.id, id]);
    const [moved] = await auditLogs(kissi, { action: 'agent.fund', resource_id: approval.result.transaction_id });
    assert.equal(moved.actor_id, maker.id);
    assert.deepEqual([moved.details.approval_id, moved.details.approved_by], [id, checker.id]);
    const trail = (await auditLogs(kissi, { resource_id: id })).map(({ action, actor_id }) => [action, actor_id]);
    assert.deepEqual(trail, [
      ['approval.execute', checker.id],
      ['approval.approve', checker.id],
      ['approval.request', maker.id],
    ]);
  });

  test('needs another user with the permission', async () => {
    const { id } = pendingOf(await fund({ amount: 300 }));
    assertRefused(await decide(kissi, id, 'approve', maker), 403, 'FORBIDDEN');
    assertRefused(await decide(kissi, id, 'reject', maker), 403, 'FORBIDDEN');
    assertRefused(await decide(kissi, id, 'approve', support), 404, 'NOT_FOUND');
    assertRefused(await decide(kissi, id, 'approve', auditor), 403, 'FORBIDDEN');
    assertRefused(await decide(kissi, id, 'withdraw', checker), 403, 'FORBIDDEN');
    assertRefused(await decide(kissi, 'apr_unknown', 'approve', checker), 404, 'NOT_FOUND');
    assert.equal((await getApproval(kissi, id, auditor)).status, 'pending');
    assert.equal(await floatOf(kissi, agent), 0);
    assert.equal((await decide(kissi, id, 'approve', admin)).status, 200);
  });

  test('makes the checks of that moment: a refusal is final and stored, and moves no money', async () => {
    const { id } = pendingOf(await fund({ amount: 300 }));
    await kissi.call('POST', `/api/v1/agents/${agent.id}/suspend`, { body: { reason: 'Test' }, ...admin });
    const refused = assertRefused(await decide(kissi, id, 'approve', checker), 422, 'EXECUTION_REFUSED');
    assert.deepEqual([refused.json.approval_id, refused.json.refusal_code], [id, 'AGENT_SUSPENDED']);
    const approval = await getApproval(kissi, id, maker);
    assert.deepEqual([approval.status, approval.refusal.code, approval.result], ['failed', 'AGENT_SUSPENDED', null]);
    await kissi.call('POST', `/api/v1/agents/${agent.id}/reactivate`, admin);
    assertRefused(await decide(kissi, id, 'approve', checker), 422, 'EXECUTION_REFUSED');
    assertRefused(await decide(kissi, id, 'approve', admin), 409, 'ALREADY_DECIDED');
    assert.equal(await floatOf(kissi, agent), 0);
  });

  test('can be rejected with a reason, or withdrawn by its requester, once', async () => {
    const rejected = pendingOf(await fund({ amount: 300 })).id;
    const blank = { body: { reason: ' ' }, token: checker.token };
    assertRefused(
      await kissi.call('POST', `/api/v1/admin/approvals/${rejected}/reject`, blank),
      400,
      'INVALID_REQUEST',
    );
    const reply = await decide(kissi, rejected, 'reject', checker);
    assert.deepEqual([reply.json.approval.status, reply.json.approval.reason], ['rejected', 'Not agreed']);
    const withdrawn = pendingOf(await fund({ amount: 300 })).id;
    assert.equal((await decide(kissi, withdrawn, 'withdraw', maker)).json.approval.status, 'withdrawn');
    for (const id of [rejected, withdrawn]) {
      assertRefused(await decide(kissi, id, 'approve', checker), 409, 'ALREADY_DECIDED');
      assertRefused(await decide(kissi, id, 'reject', checker), 409, 'ALREADY_DECIDED');
      assertRefused(await decide(kissi, id, 'withdraw', maker), 409, 'ALREADY_DECIDED');
    }
    assert.equal(await floatOf(kissi, agent), 0);
  });

  test('expires after seven days, which the system records', async () => {
    const { id } = pendingOf(await fund({ amount: 300 }));
    kissi.clock.advance(7 * DAY_MS - 1);
    await relogin();
    const late = await user(kissi, 'finance_user');
    assert.equal((await getApproval(kissi, id, late)).status, 'pending');
    kissi.clock.advance(1);
    assertRefused(await decide(kissi, id, 'approve', late), 409, 'ALREADY_DECIDED');
    assert.equal((await getApproval(kissi, id, late)).status, 'expired');
    await runChore(kissi, 'expire and complete approvals');
    const [entry] = await auditLogs(kissi, { action: 'approval.expire', resource_id: id });
    assert.equal(entry.actor_type, 'system');
    assert.equal(await floatOf(kissi, agent), 0);
    admin.token = await kissi.adminToken();
    for (const each of [checker, support, auditor]) {
      each.token = (await kissi.call('POST', '/api/v1/admin/login', { body: each })).json.token;
    }
  });

  test('is still needed after the policy was disabled', async () => {
    const { id } = pendingOf(await fund({ amount: 300 }));
    await setPolicy(kissi, 'agents.fund', { enabled: false });
    assertRefused(await decide(kissi, id, 'approve', maker), 403, 'FORBIDDEN');
    assert.equal((await decide(kissi, id, 'approve', checker)).status, 200);
    assert.equal(await floatOf(kissi, agent), 300);
  });
});

describe('the list', () => {
  test("has the user's own requests and those the user may decide on; auditors read all", async () => {
    const { id } = pendingOf(await fund({ amount: 300 }));
    const own = pendingOf(await fund({ amount: 301 }, checker)).id;
    const ids = async (query: Record<string, string>, reader: { token: string }) =>
      (await list(query, reader)).json.approvals.map((approval: Json) => approval.id);
    const query = { status: 'pending', action: 'agents.fund' };
    assert.deepEqual((await ids(query, auditor)).slice(0, 2), [own, id]);
    assert.deepEqual((await ids(query, checker)).slice(0, 2), [own, id]);
    assert.deepEqual(await ids(query, support), []);
    assert.deepEqual(await ids({ ...query, requested_by: checker.id }, maker), [own]);
    assert.deepEqual(await ids({ status: 'rejected', requested_by: checker.id }, maker), []);
    const page = (await list({ ...query, limit: '1', offset: '1' }, auditor)).json;
    assert.deepEqual([page.approvals[0].id, page.limit, page.offset], [id, 1, 1]);
    const newest = await ids({ ...query, limit: '100' }, auditor);
    assert.deepEqual(await ids({ ...query, limit: '100', sort: 'oldest' }, auditor), newest.toReversed());
    assertRefused(await list({ status: 'open' }, auditor), 400, 'INVALID_REQUEST');
    assertRefused(await kissi.call('GET', `/api/v1/admin/approvals/${id}`, { token: support.token }), 404, 'NOT_FOUND');
  });
});

/** Funds without a policy. */
async function fundPlain(amount: number): Promise<void> {
  await setPolicy(kissi, 'agents.fund', { enabled: false });
  await fundAgent(kissi, agent, amount);
  await setPolicy(kissi, 'agents.fund', { enabled: true });
}

function movementOf(id: string) {
  const row = kissi.db.database.queries.selectFrom('movements').selectAll().where('id', '=', id);
  return row.executeTakeFirstOrThrow();
}
