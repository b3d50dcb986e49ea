// POST /agents/transfer: floats from a super-agent to its sub-agents, the PIN and its lock, access, races and retries.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
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
import { assertStatus, type CallReply, testGateway } from '../../support/gateway.ts';
import { bankForFile, movementCount } from '../../support/money.ts';
import { apiKey, auditLogs, openSession, refusedAttemptCount, staffMember, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
let admin: string;
beforeEach(async () => {
  admin = await kissi.adminToken();
});

const transfer = (body: unknown, token = bank.key, headers: Record<string, string> = {}) =>
  kissi.call('POST', '/api/v1/agents/transfer', { body, token, headers });

async function newNetwork(
  float: number,
): Promise<{ superAgent: TestAgent; subAgent: TestAgent; base: Record<string, unknown> }> {
  const superAgent = await newAgent(kissi);
  const subAgent = await newSubAgent(kissi, superAgent);
  if (float > 0) await fundAgent(kissi, superAgent, float);
  return {
    superAgent,
    subAgent,
    base: { from_agent_id: superAgent.id, to_agent_id: subAgent.id, pin: superAgent.pin },
  };
}

const outcomes = (replies: CallReply[]) => replies.map(({ status, json }) => json.code ?? status);
const countOutcomes = (replies: CallReply[], outcome: string | number) =>
  outcomes(replies).filter((each) => each === outcome).length;

describe('POST /agents/transfer', () => {
  test('moves the whole amount without a fee and returns exactly the documented, formatted fields', async () => {
    const { superAgent, subAgent, base } = await newNetwork(1_000_000);
    const reply = await transfer(
      { ...base, amount: '123456', description: ' Week 9 ' },
      await agentToken(kissi, superAgent),
    );
    assert.equal(reply.status, 200, reply.text);
    const { transaction_id } = reply.json;
    assert.match(transaction_id, /^txn_[0-9A-Z]{26}$/);
    assert.deepEqual(reply.json, {
      success: true,
      message: 'The transfer was completed.',
      transaction_id,
      amount: '1,234.56 SLE',
      from_balance: '8,765.44 SLE',
      to_balance: '1,234.56 SLE',
    });
    assert.deepEqual([await floatOf(kissi, superAgent), await floatOf(kissi, subAgent)], [876_544, 123_456]);
    const { rows } = await kissi.db.query('select * from movements where id = $1', [transaction_id]);
    assert.deepEqual([rows[0].type, rows[0].narration, rows[0].fee], ['agent_transfer', 'Week 9', 0]);
    const [entry] = await auditLogs(kissi, { action: 'agent.transfer', actor_id: superAgent.userId });
    assert.deepEqual(
      [entry.resource_id, entry.details.payer, entry.details.payee],
      [transaction_id, superAgent.id, subAgent.id],
    );
  });

  test('accepts the amount as a number too', async () => {
    const { base } = await newNetwork(500);
    assert.equal((await transfer({ ...base, amount: 500 })).json.from_balance, '0.00 SLE');
  });

  test('exceeding the float gets 400 INSUFFICIENT_FLOAT with available and required as numbers', async () => {
    const { superAgent, subAgent, base } = await newNetwork(1_000);
    const reply = assertRefused(await transfer({ ...base, amount: '1001' }), 400, 'INSUFFICIENT_FLOAT');
    assert.deepEqual([reply.json.available, reply.json.required], [1_000, 1_001]);
    assertRefused(await transfer({ ...base, amount: Number.MAX_SAFE_INTEGER }), 400, 'INSUFFICIENT_FLOAT');
    assert.deepEqual([await floatOf(kissi, superAgent), await floatOf(kissi, subAgent)], [1_000, 0]);
  });

  test('an invalid amount is 400 INVALID_AMOUNT; other invalid fields get 400 INVALID_REQUEST', async () => {
    const { superAgent, base } = await newNetwork(1_000);
    const invalid = [0, -1, 0.5, 1e21, 2 ** 53, '', '-1', '1.0', '1e2', ' 1', '0', '1,000', '٣', '9007199254740992'];
    for (const amount of invalid)
      assertRefused(await transfer({ ...base, amount }), 400, 'INVALID_AMOUNT', String(amount));
    for (const literal of ['1e2', '100.0']) {
      const raw = JSON.stringify({ ...base, amount: null }).replace('"amount":null', `"amount":${literal}`);
      const reply = await kissi.call('POST', '/api/v1/agents/transfer', { raw, token: bank.key });
      assertRefused(reply, 400, 'INVALID_AMOUNT', literal);
    }
    const valid = { ...base, amount: 10 };
    for (const field of ['from_agent_id', 'to_agent_id', 'amount', 'pin']) {
      for (const value of [undefined, null, [], true]) {
        const reply = assertRefused(await transfer({ ...valid, [field]: value }), 400, 'INVALID_REQUEST', field);
        assert.ok(reply.json.error.includes(field), reply.json.error);
      }
    }
    assertRefused(await transfer({ ...valid, description: 'x'.repeat(501) }), 400, 'INVALID_REQUEST');
    assertRefused(await transfer({ ...valid, request_id: 'x'.repeat(129) }), 400, 'INVALID_REQUEST');
    assertRefused(await transfer(valid, bank.key, { 'x-request-id': 'x'.repeat(129) }), 400, 'INVALID_REQUEST');
    assert.equal(await floatOf(kissi, superAgent), 1_000);
  });
});

describe('who may transfer to whom', () => {
  test('only to a sub-agent of the source: 403 FORBIDDEN otherwise, for every caller', async () => {
    const { superAgent, subAgent, base } = await newNetwork(1_000);
    const other = await newNetwork(1_000);
    const forbidden = [
      { to_agent_id: other.subAgent.id },
      { to_agent_id: other.superAgent.id },
      { to_agent_id: superAgent.id },
      { from_agent_id: subAgent.id, to_agent_id: superAgent.id, pin: subAgent.pin },
      { from_agent_id: subAgent.id, to_agent_id: subAgent.id, pin: subAgent.pin },
    ];
    for (const token of [bank.key, admin, await agentToken(kissi, superAgent)]) {
      for (const parties of forbidden)
        assertRefused(await transfer({ ...base, amount: 1, ...parties }, token), 403, 'FORBIDDEN');
    }
    assert.deepEqual([await floatOf(kissi, superAgent), await floatOf(kissi, other.subAgent)], [1_000, 0]);
  });

  test('a super_agent transfers only from its own float: 403 from another network or its own sub-agent', async () => {
    const { superAgent, subAgent } = await newNetwork(1_000);
    const other = await newNetwork(1_000);
    const token = await agentToken(kissi, superAgent);
    const forbidden = [
      { from_agent_id: other.superAgent.id, to_agent_id: other.subAgent.id, pin: other.superAgent.pin },
      { from_agent_id: other.superAgent.id, to_agent_id: subAgent.id, pin: other.superAgent.pin },
      { from_agent_id: subAgent.id, to_agent_id: superAgent.id, pin: subAgent.pin },
    ];
    for (const parties of forbidden) assertRefused(await transfer({ ...parties, amount: 1 }, token), 403, 'FORBIDDEN');
    assert.equal(await floatOf(kissi, other.superAgent), 1_000);
    assert.equal(
      await refusedAttemptCount(kissi, { action: 'agent.transfer.refused', actor_id: superAgent.userId }),
      3,
    );
  });

  test('an unknown agent on either side gets 404 NOT_FOUND', async () => {
    const { base } = await newNetwork(1_000);
    const { id } = await bank.wallet();
    for (const unknownId of ['agent_unknown', 'sys_treasury_00', id]) {
      assertRefused(await transfer({ ...base, amount: 1, from_agent_id: unknownId }), 404, 'NOT_FOUND', unknownId);
      assertRefused(await transfer({ ...base, amount: 1, to_agent_id: unknownId }), 404, 'NOT_FOUND', unknownId);
    }
  });

  test('sub-agents, other staff, API keys without payments:write and users without an agent get 403', async () => {
    const { subAgent, base } = await newNetwork(1_000);
    const body = { ...base, amount: 1 };
    const { key } = await apiKey(kissi, ['payments:read', 'balance:read']);
    const tokens = [await agentToken(kissi, subAgent), key, await staffToken(kissi, 'finance_user')];
    const { token: withoutAgent } = await openSession(kissi, await staffMember(kissi, 'super_agent'));
    for (const token of [...tokens, withoutAgent]) assertRefused(await transfer(body, token), 403, 'FORBIDDEN');
    assertRefused(await transfer(body, 'invalid-token'), 401, 'UNAUTHORIZED');
    assert.equal((await transfer(body, admin)).status, 200);
    assert.equal((await transfer(body, bank.key)).status, 200);
  });

  test('a suspended or terminated agent can neither send nor receive', async () => {
    const { superAgent, subAgent, base } = await newNetwork(1_000);
    const changeStatus = (agent: TestAgent, action: string) =>
      kissi.call('POST', `/api/v1/agents/${agent.id}/${action}`, { body: { reason: 'Audit' }, token: admin });
    const body = { ...base, amount: 1 };
    await changeStatus(subAgent, 'suspend');
    assertRefused(await transfer(body), 403, 'AGENT_SUSPENDED');
    assertRefused(
      await transfer({ ...body, pin: wrongPin(superAgent), amount: 0 }),
      403,
      'AGENT_SUSPENDED',
      'checked before the PIN',
    );
    await changeStatus(subAgent, 'reactivate');
    await changeStatus(superAgent, 'suspend');
    assertRefused(await transfer(body), 403, 'AGENT_SUSPENDED');
    await changeStatus(superAgent, 'reactivate');
    assert.equal((await transfer(body)).status, 200);
    const terminated = await newSubAgent(kissi, superAgent);
    await changeStatus(terminated, 'terminate');
    assertRefused(await transfer({ ...body, to_agent_id: terminated.id }), 403, 'AGENT_TERMINATED');
    assert.equal(await floatOf(kissi, superAgent), 999);
  });
});

describe("the agent's PIN", () => {
  test('a malformed PIN gets 400 INVALID_PIN before any other check and does not count as an attempt', async () => {
    const { base } = await newNetwork(1_000);
    for (const pin of ['', '123', '12345', 'abcd', ' 1234', '１２３４', '12 4']) {
      const reply = await transfer({ ...base, amount: 1, from_agent_id: 'agent_unknown', pin });
      assertRefused(reply, 400, 'INVALID_PIN', pin);
      assert.equal(reply.json.attempts_remaining, undefined);
    }
    assert.equal((await transfer({ ...base, amount: 1 })).status, 200);
  });

  test('a wrong PIN returns attempts_remaining; three on any routes lock the agent for 30 minutes', async () => {
    const { superAgent, base } = await newNetwork(1_000);
    const wallet = await bank.wallet();
    const wrongPinBody = { ...base, amount: 1, pin: wrongPin(superAgent) };
    const cashIn = { agent_id: superAgent.id, subscriber_id: wallet.id, amount: 1 };
    const first = assertRefused(await transfer(wrongPinBody), 400, 'INVALID_PIN');
    assert.equal(first.json.attempts_remaining, 2);
    const second = await bank.post('/agents/cashin', { ...cashIn, pin: wrongPin(superAgent) });
    assertRefused(second, 400, 'INVALID_PIN');
    assert.equal(second.json.attempts_remaining, 1);
    const change = { current_pin: wrongPin(superAgent), new_pin: '2468' };
    const third = await kissi.call('POST', `/api/v1/agents/${superAgent.id}/change-pin`, {
      body: change,
      token: admin,
    });
    assertRefused(third, 400, 'INVALID_PIN');
    assert.equal(third.json.attempts_remaining, 0);
    const lockedUntil = new Date(kissi.clock.now() + 30 * MINUTE_MS).toISOString();
    for (const reply of [
      await transfer({ ...base, amount: 1 }),
      await bank.post('/agents/cashin', { ...cashIn, pin: superAgent.pin }),
      await kissi.call('POST', `/api/v1/agents/${superAgent.id}/change-pin`, {
        body: { current_pin: superAgent.pin, new_pin: '2468' },
        token: admin,
      }),
    ]) {
      assertRefused(reply, 403, 'ACCOUNT_LOCKED');
      assert.equal(reply.json.locked_until, lockedUntil);
    }
    kissi.clock.advance(30 * MINUTE_MS);
    assert.equal((await transfer({ ...base, amount: 1 })).status, 200);
    assert.equal((await transfer(wrongPinBody)).json.attempts_remaining, 2, 'a correct PIN resets the counter');
  });

  test('allows three guesses, however many arrive concurrently', async () => {
    const { superAgent, base } = await newNetwork(1_000);
    const guesses = Array.from({ length: 60 }, (_, n) => String(n).padStart(4, '0')).filter(
      (pin) => pin !== superAgent.pin,
    );
    const replies = await Promise.all(guesses.map((pin) => transfer({ ...base, amount: 1, pin })));
    assert.equal(countOutcomes(replies, 'INVALID_PIN'), 3, outcomes(replies).join());
    assert.equal(countOutcomes(replies, 'ACCOUNT_LOCKED'), guesses.length - 3);
    assertRefused(await transfer({ ...base, amount: 1 }), 403, 'ACCOUNT_LOCKED');
    assert.equal(await floatOf(kissi, superAgent), 1_000);
  });

  test('is checked before the amount', async () => {
    const { superAgent, base } = await newNetwork(1_000);
    assertRefused(await transfer({ ...base, amount: 0, pin: wrongPin(superAgent) }), 400, 'INVALID_PIN');
  });
});

describe('idempotency of float transfers', () => {
  test('replays a repeated request byte for byte with Idempotent-Replayed, after later changes', async () => {
    const { superAgent, subAgent, base } = await newNetwork(1_000);
    const body = { ...base, amount: '300', request_id: 'week-9', description: 'Float' };
    const first = await transfer(body);
    assert.equal(first.headers.get('idempotent-replayed'), null);
    kissi.clock.advance(5_000);
    await kissi.call('POST', `/api/v1/agents/${subAgent.id}/suspend`, { body: { reason: 'Audit' }, token: admin });
    const second = await transfer({ ...body, amount: 300, pin: wrongPin(superAgent), description: ' Float ' });
    assert.deepEqual([second.status, second.text], [200, first.text]);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual([await floatOf(kissi, superAgent), await movementCount(kissi, subAgent.id)], [700, 1]);
  });

  test('different details under the same request_id get 409 REQUEST_CONFLICT', async () => {
    const { superAgent, base } = await newNetwork(1_000);
    const sibling = await newSubAgent(kissi, superAgent);
    const body = { ...base, amount: 300, request_id: 'conflict' };
    assert.equal((await transfer(body)).status, 200);
    const changes = [{ amount: 301 }, { amount: 0 }, { description: 'x' }, { to_agent_id: sibling.id }];
    for (const change of [...changes, { to_agent_id: 'agent_unknown' }]) {
      assertRefused(await transfer({ ...body, ...change }), 409, 'REQUEST_CONFLICT', JSON.stringify(change));
    }
    const wallet = await bank.wallet();
    const [agent_id, request_id] = [superAgent.id, 'conflict'];
    const cashIn = { agent_id, subscriber_id: wallet.id, amount: 300, pin: superAgent.pin, request_id };
    assertRefused(await bank.post('/agents/cashin', cashIn), 409, 'REQUEST_CONFLICT', 'another operation');
    assert.equal(await floatOf(kissi, superAgent), 700);
  });

  test('accepts X-Request-ID; without an id each request moves money, and refusals are not stored', async () => {
    const { superAgent, base } = await newNetwork(1_000);
    const header = { 'x-request-id': 'by-header' };
    assertRefused(await transfer({ ...base, amount: 5_000 }, bank.key, header), 400, 'INSUFFICIENT_FLOAT');
    const first = await transfer({ ...base, amount: 10 }, bank.key, header);
    assert.equal((await transfer({ ...base, amount: 10, request_id: 'by-header' })).text, first.text);
    await transfer({ ...base, amount: 10 });
    await transfer({ ...base, amount: 10 });
    assert.equal(await floatOf(kissi, superAgent), 970);
  });

  test('twenty concurrent requests on two gateways move the money once and get identical replies', async () => {
    const { superAgent, base } = await newNetwork(1_000);
    const other = await testGateway({ db: kissi.db, clock: kissi.clock });
    try {
      const body = { ...base, amount: 100, request_id: 'concurrent' };
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (n % 2 === 0 ? kissi : other).call('POST', '/api/v1/agents/transfer', { body, token: bank.key }),
        ),
      );
      assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
      assert.equal(replies.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
      assert.equal(await floatOf(kissi, superAgent), 900);
    } finally {
      await other.close();
    }
  });
});

