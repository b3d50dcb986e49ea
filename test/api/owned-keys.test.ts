// Keys that belong to a processor or a partner: what they may not do, whatever their scopes say.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SCOPES } from '../../src/auth/roles.ts';
import { bankForFile, newAgentFloat, PIN } from '../support/money.ts';
import { apiKey, withLockContention } from '../support/staff.ts';
import { newRequestId, sendSigned, terminalOf } from '../support/terminal.ts';

const ORDINARY = SCOPES.filter((scope) => !scope.startsWith('inbound:'));

const { kissi, bank } = await bankForFile();
const shop = await terminalOf(kissi);
const merchantsKey = await apiKey(kissi, ORDINARY, { processor_id: shop.merchant.id });
const partnersKey = await apiKey(kissi, ORDINARY, { partner_id: bank.partnerId });
const customer = await bank.wallet(500_000);
const card = await bank.card(customer);
const agent = await newAgentFloat(kissi);

describe("a processor's key", () => {
  const calls: [string, string, () => unknown][] = [
    [
      'POST',
      '/wallet/fund-from-partner',
      () => ({ partner_id: bank.partnerId, subscriber_id: customer.id, amount: 1 }),
    ],
    ['POST', '/wallet/transfer', () => ({ sender_id: customer.id, recipient_id: agent, amount: 1, pin: PIN })],
    [
      'POST',
      '/wallet/transfer-p2p',
      () => ({ sender_id: customer.id, recipient_card_serial: card, amount: '1', pin: PIN }),
    ],
    ['POST', '/wallet/withdraw', () => ({ subscriber_id: customer.id, agent_id: agent, amount: 1, pin: PIN })],
    ['POST', '/wallet/account-statement', () => ({ subscriber_id: customer.id, from: '2026-01-01', to: '2026-12-31' })],
    ['POST', '/agents/cashin', () => ({ agent_id: agent, subscriber_id: customer.id, amount: 1, pin: PIN })],
    ['POST', '/agents/transfer', () => ({ from_agent_id: agent, to_agent_id: agent, amount: '1', pin: PIN })],
    ['GET', '/agents', () => undefined],
  ];
  for (const [method, path, body] of calls) {
    test(`is not let in at ${method} ${path}, though it has every scope`, async () => {
      const balance = await bank.balance(customer.id);
      const given = body();
      const options = { token: merchantsKey.key, ...(given ? { body: given } : {}) };
      const reply = await kissi.call(method, `/api/v1${path}`, options);
      assert.equal(reply.status, 403, reply.text);
      assert.equal(reply.json.code, 'FORBIDDEN');
      assert.equal(await bank.balance(customer.id), balance);
    });
  }

  test('funds no agent from the treasury', async () => {
    const body = { amount: 1 };
    const reply = await kissi.call('POST', `/api/v1/agents/${agent}/fund`, { token: merchantsKey.key, body });
    assert.equal(reply.status, 403);
  });

  test('is paid by card, and sees its own history', async () => {
    const body = shop.payment(card, { amount: 500, pin: PIN });
    const paid = await sendSigned(kissi, '/api/v1/pos/payment', body, { key: merchantsKey });
    assert.equal(paid.status, 200, paid.text);
    const history = await kissi.call('GET', `/api/v1/processors/${shop.merchant.id}/transactions`, {
      token: merchantsKey.key,
    });
    assert.equal(history.status, 200, history.text);
    assert.equal(history.json.transactions[0].transaction_id, paid.json.transaction_id);
  });
});

