// Tests cash-out codes: what they hold, redeeming at agents, guessing, expiry, cancelling, blocks, and races on two gateways.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { assertClean } from '../../ledger/books.ts';
import { agentToken, fundAgent, newAgent, type TestAgent, wrongPin } from '../../support/agents.ts';
import { again, deviceLogin, newPhone, type Phone } from '../../support/customers.ts';
import { assertStatus, type CallReply, type Json, type TestGateway, testGateway } from '../../support/gateway.ts';
import { createBank, DAILY_LIMIT, PIN, type Wallet, WRONG_PIN } from '../../support/money.ts';
import { setNewPin } from '../../support/pin-reset.ts';
import { assertRefused, messageTo, runChore } from '../../support/staff.ts';

const kissi = await testGateway();
const bank = await createBank(kissi);
/** Without the fast path: every payment takes the careful one. */
const second = await testGateway({ db: kissi.db, clock: kissi.clock, fastPath: false });
after(async () => {
  await second.close();
  await assertClean(kissi.db.url);
  await kissi.close();
});
const { balance } = bank;

interface Counter {
  agent: TestAgent;
  token: string;
}

async function counter(): Promise<Counter> {
  const agent = await newAgent(kissi);
  await fundAgent(kissi, agent, 100_000);
  return { agent, token: await agentToken(kissi, agent) };
}

let requests = 0;
const newId = () => `code-${++requests}`;

/** A phone that is no longer new, and an agent. The clock moves by a day. */
async function set(amount = 100_000): Promise<{ phone: Phone; shop: Counter; wallet: Wallet }> {
  const wallet = await bank.wallet(amount);
  const phone = await newPhone(kissi, wallet);
  kissi.clock.advance(DAY_MS);
  return { wallet, phone: await again(kissi, phone), shop: await counter() };
}

function ask(phone: Phone, extra: Json = {}): Promise<CallReply> {
  return phone.post('/me/cash-out-codes', { amount: 20_000, pin: PIN, request_id: newId(), ...extra });
}

const asked = async (phone: Phone, extra: Json = {}): Promise<Json> =>
  assertStatus(await ask(phone, extra), 201).json.cash_out_code;

function redeem({ agent, token }: Counter, wallet: Wallet, code: string, extra: Json = {}, on: TestGateway = kissi) {
  const body = { code, phone_number: wallet.phone, pin: agent.pin, request_id: newId(), ...extra };
  return on.call('POST', '/api/v1/agents/cashout-code', { token, body });
}

async function held(id: string): Promise<number> {
  const { rows } = await kissi.db.query('select held from accounts where id = $1', [id]);
  return Number(rows[0].held);
}

async function statusOf(phone: Phone, id: string): Promise<string> {
  const { json } = assertStatus(await phone.get('/me/cash-out-codes'), 200);
  return json.cash_out_codes.find((code: Json) => code.id === id).status;
}

const other = (code: string, n = 1) => String((Number(code) + n) % 10 ** 8).padStart(8, '0');

