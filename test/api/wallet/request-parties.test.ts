// A request id belongs to the party for whom the request acts: its other credentials repeat the payment, and move no money.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentToken, floatOf, newAgent, newFundedAgent, newSubAgent, wrongPin } from '../../support/agents.ts';
import { decide, pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { bankForFile, movementCount, newPartner, PIN, WRONG_PIN } from '../../support/money.ts';
import { markPep } from '../../support/pep.ts';
import { merchantToken, newMerchant } from '../../support/processors.ts';
import { apiKey, assertRefused, staffToken } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const admin = await kissi.adminToken();

let requests = 0;
const newRequestId = () => `party-${++requests}`;

const call = (token: string, path: string, body: object): Promise<CallReply> =>
  kissi.call('POST', `/api/v1${path}`, { token, body });
const newKey = async (...scopes: Parameters<typeof apiKey>[1]) => apiKey(kissi, scopes);

const BALANCES = ['balance', 'from_balance', 'to_balance', 'partner_outstanding'];

/** The first payment again, without what the other credential may not see. */
function assertSamePayment(again: CallReply, first: CallReply): void {
  assert.equal(first.status, 200, first.text);
  assert.equal(again.status, 200, again.text);
  const shown = Object.entries(first.json).filter(([name]) => !BALANCES.includes(name));
  assert.deepEqual(again.json, Object.fromEntries(shown));
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
}

function assertOwnReply(again: CallReply, first: CallReply): void {
  assert.equal(again.text, first.text);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
}

async function newTransfer(amount = 1_000) {
  const [from, to] = [await bank.wallet(100_000), await bank.wallet()];
  const body = { sender_id: from.id, recipient_id: to.id, amount, pin: PIN, request_id: newRequestId() };
  return { from, to, body };
}

describe('a transfer of a wallet', () => {
  test('is made once, whichever of two keys and a login sends it', async () => {
    const { from, to, body } = await newTransfer();
    const [one, two] = [await newKey('payments:write'), await newKey('payments:write')];
    const first = await call(one.key, '/wallet/transfer', body);
    assert.equal(typeof first.json.balance, 'number');
    for (const token of [two.key, admin]) assertSamePayment(await call(token, '/wallet/transfer', body), first);
    assertOwnReply(await call(one.key, '/wallet/transfer', body), first);
    assert.equal(await bank.balance(to.id), 1_000);
    assert.equal(await bank.balance(from.id), 100_000 - first.json.total_debited);
  });

  test('is made once when two keys and a login send it at the same time', async () => {
    const { to, body } = await newTransfer();
    const tokens = [(await newKey('payments:write')).key, (await newKey('payments:write')).key, admin];
    const replies = await Promise.all([...tokens, ...tokens].map((token) => call(token, '/wallet/transfer', body)));
    const [first, ...more] = replies.filter(({ headers }) => headers.get('idempotent-replayed') === null);
    assert.ok(first && more.length === 0);
    const sentFirst = replies.indexOf(first);
    for (const [index, reply] of replies.entries()) {
      assert.equal(reply.json.transaction_id, first.json.transaction_id, reply.text);
      const isOwn: boolean = index % tokens.length === sentFirst % tokens.length;
      assert.equal('balance' in reply.json, isOwn, reply.text);
    }
    assert.equal(await movementCount(kissi, to.id), 1);
  });

  test('with other details, or as a withdrawal, is a conflict for every credential', async () => {
    const { from, to, body } = await newTransfer();
    const [one, two] = [await newKey('payments:write'), await newKey('payments:write')];
    assert.equal((await call(one.key, '/wallet/transfer', body)).status, 200);
    const agent = await newAgent(kissi);
    const { request_id } = body;
    const withdrawal = { subscriber_id: from.id, agent_id: agent.id, amount: 1_000, pin: PIN, request_id };
    for (const token of [one.key, two.key, admin]) {
      assertRefused(await call(token, '/wallet/transfer', { ...body, amount: 999 }), 409, 'REQUEST_CONFLICT');
      assertRefused(await call(token, '/wallet/withdraw', withdrawal), 409, 'REQUEST_CONFLICT');
    }
    assert.equal(await bank.balance(to.id), 1_000);
  });

  test('is repeated by another key after the first was revoked and both wallets were blocked', async () => {
    const { from, to, body } = await newTransfer();
    const [one, two] = [await newKey('payments:write'), await newKey('payments:write')];
    const first = await call(one.key, '/wallet/transfer', body);
    await kissi.call('DELETE', `/api/v1/admin/api-keys/${one.id}`, { token: admin });
    for (const { id } of [from, to]) await call(admin, `/subscribers/${id}/block`, { reason: 'Fraud' });
    assert.equal((await call(one.key, '/wallet/transfer', body)).status, 401);
    assertSamePayment(await call(two.key, '/wallet/transfer', body), first);
  });

  test('tells another key nothing without the right PIN', async () => {
    const { from, to, body } = await newTransfer();
    const [one, two] = [await newKey('payments:write'), await newKey('payments:write')];
    await call(one.key, '/wallet/transfer', body);
    const answers = async (request: object) => {
      const { status, json } = await call(two.key, '/wallet/transfer', { ...request, pin: WRONG_PIN });
      return [status, json.code, json.attempts_remaining];
    };
    const fresh = { ...body, request_id: newRequestId() };
    const expected = [
      [401, 'INVALID_PIN'],
      [401, 'INVALID_PIN'],
    ];
    const got = [await answers(body), await answers(fresh)];
    assert.deepEqual(
      got.map(([status, code]) => [status, code]),
      expected,
      'as for a new request',
    );
    await call(admin, `/subscribers/${from.id}/block`, { reason: 'Fraud' });
    assert.deepEqual((await answers(body)).slice(0, 2), [403, 'SUBSCRIBER_BLOCKED'], 'as for a new request');
    assert.equal(await bank.balance(to.id), 1_000);
  });

  test('of a politically exposed person tells staff without access nothing', async () => {
    const { from, body } = await newTransfer();
    const { key } = await newKey('payments:write');
    assert.equal((await call(key, '/wallet/transfer', body)).status, 200);
    await markPep(kissi, from.id);
    for (const request of [body, { ...body, request_id: newRequestId() }]) {
      assertRefused(await call(admin, '/wallet/transfer', request), 403, 'PEP_ACCESS_REQUIRED');
    }
  });

  test('takes the id of the header only if the body has none', async () => {
    const { to, body } = await newTransfer();
    const [one, two] = [await newKey('payments:write'), await newKey('payments:write')];
    const { request_id, ...bare } = body;
    const headers = { 'x-request-id': request_id };
    const first = await kissi.call('POST', '/api/v1/wallet/transfer', { token: one.key, body: bare, headers });
    assertSamePayment(await call(two.key, '/wallet/transfer', body), first);
    const other = { ...body, request_id: newRequestId() };
    const second = await kissi.call('POST', '/api/v1/wallet/transfer', { token: two.key, body: other, headers });
    assert.equal(second.headers.get('idempotent-replayed'), null);
    assert.equal(await bank.balance(to.id), 2_000);
  });
});

describe("an agent's payment", () => {
  test('is made once by its login and by a key, and another agent is refused as before', async () => {
    const [agent, other] = [await newFundedAgent(kissi, 50_000), await newFundedAgent(kissi, 50_000)];
    const [login, foreign] = [await agentToken(kissi, agent), await agentToken(kissi, other)];
    const { key } = await newKey('payments:write');
    const wallet = await bank.wallet();
    const cashIn = { agent_id: agent.id, subscriber_id: wallet.id, amount: 2_000, pin: agent.pin };
    const body = { ...cashIn, request_id: newRequestId() };
    const first = await call(login, '/agents/cashin', body);
    assertSamePayment(await call(key, '/agents/cashin', body), first);
    assertOwnReply(await call(login, '/agents/cashin', body), first);
    assertRefused(await call(foreign, '/agents/cashin', body), 403, 'FORBIDDEN');
    assertRefused(await call(key, '/agents/cashin', { ...body, pin: wrongPin(agent) }), 400, 'INVALID_PIN');
    assertRefused(await call(key, '/agents/cashin', { ...body, amount: 2_001 }), 409, 'REQUEST_CONFLICT');
    assert.equal(await bank.balance(wallet.id), 2_000);
  });

  test('withdraws from the wallet once, and shows another credential neither balance nor float', async () => {
    const agent = await newAgent(kissi);
    const [login, { key }] = [await agentToken(kissi, agent), await newKey('payments:write')];
    const wallet = await bank.wallet(100_000);
    const base = { subscriber_id: wallet.id, agent_id: agent.id, amount: 5_000, pin: PIN };
    const body = { ...base, request_id: newRequestId() };
    const first = await call(login, '/wallet/withdraw', body);
    assertSamePayment(await call(key, '/wallet/withdraw', body), first);
    const foreign = await agentToken(kissi, await newAgent(kissi));
    assertRefused(await call(foreign, '/wallet/withdraw', body), 403, 'FORBIDDEN');
    assert.equal(await movementCount(kissi, wallet.id), 2);
  });

  test('transfers float once, and shows another credential neither balance', async () => {
    const agent = await newFundedAgent(kissi, 50_000);
    const sub = await newSubAgent(kissi, agent);
    const [login, { key }] = [await agentToken(kissi, agent), await newKey('payments:write')];
    const base = { from_agent_id: agent.id, to_agent_id: sub.id, amount: 3_000, pin: agent.pin };
    const body = { ...base, request_id: newRequestId() };
    const first = await call(login, '/agents/transfer', body);
    assertSamePayment(await call(key, '/agents/transfer', body), first);
    assert.equal(await floatOf(kissi, sub), 3_000);
  });

  test("does not let its sub-agent compare its PIN as a wallet's", async () => {
    const boss = await newFundedAgent(kissi, 100_000);
    const sub = await newSubAgent(kissi, boss);
    const request_id = newRequestId();
    const transfer = { from_agent_id: boss.id, to_agent_id: sub.id, amount: 1_000, pin: boss.pin, request_id };
    assert.equal((await call(await agentToken(kissi, boss), '/agents/transfer', transfer)).status, 200);
    const subToken = await agentToken(kissi, sub);
    for (const pin of [boss.pin, ...Array(4).fill(wrongPin(boss))]) {
      const body = { subscriber_id: boss.id, agent_id: sub.id, amount: 1, pin, request_id };
      assertRefused(await call(subToken, '/wallet/withdraw', body), 404, 'SUBSCRIBER_NOT_FOUND');
    }
    const { rows } = await kissi.db.query('select failures from pins where owner_id = $1', [boss.id]);
    assert.equal(rows[0]?.failures, 0);
  });

  test("is not repeated by a key with the id and the PIN of a subscriber's wallet", async () => {
    const { from, body } = await newTransfer();
    const [one, two] = [await newKey('payments:write'), await newKey('payments:write', 'agents:write')];
    assert.equal((await call(one.key, '/wallet/transfer', body)).status, 200);
    const cashIn = { agent_id: from.id, subscriber_id: body.recipient_id, amount: 1, pin: WRONG_PIN };
    const reply = await call(two.key, '/agents/cashin', { ...cashIn, request_id: body.request_id });
    assert.ok([403, 404].includes(reply.status), reply.text);
    const { rows } = await kissi.db.query('select failures from pins where owner_id = $1', [from.id]);
    assert.equal(rows[0]?.failures, 0);
  });
});

describe('a card payment of a processor', () => {
  test('is made once by two of its keys, and its refund once by a key and its login', async () => {
    const merchant = await newMerchant(kissi);
    const keyExtra = { processor_id: merchant.id };
    const [one, two] = [
      await terminalOf(kissi, { merchant, keyExtra }),
      await terminalOf(kissi, { merchant, keyExtra }),
    ];
    const wallet = await bank.wallet(100_000);
    const body = one.payment(await bank.card(wallet), { encrypted_pin: undefined, pin: PIN });
    const first = await one.send('/pos/payment', body);
    const both = await Promise.all([two.send('/pos/payment', body), one.send('/pos/payment', body)]);
    for (const again of both) assertOwnReply(again, first);
    assertRefused(await two.send('/pos/payment', { ...body, amount: 1 }), 409, 'REQUEST_CONFLICT');
    assert.equal(await bank.balance(wallet.id), 90_000);

    // The processor keeps payments less its fee, and needs more for a full refund.
    await one.pay(await bank.card(await bank.wallet(50_000)));
    const { transaction_id } = first.json;
    for (const amount of [4_000, undefined]) {
      const refund = { transaction_id, amount, request_id: newRequestId() };
      const refunded = await one.send('/pos/refund', refund);
      assertOwnReply(await two.send('/pos/refund', refund), refunded);
      const token = await merchantLogin(merchant);
      assertOwnReply(await call(token, `/processors/${merchant.id}/refunds`, refund), refunded);
    }
    assert.equal(await bank.balance(wallet.id), 100_000);
  });

  test('tells a key of another processor nothing', async () => {
    const [own, other] = [await newMerchant(kissi), await newMerchant(kissi)];
    const one = await terminalOf(kissi, { merchant: own, keyExtra: { processor_id: own.id } });
    const foreign = await terminalOf(kissi, { merchant: own, keyExtra: { processor_id: other.id } });
    const wallet = await bank.wallet(100_000);
    const body = one.payment(await bank.card(wallet), { encrypted_pin: undefined, pin: PIN });
    const first = assertStatus(await one.send('/pos/payment', body), 200);
    await one.pay(await bank.card(await bank.wallet(50_000)));
    const refund = { transaction_id: first.json.transaction_id, request_id: newRequestId() };
    assert.equal((await one.send('/pos/refund', refund)).status, 200);
    for (const [path, request] of [
      ['/pos/payment', body],
      ['/pos/refund', refund],
    ] as const) {
      for (const sent of [request, { ...request, request_id: newRequestId() }]) {
        assertRefused(await foreign.send(path, sent), 403, 'FORBIDDEN', path);
      }
    }
  });

  const tokens = new Map<string, Promise<string>>();
  function merchantLogin(merchant: Awaited<ReturnType<typeof newMerchant>>): Promise<string> {
    const token = tokens.get(merchant.id) ?? merchantToken(kissi, merchant);
    tokens.set(merchant.id, token);
    return token;
  }
});

test('a transfer of a processor is made once by its login, its key and staff', async () => {
  const [merchant, other] = [await newMerchant(kissi), await newMerchant(kissi)];
  const terminal = await terminalOf(kissi, { merchant });
  await terminal.pay(await bank.card(await bank.wallet(100_000)));
  const wallet = await bank.wallet();
  const body = { to_subscriber_id: wallet.id, amount: 1_000, request_id: newRequestId() };
  const path = `/processors/${merchant.id}/transfer`;
  const first = await call(await merchantToken(kissi, merchant), path, body);
  const { key } = await apiKey(kissi, ['payouts:write'], { processor_id: merchant.id });
  for (const token of [key, admin]) assertSamePayment(await call(token, path, body), first);
  const foreign = await apiKey(kissi, ['payouts:write'], { processor_id: other.id });
  assertRefused(await call(foreign.key, path, body), 403, 'FORBIDDEN');
  assert.equal(await bank.balance(wallet.id), 1_000);
});

test("funding by a partner is made once by its key and by staff, and another partner's key is refused", async () => {
  const [partner_id, wallet] = [await newPartner(kissi), await bank.wallet()];
  const [own, foreign] = [
    await apiKey(kissi, ['payments:write'], { partner_id }),
    await apiKey(kissi, ['payments:write'], { partner_id: await newPartner(kissi) }),
  ];
  const body = { partner_id, subscriber_id: wallet.id, amount: 1_500, request_id: newRequestId() };
  const first = await call(own.key, '/wallet/fund-from-partner', body);
  assertSamePayment(await call(admin, '/wallet/fund-from-partner', body), first);
  assertRefused(await call(foreign.key, '/wallet/fund-from-partner', body), 403, 'FORBIDDEN');
  await markPep(kissi, wallet.id);
  assertRefused(await call(admin, '/wallet/fund-from-partner', body), 403, 'PEP_ACCESS_REQUIRED');
  assert.equal(await bank.balance(wallet.id), 1_500);
});

test("a treasury movement is made once by two users and an operator's key", async () => {
  const agent = await newAgent(kissi);
  const [finance, { key }] = [await staffToken(kissi, 'finance_user'), await newKey('treasury:write')];
  const body = { amount: 7_000, request_id: newRequestId() };
  const path = `/agents/${agent.id}/fund`;
  const first = await call(admin, path, body);
  for (const token of [finance, key]) assertSamePayment(await call(token, path, body), first);
  assertRefused(await call(finance, `/agents/${agent.id}/return-float`, body), 409, 'REQUEST_CONFLICT');
  assert.equal(await floatOf(kissi, agent), 7_000);
});

test('a request that waits for approval is requested once, and shows another user no balances', async () => {
  const [one, two] = [await user(kissi, 'finance_user'), await user(kissi, 'finance_user')];
  const agent = await newFundedAgent(kissi, 1_000);
  await setPolicy(kissi, 'agents.fund', { enabled: true });
  const body = { amount: 500, request_id: newRequestId() };
  const path = `/agents/${agent.id}/fund`;
  const replies = await Promise.all([one, two, one, two].map(({ token }) => call(token, path, body)));
  const [approval] = replies.map(pendingOf) as [Json];
  for (const reply of replies) assert.equal(pendingOf(reply).id, approval.id);
  const [requester, other] = approval.requested_by === one.id ? [one, two] : [two, one];
  const seen = pendingOf(await call(other.token, path, body));
  assert.deepEqual(Object.keys(seen.summary), ['text']);
  assertRefused(await call(other.token, path, { ...body, amount: 501 }), 409, 'REQUEST_CONFLICT');
  assert.equal((await decide(kissi, approval.id, 'approve', other)).status, 200);
  const executed = async (token: string) => (await call(token, path, body)).json.approval;
  const [ofOther, ofRequester] = [await executed(other.token), await executed(requester.token)];
  assert.deepEqual([ofOther.status, ofOther.id, ofRequester.id], ['executed', approval.id, approval.id]);
  const { balance, ...shown } = ofRequester.result;
  assert.deepEqual([balance, ofOther.result], [1_500, shown]);
  await setPolicy(kissi, 'agents.fund', { enabled: false });
  const { key } = await newKey('treasury:write');
  assert.deepEqual((await executed(key)).result, shown);
  assert.equal(await floatOf(kissi, agent), 1_500);
});

test('an approval is not executed after the same request was made by another credential without one', async () => {
  const [requester, approver] = [await user(kissi, 'finance_user'), await user(kissi, 'finance_user')];
  const merchant = await newMerchant(kissi);
  const terminal = await terminalOf(kissi, { merchant, keyExtra: { processor_id: merchant.id } });
  const card = await bank.card(await bank.wallet(100_000));
  await terminal.pay(card, { encrypted_pin: undefined, pin: PIN });
  const wallet = await bank.wallet();
  await setPolicy(kissi, 'processors.transfer', { enabled: true });
  const body = { to_subscriber_id: wallet.id, amount: 1_000, request_id: newRequestId() };
  const { id } = pendingOf(await call(requester.token, `/processors/${merchant.id}/transfer`, body));
  assertStatus(await terminal.pay(card, { request_id: body.request_id, encrypted_pin: undefined, pin: PIN }), 200);
  const refused = assertRefused(await decide(kissi, id, 'approve', approver), 422, 'EXECUTION_REFUSED');
  assert.equal(refused.json.refusal_code, 'REQUEST_CONFLICT');
  await setPolicy(kissi, 'processors.transfer', { enabled: false });
  assert.equal(await bank.balance(wallet.id), 0);
});

test('a party that is none of the kind is unknown, whether its request id was used or not', async () => {
  const { from, to, body: sent } = await newTransfer();
  assert.equal((await call(admin, '/wallet/transfer', sent)).status, 200);
  const agent = await newFundedAgent(kissi, 1_000);
  const treasury = { amount: 100, request_id: newRequestId() };
  assert.equal((await call(admin, `/agents/${agent.id}/fund`, treasury)).status, 200);
  const terminal = await terminalOf(kissi);
  const { card } = await bank.customer(1_000);
  const paid = assertStatus(await terminal.pay(card, { amount: 1, request_id: newRequestId() }), 200);
  const { key } = await newKey('payments:write');
  const other = await terminalOf(kissi);
  const used = [
    ['operator', treasury.request_id],
    [terminal.merchant.id, paid.json.request_id ?? `party-${requests}`],
    [agent.id, newRequestId()],
  ] as const;
  for (const [party, id] of used) {
    for (const request_id of [id, newRequestId()]) {
      const transfer = { sender_id: party, recipient_id: to.id, amount: 1, pin: PIN, request_id };
      assertRefused(await call(key, '/wallet/transfer', transfer), 404, 'SUBSCRIBER_NOT_FOUND', party);
      const cash = { subscriber_id: party, agent_id: agent.id, amount: 1, pin: PIN, request_id };
      assertRefused(await call(key, '/wallet/withdraw', cash), 404, 'SUBSCRIBER_NOT_FOUND', party);
    }
  }
  for (const [processor_id, id] of [used[0], [from.id, sent.request_id]] as const) {
    for (const request_id of [id, newRequestId()]) {
      const reply = await other.pay(card, { processor_id, amount: 1, request_id });
      assertRefused(reply, 404, 'NOT_FOUND', `${processor_id} ${request_id}`);
    }
  }
});
