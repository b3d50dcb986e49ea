// Tests PIN resets: the code, its limits, the new PIN, and the reduced outgoing payments for 24 hours afterwards.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentToken, floatOf, fundAgent, newAgent, newFundedAgent, newSubAgent } from '../../support/agents.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile, DAILY_LIMIT, newAgentFloat, PIN, type Wallet, WRONG_PIN } from '../../support/money.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { pinResetCode, requestPinReset, resetPin, setNewPin } from '../../support/pin-reset.ts';
import { containsDigits } from '../../support/secrets.ts';
import { apiKey, assertRefused, auditLogs, messageTo, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ env: { TRUST_PROXY: '1' } });
const NEW_PIN = '4711';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const TENTH = DAILY_LIMIT / 10;

const asAdmin = async (method: string, path: string, body?: object) =>
  kissi.call(method, `/api/v1${path}`, { token: await kissi.adminToken(), ...(body ? { body } : {}) });
const verifyPin = (wallet: Wallet, pin: string) => asAdmin('POST', `/subscribers/${wallet.id}/verify-pin`, { pin });
const transfer = (from: Wallet, to: Wallet, amount: number, pin = NEW_PIN) =>
  bank.post('/wallet/transfer', { sender_id: from.id, recipient_id: to.id, amount, pin });
const from = (address: string) => ({ 'x-forwarded-for': address });
const wrong = (code: string) => (code === '000000' ? '111111' : '000000');

async function coded(wallet: Wallet): Promise<string> {
  assertStatus(await requestPinReset(kissi, 'subscribers', wallet.id), 200);
  return pinResetCode(kissi, wallet.phone);
}

