// A request's outcome by its request id: of the caller's party, and true while the payment is being executed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { agentToken, newFundedAgent } from '../../support/agents.ts';
import { decide, pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { lockWaiters } from '../../support/citus.ts';
import { assertStatus, type CallOptions, type CallReply, type Json } from '../../support/gateway.ts';
import { bankForFile, movementCount, PIN } from '../../support/money.ts';
import { partnerBank } from '../../support/partner.ts';
import { markPep } from '../../support/pep.ts';
import { newMerchant } from '../../support/processors.ts';
import { apiKey, assertRefused, staffToken, type TestKey } from '../../support/staff.ts';
import { signatureHeaders, terminalOf } from '../../support/terminal.ts';
import { waitFor } from '../../support/wait.ts';

const { kissi, bank } = await bankForFile();
const admin = await kissi.adminToken();

let requests = 0;
const newRequestId = () => `form-${++requests}`;
const NOTHING = { transaction_id: null, approval_id: null, reply: null };

const ask = (requestId: string, query = '', options: CallOptions = { token: admin }) =>
  kissi.call('GET', `/api/v1/requests/${encodeURIComponent(requestId)}${query}`, options);

async function outcome(requestId: string, party: string | null, token = admin): Promise<Json> {
  const reply = assertStatus(await ask(requestId, party === null ? '' : `?party_id=${party}`, { token }), 200);
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
  const { from, body } = await newTransfer();
  assert.deepEqual(await outcome(body.request_id, from.id), unknown);
  const { json } = await pay('/wallet/transfer', body);
  const found = await outcome(body.request_id, from.id);
  assert.deepEqual(found, { ...NOTHING, status: 'completed', transaction_id: json.transaction_id, reply: json });
});

test('a credential finds what it sent, and callers that may read all payments find it without balances', async () => {
  const { from, body } = await newTransfer();
  const [{ key }, { key: other }] = [await apiKey(kissi, ['payments:write']), await apiKey(kissi, ['payments:write'])];
  const { json } = await pay('/wallet/transfer', body, key);
  assert.deepEqual((await outcome(body.request_id, from.id, key)).reply, json);
  const { balance: _, ...shown } = json;
  const finance = await staffToken(kissi, 'finance_user');
  for (const token of [finance, (await apiKey(kissi, ['payments:read'])).key]) {
    assert.deepEqual((await outcome(body.request_id, from.id, token)).reply, shown);
  }
  assert.deepEqual(await outcome(body.request_id, from.id, other), unknown);
  const agent = await newFundedAgent(kissi, 1_000);
  assert.deepEqual(await outcome(body.request_id, from.id, await agentToken(kissi, agent)), unknown);
  assert.deepEqual(await outcome(body.request_id, agent.id), unknown, 'of another party');
  await markPep(kissi, from.id);
  assert.deepEqual(await outcome(body.request_id, from.id, finance), unknown, 'as a request that never arrived');
  assert.deepEqual((await outcome(body.request_id, from.id, key)).reply, json);
});

test('a caller without its own party must name one', async () => {
  for (const token of [admin, (await apiKey(kissi, ['payments:write'])).key]) {
    assertRefused(await ask('any', '', { token }), 400, 'INVALID_REQUEST');
  }
  const partner = await partnerBank(kissi);
  for (const party of ['approval', `reference:${partner.id}`, '', 'sub_1']) {
    assertRefused(await ask('any', `?party_id=${encodeURIComponent(party)}`), 400, 'INVALID_REQUEST', party);
  }
});

test('an agent asks for its own requests, and for what it paid out of a wallet', async () => {
  const agent = await newFundedAgent(kissi, 50_000);
  const token = await agentToken(kissi, agent);
  const wallet = await bank.wallet(50_000);
  const cashIn = { agent_id: agent.id, subscriber_id: wallet.id, amount: 100, pin: agent.pin };
  const body = { ...cashIn, request_id: newRequestId() };
  const paid = await pay('/agents/cashin', body, token);
  assert.deepEqual((await outcome(body.request_id, null, token)).reply, paid.json);
  const cashOut = { agent_id: agent.id, subscriber_id: wallet.id, amount: 100, pin: PIN, request_id: newRequestId() };
  const out = await pay('/wallet/withdraw', cashOut, token);
  assert.deepEqual(await outcome(cashOut.request_id, null, token), unknown);
  assert.deepEqual((await outcome(cashOut.request_id, wallet.id, token)).reply, out.json);
});

