// Tests protection against PIN spraying: a credential with too many wrong PINs across accounts is blocked on every route.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Caller, KeyCaller } from '../../../src/auth/caller.ts';
import { guardPins } from '../../../src/auth/pins/guarded-pins.ts';
import type { PinOutcome, Pins } from '../../../src/auth/pins/pins.ts';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import { agentToken, assertRefused, fundAgent, newAgent } from '../../support/agents.ts';
import { testClock } from '../../support/clock.ts';
import { assertStatus, type CallReply } from '../../support/gateway.ts';
import { bankForFile, PIN, type Wallet, WRONG_PIN } from '../../support/money.ts';
import { openSession, staffMember, staffToken } from '../../support/staff.ts';
import { type Terminal, terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const agent = await newAgent(kissi);
await fundAgent(kissi, agent, 10_000);
const wallets = await Promise.all(Array.from({ length: 30 }, () => bank.wallet()));

const verify = ({ id }: Wallet, pin: string, token: string) =>
  kissi.call('POST', `/api/v1/subscribers/${id}/verify-pin`, { body: { pin }, token });
const wrongCount = (replies: CallReply[]) => replies.filter(({ json }) => json.code === 'INVALID_PIN').length;
const blockedCount = (replies: CallReply[]) => replies.filter(({ json }) => json.code === 'TOO_MANY_ATTEMPTS').length;

describe('a user', () => {
  test('may send twenty wrong PINs in 15 minutes, for any accounts; then gets 429 TOO_MANY_ATTEMPTS with Retry-After', async () => {
    const token = await staffToken(kissi, 'sub_agent');
    const replies: CallReply[] = [];
    for (const wallet of wallets) replies.push(await verify(wallet, WRONG_PIN, token));
    assert.deepEqual([wrongCount(replies), blockedCount(replies)], [20, 10]);
    const last = replies.at(-1) as CallReply;
    assertRefused(last, 429, 'TOO_MANY_ATTEMPTS');
    assert.equal(last.headers.get('retry-after'), '900');
    assertRefused(
      await verify(wallets[29] as Wallet, PIN, token),
      429,
      'TOO_MANY_ATTEMPTS',
      'a correct PIN is rejected too',
    );
    const { rows } = await kissi.db.query('select failures from pins where owner_id = $1', [wallets[29]?.id]);
    assert.equal(rows[0].failures, 0, 'an unchecked PIN does not count as a failure of the account');
  });

  test('is blocked on every route with a PIN and on no other; other users are not affected', async () => {
    const { token } = await openSession(kissi, { ...agent });
    const guess = { agent_id: agent.id, subscriber_id: wallets[0]?.id, amount: 5, pin: agent.pin };
    const cashIn = (pin: string) => kissi.call('POST', '/api/v1/agents/cashin', { body: { ...guess, pin }, token });
    const others = await Promise.all(Array.from({ length: 20 }, () => bank.wallet()));
    for (const wallet of others) await verify(wallet, WRONG_PIN, token);
    const target = others[0] as Wallet;
    assertRefused(await cashIn(agent.pin), 429, 'TOO_MANY_ATTEMPTS');
    const change = { current_pin: PIN, new_pin: '4321' };
    const path = `/api/v1/subscribers/${target.id}/change-pin`;
    assertRefused(await kissi.call('POST', path, { body: change, token }), 429, 'TOO_MANY_ATTEMPTS');
    const own = { current_pin: agent.pin, new_pin: '4321' };
    const ownPath = `/api/v1/agents/${agent.id}/change-pin`;
    assertRefused(await kissi.call('POST', ownPath, { body: own, token }), 429, 'TOO_MANY_ATTEMPTS');
    assertRefused(await cashIn('12'), 400, 'INVALID_PIN', 'the format is checked first');
    assert.equal((await kissi.call('GET', `/api/v1/subscribers/${target.id}`, { token })).status, 200);
    assert.equal((await verify(target, PIN, await staffToken(kissi, 'sub_agent'))).status, 200);
  });

  test('gets the replay of an earlier payment while blocked', async () => {
    const other = await newAgent(kissi);
    await fundAgent(kissi, other, 1_000);
    const token = await agentToken(kissi, other);
    const wallet = await bank.wallet();
    const body = { agent_id: other.id, subscriber_id: wallet.id, amount: 5, pin: other.pin, request_id: 'before' };
    const first = assertStatus(await kissi.call('POST', '/api/v1/agents/cashin', { body, token }), 200);
    const others = await Promise.all(Array.from({ length: 20 }, () => bank.wallet()));
    for (const wallet of others) await verify(wallet, WRONG_PIN, token);
    const again = await kissi.call('POST', '/api/v1/agents/cashin', { body, token });
    assert.deepEqual([again.status, again.text], [200, first.text]);
    const fresh = { ...body, request_id: 'after' };
    assertRefused(await kissi.call('POST', '/api/v1/agents/cashin', { body: fresh, token }), 429, 'TOO_MANY_ATTEMPTS');
  });

  test('has at most twenty of a hundred concurrent wrong PINs checked, and is unblocked after the window', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const { token } = await openSession(kissi, staff);
    const many = await Promise.all(Array.from({ length: 100 }, () => bank.wallet()));
    const replies = await Promise.all(many.map((wallet) => verify(wallet, WRONG_PIN, token)));
    assert.equal(wrongCount(replies), 20);
    assert.equal(blockedCount(replies), 80);
    kissi.clock.advance(15 * MINUTE_MS - 1);
    const later = (await openSession(kissi, staff)).token;
    const wallet = await bank.wallet();
    const reply = await verify(wallet, PIN, later);
    assert.deepEqual([reply.status, reply.headers.get('retry-after')], [429, '1']);
    kissi.clock.advance(1);
    assert.equal((await verify(wallet, PIN, later)).status, 200);
  });
});

