// Wrong PINs of one day, hidden between right ones of the holder elsewhere.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { agentToken, newAgent, wrongPin } from '../support/agents.ts';
import { type CallReply, testGateway } from '../support/gateway.ts';
import { bankForFile, newAgentFloat, PIN, WRONG_PIN } from '../support/money.ts';
import { newMerchant } from '../support/processors.ts';
import { apiKey, assertRefused, staffToken } from '../support/staff.ts';
import { terminalOf } from '../support/terminal.ts';

const { kissi, bank } = await bankForFile();
/** Anew, because tokens expire when the clock moves. */
const admin = () => staffToken(kissi, 'system_admin');
const key = await apiKey(kissi, ['payments:write', 'balance:read', 'subscribers:write', 'cards:read']);
const MAX = 10;

const nextDay = () => Math.floor(kissi.clock.now() / DAY_MS) * DAY_MS + DAY_MS;
const messagesTo = async (phone: string) =>
  (await kissi.call('GET', '/api/v1/admin/messages?limit=100', { token: await admin() })).json.messages.filter(
    (each: { to: string; kind: string }) => each.to === phone && each.kind === 'wrong_pins',
  );
const alertsAbout = async (query: string) =>
  (await kissi.call('GET', `/api/v1/compliance/alerts?${query}`, { token: await admin() })).json.alerts;

async function victimAtMerchant() {
  const wallet = await bank.wallet(1_000_000);
  const card = await bank.card(wallet);
  const merchant = await newMerchant(kissi);
  const dishonest = await terminalOf(kissi, { merchant, keyExtra: { processor_id: merchant.id } });
  const honest = await terminalOf(kissi);
  const pay = (terminal: typeof honest, pin: string) =>
    terminal.pay(card, { amount: 1, encrypted_pin: terminal.encrypt(card, pin) });
  return { wallet, merchant, guess: () => pay(dishonest, WRONG_PIN), shop: () => pay(honest, PIN) };
}

test('a merchant that guesses between right PINs elsewhere is answered ten times on one day', async () => {
  const { wallet, merchant, guess, shop } = await victimAtMerchant();
  for (let n = 0; n < MAX; n++) {
    assert.equal((await shop()).status, 200);
    const refused = assertRefused(await guess(), 401, 'INVALID_PIN');
    assert.equal(refused.json.attempts_remaining, n === MAX - 1 ? 0 : n === MAX - 2 ? 1 : 2);
  }
  const until = new Date(nextDay()).toISOString();
  const agent = await newAgentFloat(kissi);
  const other = await bank.wallet();
  const post = (path: string, body: object) => kissi.call('POST', `/api/v1${path}`, { body, token: key.key });
  const routes: [string, () => Promise<CallReply>][] = [
    ['the merchant', guess],
    ['another merchant', shop],
    ['verify-pin', () => post(`/subscribers/${wallet.id}/verify-pin`, { pin: PIN })],
    ['change-pin', () => post(`/subscribers/${wallet.id}/change-pin`, { current_pin: PIN, new_pin: '8642' })],
    ['balance', () => post(`/wallet/balance/${wallet.id}`, { pin: PIN })],
    ['transfer', () => post('/wallet/transfer', { sender_id: wallet.id, recipient_id: other.id, amount: 1, pin: PIN })],
    ['withdraw', () => post('/wallet/withdraw', { subscriber_id: wallet.id, agent_id: agent, amount: 1, pin: PIN })],
  ];
  for (const [name, call] of routes) {
    const { status, json } = await call();
    assert.deepEqual([status, json.code, json.locked_until], [403, 'ACCOUNT_LOCKED', until], name);
  }
  kissi.clock.advance(31 * MINUTE_MS);
  assertRefused(await shop(), 403, 'ACCOUNT_LOCKED');

  const messages = await messagesTo(wallet.phone);
  assert.equal(messages.length, 1, 'the holder is told once');
  assert.match(messages[0].text, /wrong 10 times today/);
  const [alert, ...more] = await alertsAbout(`processor_id=${merchant.id}`);
  assert.deepEqual([alert, more.length], [undefined, 0], 'ten attempts are too few for an alert');
  const { subscriber } = (await kissi.call('GET', `/api/v1/subscribers/${wallet.id}`, { token: await admin() })).json;
  assert.deepEqual([subscriber.pin_locked_until, subscriber.pin_lock_reason], [until, 'wrong_on_one_day']);
  assert.equal(
    (await kissi.call('POST', `/api/v1/subscribers/${wallet.id}/unlock`, { token: await admin() })).status,
    200,
  );
  assert.equal((await shop()).status, 200);
  assert.equal((await guess()).json.attempts_remaining, 2, 'the count starts again');
});

test('the lock ends at 00:00 UTC, and with a PIN reset', async () => {
  const { wallet, guess, shop } = await victimAtMerchant();
  const lock = async () => {
    for (let n = 0; n < MAX; n++) {
      await guess();
      await shop();
    }
    assertRefused(await shop(), 403, 'ACCOUNT_LOCKED');
  };
  await lock();
  kissi.clock.set(nextDay());
  assert.equal((await shop()).status, 200);
  await lock();
  const sent = await kissi.call('POST', `/api/v1/subscribers/${wallet.id}/reset-pin`, {
    body: { reason: 'Locked' },
    token: await staffToken(kissi, 'support_user'),
  });
  assert.equal(sent.status, 200, sent.text);
  const { messages } = (await kissi.call('GET', '/api/v1/admin/messages?limit=100', { token: await admin() })).json;
  const code = messages
    .find((each: { to: string; kind: string }) => each.to === wallet.phone && each.kind === 'pin_reset_code')
    .text.match(/\d{6}/)[0];
  const reset = await kissi.call('POST', '/api/v1/public/pin-reset', {
    body: { phone_number: wallet.phone, code, new_pin: PIN },
  });
  assert.equal(reset.status, 200, reset.text);
  assert.equal((await shop()).status, 200);
});