describe('the code', () => {
  test('sets a new PIN once, lifts the lock, and tells the holder', async () => {
    const wallet = await bank.wallet();
    for (let n = 0; n < 3; n++) await verifyPin(wallet, WRONG_PIN);
    assertRefused(await verifyPin(wallet, PIN), 403, 'ACCOUNT_LOCKED');
    const code = await coded(wallet);
    const reset = { phone_number: `0${wallet.phone.slice(4)}`, code, new_pin: NEW_PIN };
    const reply = assertStatus(await resetPin(kissi, reset), 200);
    assert.equal(reply.json.reduced_until, new Date(kissi.clock.now() + 24 * HOUR_MS).toISOString());
    assert.equal((await verifyPin(wallet, NEW_PIN)).status, 200);
    assertRefused(await verifyPin(wallet, PIN), 401, 'INVALID_PIN');
    assertRefused(await resetPin(kissi, { ...reset, new_pin: '5822' }), 401, 'INVALID_OTP');
    assert.match((await messageTo(kissi, wallet.phone)).text, /PIN was changed/);
  });

  test('is stored as a hash, and request and reset are audited without it', async () => {
    const wallet = await bank.wallet();
    const token = await staffToken(kissi, 'support_user');
    assert.equal((await requestPinReset(kissi, 'subscribers', wallet.id, token)).status, 200);
    const code = await pinResetCode(kissi, wallet.phone);
    const { rows } = await kissi.db.query('select * from pin_resets where owner_id = $1', [wallet.id]);
    assert.ok(!containsDigits(JSON.stringify(rows), code));
    await resetPin(kissi, { phone_number: wallet.phone, code, new_pin: NEW_PIN });
    const entries = await auditLogs(kissi, { resource_id: wallet.id });
    const actions = entries.map(({ action, actor_type }) => [action, actor_type]);
    assert.deepEqual(actions.slice(0, 2), [
      ['subscriber.reset_pin', 'public'],
      ['subscriber.request_pin_reset', 'user'],
    ]);
    for (const digits of [code, NEW_PIN]) assert.ok(!containsDigits(JSON.stringify(entries), digits));
  });

  test('is valid for 15 minutes and three tries, and a new one ends it', async () => {
    const wallet = await bank.wallet();
    const late = await coded(wallet);
    kissi.clock.advance(15 * MINUTE_MS);
    const use = (code: string) => resetPin(kissi, { phone_number: wallet.phone, code, new_pin: NEW_PIN });
    assertRefused(await use(late), 401, 'INVALID_OTP', 'expired');
    const guessed = await coded(wallet);
    for (let n = 0; n < 3; n++) assertRefused(await use(wrong(guessed)), 401, 'INVALID_OTP');
    assertRefused(await use(guessed), 401, 'INVALID_OTP', 'after three wrong ones');
    kissi.clock.advance(HOUR_MS);
    const [first, second] = [await coded(wallet), await coded(wallet)];
    if (first !== second) assertRefused(await use(first), 401, 'INVALID_OTP', 'replaced');
    assert.equal((await use(second)).status, 200);
    assert.equal((await verifyPin(wallet, NEW_PIN)).status, 200);
  });

  test('is not ended by wrong tries from another network, and ends after 30 from all', async () => {
    const wallet = await bank.wallet();
    const code = await coded(wallet);
    const use = (sent: string, address: string) =>
      resetPin(kissi, { phone_number: wallet.phone, code: sent, new_pin: NEW_PIN }, from(address));
    for (let n = 0; n < 4; n++) assertRefused(await use(wrong(code), `203.0.113.${n}`), 401, 'INVALID_OTP');
    assertRefused(await use(code, '203.0.113.9'), 401, 'INVALID_OTP', 'from the network of the guesser');
    assert.equal((await use(code, '198.51.100.7')).status, 200);
    assert.equal((await verifyPin(wallet, NEW_PIN)).status, 200);
    const guessed = await coded(wallet);
    for (let n = 0; n < 30; n++) assertRefused(await use(wrong(guessed), `10.1.${n % 10}.1`), 401, 'INVALID_OTP');
    assertRefused(await use(guessed, '198.51.100.7'), 401, 'INVALID_OTP', 'after thirty wrong ones');
  });

  test('that the owner of the database prolongs, or gives to another holder, is refused', async () => {
    const [wallet, other] = [await bank.wallet(), await bank.wallet()];
    const codes = [await coded(wallet), await coded(other)];
    kissi.clock.advance(15 * MINUTE_MS);
    const prolong = `update pin_resets set code_expires_at = code_expires_at + interval '1 day'`;
    await kissi.db.query(`${prolong} where owner_id = any($1)`, [[wallet.id, other.id]]);
    for (const [index, { phone }] of [wallet, other].entries()) {
      const reset = { phone_number: phone, code: codes[index] ?? '', new_pin: NEW_PIN };
      assertRefused(await resetPin(kissi, reset), 401, 'INVALID_OTP');
    }
    const code = await coded(wallet);
    await kissi.db.query(
      `update pin_resets r set code_salt = s.code_salt, code_hash = s.code_hash, code_expires_at = s.code_expires_at,
         tries_left = s.tries_left from pin_resets s where s.owner_id = $1 and r.owner_id = $2`,
      [wallet.id, other.id],
    );
    assertRefused(await resetPin(kissi, { phone_number: other.phone, code, new_pin: NEW_PIN }), 401, 'INVALID_OTP');
    assert.equal((await verifyPin(other, PIN)).status, 200);
    assert.equal((await resetPin(kissi, { phone_number: wallet.phone, code, new_pin: NEW_PIN })).status, 200);
  });

  test('of three wrong tries at once, no more than three are counted and no right one passes later', async () => {
    const wallet = await bank.wallet();
    const code = await coded(wallet);
    const tries = Array.from({ length: 8 }, () =>
      resetPin(kissi, { phone_number: wallet.phone, code: wrong(code), new_pin: NEW_PIN }),
    );
    for (const reply of await Promise.all(tries)) assertRefused(reply, 401, 'INVALID_OTP');
    assertRefused(await resetPin(kissi, { phone_number: wallet.phone, code, new_pin: NEW_PIN }), 401, 'INVALID_OTP');
    assert.equal((await verifyPin(wallet, PIN)).status, 200);
  });

  test('used twice at once sets one PIN', async () => {
    const wallet = await bank.wallet();
    const code = await coded(wallet);
    const pins = ['5831', '6942'];
    const replies = await Promise.all(
      pins.map((new_pin) => resetPin(kissi, { phone_number: wallet.phone, code, new_pin })),
    );
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 401]);
    const winner = pins[replies.findIndex(({ status }) => status === 200)] ?? '';
    assert.equal((await verifyPin(wallet, winner)).status, 200);
  });

  test('answers an unknown number, a holder without a code and a wrong code alike', async () => {
    const [idle, waiting] = [await bank.wallet(), await bank.wallet()];
    const code = wrong(await coded(waiting));
    const numbers = ['+23276999111', idle.phone, waiting.phone];
    const replies = await Promise.all(
      numbers.map((phone_number) => resetPin(kissi, { phone_number, code, new_pin: NEW_PIN })),
    );
    for (const reply of replies) assertRefused(reply, 401, 'INVALID_OTP');
    assert.equal(new Set(replies.map(({ json }) => JSON.stringify(json))).size, 1);
  });

  test('limits attempts per number, even for numbers without a holder, and codes per holder', async () => {
    for (const phone_number of ['+23276999222', (await bank.wallet()).phone]) {
      const body = { phone_number, code: '123456', new_pin: NEW_PIN };
      for (let n = 0; n < 10; n++) assertRefused(await resetPin(kissi, body), 401, 'INVALID_OTP');
      assertRefused(await resetPin(kissi, body), 429, 'RATE_LIMITED');
    }
    const wallet = await bank.wallet();
    for (let n = 0; n < 5; n++) await coded(wallet);
    assertRefused(await requestPinReset(kissi, 'subscribers', wallet.id), 429, 'RATE_LIMITED');
  });

  test('is bound to the number it was sent to', async () => {
    const wallet = await bank.wallet();
    const code = await coded(wallet);
    await asAdmin('PUT', `/subscribers/${wallet.id}`, { phone_number: '+23276999333' });
    for (const phone_number of [wallet.phone, '+23276999333']) {
      assertRefused(await resetPin(kissi, { phone_number, code, new_pin: NEW_PIN }), 401, 'INVALID_OTP');
    }
  });

  test('is refused for malformed values, blocked and pending subscribers, and unknown ids', async () => {
    const wallet = await bank.wallet();
    const code = await coded(wallet);
    const valid = { phone_number: wallet.phone, code, new_pin: NEW_PIN };
    assertRefused(await resetPin(kissi, { ...valid, new_pin: '12' }), 400, 'INVALID_PIN');
    assertRefused(await resetPin(kissi, { ...valid, code: '12' }), 400, 'INVALID_REQUEST');
    assertRefused(await resetPin(kissi, { ...valid, phone_number: 'none' }), 400, 'INVALID_REQUEST');
    await asAdmin('POST', `/subscribers/${wallet.id}/block`, { reason: 'Test' });
    assertRefused(await resetPin(kissi, valid), 401, 'INVALID_OTP');
    assertRefused(await requestPinReset(kissi, 'subscribers', wallet.id), 403, 'SUBSCRIBER_BLOCKED');
    const pending = await bank.wallet(0, { status: 'PENDING' });
    assertRefused(await requestPinReset(kissi, 'subscribers', pending.id), 403, 'SUBSCRIBER_BLOCKED');
    assertRefused(await requestPinReset(kissi, 'subscribers', 'sub_unknown'), 404, 'NOT_FOUND');
    assertRefused(await requestPinReset(kissi, 'agents', wallet.id), 404, 'NOT_FOUND');
  });

  test('for a politically exposed person needs PEP access', async () => {
    const wallet = await bank.wallet();
    await markPep(kissi, wallet.id);
    assertRefused(await requestPinReset(kissi, 'subscribers', wallet.id), 403, 'PEP_ACCESS_REQUIRED');
    const staff = await newAuthorizedStaff(kissi, 'support_user');
    await openAccess(kissi, staff);
    assert.equal((await requestPinReset(kissi, 'subscribers', wallet.id, staff.token)).status, 200);
  });
});

