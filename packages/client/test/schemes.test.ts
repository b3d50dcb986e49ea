// The client against the service: every way to authenticate, and the operations that need it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ADMIN } from '../../../test/support/gateway.ts';
import { bankForFile, PIN } from '../../../test/support/money.ts';
import { newMerchant } from '../../../test/support/processors.ts';
import { totpUser } from '../../../test/support/second-factor.ts';
import { apiKey, staffMember } from '../../../test/support/staff.ts';
import { TERMINAL_SCOPES } from '../../../test/support/terminal.ts';
import { waitFor } from '../../../test/support/wait.ts';
import { receiver } from '../../../test/webhooks/receiver.ts';
import { KissiAuthenticationError, KissiRefusalError, type Tokens, verifyWebhook } from '../src/index.ts';
import { clientOf } from './support.ts';

const SERVICE = { name: 'chat', secret: 'the-secret-of-the-chat-service-0123456789' };
const CASH_IN_SECRET = 'the-secret-of-cash-in-notifications-012345';
const { kissi: gateway, bank } = await bankForFile({
  env: {
    SERVICE_SECRETS: JSON.stringify({ [SERVICE.name]: SERVICE.secret }),
    SERVICE_BODY_HASH: 'required',
    PARTNER_CASHIN_WEBHOOK_SECRET: CASH_IN_SECRET,
    WEBHOOK_ALLOW_PRIVATE: 'true',
  },
});
await gateway.adminToken();
const admin = () => clientOf(gateway, { login: ADMIN }).kissi;

async function partnerClient(webhookUrl?: string) {
  const { partner, webhook_secret: webhookSecret } = (await admin().partners.create({
    name: 'Rokel Test Bank',
    ...(webhookUrl ? { webhook_url: webhookUrl } : {}),
  })) as { partner: { id: string }; webhook_secret: string };
  const scopes = ['inbound:read', 'inbound:write', 'payments:read', 'payments:write'] as const;
  const { id: keyId, secret } = await apiKey(gateway, scopes, { partner_id: partner.id });
  return { ...clientOf(gateway, { keyId, secret, partnerId: partner.id }), partnerId: partner.id, webhookSecret };
}