describe("a partner's key", () => {
  test('neither takes a payment for a merchant nor refunds one', async () => {
    const paid = await shop.pay(card, { amount: 5_000 });
    assert.equal(paid.status, 200, paid.text);
    const body = { request_id: newRequestId(), transaction_id: paid.json.transaction_id };
    for (const path of ['/api/v1/pos/refund', '/api/v1/payment/refund']) {
      const refund = await sendSigned(kissi, path, body, { key: partnersKey });
      assert.equal(refund.status, 403, refund.text);
    }
    const payment = await sendSigned(kissi, '/api/v1/pos/payment', shop.payment(card, { pin: PIN }), {
      key: partnersKey,
    });
    assert.equal(payment.status, 403, payment.text);
  });

  test('sees neither agents nor processors, and moves no money of either', async () => {
    const get = (path: string) => kissi.call('GET', `/api/v1${path}`, { token: partnersKey.key });
    for (const path of ['/agents', `/agents/${agent}`, '/processors', `/processors/${shop.merchant.id}/transactions`]) {
      assert.equal((await get(path)).status, 403, path);
    }
    const body = { to_subscriber_id: customer.id, amount: 1 };
    const path = `/api/v1/processors/${shop.merchant.id}/transfer`;
    assert.equal((await kissi.call('POST', path, { token: partnersKey.key, body })).status, 403);
  });

  test("is bound to the partner's addresses wherever it is used", async () => {
    const terms = { name: 'Far Bank', ip_allowlist: ['203.0.113.0/24'] };
    const token = await kissi.adminToken();
    const created = await kissi.call('POST', '/api/v1/admin/partners', { token, body: terms });
    const key = await apiKey(kissi, ORDINARY, { partner_id: created.json.partner.id });
    const bearer = await kissi.call('GET', `/api/v1/balance/${customer.id}`, { token: key.key });
    assert.equal(bearer.status, 403);
    assert.equal(bearer.json.code, 'IP_NOT_ALLOWED');
    const signed = await sendSigned(kissi, '/api/v1/pos/verify-card', { card_serial: card }, { key });
    assert.equal(signed.json.code, 'IP_NOT_ALLOWED');
  });
});

describe('a card that is blocked while a payment with it waits', () => {
  test('pays nothing once the block has been answered', async () => {
    const wallet = await bank.wallet(10_000);
    const serial = await bank.card(wallet);
    const lock = `select from accounts where id = '${wallet.id}' for update`;
    const { blocking, paying } = await withLockContention(kissi, {
      lock,
      waiters: 2,
      async begin() {
        // The block waits for the wallet first; the payment has seen the card as it was.
        const blocking = bank.post(`/cards/${serial}/block`, { reason: 'Lost' });
        return { blocking, paying: shop.pay(serial, { amount: 100 }) };
      },
    });
    assert.equal((await blocking).status, 200);
    const outcome = await paying;
    const spent = outcome.status === 200 ? 100 : 0;
    if (spent === 0) assert.equal(outcome.json.code, 'CARD_BLOCKED', outcome.text);
    assert.equal(await bank.balance(wallet.id), 10_000 - spent);
    const later = await shop.pay(serial, { amount: 100 });
    assert.equal(later.json.code, 'CARD_BLOCKED');
  });

  test('is refused under the lock, when the block came in between', async () => {
    const wallet = await bank.wallet(10_000);
    const serial = await bank.card(wallet);
    const outcome = await withLockContention(kissi, {
      lock: `select from accounts where id = '${wallet.id}' for update`,
      waiters: 1,
      begin: () => shop.pay(serial, { amount: 100 }),
      meanwhile: `update accounts set barred = '{${serial}}' where id = '${wallet.id}'`,
    });
    assert.equal(outcome.json.code, 'CARD_BLOCKED', outcome.text);
    assert.equal(await bank.balance(wallet.id), 10_000);
  });

  test('works again when it is unblocked, and when its subscriber is', async () => {
    const wallet = await bank.wallet(10_000);
    const serial = await bank.card(wallet);
    await bank.post(`/cards/${serial}/block`, { reason: 'Lost' });
    assert.equal((await shop.pay(serial, { amount: 100 })).json.code, 'CARD_BLOCKED');
    assert.equal((await bank.post(`/cards/${serial}/unblock`, {})).status, 200);
    assert.equal((await shop.pay(serial, { amount: 100 })).status, 200);
    await bank.post(`/cards/${serial}/block`, { reason: 'Lost' });
    const token = await kissi.adminToken();
    const asAdmin = (path: string, body: object) =>
      kissi.call('POST', `/api/v1/subscribers/${wallet.id}/${path}`, { body, token });
    await asAdmin('block', { reason: 'Fraud' });
    assert.equal((await asAdmin('unblock', {})).status, 200);
    assert.equal((await shop.pay(serial, { amount: 100 })).status, 200);
  });
});
