// A few guesses at everybody's PIN: the credential that tries too many is stopped, on every route, and nobody else is.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KeyCaller } from '../../src/auth/caller.ts';
import { guardPins } from '../../src/auth/pins/guarded-pins.ts';
import type { PinOutcome, Pins } from '../../src/auth/pins/pins.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { agentToken, assertRefused, fundAgent, newAgent } from '../support/agents.ts';
import { testClock } from '../support/clock.ts';
import type { CallReply } from '../support/gateway.ts';
import { bankForFile, PIN, type Wallet, WRONG_PIN } from '../support/money.ts';
import { openSession, staffMember, staffToken } from '../support/staff.ts';
import { type Terminal, terminalOf } from '../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const agent = await newAgent(kissi);
await fundAgent(kissi, agent, 10_000);
const people = await Promise.all(Array.from({ length: 30 }, () => bank.wallet()));

const verify = ({ id }: Wallet, pin: string, token: string) =>
  kissi.call('POST', `/api/v1/subscribers/${id}/verify-pin`, { body: { pin }, token });
const wrongs = (replies: CallReply[]) => replies.filter(({ json }) => json.code === 'INVALID_PIN').length;
const stopped = (replies: CallReply[]) => replies.filter(({ json }) => json.code === 'TOO_MANY_ATTEMPTS').length;

describe('a user', () => {
  test('gets twenty wrong PINs in 15 minutes, whosever they are; then 429 TOO_MANY_ATTEMPTS with Retry-After', async () => {
    const token = await staffToken(kissi, 'sub_agent');
    const replies: CallReply[] = [];
    for (const person of people) replies.push(await verify(person, WRONG_PIN, token));
    assert.deepEqual([wrongs(replies), stopped(replies)], [20, 10]);
    const last = replies.at(-1) as CallReply;
    assertRefused(last, 429, 'TOO_MANY_ATTEMPTS');
    assert.equal(last.headers.get('retry-after'), '900');
    assertRefused(await verify(people[29] as Wallet, PIN, token), 429, 'TOO_MANY_ATTEMPTS', 'the right one neither');
    const { rows } = await kissi.db.query('select failures from pins where owner_id = $1', [people[29]?.id]);
    assert.equal(rows[0].failures, 0, 'what was not looked at is no attempt on the account');
  });

  test('is stopped on every route that asks for a PIN, and on no other; everybody else goes on', async () => {
    const { token } = await openSession(kissi, { ...agent });
    const guess = { agent_id: agent.id, subscriber_id: people[0]?.id, amount: 5, pin: agent.pin };
    const cashIn = (pin: string) => kissi.call('POST', '/api/v1/agents/cashin', { body: { ...guess, pin }, token });
    const others = await Promise.all(Array.from({ length: 20 }, () => bank.wallet()));
    for (const person of others) await verify(person, WRONG_PIN, token);
    const right = others[0] as Wallet;
    assertRefused(await cashIn(agent.pin), 429, 'TOO_MANY_ATTEMPTS');
    const change = { current_pin: PIN, new_pin: '4321' };
    const path = `/api/v1/subscribers/${right.id}/change-pin`;
    assertRefused(await kissi.call('POST', path, { body: change, token }), 429, 'TOO_MANY_ATTEMPTS');
    const own = { current_pin: agent.pin, new_pin: '4321' };
    const ownPath = `/api/v1/agents/${agent.id}/change-pin`;
    assertRefused(await kissi.call('POST', ownPath, { body: own, token }), 429, 'TOO_MANY_ATTEMPTS');
    assertRefused(await cashIn('12'), 400, 'INVALID_PIN', 'a malformed one is told so');
    assert.equal((await kissi.call('GET', `/api/v1/subscribers/${right.id}`, { token })).status, 200);
    assert.equal((await verify(right, PIN, await staffToken(kissi, 'sub_agent'))).status, 200);
  });

  test('gets the answer that a payment got before, which is no attempt', async () => {
    const other = await newAgent(kissi);
    await fundAgent(kissi, other, 1_000);
    const token = await agentToken(kissi, other);
    const wallet = await bank.wallet();
    const body = { agent_id: other.id, subscriber_id: wallet.id, amount: 5, pin: other.pin, request_id: 'before' };
    const first = await kissi.call('POST', '/api/v1/agents/cashin', { body, token });
    assert.equal(first.status, 200, first.text);
    const others = await Promise.all(Array.from({ length: 20 }, () => bank.wallet()));
    for (const person of others) await verify(person, WRONG_PIN, token);
    const again = await kissi.call('POST', '/api/v1/agents/cashin', { body, token });
    assert.deepEqual([again.status, again.text], [200, first.text]);
    const fresh = { ...body, request_id: 'after' };
    assertRefused(await kissi.call('POST', '/api/v1/agents/cashin', { body: fresh, token }), 429, 'TOO_MANY_ATTEMPTS');
  });

  test('of a hundred guesses at once gets no more than twenty looked at, and may try again when the window is over', async () => {
    const staff = await staffMember(kissi, 'support_user');
    const { token } = await openSession(kissi, staff);
    const many = await Promise.all(Array.from({ length: 100 }, () => bank.wallet()));
    const replies = await Promise.all(many.map((person) => verify(person, WRONG_PIN, token)));
    assert.equal(wrongs(replies), 20);
    assert.equal(stopped(replies), 80);
    kissi.clock.advance(15 * MINUTE_MS - 1);
    const later = (await openSession(kissi, staff)).token;
    const person = await bank.wallet();
    const reply = await verify(person, PIN, later);
    assert.deepEqual([reply.status, reply.headers.get('retry-after')], [429, '1']);
    kissi.clock.advance(1);
    assert.equal((await verify(person, PIN, later)).status, 200);
  });
});

