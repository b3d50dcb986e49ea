// Tests cash-in notifications: a signed webhook outside /api/v1 that credits a card's holder.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { assertStatus, type CallReply, testGateway } from '../../support/gateway.ts';
import { bankForFile, MAX_BALANCE, movementCount, type Wallet } from '../../support/money.ts';
import { newReference, partnerBank, webhookHeaders } from '../../support/partner.ts';
import { withLockContention } from '../../support/staff.ts';

const PATH = '/webhooks/partner/cashin';
const SECRET = 'a-webhook-secret-shared-with-one-partner';
const SUSPENSE = 'sys_suspense';

const { kissi, bank } = await bankForFile({
  brokenRules: ['account_terms_differ'],
  env: { PARTNER_CASHIN_WEBHOOK_SECRET: SECRET },
});

const asAdmin = async (path: string, body?: object, method = 'POST') =>
  kissi.call(method, `/api/v1${path}`, { body, token: await kissi.adminToken() });

function notify(body: unknown, { gateway = kissi, secret = SECRET, raw = JSON.stringify(body) } = {}) {
  return gateway.call('POST', PATH, { raw, headers: webhookHeaders(secret, raw) });
}

/** Asserts an error in the webhook envelope: success false and a message. */
function assertRefused(reply: CallReply, status: number, message = /\.$/): void {
  assert.equal(reply.status, status, reply.text);
  assert.deepEqual(Object.keys(reply.json), ['success', 'message']);
  assert.equal(reply.json.success, false);
  assert.match(reply.json.message, message);
}

async function cardHolder(): Promise<{ wallet: Wallet; serial: string }> {
  const wallet = await bank.wallet();
  return { wallet, serial: await bank.card(wallet) };
}

