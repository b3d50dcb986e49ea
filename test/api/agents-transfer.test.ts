// Float from a super-agent to its sub-agents: the reply, the PIN and its lock, every crossing, races and retries.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import {
  agentToken,
  assertRefused,
  floatOf,
  fundAgent,
  newAgent,
  newSubAgent,
  type TestAgent,
  wrongPin,
} from '../support/agents.ts';
import { type CallReply, testGateway } from '../support/gateway.ts';
import { bankForFile, movementCount } from '../support/money.ts';
import { apiKey, auditLogs, openSession, refusedAttemptCount, staffMember, staffToken } from '../support/staff.ts';

const { kissi, bank } = await bankForFile();
let admin: string;
beforeEach(async () => {
  admin = await kissi.adminToken();
});

const transfer = (body: unknown, token = bank.key, headers: Record<string, string> = {}) =>
  kissi.call('POST', '/api/v1/agents/transfer', { body, token, headers });

async function network(float: number): Promise<{ boss: TestAgent; field: TestAgent; base: Record<string, unknown> }> {
  const boss = await newAgent(kissi);
  const field = await newSubAgent(kissi, boss);
  if (float > 0) await fundAgent(kissi, boss, float);
  return { boss, field, base: { from_agent_id: boss.id, to_agent_id: field.id, pin: boss.pin } };
}

const codes = (replies: CallReply[]) => replies.map(({ status, json }) => json.code ?? status);
const count = (replies: CallReply[], code: string | number) => codes(replies).filter((other) => other === code).length;

describe('a float transfer', () => {
  test('moves the whole amount, costs nothing, and answers in formatted amounts and nothing else', async () => {
    const { boss, field, base } = await network(1_000_000);
    const reply = await transfer({ ...base, amount: '123456', description: ' Week 9 ' }, await agentToken(kissi, boss));
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
    assert.deepEqual([await floatOf(kissi, boss), await floatOf(kissi, field)], [876_544, 123_456]);
    const { rows } = await kissi.db.database.pool.query('select * from movements where id = $1', [transaction_id]);
    assert.deepEqual([rows[0].type, rows[0].narration, rows[0].fee], ['agent_transfer', 'Week 9', 0]);
    const [entry] = await auditLogs(kissi, { action: 'agent.transfer', actor_id: boss.userId });
    assert.deepEqual(
      [entry.resource_id, entry.details.payer, entry.details.payee],
      [transaction_id, boss.id, field.id],
    );
  });

  test('takes the amount as a number too', async () => {
    const { base } = await network(500);
    assert.equal((await transfer({ ...base, amount: 500 })).json.from_balance, '0.00 SLE');
  });

  test('of more than there is: 400 INSUFFICIENT_FLOAT with available and required as numbers', async () => {
    const { boss, field, base } = await network(1_000);
    const reply = await transfer({ ...base, amount: '1001' });
    assertRefused(reply, 400, 'INSUFFICIENT_FLOAT');
    assert.deepEqual([reply.json.available, reply.json.required], [1_000, 1_001]);
    assertRefused(await transfer({ ...base, amount: Number.MAX_SAFE_INTEGER }), 400, 'INSUFFICIENT_FLOAT');
    assert.deepEqual([await floatOf(kissi, boss), await floatOf(kissi, field)], [1_000, 0]);
  });

  test('of no amount: 400 INVALID_AMOUNT; a body of another shape: 400 that names the field', async () => {
    const { boss, base } = await network(1_000);
    const none = [0, -1, 0.5, 1e21, 2 ** 53, '', '-1', '1.0', '1e2', ' 1', '0', '1,000', '٣', '9007199254740992'];
    for (const amount of none)
      assertRefused(await transfer({ ...base, amount }), 400, 'INVALID_AMOUNT', String(amount));
    for (const literal of ['1e2', '100.0']) {
      const raw = JSON.stringify({ ...base, amount: null }).replace('"amount":null', `"amount":${literal}`);
      const reply = await kissi.call('POST', '/api/v1/agents/transfer', { raw, token: bank.key });
      assertRefused(reply, 400, 'INVALID_AMOUNT', literal);
    }
    const right = { ...base, amount: 10 };
    for (const field of ['from_agent_id', 'to_agent_id', 'amount', 'pin']) {
      for (const value of [undefined, null, [], true]) {
        const reply = await transfer({ ...right, [field]: value });
        assertRefused(reply, 400, 'INVALID_REQUEST', field);
        assert.ok(reply.json.error.includes(field), reply.json.error);
      }
    }
    assertRefused(await transfer({ ...right, description: 'x'.repeat(201) }), 400, 'INVALID_REQUEST');
    assertRefused(await transfer({ ...right, request_id: 'x'.repeat(129) }), 400, 'INVALID_REQUEST');
    assertRefused(await transfer(right, bank.key, { 'x-request-id': 'x'.repeat(129) }), 400, 'INVALID_REQUEST');
    assert.equal(await floatOf(kissi, boss), 1_000);
  });
});

