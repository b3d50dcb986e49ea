// Tests restrictions on API keys of processors and partners, which apply regardless of scopes, and blocked cards.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OPERATOR_SCOPES, SCOPES } from '../../../src/auth/roles.ts';
import { bankForFile, newAgentFloat, PIN } from '../../support/money.ts';
import { apiKey, assertStatus, withLockContention } from '../../support/staff.ts';
import { newRequestId, sendSigned, terminalOf } from '../../support/terminal.ts';

const SCOPES_OF_OWNED_KEYS = SCOPES.filter(
  (scope) => !scope.startsWith('inbound:') && !OPERATOR_SCOPES.includes(scope),
);

const { kissi, bank } = await bankForFile({ brokenRules: ['account_terms_differ'] });
const terminal = await terminalOf(kissi);
const processorKey = await apiKey(kissi, SCOPES_OF_OWNED_KEYS, { processor_id: terminal.merchant.id });
const partnerKey = await apiKey(kissi, SCOPES_OF_OWNED_KEYS, { partner_id: bank.partnerId });
const customer = await bank.wallet(500_000);
const card = await bank.card(customer);
const agent = await newAgentFloat(kissi);

describe("a processor's key", () => {
  test("receives card payments and reads the processor's history", async () => {
    const body = terminal.payment(card, { amount: 500, pin: PIN });
    const paid = assertStatus(await sendSigned(kissi, '/api/v1/pos/payment', body, { key: processorKey }), 200);
    const history = await kissi.call('GET', `/api/v1/processors/${terminal.merchant.id}/transactions`, {
      token: processorKey.key,
    });
    assert.equal(history.status, 200, history.text);
    assert.equal(history.json.transactions[0].transaction_id, paid.json.transaction_id);
  });
});

describe("a partner's key", () => {
  test('cannot take or refund payments for a processor', async () => {
    const paid = assertStatus(await terminal.pay(card, { amount: 5_000 }), 200);
    const body = { request_id: newRequestId(), transaction_id: paid.json.transaction_id };
    for (const path of ['/api/v1/pos/refund', '/api/v1/payment/refund']) {
      assertStatus(await sendSigned(kissi, path, body, { key: partnerKey }), 403);
    }
    const payment = await sendSigned(kissi, '/api/v1/pos/payment', terminal.payment(card, { pin: PIN }), {
      key: partnerKey,
    });
    assert.equal(payment.status, 403, payment.text);
  });

  test('cannot read agents or processors or move their money', async () => {
    const get = (path: string) => kissi.call('GET', `/api/v1${path}`, { token: partnerKey.key });
    for (const path of [
      '/agents',
      `/agents/${agent}`,
      '/processors',
      `/processors/${terminal.merchant.id}/transactions`,
    ]) {
      assert.equal((await get(path)).status, 403, path);
    }
    const body = { to_subscriber_id: customer.id, amount: 1 };
    const path = `/api/v1/processors/${terminal.merchant.id}/transfer`;
    assert.equal((await kissi.call('POST', path, { token: partnerKey.key, body })).status, 403);
  });

  test("is accepted only from the partner's ip_allowlist on every route", async () => {
    const partner = { name: 'Far Bank', ip_allowlist: ['203.0.113.0/24'] };
    const created = await kissi.asAdmin.post('/admin/partners', partner);
    const key = await apiKey(kissi, SCOPES_OF_OWNED_KEYS, { partner_id: created.json.partner.id });
    const bearer = assertStatus(await kissi.call('GET', `/api/v1/balance/${customer.id}`, { token: key.key }), 403);
    assert.equal(bearer.json.code, 'IP_NOT_ALLOWED');
    const signed = await sendSigned(kissi, '/api/v1/pos/verify-card', { card_serial: card }, { key });
    assert.equal(signed.json.code, 'IP_NOT_ALLOWED');
  });
});

describe('a card that is blocked during a payment', () => {
  test('cannot pay after the block has returned', async () => {
    const wallet = await bank.wallet(10_000);
    const serial = await bank.card(wallet);
    const lock = `select from accounts where id = '${wallet.id}' for update`;
    const { blocking, paying } = await withLockContention(kissi, {
      lock,
      waiters: 2,
      async begin() {
        // The block waits for the wallet's lock first; the payment has read the card before the block.
        const blocking = bank.post(`/cards/${serial}/block`, { reason: 'Lost' });
        return { blocking, paying: terminal.pay(serial, { amount: 100 }) };
      },
    });
    assert.equal((await blocking).status, 200);
    const outcome = await paying;
    const spent = outcome.status === 200 ? 100 : 0;
    if (spent === 0) assert.equal(outcome.json.code, 'CARD_BLOCKED', outcome.text);
    assert.equal(await bank.balance(wallet.id), 10_000 - spent);
    const later = await terminal.pay(serial, { amount: 100 });
    assert.equal(later.json.code, 'CARD_BLOCKED');
  });

  test('is refused under the lock if the block was committed after the look-up', async () => {
    const wallet = await bank.wallet(10_000);
    const serial = await bank.card(wallet);
    const outcome = await withLockContention(kissi, {
      lock: `select from accounts where id = '${wallet.id}' for update`,
      waiters: 1,
      begin: () => terminal.pay(serial, { amount: 100 }),
      meanwhile: `update accounts set barred = '{${serial}}' where id = '${wallet.id}'`,
    });
    assert.equal(outcome.json.code, 'CARD_BLOCKED', outcome.text);
    assert.equal(await bank.balance(wallet.id), 10_000);
  });

  test('works again when it or its subscriber is unblocked', async () => {
    const wallet = await bank.wallet(10_000);
    const serial = await bank.card(wallet);
    await bank.post(`/cards/${serial}/block`, { reason: 'Lost' });
    assert.equal((await terminal.pay(serial, { amount: 100 })).json.code, 'CARD_BLOCKED');
    assert.equal((await bank.post(`/cards/${serial}/unblock`, {})).status, 200);
    assert.equal((await terminal.pay(serial, { amount: 100 })).status, 200);
    await bank.post(`/cards/${serial}/block`, { reason: 'Lost' });
    const asAdmin = (path: string, body: object) => kissi.asAdmin.post(`/subscribers/${wallet.id}/${path}`, body);
    await asAdmin('block', { reason: 'Fraud' });
    assert.equal((await asAdmin('unblock', {})).status, 200);
    assert.equal((await terminal.pay(serial, { amount: 100 })).status, 200);
  });
});