describe('a cash-in notification', () => {
  test('credits the holder of the card, debits suspense and returns the new balance', async () => {
    const { wallet, serial } = await cardHolder();
    const before = await bank.balance(SUSPENSE);
    const reply = assertStatus(await notify({ card_serial: serial.toLowerCase(), amount: 2_500 }), 200);
    const { transaction_id, ...rest } = reply.json;
    assert.match(transaction_id, /^txn_/);
    assert.deepEqual(rest, { success: true, message: 'The wallet was credited.', new_balance: 2_500 });
    const checked = await notify({ card_serial: serial, amount: '100', phone_number: `0${wallet.phone.slice(4)}` });
    assert.equal(checked.json.new_balance, 2_600);
    assert.equal(await bank.balance(wallet.id), 2_600);
    assert.equal(await bank.balance(SUSPENSE), before - 2_600);
    const { transactions } = (await bank.get(`/transactions?subscriber_id=${wallet.id}`)).json;
    assert.deepEqual([transactions[1].type, transactions[1].counterparty], ['partner_cashin', SUSPENSE]);
  });

  test('is accepted only outside /api/v1 and only with POST', async () => {
    const { serial } = await cardHolder();
    const raw = JSON.stringify({ card_serial: serial, amount: 1 });
    assertStatus(await kissi.call('POST', `/api/v1${PATH}`, { raw, headers: webhookHeaders(SECRET, raw) }), 404);
    assertRefused(await kissi.call('GET', PATH), 405);
  });

  test('is authenticated by a signature over the raw body', async () => {
    const { wallet, serial } = await cardHolder();
    const body = { card_serial: serial, amount: 100 };
    const raw = JSON.stringify(body, null, 2);
    const headers = webhookHeaders(SECRET, raw);
    assert.equal((await kissi.call('POST', PATH, { raw, headers })).status, 200);
    assertRefused(await kissi.call('POST', PATH, { raw: JSON.stringify(body), headers }), 401);
    assertRefused(await kissi.call('POST', PATH, { raw: raw.replace('100', '900'), headers }), 401);
    assertRefused(await kissi.call('POST', PATH, { raw }), 401, /X-Webhook-Signature/);
    assertRefused(await notify(body, { secret: 'another' }), 401);
    assertRefused(await notify(body, { secret: '' }), 401);
    const token = await kissi.adminToken();
    assertRefused(await kissi.call('POST', PATH, { raw, token }), 401);
    for (const signature of ['0'.repeat(64), 'x', `sha256=${headers['x-webhook-signature']}`]) {
      assertRefused(await kissi.call('POST', PATH, { raw, headers: { 'x-webhook-signature': signature } }), 401);
    }
    const upperCase = { 'x-webhook-signature': headers['x-webhook-signature'].toUpperCase() };
    const again = await kissi.call('POST', PATH, { raw, headers: upperCase });
    assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true'], 'hex in either case');
    assert.equal(await bank.balance(wallet.id), 100);
  });

  test('is rejected with 401 before its body is validated', async () => {
    for (const raw of ['', 'no json', '{}', '{"card_serial":"x","amount":0}']) {
      assertRefused(await notify(undefined, { raw, secret: 'wrong' }), 401);
    }
  });

  test('is rejected with 400 and a message for each documented error', async () => {
    const { wallet, serial } = await cardHolder();
    const other = await bank.wallet();
    const valid = { card_serial: serial, amount: 100 };
    assertRefused(await notify({ amount: 100 }), 400, /^card_serial is required\.$/);
    assertRefused(await notify({ ...valid, card_serial: 5 }), 400, /card_serial/);
    assertRefused(await notify({ card_serial: serial }), 400, /^amount is required\.$/);
    for (const amount of [0, -5, 1.5, 'ten', '', 2 ** 53])
      assertRefused(await notify({ ...valid, amount }), 400, /amount/);
    assertRefused(await notify(undefined, { raw: `{"card_serial":"${serial}","amount":1e2}` }), 400, /amount/);
    assertRefused(await notify({ ...valid, card_serial: 'NONE-0001' }), 400, /card/);
    assertRefused(await notify({ ...valid, phone_number: other.phone }), 400, /phone_number/);
    assertRefused(await notify({ ...valid, phone_number: '+23299999999' }), 400, /phone_number/);
    assertRefused(await notify({ ...valid, phone_number: 'x' }), 400, /phone_number/);
    for (const reference of ['', 'two words', 7])
      assertRefused(await notify({ ...valid, reference }), 400, /reference/);
    for (const raw of ['', '[]', '{', 'null', '"x"']) assertRefused(await notify(undefined, { raw }), 400);
    await bank.post(`/cards/${serial}/block`, { reason: 'Lost' });
    assertRefused(await notify(valid), 400, /card is not active/);
    assertRefused(await notify({ ...valid, amount: 0 }), 400, /card is not active/);
    assert.equal(await bank.balance(wallet.id), 0);
  });

  test('is refused if the wallet cannot receive the credit', async () => {
    const { wallet, serial } = await cardHolder();
    assertRefused(await notify({ card_serial: serial, amount: MAX_BALANCE + 1 }), 422, /maximum balance/);
    await asAdmin(`/subscribers/${wallet.id}/block`, { reason: 'x', transaction_types: ['partner_cashin'] });
    assertRefused(await notify({ card_serial: serial, amount: 1 }), 403, /disabled/);
    const pending = await bank.wallet(0, { status: 'PENDING' });
    const card = await bank.card(pending);
    assertRefused(await notify({ card_serial: card, amount: 1 }), 403, /not active yet/);
    await asAdmin(`/subscribers/${wallet.id}/block`, { reason: 'x' });
    assertRefused(await notify({ card_serial: serial, amount: 1 }), 400, /card is not active/);
  });

  test('is rejected with 500 if the webhook is not configured', async () => {
    const unconfigured = await testGateway({ db: kissi.db, clock: kissi.clock });
    const { wallet, serial } = await cardHolder();
    for (const secret of [SECRET, '', 'undefined']) {
      assertRefused(
        await notify({ card_serial: serial, amount: 1 }, { gateway: unconfigured, secret }),
        500,
        /not configured/,
      );
    }
    assert.equal(await bank.balance(wallet.id), 0);
    await unconfigured.close();
  });

  test('returns 500 without details when processing fails, and can be retried', async () => {
    const { serial } = await cardHolder();
    const body = { card_serial: serial, amount: 100, reference: newReference() };
    const owner = new pg.Client({ connectionString: kissi.db.url });
    await owner.connect();
    try {
      await owner.query('alter table postings rename to postings_away');
      const failed = await notify(body);
      assertRefused(failed, 500);
      assert.ok(!failed.text.includes('postings'));
    } finally {
      await owner.query('alter table postings_away rename to postings');
      await owner.end();
    }
    assert.equal((await notify(body)).json.new_balance, 100);
  });
});