describe('a key', () => {
  test('of a merchant may send more than twenty wrong PINs of its customers', async () => {
    const terminal: Terminal = await terminalOf(kissi);
    const customers = await Promise.all(Array.from({ length: 25 }, () => bank.wallet(1_000)));
    for (const customer of customers) {
      const card = await bank.card(customer);
      const refused = await terminal.pay(card, { amount: 10, encrypted_pin: terminal.encrypt(card, WRONG_PIN) });
      assertRefused(refused, 401, 'INVALID_PIN');
      assert.equal((await terminal.pay(card, { amount: 10 })).status, 200);
    }
  });
});

describe('the guard', () => {
  const WRONG: PinOutcome = { outcome: 'wrong', attemptsRemaining: 2 };
  const user = (id: string) =>
    ({
      kind: 'user',
      id,
      email: '',
      role: 'sub_agent',
      agentId: null,
      processorId: null,
      pepAccessAuthorized: false,
    }) as const;
  const pinsThat = (verify: () => Promise<PinOutcome>) => ({ verify }) as unknown as Pins;

  test('counts neither correct PINs nor attempts on locked accounts nor attempts that throw', async () => {
    const clock = testClock();
    let outcome: PinOutcome | Error = { outcome: 'right', version: 1 };
    const guarded = guardPins(
      pinsThat(async () => {
        if (outcome instanceof Error) throw outcome;
        return outcome;
      }),
      clock,
    );
    const tries = async (count: number) => {
      const outcomes = [];
      for (let n = 0; n < count; n++)
        outcomes.push(
          await guarded.verify(user('a'), 'x', '1').then(
            (v) => v.outcome,
            () => 'failed',
          ),
        );
      return new Set(outcomes);
    };
    assert.deepEqual(await tries(50), new Set(['right']));
    outcome = { outcome: 'locked', lockedUntil: new Date() };
    assert.deepEqual(await tries(50), new Set(['locked']));
    outcome = new Error('the database is gone');
    assert.deepEqual(await tries(50), new Set(['failed']));
    outcome = WRONG;
    assert.deepEqual(await tries(20), new Set(['wrong']));
    assert.deepEqual(await tries(1), new Set(['too_many']));
  });

  const key = (id: string) => ({ kind: 'key', id, scopes: [], environment: 'test' }) as unknown as KeyCaller;
  const RIGHT: PinOutcome = { outcome: 'right', version: 1 };

  /** A guard whose outcomes the test sets, and a function that sends many attempts at once and counts their outcomes. */
  function scripted() {
    const clock = testClock();
    let next: PinOutcome = WRONG;
    const guarded = guardPins(
      pinsThat(async () => next),
      clock,
    );
    async function send(count: number, outcome: PinOutcome, by: Caller = key('key_1')) {
      next = outcome;
      const verdicts = await Promise.all(Array.from({ length: count }, () => guarded.verify(by, 'x', '1')));
      return Object.fromEntries(
        Object.entries(Object.groupBy(verdicts, (verdict) => verdict.outcome)).map(([name, all]) => [name, all.length]),
      );
    }
    return { clock, send };
  }

  test('blocks a key whose wrong PINs exceed 1,000 and its right ones; other keys are not affected', async () => {
    const { send } = scripted();
    assert.deepEqual(await send(1_200, WRONG), { wrong: 1_001, too_many: 199 });
    assert.deepEqual(await send(1, RIGHT), { too_many: 1 });
    assert.deepEqual(await send(1, WRONG, key('key_2')), { wrong: 1 });
  });

  test('does not block a key whose right PINs outnumber its wrong ones', async () => {
    const { send } = scripted();
    assert.deepEqual(await send(1_500, RIGHT), { right: 1_500 });
    assert.deepEqual(await send(1_500, WRONG), { wrong: 1_500 });
    assert.deepEqual(await send(1, RIGHT), { right: 1 });
    assert.deepEqual(await send(3, WRONG), { wrong: 2, too_many: 1 });
  });

  test('counts right PINs of a key for 15 minutes only', async () => {
    const { send, clock } = scripted();
    await send(2_000, RIGHT);
    clock.advance(15 * MINUTE_MS);
    assert.deepEqual(await send(1_100, WRONG), { wrong: 1_001, too_many: 99 });
  });

  test('counts right PINs that the fast path of a payment decides', async () => {
    const clock = testClock();
    const attempt = {
      isRight: () => true,
      verify: async () => WRONG,
      end() {},
    };
    const pins = { verify: async () => WRONG, attemptBySubscriber: () => attempt } as unknown as Pins;
    const guarded = guardPins(pins, clock);
    for (let n = 0; n < 1_200; n++) {
      const fast = guarded.attemptBySubscriber(key('key_1'), 'x');
      assert.equal(fast.isRight('1', null), true);
      fast.countRight();
    }
    const verdicts = await Promise.all(Array.from({ length: 1_300 }, () => guarded.verify(key('key_1'), 'x', '1')));
    assert.equal(verdicts.filter(({ outcome }) => outcome === 'wrong').length, 1_201);
  });

  test('blocks a user at twenty wrong PINs, however many right ones it sent', async () => {
    const { send } = scripted();
    await send(100, RIGHT, user('a'));
    assert.deepEqual(await send(30, WRONG, user('a')), { wrong: 20, too_many: 10 });
  });

  test('queues attempts while the remaining allowance is in flight, and runs them in order', async () => {
    const open: ((outcome: PinOutcome) => void)[] = [];
    const guarded = guardPins(
      pinsThat(() => new Promise((resolve) => open.push(resolve))),
      testClock(),
    );
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const results = Array.from({ length: 50 }, () => guarded.verify(user('a'), 'x', '1'));
    await turn();
    assert.equal(open.length, 20);
    for (let n = 0; n < 10; n++) {
      open[n]?.({ outcome: 'right', version: 1 });
      await turn();
      assert.equal(open.length, 21 + n, 'each correct PIN admits one queued attempt');
    }
    for (let n = 10; n < 30; n++) open[n]?.(WRONG);
    await turn();
    const outcomes = (await Promise.all(results)).map(({ outcome }) => outcome);
    const count = (kind: string) => outcomes.filter((outcome) => outcome === kind).length;
    assert.deepEqual([open.length, count('right'), count('wrong'), count('too_many')], [30, 10, 20, 20]);
  });

  test('does not lose queued attempts when all attempts in flight end at once', async () => {
    const open: ((outcome: PinOutcome) => void)[] = [];
    const guarded = guardPins(
      pinsThat(() => new Promise((resolve) => open.push(resolve))),
      testClock(),
    );
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const all = Array.from({ length: 40 }, () => guarded.verify(user('a'), 'x', '1'));
    await turn();
    for (const end of open.splice(0)) end({ outcome: 'right', version: 1 });
    await turn();
    assert.equal(open.length, 20);
    const late = Array.from({ length: 20 }, () => guarded.verify(user('a'), 'x', '1'));
    await turn();
    assert.equal(open.length, 20, 'later attempts are queued');
    for (const end of open) end(WRONG);
    await Promise.all(all);
    assert.ok((await Promise.all(late)).every(({ outcome }) => outcome === 'too_many'));
  });

  test('counts an attempt that ends after its window in the next window, and reserves its slot until then', async () => {
    const clock = testClock();
    let release = () => {};
    let hold = false;
    const guarded = guardPins(
      pinsThat(async () => {
        if (hold) {
          hold = false;
          await new Promise<void>((resolve) => {
            release = resolve;
          });
        }
        return WRONG;
      }),
      clock,
    );
    for (let n = 0; n < 5; n++) await guarded.verify(user('a'), 'x', '1');
    hold = true;
    const slow = guarded.verify(user('a'), 'x', '1');
    clock.advance(15 * MINUTE_MS);
    for (let n = 0; n < 19; n++) assert.equal((await guarded.verify(user('a'), 'x', '1')).outcome, 'wrong');
    const twentieth = guarded.verify(user('a'), 'x', '1');
    release();
    assert.equal((await slow).outcome, 'wrong');
    assert.deepEqual(await twentieth, { outcome: 'too_many', retryAfterMs: 15 * MINUTE_MS });
    assert.equal((await guarded.verify(user('b'), 'x', '1')).outcome, 'wrong');
  });
});
