// Tests cash-ins by partners: the wallet is credited, the partner owes the amount, and each reference has one effect.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { assertStatus, type CallReply, testGateway } from '../../support/gateway.ts';
import { bankForFile, MAX_BALANCE, movementCount } from '../../support/money.ts';
import { newReference, partnerBank } from '../../support/partner.ts';
import { apiKey, assertRefused, withLockContention } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ brokenRules: ['account_terms_differ'] });
const rokel = await partnerBank(kissi);

const asAdmin = async (path: string, body?: object, method = 'POST') =>
  kissi.call(method, `/api/v1${path}`, { body, token: await kissi.adminToken() });

function assertReplayed(again: CallReply, first: CallReply): void {
  assert.equal(first.status, 200, first.text);
  assert.equal(first.headers.get('idempotent-replayed'), null);
  assert.deepEqual([again.status, again.text], [200, first.text]);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
}

describe('a cash-in', () => {
  test('credits the wallet immediately and increases what the partner owes', async () => {
    const other = await partnerBank(kissi);
    const wallet = await bank.wallet(700);
    const account = (await asAdmin(`/subscribers/${wallet.id}`, undefined, 'GET')).json.subscriber.account_number;
    const identifiers = [
      { phone_number: wallet.phone },
      { account_number: account },
      { card_serial: await bank.card(wallet) },
    ];
    let balance = 700;
    for (const identifier of identifiers) {
      const reference = newReference();
      const reply = await other.cashIn({ ...identifier, amount: '2500', reference, narration: ' Market day ' });
      balance += 2_500;
      assert.equal(reply.status, 200, reply.text);
      const { transaction_id, ...rest } = reply.json;
      assert.match(transaction_id, /^txn_/);
      assert.deepEqual(rest, { success: true, reference, amount: 2_500, currency: 'SLE' });
      assert.equal(await bank.balance(wallet.id), balance);
    }
    assert.equal(await bank.balance(other.id), -7_500);
    const partner = (await asAdmin(`/admin/partners/${other.id}`, undefined, 'GET')).json.partner;
    assert.equal(partner.outstanding, 7_500);
    const { transactions } = (await bank.get(`/transactions?subscriber_id=${wallet.id}&type=partner_cashin`)).json;
    assert.equal(transactions.length, 3);
    const { direction, counterparty, narration, reference, fee } = transactions[0];
    assert.deepEqual([direction, counterparty, narration, fee], ['credit', other.id, 'Market day', 0]);
    assert.match(reference, /^ref-/);
  });

  test('of a partner that is suspended concurrently is refused with 403 PARTNER_SUSPENDED', async () => {
    const other = await partnerBank(kissi);
    const { id, phone } = await bank.wallet();
    const reply = await withLockContention(kissi, {
      lock: `select from accounts where id = '${other.id}' for update`,
      waiters: 1,
      begin: () => other.cashIn({ phone_number: phone, amount: 100 }),
      meanwhile: `update accounts set frozen = true where id = '${other.id}'`,
    });
    assertRefused(reply, 403, 'PARTNER_SUSPENDED');
    assert.equal(await bank.balance(id), 0);
  });

  test('is part of the debt that a settlement reduces', async () => {
    const other = await partnerBank(kissi);
    await other.cashIn({ phone_number: (await bank.wallet()).phone, amount: 900 });
    const settled = await asAdmin(`/admin/partners/${other.id}/settle`, { amount: 900 });
    assert.deepEqual([settled.status, settled.json.partner_outstanding], [200, 0]);
  });

  test('is refused with the documented codes in the documented order, and moves no money', async () => {
    const { id, phone } = await bank.wallet();
    const valid = { phone_number: phone, amount: 100 };
    const before = await bank.balance(rokel.id);
    assertRefused(await rokel.cashIn({ ...valid, account_number: '1234567897' }), 400, 'INVALID_REQUEST');
    assertRefused(await rokel.cashIn({ amount: 100 }), 400, 'INVALID_REQUEST');
    assertRefused(await rokel.cashIn({ ...valid, phone_number: 'nobody', amount: 0 }), 400, 'INVALID_REQUEST');
    for (const reference of [undefined, '', 'two words', 'é', 'x'.repeat(129), 7, null]) {
      assertRefused(await rokel.cashIn({ ...valid, reference }), 400, 'INVALID_REQUEST');
    }
    for (const amount of [undefined, null, true, [100]]) {
      assertRefused(await rokel.cashIn({ ...valid, amount }), 400, 'INVALID_REQUEST');
    }
    assertRefused(await rokel.cashIn({ ...valid, narration: 'x'.repeat(501) }), 400, 'INVALID_REQUEST');
    for (const unknown of [{ phone_number: '+23299123456' }, { account_number: '1' }, { card_serial: 'NONE-1' }]) {
      assertRefused(await rokel.cashIn({ ...unknown, amount: 0 }), 404, 'USER_NOT_FOUND');
    }
    for (const amount of [0, -1, 1.5, '1e3', '', ' 5', 2 ** 53, '9007199254740992']) {
      assertRefused(await rokel.cashIn({ ...valid, amount }), 400, 'INVALID_AMOUNT');
    }
    const raw = `{"phone_number":"${phone}","amount":1e2,"reference":"float"}`;
    assertRefused(await rokel.send('/cashin', undefined, { raw }), 400, 'INVALID_AMOUNT');
    for (const amount of [MAX_BALANCE + 1, Number.MAX_SAFE_INTEGER]) {
      assertRefused(await rokel.cashIn({ ...valid, amount }), 422, 'AMOUNT_OUT_OF_RANGE');
    }
    await rokel.updatePartner({ max_amount: Number.MAX_SAFE_INTEGER });
    assertRefused(await rokel.cashIn({ ...valid, amount: MAX_BALANCE + 1 }), 422, 'MAX_BALANCE_EXCEEDED');
    assertRefused(await rokel.cashIn({ ...valid, amount: Number.MAX_SAFE_INTEGER }), 422, 'MAX_BALANCE_EXCEEDED');
    await asAdmin(`/subscribers/${id}/block`, { reason: 'x', transaction_types: ['partner_cashin'] });
    assertRefused(await rokel.cashIn({ ...valid, amount: 0 }), 403, 'TRANSACTION_TYPE_DISABLED');
    await asAdmin(`/subscribers/${id}/block`, { reason: 'x' });
    assertRefused(await rokel.cashIn({ ...valid, amount: 0 }), 403, 'SUBSCRIBER_BLOCKED');
    assert.deepEqual([await bank.balance(id), await bank.balance(rokel.id)], [0, before]);
  });

  test('is refused for a blocked card and for a pending subscriber', async () => {
    const wallet = await bank.wallet();
    const serial = await bank.card(wallet);
    await bank.post(`/cards/${serial}/block`, { reason: 'Lost' });
    assertRefused(await rokel.cashIn({ card_serial: serial }), 403, 'CARD_BLOCKED');
    assert.equal((await rokel.cashIn({ phone_number: wallet.phone })).status, 200);
    const pending = await bank.wallet(0, { status: 'PENDING' });
    assertRefused(await rokel.cashIn({ phone_number: pending.phone }), 403, 'SUBSCRIBER_BLOCKED');
  });

  test('that fails internally returns 500 TRANSACTION_FAILED and can be retried with the same reference', async () => {
    const { id, phone } = await bank.wallet();
    const body = { phone_number: phone, amount: 300, reference: newReference() };
    const owner = new pg.Client({ connectionString: kissi.db.url });
    await owner.connect();
    try {
      await owner.query('alter table postings rename to postings_renamed');
      const failed = assertRefused(await rokel.cashIn(body), 500, 'TRANSACTION_FAILED');
      assert.match(failed.json.error, /same reference/);
      assert.ok(!failed.text.includes('postings'));
    } finally {
      await owner.query('alter table postings_renamed rename to postings');
      await owner.end();
    }
    assert.equal(await bank.balance(id), 0);
    assertStatus(await rokel.cashIn(body), 200);
    assert.equal(await bank.balance(id), 300);
  });
});