test("a processor's keys ask, list and read by signature, and see nothing of other processors", async () => {
  const [merchant, other] = [await newMerchant(kissi), await newMerchant(kissi)];
  const terminal = await terminalOf(kissi, { merchant, keyExtra: { processor_id: merchant.id } });
  const paid = await terminal.pay(await bank.card(await bank.wallet(50_000)), { request_id: newRequestId() });
  assert.equal(paid.status, 200, paid.text);
  const { transaction_id } = paid.json;
  const requestId = `form-${requests}`;
  const keyOf = async (processor_id: string) => apiKey(kissi, ['payments:read'], { processor_id });
  const [reader, foreign] = [await keyOf(merchant.id), await keyOf(other.id)];
  const get = (path: string, key: TestKey, changed = path) => {
    const at = new Date(kissi.clock.now()).toISOString();
    const headers = signatureHeaders(key, { method: 'GET', path: `/api/v1${path}`, at, body: '' });
    return kissi.call('GET', `/api/v1${changed}`, { headers });
  };
  for (const key of [terminal.key, reader]) {
    const found = await get(`/requests/${requestId}`, key);
    assert.deepEqual([found.json.status, found.json.reply], ['completed', paid.json], found.text);
  }
  assert.equal((await get(`/requests/${requestId}`, foreign)).json.status, 'unknown');
  assert.equal((await get(`/requests/${requestId}?party_id=${merchant.id}`, foreign)).json.status, 'unknown');

  const list = await get('/transactions?limit=10', reader);
  assert.deepEqual(
    list.json.transactions.map((each: Json) => each.id ?? each.transaction_id),
    [transaction_id],
    list.text,
  );
  assert.equal((await get(`/transactions/${transaction_id}`, reader)).json.transaction.transaction_id, transaction_id);
  assert.equal((await get('/transactions', foreign)).json.total_count, 0);
  assert.equal((await get(`/transactions/${transaction_id}`, foreign)).status, 404);
  assertRefused(await get(`/transactions?processor_id=${merchant.id}`, foreign), 403, 'FORBIDDEN');
  assertRefused(await get('/transactions', terminal.key), 403, 'FORBIDDEN', 'it cannot read payments');
  assertRefused(await get('/transactions?limit=10', reader, '/transactions?limit=11'), 401, 'INVALID_SIGNATURE');
  const stale = { 'x-api-key-id': reader.id, 'x-timestamp': '2026-01-01T00:00:00Z', 'x-signature': '0'.repeat(64) };
  assertRefused(await kissi.call('GET', '/api/v1/transactions', { headers: stale }), 401, 'EXPIRED_TIMESTAMP');
});

test("a partner's key asks for its requests and lists its movements by signature", async () => {
  const partner = await partnerBank(kissi);
  const wallet = await bank.wallet();
  const body = { partner_id: partner.id, subscriber_id: wallet.id, amount: 900, request_id: newRequestId() };
  const paid = assertStatus(await pay('/wallet/fund-from-partner', body, partner.key.key), 200);
  for (const path of [`/api/v1/requests/${body.request_id}`, '/api/v1/transactions']) {
    const at = new Date(kissi.clock.now()).toISOString();
    const headers = signatureHeaders(partner.key, { method: 'GET', path, at, body: '' });
    const { text } = assertStatus(await kissi.call('GET', path, { headers }), 200);
    assert.ok(text.includes(paid.json.transaction_id), text);
  }
});

test('a request that was refused without a record is unknown, and the same request can be sent again', async () => {
  const { from, to, body } = await newTransfer(200_000);
  const refused = await pay('/wallet/transfer', body);
  assert.equal(refused.json.code, 'INSUFFICIENT_BALANCE', refused.text);
  assert.deepEqual(await outcome(body.request_id, from.id), unknown);
  await bank.fund(from, 200_000);
  assert.equal((await pay('/wallet/transfer', body)).status, 200);
  assert.equal((await outcome(body.request_id, from.id)).status, 'completed');
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
    assert.deepEqual(await outcome(body.request_id, from.id), unknown);
    const again = pay('/wallet/transfer', body);
    await holder.query('commit');
    const [first, second] = await Promise.all([paying, again]);
    assert.equal(first.status, 200, first.text);
    assert.equal(second.text, first.text);
    assert.deepEqual((await outcome(body.request_id, from.id)).reply, first.json);
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
    assert.deepEqual(await outcome(body.request_id, 'operator', requester.token), {
      ...expected,
      status: 'pending_approval',
    });
    const ofApprover = await outcome(body.request_id, 'operator', approver.token);
    assert.deepEqual(ofApprover, { ...expected, status: 'pending_approval' }, 'who may read all payments');
    assert.equal((await decide(kissi, id, decision, approver)).status, 200);
    const found = await outcome(body.request_id, 'operator', requester.token);
    assert.deepEqual(found, { ...expected, status: decided[decision] });
  }
  await setPolicy(kissi, 'agents.fund', { enabled: false });
});

test('every valid request id can be asked for, and an invalid one is refused', async () => {
  for (const id of ['a/b?c#d%', '%'.repeat(128)]) assert.equal((await outcome(id, 'operator')).status, 'unknown', id);
  for (const id of ['a b', 'é', 'x'.repeat(129)]) {
    assertRefused(await ask(id, '?party_id=operator'), 400, 'INVALID_REQUEST', id);
  }
});