describe('an API key', () => {
  test('transfers by card, with a request_id that the client makes', async () => {
    const { kissi } = clientOf(gateway, { apiKey: bank.key });
    const [sender, recipient] = [await bank.customer(50_000), await bank.customer(0)];
    const payment = await kissi.wallet.transferByCard({
      ...{ sender_id: sender.wallet.id, recipient_card_serial: recipient.card, amount: 20_000, pin: PIN },
    });
    assert.deepEqual([payment.amount, payment.fee, payment.balance], [20_000, 300, 29_700]);
    assert.equal(payment.request_id, payment.lastResponse.idempotencyKey);
    assert.match(payment.request_id ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(await bank.balance(recipient.wallet.id), 20_000);
    assert.equal((await kissi.wallet.balance(sender.wallet.id)).balance, 29_700);
  });
});

describe('a signing key', () => {
  test('pays, verifies and refunds at a terminal with an encrypted PIN', async () => {
    const merchant = await newMerchant(gateway);
    const { id: keyId, secret } = await apiKey(gateway, TERMINAL_SCOPES);
    const { kissi, network } = clientOf(gateway, { keyId, secret });
    const { wallet, card } = await bank.customer(50_000);
    const order = { merchant_id: merchant.merchantId, processor_id: merchant.id, card_serial: card };
    assert.equal((await kissi.terminal.verifyCard({ card_serial: card })).balance, 50_000);
    const paid = await kissi.terminal.pay({ ...order, terminal_id: 'T-1', amount: '10000', pin: PIN });
    assert.equal(paid.status, 'APPROVED');
    const { body } = network.sent.at(-1) ?? assert.fail();
    assert.deepEqual(['pin' in body, typeof body.encrypted_pin], [false, 'string']);
    const refund = await kissi.terminal.refund({ transaction_id: paid.transaction_id, amount: 4_000 });
    assert.deepEqual([refund.status, refund.remaining], ['PARTIALLY_REFUNDED', 6_000]);
    assert.equal(await bank.balance(wallet.id), 44_000);
  });

  test('pays in an app with metadata, and a wrong PIN is a refusal with the attempts that remain', async () => {
    const merchant = await newMerchant(gateway);
    const { id: keyId, secret } = await apiKey(gateway, TERMINAL_SCOPES, { processor_id: merchant.id });
    const { kissi } = clientOf(gateway, { keyId, secret });
    const { wallet, card } = await bank.customer(50_000);
    const order = { merchant_id: merchant.merchantId, processor_id: merchant.id, card_serial: card, amount: 10_000 };
    const metadata = { order: 17, note: 'é' };
    assert.deepEqual((await kissi.inApp.pay({ ...order, pin: PIN, metadata })).metadata, metadata);
    await assert.rejects(kissi.inApp.pay({ ...order, pin: '9999' }), (error) => {
      assert.ok(error instanceof KissiRefusalError);
      assert.deepEqual([error.code, error.status, error.fields], ['INVALID_PIN', 401, { attempts_remaining: 2 }]);
      assert.match(error.requestId ?? '', /./);
      return true;
    });
    assert.equal(await bank.balance(wallet.id), 40_000);
  });

  test('credits a wallet as a partner bank and reads the outcome; a refused credit has its reference', async () => {
    const { kissi, network } = await partnerClient();
    const wallet = await bank.wallet();
    const enquiry = await kissi.inbound.enquireName({ msisdn: wallet.phone, currency: 'SLE' });
    assert.equal(enquiry.data.can_credit, true);
    const credit = await kissi.inbound.credit({ msisdn: wallet.phone, amount: 7_000, narration: 'Rent' });
    const { reference } = credit.data;
    assert.equal(network.sent.at(-1)?.headers.get('x-idempotency-key'), reference);
    assert.equal((await kissi.inbound.get(reference)).data.status, 'COMPLETED');
    assert.equal(await bank.balance(wallet.id), 7_000);
    const refused = kissi.inbound.credit({ reference: 'R-1', msisdn: '+23279999999', amount: 1 });
    await assert.rejects(refused, (error) => {
      assert.ok(error instanceof KissiRefusalError);
      const { code, fields, idempotencyKey } = error;
      const data = { reference: 'R-1', status: 'REJECTED', failure_code: 'BENEFICIARY_NOT_FOUND' };
      assert.deepEqual([code, fields, idempotencyKey], [data.failure_code, data, 'R-1']);
      return true;
    });
    const nonces = network.sent.map(({ headers }) => headers.get('x-nonce'));
    assert.equal(new Set(nonces).size, network.sent.length);
  });

  test('pays in cash through the partner API, and lists its transactions', async () => {
    const { kissi } = await partnerClient();
    const wallet = await bank.wallet();
    assert.equal((await kissi.partner.accountStatus({ phone_number: wallet.phone })).exists, true);
    const references: string[] = [];
    for (const amount of [100, 200, 300]) {
      references.push((await kissi.partner.cashIn({ phone_number: wallet.phone, amount })).reference);
    }
    const listed = await kissi.partner.transactions({ limit: 2 }).toArray();
    assert.deepEqual(listed.map(({ reference }) => reference).reverse(), references);
    assert.equal(await bank.balance(wallet.id), 600);
  });

  test('with a wrong secret is not authenticated', async () => {
    const { id: keyId } = await apiKey(gateway, TERMINAL_SCOPES);
    const { kissi } = clientOf(gateway, { keyId, secret: 'wrong' });
    await assert.rejects(kissi.terminal.verifyCard({ card_serial: 'C-1' }), (error) => {
      assert.ok(error instanceof KissiAuthenticationError);
      assert.deepEqual([error.code, error.status, error.attempts], ['INVALID_SIGNATURE', 401, 1]);
      return true;
    });
  });
});

describe('secrets of the configuration', () => {
  test('a service reads a subscriber and raises an alert, with a signature that covers the body', async () => {
    const { kissi } = clientOf(gateway, { service: SERVICE });
    const { id } = await bank.wallet();
    assert.equal((await kissi.subscribers.get(id)).subscriber.id, id);
    const { alert } = await kissi.alerts.raise({
      severity: 'LOW',
      type: 'chat',
      description: 'Asked twice',
      subscriber_id: id,
    });
    assert.equal((await admin().alerts.get(alert.id)).alert.description, 'Asked twice');
  });

  test('a cash-in notification is signed', async () => {
    const { kissi } = clientOf(gateway, { cashInSecret: CASH_IN_SECRET });
    const { wallet, card } = await bank.customer(0);
    const notified = await kissi.partner.notifyCashIn({ card_serial: card, amount: 900 });
    assert.equal(notified.new_balance, 900);
    assert.equal(await bank.balance(wallet.id), 900);
  });

  test('health, metrics and public registration need no credential', async () => {
    const { kissi } = clientOf(gateway, {});
    assert.equal((await kissi.health.get()).status, 'ok');
    assert.match(await kissi.health.metrics(), /kissi_/);
    const person = { phone_number: '+23279000001', first_name: 'Sia', last_name: 'Koroma', pin: PIN };
    assert.equal((await kissi.registration.register(person)).subscriber.status, 'ACTIVE');
  });

  test('an operation without its credential is refused before anything is sent', async () => {
    const { kissi, network } = clientOf(gateway, { apiKey: bank.key });
    await assert.rejects(kissi.terminal.verifyCard({ card_serial: 'C-1' }), {
      ...{ name: 'KissiAuthenticationError', code: 'CREDENTIALS_MISSING', status: null },
      message: 'This operation needs credentials that the client does not have: keyId and secret.',
    });
    assert.equal(network.sent.length, 0);
  });
});

describe('a user', () => {
  const MINUTE_MS = 60_000;

  test('is logged in once for parallel calls, and once more when the token is about to expire', async () => {
    const stored: Tokens[] = [];
    const user = await staffMember(gateway, 'support_user');
    const { kissi, network } = clientOf(gateway, { login: user, onTokens: (tokens) => void stored.push(tokens) });
    const requests = () => network.sent.map(({ path }) => path.split('/').at(-1));
    const calls = () => Promise.all([1, 2, 3].map(() => kissi.session.currentUser()));
    assert.deepEqual(
      (await calls()).map(({ email }) => email),
      [user.email, user.email, user.email],
    );
    assert.deepEqual(requests(), ['login', 'me', 'me', 'me']);
    gateway.clock.advance(15 * MINUTE_MS - 20_000);
    await calls();
    assert.deepEqual(requests().slice(4), ['refresh', 'me', 'me', 'me']);
    assert.deepEqual(stored.at(-1), kissi.tokens);
    assert.equal(stored.length, 2);
  });

  test('whose token the service refuses gets a new one for all parallel calls, and the calls are repeated', async () => {
    const user = await staffMember(gateway, 'support_user');
    const first = clientOf(gateway, { login: user });
    await first.kissi.session.currentUser();
    const tokens = { ...(first.kissi.tokens ?? assert.fail()), token: 'not.a.token' };
    const { kissi, network } = clientOf(gateway, { tokens });
    await Promise.all([1, 2, 3].map(() => kissi.session.currentUser()));
    const refreshes = network.sent.filter(({ path }) => path.endsWith('/refresh'));
    assert.deepEqual([network.sent.length, refreshes.length], [7, 1]);
  });

  test('whose session has ended is logged in again if the client has the password', async () => {
    const user = await staffMember(gateway, 'support_user');
    const ended = { token: 'not.a.token', refreshToken: 'unknown', expiresAt: gateway.clock.now() + MINUTE_MS };
    const { kissi } = clientOf(gateway, { login: user, tokens: ended });
    assert.equal((await kissi.session.currentUser()).email, user.email);
    await assert.rejects(clientOf(gateway, { tokens: ended }).kissi.session.currentUser(), KissiAuthenticationError);
  });

  test('whose tokens the caller manages: a refused token is renewed once, and the call is repeated', async () => {
    const user = await staffMember(gateway, 'support_user');
    const { kissi: other } = clientOf(gateway, { login: user });
    await other.session.currentUser();
    const valid = other.tokens?.token ?? assert.fail();
    const source = (token: string, renewed: string | null) => {
      const calls: string[] = [];
      const tokenSource = {
        async accessToken() {
          calls.push('accessToken');
          return calls.includes('renew') ? (renewed ?? token) : token;
        },
        async renew() {
          calls.push('renew');
          return renewed !== null;
        },
      };
      return { calls, kissi: clientOf(gateway, { tokenSource }).kissi };
    };
    const current = source(valid, null);
    assert.equal((await current.kissi.session.currentUser()).email, user.email);
    assert.deepEqual(current.calls, ['accessToken']);
    const expired = source('not.a.token', valid);
    assert.equal((await expired.kissi.session.currentUser()).email, user.email);
    assert.deepEqual(expired.calls, ['accessToken', 'renew', 'accessToken']);
    const neverValid = source('not.a.token', 'not.a.token.either');
    await assert.rejects(neverValid.kissi.session.currentUser(), { code: 'UNAUTHORIZED', attempts: 2 });
    assert.deepEqual(neverValid.calls, ['accessToken', 'renew', 'accessToken']);
    const ended = source('not.a.token', null);
    await assert.rejects(ended.kissi.session.currentUser(), { code: 'UNAUTHORIZED', attempts: 1 });
    assert.deepEqual(ended.calls, ['accessToken', 'renew']);
    const tokenSource = { accessToken: async () => valid, renew: async () => false };
    assert.throws(() => clientOf(gateway, { tokenSource, login: user }), TypeError);
  });

  test('answers the challenge of a second factor', async () => {
    const user = await totpUser(gateway);
    const { email, password, nextCode } = user;
    const secondFactor = async () => ({ code: nextCode() });
    const { kissi } = clientOf(gateway, { login: { email, password, secondFactor } });
    assert.equal((await kissi.session.currentUser()).email, email);
    await assert.rejects(clientOf(gateway, { login: { email, password } }).kissi.session.currentUser(), {
      code: 'SECOND_FACTOR_REQUIRED',
    });
  });
});

describe('a webhook that the service delivers', () => {
  test('is verified with the new secret and, during a rotation, with the old one', async () => {
    const endpoint = await receiver();
    try {
      const { kissi, partnerId, webhookSecret } = await partnerClient(endpoint.url);
      const rotated = (await admin().partners.rotateWebhookSecret(partnerId)) as { webhook_secret: string };
      const { phone } = await bank.wallet();
      const { data } = await kissi.inbound.credit({ msisdn: phone, amount: 500 });
      await waitFor('the webhook is delivered', async () => endpoint.received.length > 0);
      const { raw, headers } = endpoint.received[0] ?? assert.fail();
      for (const secrets of [webhookSecret, rotated.webhook_secret, [webhookSecret, 'other']]) {
        const event = await verifyWebhook(raw, { headers, secrets, now: gateway.clock.now() });
        assert.deepEqual([event.event, event.reference, event.amount], ['credit.completed', data.reference, 500]);
        assert.match(event.id, /^evt_/);
      }
      const wrong = verifyWebhook(raw, { headers, secrets: 'other', now: gateway.clock.now() });
      await assert.rejects(wrong, { code: 'INVALID_SIGNATURE' });
    } finally {
      await endpoint.close();
    }
  });
});