describe('a key', () => {
  test('of a shop brings the slips of all its customers: far more than twenty', async () => {
    const terminal: Terminal = await terminalOf(kissi);
    const shoppers = await Promise.all(Array.from({ length: 25 }, () => bank.wallet(1_000)));
    for (const shopper of shoppers) {
      const card = await bank.card(shopper);
      const wrong = await terminal.pay(card, { amount: 10, encrypted_pin: terminal.encrypt(card, WRONG_PIN) });
      assertRefused(wrong, 401, 'INVALID_PIN');
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

  test('counts neither right ones nor those at a locked account, and lets go of attempts that fail', async () => {
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
      const seen = [];
      for (let n = 0; n < count; n++)
        seen.push(
          await guarded.verify(user('a'), 'x', '1').then(
            (v) => v.outcome,
            () => 'failed',
          ),
        );
      return new Set(seen);
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

  test('stops a key after a thousand', async () => {
    const key = { kind: 'key', id: 'key_1', scopes: [], environment: 'test' } as unknown as KeyCaller;
    const guarded = guardPins(
      pinsThat(async () => WRONG),
      testClock(),
    );
    const verdicts = await Promise.all(Array.from({ length: 1_200 }, () => guarded.verify(key, 'x', '1')));
    assert.equal(verdicts.filter(({ outcome }) => outcome === 'wrong').length, 1_000);
    assert.equal((await guarded.verify(key, 'x', '1')).outcome, 'too_many');
    assert.equal((await guarded.verify({ ...key, id: 'key_2' }, 'x', '1')).outcome, 'wrong');
  });

  test('lets those wait who come while as many are under way as may be wrong, and tries them in turn', async () => {
    const open: ((outcome: PinOutcome) => void)[] = [];
    const guarded = guardPins(
      pinsThat(() => new Promise((resolve) => open.push(resolve))),
      testClock(),
    );
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const verdicts = Array.from({ length: 50 }, () => guarded.verify(user('a'), 'x', '1'));
    await turn();
    assert.equal(open.length, 20);
    for (let n = 0; n < 10; n++) {
      open[n]?.({ outcome: 'right', version: 1 });
      await turn();
      assert.equal(open.length, 21 + n, 'each that was right makes room for one');
    }
    for (let n = 10; n < 30; n++) open[n]?.(WRONG);
    await turn();
    const outcomes = (await Promise.all(verdicts)).map(({ outcome }) => outcome);
    const count = (what: string) => outcomes.filter((outcome) => outcome === what).length;
    assert.deepEqual([open.length, count('right'), count('wrong'), count('too_many')], [30, 10, 20, 20]);
  });

  test('is not lost when all that were under way end at once', async () => {
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
    assert.equal(open.length, 20, 'those who came later stand behind them');
    for (const end of open) end(WRONG);
    await Promise.all(all);
    assert.ok((await Promise.all(late)).every(({ outcome }) => outcome === 'too_many'));
  });

  test('counts an attempt that outlives its window in the next one, and keeps its place meanwhile', async () => {
    const clock = testClock();
    let letGo = () => {};
    let hold = false;
    const guarded = guardPins(
      pinsThat(async () => {
        if (hold) {
          hold = false;
          await new Promise<void>((resolve) => {
            letGo = resolve;
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
    letGo();
    assert.equal((await slow).outcome, 'wrong');
    assert.deepEqual(await twentieth, { outcome: 'too_many', retryAfterMs: 15 * MINUTE_MS });
    assert.equal((await guarded.verify(user('b'), 'x', '1')).outcome, 'wrong');
  });
});