describe('who transfers to whom', () => {
  test('only to a sub-agent of the source: 403 FORBIDDEN otherwise, whoever asks', async () => {
    const { boss, field, base } = await network(1_000);
    const other = await network(1_000);
    const foreign = [
      { to_agent_id: other.field.id },
      { to_agent_id: other.boss.id },
      { to_agent_id: boss.id },
      { from_agent_id: field.id, to_agent_id: boss.id, pin: field.pin },
      { from_agent_id: field.id, to_agent_id: field.id, pin: field.pin },
    ];
    for (const token of [bank.key, admin, await agentToken(kissi, boss)]) {
      for (const names of foreign)
        assertRefused(await transfer({ ...base, amount: 1, ...names }, token), 403, 'FORBIDDEN');
    }
    assert.deepEqual([await floatOf(kissi, boss), await floatOf(kissi, other.field)], [1_000, 0]);
  });

  test('a super_agent from itself alone: 403 from another network or its own sub-agent', async () => {
    const { boss, field } = await network(1_000);
    const other = await network(1_000);
    const token = await agentToken(kissi, boss);
    const crossings = [
      { from_agent_id: other.boss.id, to_agent_id: other.field.id, pin: other.boss.pin },
      { from_agent_id: other.boss.id, to_agent_id: field.id, pin: other.boss.pin },
      { from_agent_id: field.id, to_agent_id: boss.id, pin: field.pin },
    ];
    for (const names of crossings) assertRefused(await transfer({ ...names, amount: 1 }, token), 403, 'FORBIDDEN');
    assert.equal(await floatOf(kissi, other.boss), 1_000);
    assert.equal(await refusedAttemptCount(kissi, { action: 'agent.transfer.refused', actor_id: boss.userId }), 3);
  });

  test('nobody at either end: 404 NOT_FOUND', async () => {
    const { base } = await network(1_000);
    const { id } = await bank.wallet();
    for (const nobody of ['agent_nobody', 'sys_treasury_00', id]) {
      assertRefused(await transfer({ ...base, amount: 1, from_agent_id: nobody }), 404, 'NOT_FOUND', nobody);
      assertRefused(await transfer({ ...base, amount: 1, to_agent_id: nobody }), 404, 'NOT_FOUND', nobody);
    }
  });

  test('sub-agents, other staff, keys without payments:write and users without an agent do not', async () => {
    const { field, base } = await network(1_000);
    const body = { ...base, amount: 1 };
    const { key } = await apiKey(kissi, ['payments:read', 'balance:read']);
    const tokens = [await agentToken(kissi, field), key, await staffToken(kissi, 'finance_user')];
    const { token: unbound } = await openSession(kissi, await staffMember(kissi, 'super_agent'));
    for (const token of [...tokens, unbound]) assertRefused(await transfer(body, token), 403, 'FORBIDDEN');
    assertRefused(await transfer(body, 'nonsense'), 401, 'UNAUTHORIZED');
    assert.equal((await transfer(body, admin)).status, 200);
    assert.equal((await transfer(body, bank.key)).status, 200);
  });

  test('nothing goes from or to an agent that is suspended or terminated', async () => {
    const { boss, field, base } = await network(1_000);
    const state = (agent: TestAgent, move: string) =>
      kissi.call('POST', `/api/v1/agents/${agent.id}/${move}`, { body: { reason: 'Audit' }, token: admin });
    const body = { ...base, amount: 1 };
    await state(field, 'suspend');
    assertRefused(await transfer(body), 403, 'AGENT_SUSPENDED');
    assertRefused(
      await transfer({ ...body, pin: wrongPin(boss), amount: 0 }),
      403,
      'AGENT_SUSPENDED',
      'before the PIN',
    );
    await state(field, 'reactivate');
    await state(boss, 'suspend');
    assertRefused(await transfer(body), 403, 'AGENT_SUSPENDED');
    await state(boss, 'reactivate');
    assert.equal((await transfer(body)).status, 200);
    const gone = await newSubAgent(kissi, boss);
    await state(gone, 'terminate');
    assertRefused(await transfer({ ...body, to_agent_id: gone.id }), 403, 'AGENT_TERMINATED');
    assert.equal(await floatOf(kissi, boss), 999);
  });
});