describe('concurrent float transfers', () => {
  test('one of twenty transfers over two gateways that each need the whole float succeeds', async () => {
    const other = await testGateway({ db: kissi.db, clock: kissi.clock });
    try {
      for (let round = 0; round < 3; round++) {
        const { superAgent, base } = await newNetwork(10_000);
        const subAgents = await Promise.all(Array.from({ length: 20 }, () => newSubAgent(kissi, superAgent)));
        const replies = await Promise.all(
          subAgents.map(({ id }, n) => {
            const body = { ...base, to_agent_id: id, amount: 10_000 };
            return (n % 2 === 0 ? kissi : other).call('POST', '/api/v1/agents/transfer', { body, token: bank.key });
          }),
        );
        assert.equal(countOutcomes(replies, 200), 1, outcomes(replies).join());
        assert.equal(countOutcomes(replies, 'INSUFFICIENT_FLOAT'), 19, outcomes(replies).join());
        assert.equal(await floatOf(kissi, superAgent), 0);
      }
    } finally {
      await other.close();
    }
    const { rows } = await kissi.db.query(
      "select p.* from postings p join accounts a on a.id = p.account_id where a.kind = 'agent_float' and balance_after < 0",
    );
    assert.deepEqual(rows, []);
  });

  test('transfers racing with a suspension post before it or are refused; none posts after its reply', async () => {
    const { superAgent, subAgent, base } = await newNetwork(10_000);
    const transfers = Array.from({ length: 40 }, () => transfer({ ...base, amount: 10 }));
    const body = { reason: 'Stolen phone' };
    assertStatus(await kissi.call('POST', `/api/v1/agents/${subAgent.id}/suspend`, { body, token: admin }), 200);
    const balance = await floatOf(kissi, subAgent);
    assertRefused(await transfer({ ...base, amount: 10 }), 403, 'AGENT_SUSPENDED');
    const replies = await Promise.all(transfers);
    const succeeded = countOutcomes(replies, 200);
    assert.equal(succeeded + countOutcomes(replies, 'AGENT_SUSPENDED'), 40, outcomes(replies).join());
    assert.equal(
      await floatOf(kissi, subAgent),
      balance,
      'transfers answered after the suspension posted before it, or were refused',
    );
    assert.deepEqual(
      [await floatOf(kissi, subAgent), await floatOf(kissi, superAgent)],
      [succeeded * 10, 10_000 - succeeded * 10],
    );
  });
});