describe('under the policy pin.reset', () => {
  test('no code is sent until a second user of support approves', async () => {
    const [maker, checker] = [await staffToken(kissi, 'support_user'), await staffToken(kissi, 'support_user')];
    const policy = (enabled: boolean) => asAdmin('PUT', '/admin/approval-policies', { action: 'pin.reset', enabled });
    assert.equal((await policy(true)).status, 200);
    const wallet = await bank.wallet();
    const requested = assertStatus(await requestPinReset(kissi, 'subscribers', wallet.id, maker), 202);
    assert.equal(await messageTo(kissi, wallet.phone), undefined);
    const approve = (token: string) =>
      kissi.call('POST', `/api/v1/admin/approvals/${requested.json.approval.id}/approve`, { token });
    assert.equal((await approve(maker)).status, 403);
    const approved = assertStatus(await approve(checker), 200);
    const code = await pinResetCode(kissi, wallet.phone);
    assert.ok(!containsDigits(approved.text, code));
    assert.equal((await policy(false)).status, 200);
    assert.equal((await resetPin(kissi, { phone_number: wallet.phone, code, new_pin: NEW_PIN })).status, 200);
  });
});

describe('24 hours after a reset', () => {
  test('a wallet pays a tenth of its daily limit per day, by every kind of payment', async () => {
    const [wallet, other] = [await bank.wallet(3 * DAILY_LIMIT), await bank.wallet()];
    assert.equal((await transfer(wallet, other, 1_000, PIN)).status, 200);
    await setNewPin(kissi, 'subscribers', wallet, NEW_PIN);
    const until = new Date(kissi.clock.now() + 24 * HOUR_MS).toISOString();
    const refused = assertRefused(await transfer(wallet, other, TENTH), 422, 'DAILY_LIMIT_EXCEEDED');
    assert.deepEqual([refused.json.available, refused.json.required], [TENTH - 1_000, TENTH]);
    assert.ok(refused.json.error.includes(`The PIN was reset: until ${until}`), refused.json.error);
    assert.equal((await transfer(wallet, other, TENTH - 2_000)).status, 200);
    const cash = { subscriber_id: wallet.id, agent_id: await newAgentFloat(kissi), pin: NEW_PIN };
    assertRefused(await bank.post('/wallet/withdraw', { ...cash, amount: 1_001 }), 422, 'DAILY_LIMIT_EXCEEDED');
    assert.equal((await bank.post('/wallet/withdraw', { ...cash, amount: 1_000 })).status, 200);
    await bank.fund(wallet, 5_000);
    kissi.clock.advance(24 * HOUR_MS - 1);
    assertRefused(await transfer(wallet, other, TENTH + 1), 422, 'DAILY_LIMIT_EXCEEDED');
    kissi.clock.advance(1);
    assert.equal((await transfer(wallet, other, TENTH + 1)).status, 200);
  });

  test('the limit holds for payments that race with the reset and with each other', async () => {
    const [wallet, other] = [await bank.wallet(3 * DAILY_LIMIT), await bank.wallet()];
    const code = await coded(wallet);
    const amount = TENTH / 2;
    const [, ...payments] = await Promise.all([
      resetPin(kissi, { phone_number: wallet.phone, code, new_pin: NEW_PIN }),
      ...Array.from({ length: 12 }, () => transfer(wallet, other, amount)),
    ]);
    const later = await Promise.all(Array.from({ length: 6 }, () => transfer(wallet, other, amount)));
    const paid = [...payments, ...later].filter(({ status }) => status === 200).length;
    assert.ok(paid <= 2, `${paid} payments with the new PIN`);
    assert.equal(await bank.balance(other.id), paid * amount);
  });

  test('another reset extends the time', async () => {
    const [wallet, other] = [await bank.wallet(3 * DAILY_LIMIT), await bank.wallet()];
    await setNewPin(kissi, 'subscribers', wallet, NEW_PIN);
    kissi.clock.advance(20 * HOUR_MS);
    await setNewPin(kissi, 'subscribers', wallet, '5822');
    kissi.clock.advance(20 * HOUR_MS);
    assertRefused(await transfer(wallet, other, TENTH + 1, '5822'), 422, 'DAILY_LIMIT_EXCEEDED');
    kissi.clock.advance(4 * HOUR_MS);
    assert.equal((await transfer(wallet, other, TENTH + 1, '5822')).status, 200);
  });

  test('a tenth of its float can leave an agent, however often the PIN is reset, and the operator can take all', async () => {
    const agent = await newFundedAgent(kissi, 100_000);
    const wallet = await bank.wallet();
    let pin = NEW_PIN;
    await setNewPin(kissi, 'agents', agent, pin);
    const token = await agentToken(kissi, agent);
    const cashIn = (amount: number) => {
      const body = { agent_id: agent.id, subscriber_id: wallet.id, amount, pin };
      return kissi.call('POST', '/api/v1/agents/cashin', { body, token });
    };
    assert.equal((await cashIn(6_000)).status, 200);
    pin = '5822';
    await setNewPin(kissi, 'agents', agent, pin);
    // Each cash-in costs the agent a fee of 0.5 %.
    const refused = assertRefused(await cashIn(3_951), 422, 'DAILY_LIMIT_EXCEEDED');
    assert.deepEqual([refused.json.available, refused.json.required], [3_970, 3_971]);
    assert.equal((await cashIn(3_950)).status, 200);
    assertRefused(await cashIn(1), 422, 'DAILY_LIMIT_EXCEEDED');
    const sub = await newSubAgent(kissi, agent);
    const body = { from_agent_id: agent.id, to_agent_id: sub.id, amount: 1, pin };
    assertRefused(await kissi.call('POST', '/api/v1/agents/transfer', { body, token }), 422, 'DAILY_LIMIT_EXCEEDED');
    await fundAgent(kissi, agent, 500);
    assert.equal((await cashIn(497)).status, 200, 'what came in since can leave');
    assert.equal((await asAdmin('POST', `/agents/${agent.id}/return-float`, { amount: 90_001 })).status, 200);
    assert.equal(await floatOf(kissi, agent), 0);
  });

  test('an agent pays as usual once the time is over; a suspended agent gets no code', async () => {
    const agent = await newFundedAgent(kissi, 100_000);
    const wallet = await bank.wallet();
    await setNewPin(kissi, 'agents', agent, NEW_PIN);
    kissi.clock.advance(24 * HOUR_MS);
    const body = { agent_id: agent.id, subscriber_id: wallet.id, amount: 50_000, pin: NEW_PIN };
    const token = await agentToken(kissi, agent);
    assert.equal((await kissi.call('POST', '/api/v1/agents/cashin', { body, token })).status, 200);
    await asAdmin('POST', `/agents/${agent.id}/suspend`, { reason: 'Test' });
    assertRefused(await requestPinReset(kissi, 'agents', agent.id), 403, 'AGENT_SUSPENDED');
  });

  test('a number of a subscriber and an agent: the code decides whose PIN is set', async () => {
    const wallet = await bank.wallet();
    const agent = await newAgent(kissi, { phone_number: wallet.phone });
    assert.equal((await requestPinReset(kissi, 'agents', agent.id)).status, 200);
    const code = await pinResetCode(kissi, wallet.phone);
    await coded(wallet);
    assert.equal((await resetPin(kissi, { phone_number: wallet.phone, code, new_pin: NEW_PIN })).status, 200);
    assert.equal((await verifyPin(wallet, PIN)).status, 200, 'the PIN of the subscriber stays');
    const token = await agentToken(kissi, agent);
    const change = { current_pin: NEW_PIN, new_pin: '5822' };
    assertStatus(await kissi.call('POST', `/api/v1/agents/${agent.id}/change-pin`, { body: change, token }), 200);
  });
});