describe('the PIN of an agent', () => {
  test('in the wrong form is 400 INVALID_PIN before anything else, and no attempt', async () => {
    const { base } = await network(1_000);
    for (const pin of ['', '123', '12345', 'abcd', ' 1234', '１２３４', '12 4']) {
      const reply = await transfer({ ...base, amount: 1, from_agent_id: 'agent_nobody', pin });
      assertRefused(reply, 400, 'INVALID_PIN', pin);
      assert.equal(reply.json.attempts_remaining, undefined);
    }
    assert.equal((await transfer({ ...base, amount: 1 })).status, 200);
  });

  test('wrong is 400 with attempts_remaining; three lock for 30 minutes, one counter on every route', async () => {
    const { boss, base } = await network(1_000);
    const wallet = await bank.wallet();
    const wrong = { ...base, amount: 1, pin: wrongPin(boss) };
    const cash = { agent_id: boss.id, subscriber_id: wallet.id, amount: 1 };
    const first = await transfer(wrong);
    assertRefused(first, 400, 'INVALID_PIN');
    assert.equal(first.json.attempts_remaining, 2);
    const second = await bank.post('/agents/cashin', { ...cash, pin: wrongPin(boss) });
    assertRefused(second, 400, 'INVALID_PIN');
    assert.equal(second.json.attempts_remaining, 1);
    const change = { current_pin: wrongPin(boss), new_pin: '2468' };
    const third = await kissi.call('POST', `/api/v1/agents/${boss.id}/change-pin`, { body: change, token: admin });
    assertRefused(third, 400, 'INVALID_PIN');
    assert.equal(third.json.attempts_remaining, 0);
    const lockedUntil = new Date(kissi.clock.now() + 30 * MINUTE_MS).toISOString();
    for (const reply of [
      await transfer({ ...base, amount: 1 }),
      await bank.post('/agents/cashin', { ...cash, pin: boss.pin }),
      await kissi.call('POST', `/api/v1/agents/${boss.id}/change-pin`, {
        body: { current_pin: boss.pin, new_pin: '2468' },
        token: admin,
      }),
    ]) {
      assertRefused(reply, 403, 'ACCOUNT_LOCKED');
      assert.equal(reply.json.locked_until, lockedUntil);
    }
    kissi.clock.advance(30 * MINUTE_MS);
    assert.equal((await transfer({ ...base, amount: 1 })).status, 200);
    assert.equal((await transfer(wrong)).json.attempts_remaining, 2, 'a right PIN resets the counter');
  });

  test('is given three guesses, however many come at once', async () => {
    const { boss, base } = await network(1_000);
    const guesses = Array.from({ length: 60 }, (_, n) => String(n).padStart(4, '0')).filter((pin) => pin !== boss.pin);
    const replies = await Promise.all(guesses.map((pin) => transfer({ ...base, amount: 1, pin })));
    assert.equal(count(replies, 'INVALID_PIN'), 3, codes(replies).join());
    assert.equal(count(replies, 'ACCOUNT_LOCKED'), guesses.length - 3);
    assertRefused(await transfer({ ...base, amount: 1 }), 403, 'ACCOUNT_LOCKED');
    assert.equal(await floatOf(kissi, boss), 1_000);
  });

  test('comes before the amount', async () => {
    const { boss, base } = await network(1_000);
    assertRefused(await transfer({ ...base, amount: 0, pin: wrongPin(boss) }), 400, 'INVALID_PIN');
  });
});