test('of concurrent guesses on two gateways ten are answered on one day', async () => {
  const { wallet } = await victimAtMerchant();
  const other = await testGateway({ db: kissi.db, clock: kissi.clock });
  const wrong = { body: { pin: WRONG_PIN }, token: key.key };
  const path = `/api/v1/subscribers/${wallet.id}/verify-pin`;
  try {
    let answered = 0;
    for (let round = 0; round < 5; round++) {
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? kissi : other).call('POST', path, wrong)),
      );
      answered += replies.filter(({ json }) => json.code === 'INVALID_PIN').length;
      kissi.clock.advance(30 * MINUTE_MS);
    }
    assert.equal(answered, MAX);
    assert.equal((await messagesTo(wallet.phone)).length, 1);
  } finally {
    await other.close();
  }
});

describe('an alert is raised once per day', () => {
  test('about a merchant with 20 attempts of which a quarter are wrong, over all of its keys', async () => {
    const { merchant, guess, shop } = await victimAtMerchant();
    const customers = await Promise.all(Array.from({ length: 8 }, async () => bank.card(await bank.wallet(1_000))));
    const keys = await Promise.all(
      [0, 1].map(() => terminalOf(kissi, { merchant, keyExtra: { processor_id: merchant.id } })),
    );
    const enter = (n: number, pin: string) => {
      const terminal = keys[n % 2] ?? assert.fail();
      const serial = customers[n % customers.length] ?? assert.fail();
      return terminal.pay(serial, { amount: 1, encrypted_pin: terminal.encrypt(serial, pin) });
    };
    for (let n = 0; n < 15; n++) assert.equal((await enter(n, PIN)).status, 200);
    for (let n = 0; n < 4; n++) assert.equal((await enter(n, WRONG_PIN)).status, 401);
    assert.equal((await shop()).status, 200, 'payments at others do not count');
    assert.deepEqual(await alertsAbout(`processor_id=${merchant.id}`), []);
    await guess();
    for (let n = 4; n < 8; n++) await enter(n, WRONG_PIN);
    const [alert, ...more] = await alertsAbout(`processor_id=${merchant.id}`);
    assert.deepEqual([more.length, alert.type, alert.severity], [0, 'pin_guessing', 'HIGH']);
    assert.deepEqual([alert.figures.wrong_pins, alert.figures.attempts], [5, 20]);
  });

  test('about a merchant that repeats a payment with the right PIN between the wrong ones', async () => {
    const { merchant } = await victimAtMerchant();
    const terminal = await terminalOf(kissi, { merchant, keyExtra: { processor_id: merchant.id } });
    const own = await bank.card(await bank.wallet(1_000));
    const body = terminal.payment(own, { amount: 1 });
    for (let n = 0; n < 40; n++) assert.equal((await terminal.send('/pos/payment', body)).status, 200);
    for (let n = 0; n < 40; n++) {
      assert.equal((await terminal.send('/pos/payment', { ...body, amount: 2 })).json.code, 'REQUEST_CONFLICT');
    }
    for (let n = 0; n < 19; n++) {
      const serial = await bank.card(await bank.wallet(1_000));
      const guessed = { amount: 1, encrypted_pin: terminal.encrypt(serial, WRONG_PIN) };
      assert.equal((await terminal.pay(serial, guessed)).status, 401);
    }
    const [alert] = await alertsAbout(`processor_id=${merchant.id}`);
    assert.deepEqual([alert?.figures.wrong_pins, alert?.figures.attempts], [19, 20]);
  });

  test('about an agent, and not about one whose customers seldom mistype', async () => {
    const [agent, careful] = [await newAgent(kissi), await newAgent(kissi)];
    for (const [at, wrongEvery] of [
      [agent, 3],
      [careful, 6],
    ] as const) {
      const token = await agentToken(kissi, at);
      for (let n = 0; n < 20; n++) {
        const wallet = await bank.wallet(1_000);
        const pin = n % wrongEvery === 0 ? WRONG_PIN : PIN;
        const body = { subscriber_id: wallet.id, agent_id: at.id, amount: 100, pin };
        assert.equal(
          (await kissi.call('POST', '/api/v1/wallet/withdraw', { body, token })).status,
          pin === PIN ? 200 : 401,
        );
      }
    }
    assert.deepEqual(await alertsAbout(`agent_id=${agent.id}`), [], 'the last PINs were right, and are shared later');
    await kissi.gateway.services.pins.share();
    assert.deepEqual(
      (await alertsAbout(`agent_id=${agent.id}`)).map(({ type }: { type: string }) => type),
      ['pin_guessing'],
    );
    assert.deepEqual(await alertsAbout(`agent_id=${careful.id}`), []);
  });
});

test("an agent's own PIN locks for the day in the same way", async () => {
  const agent = await newAgent(kissi);
  const token = await agentToken(kissi, agent);
  const change = (pin: string) =>
    kissi.call('POST', `/api/v1/agents/${agent.id}/change-pin`, {
      body: { current_pin: pin, new_pin: agent.pin },
      token,
    });
  for (let n = 0; n < MAX; n++) {
    assertRefused(await change(wrongPin(agent)), 400, 'INVALID_PIN');
    if (n < MAX - 1) assert.equal((await change(agent.pin)).status, 200);
  }
  const locked = assertRefused(await change(agent.pin), 403, 'ACCOUNT_LOCKED');
  assert.equal(locked.json.locked_until, new Date(nextDay()).toISOString());
  assert.equal((await messagesTo(agent.phone)).length, 1);
});