describe('the record', () => {
  const read = async (family: 'subscribers' | 'agents', id: string, token: string) => {
    const reply = assertStatus(await kissi.call('GET', `/api/v1/${family}/${id}`, { token }), 200);
    return reply.json.subscriber ?? reply.json.agent;
  };
  const seenOf = ({ outgoing_reduced_until, reduced_daily_limit, reduced_floor }: Json) =>
    JSON.parse(JSON.stringify({ outgoing_reduced_until, reduced_daily_limit, reduced_floor }));

  test('of a subscriber shows the reduced limit to support and compliance while it applies', async () => {
    const wallet = await bank.wallet();
    const [support, compliance] = [await staffToken(kissi, 'support_user'), await staffToken(kissi, 'compliance_user')];
    const none = { outgoing_reduced_until: null, reduced_daily_limit: null };
    assert.deepEqual(seenOf(await read('subscribers', wallet.id, support)), none);
    await setNewPin(kissi, 'subscribers', wallet, NEW_PIN);
    const until = new Date(kissi.clock.now() + 24 * HOUR_MS).toISOString();
    const reduced = { outgoing_reduced_until: until, reduced_daily_limit: TENTH };
    for (const token of [support, compliance, await kissi.adminToken()]) {
      assert.deepEqual(seenOf(await read('subscribers', wallet.id, token)), reduced);
    }
    const record = await read('subscribers', wallet.id, support);
    const unchanged = await kissi.call('PUT', `/api/v1/subscribers/${wallet.id}`, { body: record, token: support });
    assert.deepEqual([unchanged.status, unchanged.json.subscriber], [200, record], unchanged.text);
    for (const role of ['sales_user', 'finance_user', 'audit_user'] as const) {
      assert.deepEqual(seenOf(await read('subscribers', wallet.id, await staffToken(kissi, role))), {}, role);
    }
    const { key } = await apiKey(kissi, ['subscribers:read']);
    assert.deepEqual(seenOf(await read('subscribers', wallet.id, key)), {}, 'an API key');
    kissi.clock.advance(24 * HOUR_MS);
    assert.deepEqual(seenOf(await read('subscribers', wallet.id, await kissi.adminToken())), none);
  });

  test('shows until when a code can be used, to support and compliance, while the old PIN works', async () => {
    const [wallet, agent] = [await bank.wallet(), await newFundedAgent(kissi, 100_000)];
    const [support, compliance] = [await staffToken(kissi, 'support_user'), await staffToken(kissi, 'compliance_user')];
    const untilOf = async (token = support) => (await read('subscribers', wallet.id, token)).pin_reset_code_until;
    assert.equal(await untilOf(), null);
    const code = await coded(wallet);
    assert.equal((await requestPinReset(kissi, 'agents', agent.id)).status, 200);
    const until = new Date(kissi.clock.now() + 15 * MINUTE_MS).toISOString();
    assert.deepEqual([await untilOf(), await untilOf(compliance)], [until, until]);
    assert.equal((await read('agents', agent.id, support)).pin_reset_code_until, until);
    assert.equal((await read('agents', agent.id, await agentToken(kissi, agent))).pin_reset_code_until, undefined);
    assert.equal(await untilOf(await staffToken(kissi, 'sales_user')), undefined);
    assert.equal((await verifyPin(wallet, PIN)).status, 200, 'the old PIN');
    const record = await read('subscribers', wallet.id, support);
    assertStatus(await kissi.call('PUT', `/api/v1/subscribers/${wallet.id}`, { body: record, token: support }), 200);
    await resetPin(kissi, { phone_number: wallet.phone, code, new_pin: NEW_PIN });
    assert.equal(await untilOf(), null, 'used');
    const guessed = await coded(wallet);
    for (let n = 0; n < 30; n++) {
      const guess = { phone_number: wallet.phone, code: wrong(guessed), new_pin: PIN };
      await resetPin(kissi, guess, from(`10.2.${n % 10}.1`));
    }
    assert.equal(await untilOf(), null, 'guessed too often');
    kissi.clock.advance(15 * MINUTE_MS);
    assert.equal((await read('agents', agent.id, await kissi.adminToken())).pin_reset_code_until, null, 'expired');
  });

  test('of an agent shows what must stay in the float, and not to the agent', async () => {
    const agent = await newFundedAgent(kissi, 100_000);
    await setNewPin(kissi, 'agents', agent, NEW_PIN);
    const until = new Date(kissi.clock.now() + 24 * HOUR_MS).toISOString();
    const token = await staffToken(kissi, 'support_user');
    const reduced = { outgoing_reduced_until: until, reduced_floor: 90_000 };
    assert.deepEqual(seenOf(await read('agents', agent.id, token)), reduced);
    assert.deepEqual(seenOf(await read('agents', agent.id, await agentToken(kissi, agent))), {});
    kissi.clock.advance(24 * HOUR_MS);
    const none = { outgoing_reduced_until: null, reduced_floor: null };
    assert.deepEqual(seenOf(await read('agents', agent.id, await kissi.adminToken())), none);
  });
});