describe('the same transfer', () => {
  test('again is answered byte for byte with Idempotent-Replayed, whatever has changed since', async () => {
    const { boss, field, base } = await network(1_000);
    const body = { ...base, amount: '300', request_id: 'week-9', description: 'Float' };
    const first = await transfer(body);
    assert.equal(first.headers.get('idempotent-replayed'), null);
    kissi.clock.advance(5_000);
    await kissi.call('POST', `/api/v1/agents/${field.id}/suspend`, { body: { reason: 'Audit' }, token: admin });
    const second = await transfer({ ...body, amount: 300, pin: wrongPin(boss), description: ' Float ' });
    assert.deepEqual([second.status, second.text], [200, first.text]);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual([await floatOf(kissi, boss), await movementCount(kissi, field.id)], [700, 1]);
  });

  test('with other details is 409 REQUEST_CONFLICT', async () => {
    const { boss, base } = await network(1_000);
    const sibling = await newSubAgent(kissi, boss);
    const body = { ...base, amount: 300, request_id: 'conflict' };
    assert.equal((await transfer(body)).status, 200);
    const changes = [{ amount: 301 }, { amount: 0 }, { description: 'x' }, { to_agent_id: sibling.id }];
    for (const change of [...changes, { to_agent_id: 'agent_nobody' }]) {
      assertRefused(await transfer({ ...body, ...change }), 409, 'REQUEST_CONFLICT', JSON.stringify(change));
    }
    const fund = { amount: 300, request_id: 'conflict' };
    assertRefused(await bank.post(`/agents/${boss.id}/fund`, fund), 409, 'REQUEST_CONFLICT', 'of another kind');
    assert.equal(await floatOf(kissi, boss), 700);
  });

  test('may be named by X-Request-ID; without an id nothing is deduplicated; a refusal is not remembered', async () => {
    const { boss, base } = await network(1_000);
    const header = { 'x-request-id': 'by-header' };
    assertRefused(await transfer({ ...base, amount: 5_000 }, bank.key, header), 400, 'INSUFFICIENT_FLOAT');
    const first = await transfer({ ...base, amount: 10 }, bank.key, header);
    assert.equal((await transfer({ ...base, amount: 10, request_id: 'by-header' })).text, first.text);
    await transfer({ ...base, amount: 10 });
    await transfer({ ...base, amount: 10 });
    assert.equal(await floatOf(kissi, boss), 970);
  });

  test('twenty times at once over two gateways moves once, and all get the same bytes', async () => {
    const { boss, base } = await network(1_000);
    const other = await testGateway({ db: kissi.db, clock: kissi.clock });
    try {
      const body = { ...base, amount: 100, request_id: 'storm' };
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (n % 2 === 0 ? kissi : other).call('POST', '/api/v1/agents/transfer', { body, token: bank.key }),
        ),
      );
      assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
      assert.equal(replies.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
      assert.equal(await floatOf(kissi, boss), 900);
    } finally {
      await other.close();
    }
  });
});

describe('transfers that race', () => {
  test('twenty that each need the whole float: exactly one succeeds, over two gateways, and it is never negative', async () => {
    const other = await testGateway({ db: kissi.db, clock: kissi.clock });
    try {
      for (let round = 0; round < 3; round++) {
        const { boss, base } = await network(10_000);
        const fields = await Promise.all(Array.from({ length: 20 }, () => newSubAgent(kissi, boss)));
        const replies = await Promise.all(
          fields.map(({ id }, n) => {
            const body = { ...base, to_agent_id: id, amount: 10_000 };
            return (n % 2 === 0 ? kissi : other).call('POST', '/api/v1/agents/transfer', { body, token: bank.key });
          }),
        );
        assert.equal(count(replies, 200), 1, codes(replies).join());
        assert.equal(count(replies, 'INSUFFICIENT_FLOAT'), 19, codes(replies).join());
        assert.equal(await floatOf(kissi, boss), 0);
      }
    } finally {
      await other.close();
    }
    const { rows } = await kissi.db.database.pool.query(
      "select p.* from postings p join accounts a on a.id = p.account_id where a.kind = 'agent_float' and balance_after < 0",
    );
    assert.deepEqual(rows, []);
  });

  test('with a suspension: each is decided before it or after it, and nothing moves once it is answered', async () => {
    const { boss, field, base } = await network(10_000);
    const moves = Array.from({ length: 40 }, () => transfer({ ...base, amount: 10 }));
    const body = { reason: 'Stolen phone' };
    const suspended = await kissi.call('POST', `/api/v1/agents/${field.id}/suspend`, { body, token: admin });
    assert.equal(suspended.status, 200, suspended.text);
    const held = await floatOf(kissi, field);
    const late = await transfer({ ...base, amount: 10 });
    assertRefused(late, 403, 'AGENT_SUSPENDED');
    const replies = await Promise.all(moves);
    const done = count(replies, 200);
    assert.equal(done + count(replies, 'AGENT_SUSPENDED'), 40, codes(replies).join());
    assert.equal(await floatOf(kissi, field), held, 'what was answered later was decided earlier, or refused');
    assert.deepEqual([await floatOf(kissi, field), await floatOf(kissi, boss)], [done * 10, 10_000 - done * 10]);
  });
});