describe('the same reference', () => {
  test('with the same details replays the same bytes at any time and moves no money', async () => {
    const { id, phone } = await bank.wallet();
    const body = { phone_number: phone, amount: 1_000, reference: newReference(), narration: 'Salary' };
    const first = await rokel.cashIn(body);
    kissi.clock.advance(3_600_000);
    assertReplayed(await rokel.cashIn(body), first);
    assertReplayed(await rokel.cashIn({ ...body, amount: '1000', narration: ' Salary ' }), first);
    assertReplayed(await rokel.cashIn({ ...body, phone_number: `0${phone.slice(4)}` }), first);
    await asAdmin(`/subscribers/${id}/block`, { reason: 'x' });
    assertReplayed(await rokel.cashIn(body), first);
    assert.deepEqual([await bank.balance(id), await movementCount(kissi, id)], [1_000, 1]);
  });

  test('with other details is rejected with 409 REFERENCE_CONFLICT', async () => {
    const [wallet, other] = [await bank.wallet(), await bank.wallet()];
    const account = (await asAdmin(`/subscribers/${wallet.id}`, undefined, 'GET')).json.subscriber.account_number;
    const body = { phone_number: wallet.phone, amount: 1_000, reference: newReference() };
    assert.equal((await rokel.cashIn(body)).status, 200);
    const changes = [
      { amount: 1_001 },
      { amount: 0 },
      { phone_number: other.phone },
      { phone_number: '+23299123456' },
      { phone_number: undefined, account_number: account },
      { narration: 'x' },
    ];
    for (const change of changes) {
      const reply = assertRefused(await rokel.cashIn({ ...body, ...change }), 409, 'REFERENCE_CONFLICT');
      assert.match(reply.json.error, /reference/);
    }
    assert.equal(await movementCount(kissi, wallet.id), 1);
  });

  test('is a replay if only the case of the card serial differs', async () => {
    const wallet = await bank.wallet();
    const serial = await bank.card(wallet);
    const body = { card_serial: serial, amount: 100, reference: newReference() };
    const first = assertStatus(await rokel.cashIn(body), 200);
    assertReplayed(await rokel.cashIn({ ...body, card_serial: serial.toLowerCase() }), first);
    assert.equal(await bank.balance(wallet.id), 100);
  });

  test('is shared by all keys of a partner and separate for each partner', async () => {
    const { id, phone } = await bank.wallet();
    const body = { phone_number: phone, amount: 100, reference: newReference() };
    const first = await rokel.cashIn(body);
    const second = await apiKey(kissi, ['payments:write'], { partner_id: rokel.id });
    assertReplayed(await rokel.cashIn(body, { key: second }), first);
    const rotated = await asAdmin(`/admin/api-keys/${second.id}/rotate`);
    assertReplayed(await rokel.cashIn(body, { key: { id: second.id, secret: rotated.json.secret } }), first);
    const other = await partnerBank(kissi);
    const otherReply = assertStatus(await other.cashIn(body), 200);
    assert.notEqual(otherReply.json.transaction_id, first.json.transaction_id);
    assert.equal(await bank.balance(id), 200);
  });

  test('does not collide with the same value as a request_id on another route', async () => {
    const { id, phone } = await bank.wallet();
    const reference = newReference();
    const funding = { partner_id: rokel.id, subscriber_id: id, amount: 100, request_id: reference };
    const funded = await kissi.call('POST', '/api/v1/wallet/fund-from-partner', {
      body: funding,
      token: rokel.key.key,
    });
    assert.equal(funded.status, 200, funded.text);
    assert.equal((await rokel.cashIn({ phone_number: phone, amount: 100, reference })).status, 200);
    assert.equal(await bank.balance(id), 200);
  });

  test('of a refused cash-in can be retried', async () => {
    const { id, phone } = await bank.wallet();
    const body = { phone_number: phone, amount: 500, reference: newReference() };
    await asAdmin(`/subscribers/${id}/block`, { reason: 'x' });
    assertRefused(await rokel.cashIn(body), 403, 'SUBSCRIBER_BLOCKED');
    await asAdmin(`/subscribers/${id}/unblock`);
    assert.equal((await rokel.cashIn(body)).status, 200);
  });

  test('in a captured and resent request credits nothing more', async () => {
    const { id, phone } = await bank.wallet();
    const body = { phone_number: phone, amount: 500, reference: newReference() };
    const timestamp = new Date(kissi.clock.now()).toISOString();
    const first = await rokel.cashIn(body, { timestamp });
    for (let times = 0; times < 3; times++) assertReplayed(await rokel.cashIn(body, { timestamp }), first);
    kissi.clock.advance(300_001);
    assertRefused(await rokel.cashIn(body, { timestamp }), 401, 'EXPIRED_TIMESTAMP');
    assert.equal(await bank.balance(id), 500);
  });

  test('in fifty concurrent requests through two gateways credits once', async () => {
    const other = await testGateway({ db: kissi.db, clock: kissi.clock });
    const { id, phone } = await bank.wallet();
    const body = { phone_number: phone, amount: 1_000, reference: newReference() };
    const second = await apiKey(kissi, ['payments:write'], { partner_id: rokel.id });
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        rokel.cashIn(body, { gateway: index % 2 ? kissi : other, key: index % 3 ? rokel.key : second }),
      ),
    );
    assert.equal(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1, String(replies[0]?.text));
    assert.equal(replies[0]?.status, 200);
    assert.equal(replies.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
    assert.deepEqual([await bank.balance(id), await movementCount(kissi, id)], [1_000, 1]);
    await other.close();
  });

  test('with fifty different amounts concurrently credits one of them; the others are conflicts', async () => {
    const { id, phone } = await bank.wallet();
    const reference = newReference();
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => rokel.cashIn({ phone_number: phone, amount: index + 1, reference })),
    );
    const done = replies.filter(({ status }) => status === 200);
    assert.equal(done.length, 1);
    for (const reply of replies) if (reply !== done[0]) assertRefused(reply, 409, 'REFERENCE_CONFLICT');
    assert.equal(await bank.balance(id), done[0]?.json.amount);
  });
});
