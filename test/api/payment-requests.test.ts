// The outcome of a payment request by its request id: own requests only, and true while the payment is being executed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { agentToken, newFundedAgent } from '../support/agents.ts';
import { decide, pendingOf, setPolicy, user } from '../support/approvals.ts';
import { lockWaiters } from '../support/citus.ts';
import type { CallReply, Json } from '../support/gateway.ts';
import { bankForFile, movementCount, PIN } from '../support/money.ts';
import { apiKey } from '../support/staff.ts';
import { waitFor } from '../support/wait.ts';

const { kissi, bank } = await bankForFile();
const admin = await kissi.adminToken();

let requests = 0;
const newRequestId = () => `form-${++requests}`;
const NOTHING = { transaction_id: null, approval_id: null, reply: null };

async function outcome(requestId: string, token = admin): Promise<Json> {
  const reply = await kissi.call('GET', `/api/v1/payment-requests/${encodeURIComponent(requestId)}`, { token });
  assert.equal(reply.status, 200, reply.text);
  const { success, request_id, ...rest } = reply.json;
  assert.deepEqual([success, request_id], [true, requestId]);
  return rest;
}
const unknown = { status: 'unknown', ...NOTHING };

function pay(path: string, body: Json, token = admin): Promise<CallReply> {
  return kissi.call('POST', `/api/v1${path}`, { token, body });
}

async function newTransfer(amount = 1_000) {
  const [from, to] = [await bank.wallet(100_000), await bank.wallet()];
  const body = { sender_id: from.id, recipient_id: to.id, amount, pin: PIN, request_id: newRequestId() };
  return { from, to, body };
}

test('a completed payment is found with the reply that was sent', async () => {
  const { body } = await newTransfer();
  assert.deepEqual(await outcome(body.request_id), unknown);
  const { json } = await pay('/wallet/transfer', body);
  const found = await outcome(body.request_id);
  assert.deepEqual(found, { ...NOTHING, status: 'completed', transaction_id: json.transaction_id, reply: json });
});

test('each credential finds only its own requests', async () => {
  const { from, to, body } = await newTransfer();
  const [{ key }, { key: other }] = [await apiKey(kissi, ['payments:write']), await apiKey(kissi, ['payments:write'])];
  const paid = await pay('/wallet/transfer', body, key);
  assert.equal(paid.status, 200, paid.text);
  assert.equal((await outcome(body.request_id, key)).transaction_id, paid.json.transaction_id);
  const agent = await newFundedAgent(kissi, 1_000);
  for (const token of [other, admin, await agentToken(kissi, agent)]) {
    assert.deepEqual(await outcome(body.request_id, token), unknown);
  }
  assert.equal(await movementCount(kissi, to.id), 1);
  assert.equal(await bank.balance(from.id), 100_000 - paid.json.total_debited);
});

test('a request that was refused without a record is unknown, and the same request can be sent again', async () => {
  const { from, to, body } = await newTransfer(200_000);
  const refused = await pay('/wallet/transfer', body);
  assert.equal(refused.json.code, 'INSUFFICIENT_BALANCE', refused.text);
  assert.deepEqual(await outcome(body.request_id), unknown);
  await bank.fund(from, 200_000);
  assert.equal((await pay('/wallet/transfer', body)).status, 200);
  assert.equal((await outcome(body.request_id)).status, 'completed');
  assert.equal(await bank.balance(to.id), 200_000);
});

test('a payment that is being executed is unknown until it is committed, and sending it again moves no money', async () => {
  const { from, to, body } = await newTransfer();
  const holder = new pg.Client({ connectionString: kissi.db.url });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from accounts where id = $1 for update', [from.id]);
    const paying = pay('/wallet/transfer', body);
    await waitFor('the payment waits for the lock', async () => (await lockWaiters(holder)) > 0);
    assert.deepEqual(await outcome(body.request_id), unknown);
    const again = pay('/wallet/transfer', body);
    await holder.query('commit');
    const [first, second] = await Promise.all([paying, again]);
    assert.equal(first.status, 200, first.text);
    assert.equal(second.text, first.text);
    assert.deepEqual((await outcome(body.request_id)).reply, first.json);
  } finally {
    await holder.end();
  }
  assert.equal(await movementCount(kissi, to.id), 1);
});

test('a request under an approval policy is pending, then completed or refused with its approval', async () => {
  const [requester, approver] = [await user(kissi, 'finance_user'), await user(kissi, 'finance_user')];
  const agent = await newFundedAgent(kissi, 1_000);
  await setPolicy(kissi, 'agents.fund', { enabled: true });
  const decided: Record<string, string> = { approve: 'completed', reject: 'refused' };
  for (const decision of ['approve', 'reject'] as const) {
    const body = { amount: 500, request_id: newRequestId() };
    const { id } = pendingOf(await pay(`/agents/${agent.id}/fund`, body, requester.token));
    const expected = { ...NOTHING, approval_id: id };
    assert.deepEqual(await outcome(body.request_id, requester.token), { ...expected, status: 'pending_approval' });
    assert.deepEqual(await outcome(body.request_id, approver.token), unknown);
    assert.equal((await decide(kissi, id, decision, approver)).status, 200);
    const found = await outcome(body.request_id, requester.token);
    assert.deepEqual(found, { ...expected, status: decided[decision] });
  }
  await setPolicy(kissi, 'agents.fund', { enabled: false });
});

test('every valid request id can be asked for, and an invalid one is refused', async () => {
  for (const id of ['a/b?c#d%', '%'.repeat(128)]) assert.equal((await outcome(id)).status, 'unknown', id);
  for (const id of ['a b', 'é', 'x'.repeat(129)]) {
    const reply = await kissi.call('GET', `/api/v1/payment-requests/${encodeURIComponent(id)}`, { token: admin });
    assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_REQUEST'], id);
  }
});