describe('the reference of a notification', () => {
  test('makes repeated notifications one credit, and says that they are duplicates', async () => {
    const { wallet, serial } = await cardHolder();
    const body = { card_serial: serial, amount: 400, reference: newReference() };
    const first = await notify(body);
    kissi.clock.advance(86_400_000);
    await bank.post(`/cards/${serial}/block`, { reason: 'Lost' });
    const again = await notify(body);
    const message = 'This cash-in was already received and credited. No money moved.';
    assert.deepEqual([first.status, first.json.duplicate], [200, undefined], first.text);
    assert.deepEqual([again.status, again.json], [200, { ...first.json, message, duplicate: true }]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal((await notify({ ...body, card_serial: serial.toLowerCase() })).text, again.text, 'the same card');
    assert.equal(await bank.balance(wallet.id), 400);
    assertRefused(await notify({ ...body, amount: 401 }), 409, /reference/);
    assertRefused(await notify({ ...body, phone_number: wallet.phone }), 409, /reference/);
  });

  test('makes identical deposits distinguishable: each reference is its own credit', async () => {
    const { wallet, serial } = await cardHolder();
    for (let times = 1; times <= 3; times++) {
      const reply = await notify({ card_serial: serial, amount: 10, reference: newReference() });
      assert.equal(reply.json.new_balance, times * 10);
    }
    assert.equal(await movementCount(kissi, wallet.id), 3);
  });

  test('in fifty concurrent notifications through two gateways credits once', async () => {
    const env = { PARTNER_CASHIN_WEBHOOK_SECRET: SECRET };
    const other = await testGateway({ db: kissi.db, clock: kissi.clock, env });
    const { wallet, serial } = await cardHolder();
    const body = { card_serial: serial, amount: 1_000, reference: newReference() };
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => notify(body, { gateway: index % 2 ? kissi : other })),
    );
    assert.equal(new Set(replies.map(({ status, json }) => `${status} ${json.transaction_id}`)).size, 1);
    assert.equal(replies.filter(({ json }) => json.duplicate === undefined).length, 1);
    assert.deepEqual([replies[0]?.status, await bank.balance(wallet.id)], [200, 1_000]);
    await other.close();
  });

  test('is separate from the references of the partner API', async () => {
    const { wallet, serial } = await cardHolder();
    const rokel = await partnerBank(kissi);
    const reference = newReference();
    assert.equal((await notify({ card_serial: serial, amount: 5, reference })).status, 200);
    assert.equal((await rokel.cashIn({ card_serial: serial, amount: 5, reference })).status, 200);
    assert.equal(await bank.balance(wallet.id), 10);
  });
});

describe('with PARTNER_CASHIN_PARTNER_ID', () => {
  const gatewayFor = (partnerId: string) =>
    testGateway({
      ...{ db: kissi.db, clock: kissi.clock },
      env: { PARTNER_CASHIN_WEBHOOK_SECRET: SECRET, PARTNER_CASHIN_PARTNER_ID: partnerId },
    });

  test('that partner owes the amount and sees it in its history', async () => {
    const rokel = await partnerBank(kissi);
    const gateway = await gatewayFor(rokel.id);
    const { serial } = await cardHolder();
    const before = await bank.balance(SUSPENSE);
    assertStatus(await notify({ card_serial: serial, amount: 750, reference: 'slip-1' }, { gateway }), 200);
    assert.deepEqual([await bank.balance(rokel.id), await bank.balance(SUSPENSE)], [-750, before]);
    const { transactions } = (await rokel.history()).json;
    assert.deepEqual([transactions.length, transactions[0].reference], [1, 'slip-1']);
    await rokel.updatePartner({ status: 'suspended' });
    assertRefused(await notify({ card_serial: serial, amount: 1 }, { gateway }), 500, /suspended/);
    await gateway.close();
  });

  test('a concurrent suspension of the partner is reported as such, not as a blocked subscriber', async () => {
    const rokel = await partnerBank(kissi);
    const gateway = await gatewayFor(rokel.id);
    const { wallet, serial } = await cardHolder();
    const body = { card_serial: serial, amount: 750, reference: 'slip-2' };
    const reply = await withLockContention(kissi, {
      lock: `select from accounts where id = '${rokel.id}' for update`,
      waiters: 1,
      begin: () => notify(body, { gateway }),
      meanwhile: `update accounts set frozen = true where id = '${rokel.id}'`,
    });
    assertRefused(reply, 500, /^This webhook's partner is suspended\.$/);
    assert.equal(await bank.balance(wallet.id), 0);
    await gateway.close();
  });

  test('of an unknown partner, notifications are rejected with 500 and move no money', async () => {
    const { wallet, serial } = await cardHolder();
    for (const partnerId of ['ptn_unknown', wallet.id, 'sys_treasury_00']) {
      const gateway = await gatewayFor(partnerId);
      assertRefused(await notify({ card_serial: serial, amount: 1 }, { gateway }), 500, /not configured/);
      await gateway.close();
    }
    assert.equal(await bank.balance(wallet.id), 0);
  });
});