describe('a cash-out code', () => {
  test('holds amount and fee, and pays the agent like a withdrawal, without the PIN of the customer', async () => {
    const { phone, shop, wallet } = await set();
    const direct = { subscriber_id: wallet.id, agent_id: shop.agent.id, amount: 20_000, pin: PIN };
    const withdrawn = assertStatus(await bank.post('/wallet/withdraw', direct), 200).json;
    const [customer, float] = [await balance(wallet.id), await balance(shop.agent.id)];
    const price = assertStatus(await phone.get('/me/cash-out-codes/price?amount=20000'), 200).json;
    const code = await asked(phone);
    assert.deepEqual([price.amount, price.fee, price.total], [code.amount, code.fee, code.total]);
    assert.match(code.code, /^\d{8}$/);
    assert.deepEqual([code.amount, code.fee, code.total], [20_000, withdrawn.fee, withdrawn.total_debited]);
    assert.equal(Date.parse(code.expires_at), kissi.clock.now() + 30 * MINUTE_MS);
    assert.deepEqual([await balance(wallet.id), await held(wallet.id)], [customer, code.total]);
    const paid = assertStatus(await redeem(shop, wallet, code.code), 200);
    assert.deepEqual([paid.json.amount, paid.json.fee, paid.json.agent_id], [20_000, code.fee, shop.agent.id]);
    assert.ok(!paid.text.includes(wallet.id), 'no customer id for the agent');
    assert.deepEqual([await balance(wallet.id), await held(wallet.id)], [customer - code.total, 0]);
    assert.equal((await balance(shop.agent.id)) - float, float - 100_000, 'the commission of a withdrawal');
    assert.equal(paid.json.balance, await balance(shop.agent.id));
    const { json } = await phone.get('/me/cash-out-codes');
    const [listed] = json.cash_out_codes;
    assert.deepEqual([listed.status, listed.transaction_id], ['redeemed', paid.json.transaction_id]);
    assert.ok(!('code' in listed), 'lists show no digits');
  });

  test('is sent to the customer, and stored nowhere in the clear', async () => {
    const { phone, wallet } = await set();
    const { code } = await asked(phone);
    assert.ok((await messageTo(kissi, wallet.phone)).text.includes(code));
    for (const table of ['cash_out_codes', 'requests', 'holds', 'audit_log', 'audit_inbox', 'request_log']) {
      const { rows } = await kissi.db.query(`select count(*) from ${table} t where t::text like $1`, [`%${code}%`]);
      assert.equal(Number(rows[0].count), 0, table);
    }
    assert.ok(!kissi.logs().includes(code));
  });

  test('is the same for a repeated request with the PIN, while it lives', async () => {
    const { phone, shop, wallet } = await set();
    const request = { request_id: newId() };
    const first = await asked(phone, request);
    const repeated = assertStatus(await ask(phone, request), 201);
    assert.equal(repeated.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(repeated.json.cash_out_code, first);
    assertRefused(await ask(phone, { ...request, pin: WRONG_PIN }), 401, 'INVALID_PIN');
    assertRefused(await ask(phone, { ...request, amount: 1 }), 409, 'REQUEST_CONFLICT');
    assertStatus(await redeem(shop, wallet, first.code), 200);
    assert.equal((await asked(phone, request)).code, null);
  });

  test('is one for requests that arrive at once on two gateways', async () => {
    const { phone, wallet } = await set();
    const body = { amount: 5_000, pin: PIN, request_id: newId() };
    const path = '/api/v1/me/cash-out-codes';
    const replies = await Promise.all(
      [kissi, second, kissi, second].map((on) => on.call('POST', path, { token: phone.token, body })),
    );
    const codes = new Set(replies.map((reply) => assertStatus(reply, 201).json.cash_out_code.code));
    assert.equal(codes.size, 1);
    assert.equal(await held(wallet.id), replies[0]?.json.cash_out_code.total);
  });

  test('is not made after a PIN reset for a request of before, and its money is available again', async () => {
    const { phone, wallet } = await set();
    const request = { request_id: newId() };
    const { id } = await asked(phone, request);
    // As if the gateway had stopped between the hold and its code.
    await kissi.db.query('delete from cash_out_codes where hold_id = $1', [id]);
    kissi.clock.advance(1);
    await setNewPin(kissi, 'subscribers', wallet, '4829');
    const later = await newPhone(kissi, wallet, { pin: '4829' });
    assert.equal((await asked(later, { ...request, pin: '4829' })).code, null);
    await runChore(kissi, 'release the money of ended cash-out codes');
    assert.equal(await held(wallet.id), 0);
  });

  test('counts for the daily limit on its day, and gives back what is not paid', async () => {
    const { phone, wallet } = await set(3 * DAILY_LIMIT);
    const big = await asked(phone, { amount: DAILY_LIMIT });
    assertRefused(await ask(phone, { amount: 1 }), 422, 'DAILY_LIMIT_EXCEEDED');
    assertStatus(await phone.post(`/me/cash-out-codes/${big.id}/cancel`), 200);
    assert.equal(await held(wallet.id), 0);
    await asked(phone, { amount: 1_000 });
  });

  for (const [name, extra, status, code] of [
    ['a wrong PIN', { pin: WRONG_PIN }, 401, 'INVALID_PIN'],
    ['a PIN of another form', { pin: '12345' }, 400, 'INVALID_PIN'],
    ['no amount of money', { amount: 0 }, 400, 'INVALID_AMOUNT'],
    ['more than the balance', { amount: 100_000 }, 402, 'INSUFFICIENT_BALANCE'],
  ] as const) {
    test(`is refused for ${name} and holds nothing`, async () => {
      const { phone, wallet } = await set();
      assertRefused(await ask(phone, extra), status, code);
      assert.equal(await held(wallet.id), 0);
    });
  }

  test('costs what was shown, or says what it costs now', async () => {
    const { phone, wallet } = await set();
    const { total } = assertStatus(await phone.get('/me/cash-out-codes/price?amount=20000'), 200).json;
    const request_id = newId();
    for (const wrong of [total - 1, total + 1]) {
      const refused = assertRefused(await ask(phone, { total: wrong, request_id }), 409, 'QUOTE_CHANGED');
      assert.deepEqual(refused.json.quote, { amount: 20_000, fee: total - 20_000, total, currency: 'SLE' });
    }
    assert.equal(await held(wallet.id), 0);
    const made = await asked(phone, { total, request_id });
    assert.equal(await held(wallet.id), total);
    const again = assertStatus(await ask(phone, { total: total + 5, request_id }), 201).json.cash_out_code;
    assert.deepEqual([again.id, again.code], [made.id, made.code], 'a repeated request was made at its price');
  });

  test('has no price for what is no amount', async () => {
    const { phone } = await set();
    for (const amount of ['0', '-1', '1.5', '1e3', 'x', '']) {
      assertRefused(await phone.get(`/me/cash-out-codes/price?amount=${amount}`), 400, 'INVALID_AMOUNT', amount);
    }
  });

  test('of another customer is neither listed nor cancelled', async () => {
    const { phone } = await set();
    const { id } = await asked(phone);
    const stranger = await newPhone(kissi, await bank.wallet());
    assert.deepEqual((await stranger.get('/me/cash-out-codes')).json.cash_out_codes, []);
    assertRefused(await stranger.post(`/me/cash-out-codes/${id}/cancel`), 404, 'NOT_FOUND');
    assertRefused(await phone.post('/me/cash-out-codes/txn_0/cancel'), 404, 'NOT_FOUND');
  });

  test('of a new device counts towards its tenth of the daily limit, with transfers', async () => {
    const wallet = await bank.wallet(DAILY_LIMIT);
    const phone = await newPhone(kissi, wallet);
    const friend = await bank.wallet();
    await asked(phone, { amount: DAILY_LIMIT / 20 });
    const quote = (
      await phone.post('/me/quote', { type: 'transfer', phone_number: friend.phone, amount: DAILY_LIMIT / 20 })
    ).json.quote;
    const body = { quote_id: quote.id, pin: PIN, request_id: newId() };
    assertStatus(await phone.post('/me/transfers', body), 200);
    assertRefused(await ask(phone, { amount: 1 }), 422, 'DAILY_LIMIT_EXCEEDED');
  });
});

describe('redeeming', () => {
  test('by two agents on two gateways pays once, and says that the code was redeemed', async () => {
    const { phone, shop, wallet } = await set();
    const rival = await counter();
    for (let round = 0; round < 4; round++) {
      const { code, total } = await asked(phone, { amount: 2_000 });
      const before = await balance(wallet.id);
      const replies = await Promise.all([
        redeem(shop, wallet, code),
        redeem(rival, wallet, code, {}, second),
        redeem(shop, wallet, code, {}, second),
      ]);
      assert.deepEqual(
        replies.map(({ status }) => status).sort(),
        [200, 409, 409],
        replies.map(({ text }) => text).join(),
      );
      for (const reply of replies) if (reply.status === 409) assertRefused(reply, 409, 'ALREADY_PAID');
      assert.deepEqual([await balance(wallet.id), await held(wallet.id)], [before - total, 0]);
    }
  });

  test('repeated with the same request id pays once and answers the same', async () => {
    const { phone, shop, wallet } = await set();
    const { code } = await asked(phone);
    const request = { request_id: newId() };
    const paid = assertStatus(await redeem(shop, wallet, code, request), 200);
    const repeated = await redeem(shop, wallet, code, request);
    assert.equal(repeated.text, paid.text);
    assertRefused(await redeem(shop, wallet, other(code), request), 409, 'REQUEST_CONFLICT');
  });

  test('against cancelling, expiry and a block has one outcome', async () => {
    for (const rival of ['cancel', 'expire', 'block'] as const) {
      const { phone, shop, wallet } = await set();
      const { id, code, total } = await asked(phone);
      const before = await balance(wallet.id);
      const end = {
        cancel: () => phone.post(`/me/cash-out-codes/${id}/cancel`),
        block: () => kissi.asAdmin.post(`/subscribers/${wallet.id}/block`, { reason: 'Stolen phone' }),
        expire: async () => {
          kissi.clock.advance(30 * MINUTE_MS);
          await runChore(kissi, 'expire holds');
        },
      }[rival];
      const [redeemed] = await Promise.all([redeem(shop, wallet, code, {}, second), end()]);
      await runChore(kissi, 'release the money of ended cash-out codes');
      const isPaid = redeemed.status === 200;
      assert.equal(await balance(wallet.id), isPaid ? before - total : before, `${rival} ${redeemed.text}`);
      assert.equal(await held(wallet.id), 0, rival);
      const { rows } = await kissi.db.query('select outcome from hold_ends where hold_id = $1', [id]);
      assert.equal(rows.length, 1);
      assert.equal(rows[0].outcome === 'captured', isPaid, rival);
    }
  });

  test('after cancelling, expiry or a block is refused, and the money is available again', async () => {
    const { phone, shop, wallet } = await set();
    const first = await asked(phone);
    assert.equal((await phone.post(`/me/cash-out-codes/${first.id}/cancel`)).json.cash_out_code.status, 'cancelled');
    assertStatus(await phone.post(`/me/cash-out-codes/${first.id}/cancel`), 200);
    assertRefused(await redeem(shop, wallet, first.code), 409, 'CANCELLED');
    const late = await asked(phone);
    kissi.clock.advance(30 * MINUTE_MS);
    shop.token = await agentToken(kissi, shop.agent);
    assertRefused(await redeem(shop, wallet, late.code), 409, 'EXPIRED');
    await runChore(kissi, 'expire holds');
    assert.equal(await held(wallet.id), 0);
    const known = await again(kissi, phone);
    assert.equal(await statusOf(known, late.id), 'expired');
    const blocked = await asked(known);
    assertStatus(await kissi.asAdmin.post(`/subscribers/${wallet.id}/block`, { reason: 'Stolen phone' }), 200);
    assertStatus(await kissi.asAdmin.post(`/subscribers/${wallet.id}/unblock`), 200);
    assertRefused(await redeem(shop, wallet, blocked.code), 409, 'CANCELLED', 'even before its hold was released');
    await runChore(kissi, 'release the money of ended cash-out codes');
    assert.equal(await held(wallet.id), 0);
  });

  const ENDS: Record<string, (phone: Phone, wallet: Wallet) => Promise<unknown>> = {
    'a PIN reset': (_phone, wallet) => setNewPin(kissi, 'subscribers', wallet, '4829'),
    'a change of the number': async (_phone, wallet) => {
      const phone_number = '+23233740001';
      assertStatus(await kissi.asAdmin.put(`/subscribers/${wallet.id}`, { phone_number }), 200);
      wallet.phone = phone_number;
    },
    'a change of the PIN, on the device that asked for it too': async (phone) =>
      assertStatus(await phone.post('/me/change-pin', { current_pin: PIN, new_pin: '4829' }), 200),
    'nine wrong PINs on own channels': async (phone) => {
      for (let n = 0; n < 9; n++) {
        assertRefused(await deviceLogin(kissi, phone.deviceToken, WRONG_PIN), 401, 'INVALID_PIN');
        await kissi.db.query('update pins set failures = 0, locked_until = null where owner_id = $1', [
          phone.wallet.id,
        ]);
      }
    },
  };
  for (const [name, end] of Object.entries(ENDS)) {
    test(`after ${name} is refused, and the money is available again`, async () => {
      const { phone, shop, wallet } = await set();
      const { id, code } = await asked(phone);
      const before = await balance(wallet.id);
      const holder = { ...wallet };
      await end(phone, holder);
      assertRefused(await redeem(shop, holder, code), 409, 'CANCELLED', 'even before its hold was released');
      await runChore(kissi, 'release the money of ended cash-out codes');
      assert.deepEqual([await balance(wallet.id), await held(wallet.id)], [before, 0]);
      const { rows } = await kissi.db.query('select outcome from hold_ends where hold_id = $1', [id]);
      assert.equal(rows[0].outcome, 'released');
      assertRefused(await redeem(shop, holder, code), 409, 'CANCELLED');
    });
  }

  test('needs the PIN of the agent before the code is compared', async () => {
    const { phone, shop, wallet } = await set();
    const { code } = await asked(phone);
    const wrong = { pin: wrongPin(shop.agent) };
    assertRefused(await redeem(shop, wallet, code, wrong), 400, 'INVALID_PIN');
    assertRefused(await redeem(shop, wallet, other(code), wrong), 400, 'INVALID_PIN');
    assertStatus(await redeem(shop, wallet, code), 200);
  });

  test('is refused for another agent, a suspended one, and malformed input', async () => {
    const { phone, shop, wallet } = await set();
    const { code } = await asked(phone);
    const rival = await counter();
    assertRefused(await redeem(shop, wallet, code, { agent_id: rival.agent.id }), 403, 'FORBIDDEN');
    assertRefused(await redeem(shop, wallet, '123'), 400, 'INVALID_REQUEST');
    assertRefused(await redeem(shop, wallet, code, { phone_number: 'x' }), 400, 'INVALID_REQUEST');
    const keyed = { code, phone_number: wallet.phone, pin: shop.agent.pin, request_id: newId() };
    assertRefused(await bank.post('/agents/cashout-code', keyed), 400, 'INVALID_REQUEST');
    assertStatus(await bank.post('/agents/cashout-code', { ...keyed, agent_id: shop.agent.id }), 200);
  });

  test('a third wrong code for a number ends its codes, however many agents try at once', async () => {
    const { phone, shop, wallet } = await set();
    const rival = await counter();
    const codes = [await asked(phone, { amount: 1_000 }), await asked(phone, { amount: 2_000 })];
    const wrong = (n: number) => other(codes[0].code, n + 1);
    const tries = await Promise.all(
      [0, 1, 2, 3, 4].map((n) => redeem(n % 2 ? rival : shop, wallet, wrong(n), {}, n % 2 ? second : kissi)),
    );
    for (const reply of tries) assertRefused(reply, 400, 'INVALID_CODE');
    for (const { code, id } of codes) {
      assertRefused(await redeem(shop, wallet, code), 409, 'CANCELLED');
      assert.equal(await statusOf(phone, id), 'cancelled');
    }
    await runChore(kissi, 'release the money of ended cash-out codes');
    assert.equal(await held(wallet.id), 0);
    const { rows } = await kissi.db.query('select max(wrong) as most from cash_out_codes where subscriber_id = $1', [
      wallet.id,
    ]);
    assert.equal(Number(rows[0].most), 3, 'no more were compared');
    assertStatus(await redeem(shop, wallet, (await asked(phone)).code), 200);
  });

  test('tells nothing of numbers: unknown, without a code, or with another one', async () => {
    const { phone, shop, wallet } = await set();
    const { code } = await asked(phone);
    const replies = [
      await redeem(shop, wallet, other(code)),
      await redeem(shop, await bank.wallet(), code),
      await redeem(shop, { id: '', phone: '+23299123456' }, code),
    ];
    const [first] = replies.map(({ text }) => text);
    for (const reply of replies) assert.equal(assertRefused(reply, 400, 'INVALID_CODE').text, first);
  });

  test('ten wrong codes of an agent in an hour are the last, and raise one alert', async () => {
    const { phone, shop, wallet } = await set();
    const numbers: Wallet[] = [];
    for (let n = 0; n < 5; n++) numbers.push(await bank.wallet());
    const replies = await Promise.all(
      Array.from({ length: 14 }, (_, n) =>
        redeem(shop, numbers[n % 5] as Wallet, '12345678', {}, n % 2 ? second : kissi),
      ),
    );
    const codes = replies.map(({ json }) => json.code);
    assert.equal(codes.filter((code) => code === 'INVALID_CODE').length, 10);
    assert.equal(codes.filter((code) => code === 'RATE_LIMITED').length, 4);
    const { code } = await asked(phone);
    const refused = assertRefused(await redeem(shop, wallet, code), 429, 'RATE_LIMITED', 'even the right one');
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    const alerts = (await kissi.asAdmin.get('/compliance/alerts?limit=100')).json.alerts;
    const own = alerts.filter(
      (alert: Json) => alert.type === 'cash_out_code_guessing' && alert.agent_id === shop.agent.id,
    );
    assert.equal(own.length, 1);
    kissi.clock.advance(HOUR_MS);
    shop.token = await agentToken(kissi, shop.agent);
    const later = await asked(await again(kissi, phone));
    assertStatus(await redeem(shop, wallet, later.code), 200);
  });
});