describe('POST /subscribers/{id}/unlock', () => {
  const unlock = async (id: string, token?: string) =>
    kissi.call('POST', `/api/v1/subscribers/${id}/unlock`, { token: token ?? (await kissi.adminToken()) });

  test('lifts the lock of the PIN for compliance, with three new attempts, and is audited', async () => {
    const wallet = await bank.wallet();
    for (let n = 0; n < 3; n++) await verifyPin(wallet, WRONG_PIN);
    const token = await staffToken(kissi, 'compliance_user');
    assertStatus(await unlock(wallet.id, token), 200);
    const again = await verifyPin(wallet, WRONG_PIN);
    assert.deepEqual([again.status, again.json.attempts_remaining], [401, 2]);
    assert.equal((await verifyPin(wallet, PIN)).status, 200);
    const [entry] = await auditLogs(kissi, { resource_id: wallet.id, action: 'subscriber.unlock' });
    assert.equal(entry.actor_type, 'user');
  });

  test('keeps the reason in the audit log, with the limits of other reasons', async () => {
    const wallet = await bank.wallet();
    for (let n = 0; n < 3; n++) await verifyPin(wallet, WRONG_PIN);
    const path = `/subscribers/${wallet.id}/unlock`;
    assertRefused(await asAdmin('POST', path, { reason: 'x'.repeat(501) }), 400, 'INVALID_REQUEST');
    assert.equal((await asAdmin('POST', path, { reason: ' Called\nback ' })).status, 200);
    const [entry] = await auditLogs(kissi, { resource_id: wallet.id, action: 'subscriber.unlock' });
    assert.deepEqual(entry.details, { reason: 'Called back' });
  });

  test('is refused if the PIN is not locked, for other roles, PEPs and unknown subscribers', async () => {
    const wallet = await bank.wallet();
    assertRefused(await unlock(wallet.id), 409, 'NOT_LOCKED');
    await verifyPin(wallet, WRONG_PIN);
    assertRefused(await unlock(wallet.id), 409, 'NOT_LOCKED');
    assertRefused(await unlock(wallet.id, await staffToken(kissi, 'support_user')), 403, 'FORBIDDEN');
    assertRefused(await unlock('sub_unknown'), 404, 'NOT_FOUND');
    await markPep(kissi, wallet.id);
    assertRefused(await unlock(wallet.id), 403, 'PEP_ACCESS_REQUIRED');
  });
});
