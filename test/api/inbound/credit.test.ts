// Inbound credits: what they move and record, their webhooks, and each rejection with its record and webhook.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { iso, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { changeAccount } from '../../../src/ledger/accounts.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { assertRejected, inboundRows, newReference, testBank, webhookEvents } from '../../support/inbound.ts';
import { bankForFile, MAX_BALANCE, movementCount, type Wallet } from '../../support/money.ts';
import { withLockContention } from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';
import { receiver } from '../../webhooks/receiver.ts';

// Webhooks are recorded for partners with an endpoint; no server listens at this one.
const { kissi, bank: operator } = await bankForFile({
  brokenRules: ['account_terms_differ'],
  unauditedRecords: ['partner'],
  env: { WEBHOOK_ALLOW_PRIVATE: 'true' },
});
const bank = await testBank(kissi, { webhook_url: 'http://127.0.0.1:1/hooks' });

const asAdmin = async (path: string, body: object = {}) => kissi.asAdmin.post(path, body);
const accountOf = async ({ id }: Wallet): Promise<string> =>
  (await kissi.asAdmin.get(`/subscribers/${id}`)).json.subscriber.account_number;

function assertMalformed(reply: CallReply, code = 'INVALID_REQUEST'): void {
  assert.deepEqual([reply.status, reply.json.code], [400, code], reply.text);
  assert.deepEqual(Object.keys(reply.json), ['success', 'code', 'message']);
}

/** Asserts that the credit is rejected and recorded with a webhook, is found by reference, and moves no money. */
async function assertRejectionRecorded(body: Json, code: string, { sender = bank } = {}): Promise<void> {
  const { reference } = body;
  const before = await sender.outstanding();
  assertRejected(await sender.credit(body), code, reference);
  const { data } = (await sender.status(reference)).json;
  const { status, failure_code, transaction_id, net_credited, partner_outstanding } = data;
  assert.deepEqual([status, failure_code, transaction_id, net_credited], ['REJECTED', code, null, 0]);
  assert.equal(partner_outstanding, before);
  assert.equal(await sender.outstanding(), before);
  const [event, ...more] = await webhookEvents(kissi, reference);
  assert.equal(more.length, 0);
  const facts = [event.event, event.status, event.failure_code, event.transaction_id, event.inbound_id];
  assert.deepEqual(facts, ['credit.failed', 'REJECTED', code, null, data.inbound_id]);
}

describe('POST /inbound/credit', () => {
  test('returns COMPLETED with exactly the documented fields, and posts, records and notifies', async () => {
    const wallet = await operator.wallet(500);
    const account_number = await accountOf(wallet);
    const outstanding = await bank.outstanding();
    const reference = newReference();
    const payer = { name: 'Sorie Koroma', account_masked: '****1234', bank_code: 'RCB' };
    const metadata = { invoice: { number: 7, lines: ['a', null] }, note: 'é' };
    const body = {
      reference,
      amount: 12_500,
      currency: 'SLE',
      account_number,
      narration: ' School fees ',
      payer,
      metadata,
    };
    const reply = assertStatus(await bank.credit(body, { idempotencyKey: 'op-1' }), 200);
    assert.equal(reply.headers.get('idempotent-replayed'), null);
    const { inbound_id, transaction_id } = reply.json.data;
    assert.match(inbound_id, /^inb_[0-9A-Z]{26}$/);
    assert.match(transaction_id, /^txn_/);
    const data = {
      inbound_id,
      reference,
      transaction_id,
      status: 'COMPLETED',
      operation: 'credit',
      amount: 12_500,
      fee: 0,
      net_credited: 12_500,
      currency: 'SLE',
      beneficiary: { account_number, account_name: 'Aminata K.' },
      partner_outstanding: outstanding + 12_500,
      completed_at: iso(kissi.clock.now()),
    };
    assert.deepEqual(reply.json, { success: true, code: 'COMPLETED', message: reply.json.message, data });
    assert.deepEqual([await operator.balance(wallet.id), await bank.outstanding()], [13_000, outstanding + 12_500]);
    const status = await bank.status(reference);
    assert.deepEqual([status.status, status.json.success, status.json.code, status.json.data], [200, true, 'OK', data]);
    const [row, ...rows] = await inboundRows(kissi, reference);
    assert.equal(rows.length, 0);
    assert.deepEqual(
      [row.payer_name, row.payer_account_masked, row.payer_bank_code, row.idempotency_key, row.key_id, row.narration],
      ['Sorie Koroma', '****1234', 'RCB', 'op-1', bank.key.id, 'School fees'],
    );
    assert.deepEqual(await webhookEvents(kissi, reference), [
      {
        event: 'credit.completed',
        reference,
        inbound_id,
        status: 'COMPLETED',
        operation: 'credit',
        amount: 12_500,
        fee: 0,
        currency: 'SLE',
        subscriber_id: wallet.id,
        transaction_id,
        occurred_at: iso(kissi.clock.now()),
      },
    ]);
  });

  test("appears in the subscriber's transactions and statement with narration, reference and metadata", async () => {
    const wallet = await operator.wallet();
    const body = {
      reference: newReference(),
      amount: 300,
      msisdn: wallet.phone,
      narration: 'Rent',
      metadata: { a: [1] },
    };
    const { transaction_id } = (await bank.credit(body)).json.data;
    const [entry] = (await operator.get(`/transactions?subscriber_id=${wallet.id}`)).json.transactions;
    const fieldsOf = ({ type, direction, amount, fee, narration, reference, metadata, transaction_id: id }: Json) => [
      type,
      direction,
      amount,
      fee,
      narration,
      reference,
      metadata,
      id,
    ];
    const expected = ['inbound_credit', 'credit', 300, 0, 'Rent', body.reference, { a: [1] }, transaction_id];
    assert.deepEqual(fieldsOf(entry), expected);
    const day = iso(kissi.clock.now()).slice(0, 10);
    const period = { subscriber_id: wallet.id, from: day, to: day };
    const [line] = (await operator.post('/wallet/account-statement', period)).json.entries;
    assert.deepEqual(fieldsOf(line), expected);
    assert.equal(line.description, 'Payment from Rokel Test Bank');
  });

  test('accepts a phone number or card as beneficiary and a digit string as amount; all else is optional', async () => {
    const wallet = await operator.wallet();
    const card_serial = await operator.card(wallet);
    for (const beneficiary of [{ msisdn: wallet.phone }, { card_serial }, { card_serial: card_serial.toLowerCase() }]) {
      assert.equal((await bank.credit({ ...beneficiary, reference: newReference(), amount: '100' })).status, 200);
    }
    assert.equal(await operator.balance(wallet.id), 300);
  });

  test('charges no fee whatever the fee settings are, and does not count towards the daily limit', async () => {
    const token = await kissi.adminToken();
    for (const [transaction_type, party_type] of [
      ['vult_fund', 'sender'],
      ['vult_fund', 'recipient'],
    ]) {
      const fee = { transaction_type, party_type, fee_type: 'percentage', fee_value: 10 };
      assert.equal((await kissi.call('PUT', '/api/v1/fee-settings', { body: fee, token })).status, 200);
    }
    const { id, phone } = await operator.wallet();
    const body = { reference: newReference(), amount: MAX_BALANCE, msisdn: phone };
    const { fee, net_credited } = (await bank.credit(body)).json.data;
    assert.deepEqual([fee, net_credited, await operator.balance(id)], [0, MAX_BALANCE, MAX_BALANCE]);
    for (const party of ['sender', 'recipient']) {
      await kissi.call('DELETE', `/api/v1/fee-settings/vult_fund/${party}`, { token });
    }
  });

  test('is recorded for a partner without a webhook endpoint', async () => {
    const withoutEndpoint = await testBank(kissi);
    const [completed, rejected] = [newReference(), newReference()];
    const { phone } = await operator.wallet();
    assert.equal((await withoutEndpoint.credit({ reference: completed, amount: 1, msisdn: phone })).status, 200);
    assert.equal(
      (await withoutEndpoint.credit({ reference: rejected, amount: 1, msisdn: '+23299999999' })).status,
      404,
    );
    assert.deepEqual([await webhookEvents(kissi, completed), await webhookEvents(kissi, rejected)], [[], []]);
    assert.equal((await withoutEndpoint.status(rejected)).json.data.status, 'REJECTED');
  });

  test('accepts references with special characters and finds them again', async () => {
    const { phone } = await operator.wallet();
    for (const reference of ['a/b?c#d%2F', '~'.repeat(128), '...', '%', "'--"]) {
      assert.equal((await bank.credit({ reference, amount: 1, msisdn: phone })).status, 200, reference);
      assert.equal((await bank.status(reference)).json.data?.reference, reference);
    }
  });
});

describe('an invalid credit', () => {
  test('is 400 and not recorded; the reference can be used afterwards', async () => {
    const { id, phone } = await operator.wallet();
    const valid = { reference: newReference(), amount: 100, msisdn: phone };
    const invalid: Json[] = [
      {},
      { ...valid, reference: undefined },
      { ...valid, amount: undefined },
      { ...valid, msisdn: undefined },
      { ...valid, account_number: '1234567897' },
      { ...valid, card_serial: 'X', msisdn: phone },
      { ...valid, msisdn: '076123456' },
      { ...valid, amount: null },
      { ...valid, amount: true },
      { ...valid, amount: [100] },
      { ...valid, currency: 7 },
      { ...valid, currency: '' },
      { ...valid, narration: 'x'.repeat(501) },
      { ...valid, narration: 7 },
      { ...valid, payer: 'Sorie' },
      { ...valid, payer: { name: 7 } },
      { ...valid, metadata: 'text' },
      { ...valid, metadata: [1] },
      { ...valid, metadata: { text: 'x'.repeat(16_400) } },
      { ...valid, beneficiary_ref: 7 },
      { ...valid, beneficiary_ref: 'x'.repeat(201) },
    ];
    for (const body of invalid) assertMalformed(await bank.credit(body));
    for (const amount of [0, -1, 0.5, 2 ** 53, '', '1.5', '1e3', '-1', ' 1']) {
      assertMalformed(await bank.credit({ ...valid, amount }), 'INVALID_AMOUNT');
    }
    const rest = `"reference":"${valid.reference}","msisdn":"${phone}"`;
    for (const raw of [`{${rest},"amount":1e2}`, `{${rest},"amount":100.0}`]) {
      assertMalformed(await bank.credit(null, { raw }), 'INVALID_AMOUNT');
    }
    for (const raw of ['', '{', '[]', 'null', '"x"']) assertMalformed(await bank.credit(null, { raw }));
    assert.deepEqual(
      [await inboundRows(kissi, valid.reference), await webhookEvents(kissi, valid.reference)],
      [[], []],
    );
    assert.deepEqual((await bank.status(valid.reference)).json.code, 'NOT_FOUND');
    assert.equal((await bank.credit(valid)).status, 200);
    assert.equal(await operator.balance(id), 100);
  });

  test('with an invalid reference gets 400 INVALID_REQUEST', async () => {
    const { phone } = await operator.wallet();
    for (const reference of ['', ' ', 'a b', '.', '..', 'é', 'a\tb', 'x'.repeat(129), 7, null, {}]) {
      assertMalformed(await bank.credit({ reference, amount: 1, msisdn: phone }));
    }
  });

  test('without X-Idempotency-Key gets 400 INVALID_REQUEST and not recorded', async () => {
    const { phone } = await operator.wallet();
    const body = { reference: newReference(), amount: 1, msisdn: phone };
    for (const headers of [{}, { 'x-idempotency-key': '' }]) {
      const reply = await bank.credit(body, { idempotencyKey: '', headers });
      assertMalformed(reply);
      assert.match(reply.json.message, /x-idempotency-key/i);
    }
    assert.deepEqual(await inboundRows(kissi, body.reference), []);
  });
});

describe('a rejected credit is recorded and reported by webhook', () => {
  test('BENEFICIARY_NOT_FOUND: no subscriber has the phone number, account number or card', async () => {
    for (const beneficiary of [
      { msisdn: '+23299999999' },
      { account_number: '1234567897' },
      { card_serial: 'UNKNOWN-1' },
    ]) {
      const body = { ...beneficiary, reference: newReference(), amount: 100 };
      await assertRejectionRecorded(body, 'BENEFICIARY_NOT_FOUND');
      assert.equal((await bank.status(body.reference)).json.data.beneficiary, null);
      assert.equal((await webhookEvents(kissi, body.reference))[0].subscriber_id, null);
    }
  });

  test('CARD_NOT_ASSIGNED: the card is in stock', async () => {
    const raw = 'serial\nSTOCK-0001\n';
    const token = await kissi.adminToken();
    await kissi.call('POST', '/api/v1/cards/upload-csv', { raw, headers: { 'content-type': 'text/csv' }, token });
    await assertRejectionRecorded(
      { card_serial: 'STOCK-0001', reference: newReference(), amount: 100 },
      'CARD_NOT_ASSIGNED',
    );
  });

  test('BENEFICIARY_BLOCKED: blocked, pending, with the type disabled, or by a blocked card', async () => {
    const [blocked, disabled, withBlockedCard] = [
      await operator.wallet(),
      await operator.wallet(),
      await operator.wallet(),
    ];
    const pending = await operator.wallet(0, { status: 'PENDING' });
    const card_serial = await operator.card(withBlockedCard);
    await asAdmin(`/subscribers/${blocked.id}/block`, { reason: 'Lost' });
    await asAdmin(`/subscribers/${disabled.id}/block`, { reason: 'x', transaction_types: ['inbound_credit'] });
    await asAdmin(`/cards/${card_serial}/block`, { reason: 'Lost' });
    const cases = [{ msisdn: blocked.phone }, { msisdn: pending.phone }, { msisdn: disabled.phone }, { card_serial }];
    for (const beneficiary of cases) {
      const body = { ...beneficiary, reference: newReference(), amount: 100 };
      await assertRejectionRecorded(body, 'BENEFICIARY_BLOCKED');
      assert.equal((await bank.status(body.reference)).json.data.beneficiary.account_name, 'Aminata K.');
    }
    assert.equal(await movementCount(kissi, withBlockedCard.id), 0);
  });

  test('CURRENCY_MISMATCH and AMOUNT_OUT_OF_RANGE; the limits themselves are allowed', async () => {
    const { id, phone } = await operator.wallet();
    const limited = await testBank(kissi, {
      min_amount: 100,
      max_amount: 200,
      webhook_url: 'http://127.0.0.1:1/hooks',
    });
    const body = (amount: number, extra = {}) => ({ reference: newReference(), amount, msisdn: phone, ...extra });
    const otherCurrency = body(150, { currency: 'USD' });
    await assertRejectionRecorded(otherCurrency, 'CURRENCY_MISMATCH', { sender: limited });
    assert.equal((await limited.status(otherCurrency.reference)).json.data.currency, 'USD');
    assert.equal((await webhookEvents(kissi, otherCurrency.reference))[0].currency, 'USD');
    await assertRejectionRecorded(body(99), 'AMOUNT_OUT_OF_RANGE', { sender: limited });
    await assertRejectionRecorded(body(201), 'AMOUNT_OUT_OF_RANGE', { sender: limited });
    for (const amount of [100, 200]) assert.equal((await limited.credit(body(amount))).status, 200);
    await limited.updatePartner({ max_amount: 201 });
    assert.equal((await limited.credit(body(201))).status, 200, 'a change applies from the next credit');
    assert.equal(await operator.balance(id), 501);
  });

  test('MAX_BALANCE_EXCEEDED: decided in the ledger, with the amount outstanding at that time', async () => {
    const { id, phone } = await operator.wallet(MAX_BALANCE - 10);
    await assertRejectionRecorded({ reference: newReference(), amount: 11, msisdn: phone }, 'MAX_BALANCE_EXCEEDED');
    assert.equal((await bank.credit({ reference: newReference(), amount: 10, msisdn: phone })).status, 200);
    assert.equal(await operator.balance(id), MAX_BALANCE);
  });

  test('PARTNER_EXPOSURE_LIMIT_EXCEEDED: decided in the ledger', async () => {
    const { phone } = await operator.wallet();
    const small = await testBank(kissi, { outstanding_limit: 100, webhook_url: 'http://127.0.0.1:1/hooks' });
    assert.equal((await small.credit({ reference: newReference(), amount: 60, msisdn: phone })).status, 200);
    const body = { reference: newReference(), amount: 41, msisdn: phone };
    await assertRejectionRecorded(body, 'PARTNER_EXPOSURE_LIMIT_EXCEEDED', { sender: small });
  });

  test("checks in the contract's order: existence, status, token, currency, amount, balance, exposure", async () => {
    const strict = await testBank(kissi, { min_amount: 10, max_amount: 20, outstanding_limit: 0 });
    const { id, phone } = await operator.wallet();
    await changeAccount(kissi.db.database.queries, id, { ceiling: 0 });
    const invalid = { amount: 5, currency: 'USD', beneficiary_ref: 'malformed' };
    const creditCode = async (body: object) =>
      (await strict.credit({ reference: newReference(), ...body })).json.code as string;
    assert.equal(await creditCode({ ...invalid, msisdn: '+23299999999' }), 'BENEFICIARY_NOT_FOUND');
    await asAdmin(`/subscribers/${id}/block`, { reason: 'x' });
    assert.equal(await creditCode({ ...invalid, msisdn: phone }), 'BENEFICIARY_BLOCKED');
    await asAdmin(`/subscribers/${id}/unblock`);
    assert.equal(await creditCode({ ...invalid, msisdn: phone }), 'BENEFICIARY_MISMATCH');
    assert.equal(await creditCode({ amount: 5, currency: 'USD', msisdn: phone }), 'CURRENCY_MISMATCH');
    assert.equal(await creditCode({ amount: 5, msisdn: phone }), 'AMOUNT_OUT_OF_RANGE');
    assert.equal(await creditCode({ amount: 15, msisdn: phone }), 'MAX_BALANCE_EXCEEDED');
    await changeAccount(kissi.db.database.queries, id, { ceiling: null });
    assert.equal(await creditCode({ amount: 15, msisdn: phone }), 'PARTNER_EXPOSURE_LIMIT_EXCEEDED');
  });

  test('a subscriber blocked while the credit waits for the account lock is not credited', async () => {
    const wallet = await operator.wallet();
    const body = { reference: newReference(), amount: 100, msisdn: wallet.phone };
    const reply = await withLockContention(kissi, {
      lock: `select from accounts where id = '${wallet.id}' for update`,
      waiters: 1,
      begin: () => bank.credit(body),
      meanwhile: `update accounts set frozen = true where id = '${wallet.id}'`,
    });
    assertRejected(reply, 'BENEFICIARY_BLOCKED', body.reference);
    assert.equal((await bank.status(body.reference)).json.data.failure_code, 'BENEFICIARY_BLOCKED');
    assert.equal((await webhookEvents(kissi, body.reference)).length, 1);
  });

  test('a partner suspended while its credit waits for the account lock gets 401 and no record', async () => {
    const wallet = await operator.wallet();
    const other = await testBank(kissi, { webhook_url: 'http://127.0.0.1:1/hooks' });
    const body = { reference: newReference(), amount: 100, msisdn: wallet.phone };
    const reply = await withLockContention(kissi, {
      lock: `select from accounts where id = '${other.partnerId}' for update`,
      waiters: 1,
      begin: () => other.credit(body),
      meanwhile: `update accounts set frozen = true where id = '${other.partnerId}'`,
    });
    assert.deepEqual([reply.status, reply.json.code], [403, 'PARTNER_SUSPENDED'], reply.text);
    assert.deepEqual([await inboundRows(kissi, body.reference), await webhookEvents(kissi, body.reference)], [[], []]);
    assert.equal((await other.status(body.reference)).status, 404);
    const { data } = (await other.enquire({ msisdn: wallet.phone })).json;
    assert.deepEqual([data.can_credit, data.max_creditable], [false, 0]);
    await changeAccount(kissi.db.database.queries, other.partnerId, { frozen: false });
    assert.equal((await other.credit(body)).json.code, 'COMPLETED');
    assert.equal(await operator.balance(wallet.id), 100);
  });

  test('a partner whose suspension this gateway has not loaded yet has nothing recorded', async () => {
    const other = await testBank(kissi);
    await other.enquire({ msisdn: '+23299999999' });
    const suspend = "update partners set status = 'suspended' where id = $1";
    await kissi.db.query(suspend, [other.partnerId]);
    const body = { reference: newReference(), amount: 100, msisdn: '+23299999999' };
    const reply = await other.credit(body);
    assert.deepEqual([reply.status, reply.json.code], [403, 'PARTNER_SUSPENDED'], reply.text);
    assert.deepEqual(await inboundRows(kissi, body.reference), []);
  });
});

describe('beneficiary_ref', () => {
  const tokenOf = async (beneficiary: object, sender = bank): Promise<string> =>
    (await sender.enquire(beneficiary)).json.data.beneficiary_ref;

  test('accepts the token of the same beneficiary, by any identifier, for 15 minutes', async () => {
    const wallet = await operator.wallet();
    const account_number = await accountOf(wallet);
    const beneficiary_ref = await tokenOf({ msisdn: wallet.phone });
    const credit = () => bank.credit({ reference: newReference(), amount: 1, account_number, beneficiary_ref });
    assert.equal((await credit()).status, 200);
    kissi.clock.advance(15 * MINUTE_MS);
    assert.equal((await credit()).status, 200);
    kissi.clock.advance(1);
    assert.match((await credit()).json.message, /expired/);
    await assertRejectionRecorded(
      { reference: newReference(), amount: 1, account_number, beneficiary_ref },
      'BENEFICIARY_MISMATCH',
    );
  });

  test('a token of another beneficiary or partner, or a malformed or forged one, is BENEFICIARY_MISMATCH', async () => {
    const [wallet, other] = [await operator.wallet(), await operator.wallet()];
    const otherPartner = await testBank(kissi);
    const valid = await tokenOf({ msisdn: wallet.phone });
    const [expiry = '', mac = ''] = valid.split('.');
    const later = (Number.parseInt(expiry, 36) + 60_000).toString(36);
    const invalid = [
      await tokenOf({ msisdn: other.phone }),
      await tokenOf({ msisdn: wallet.phone }, otherPartner),
      `${later}.${mac}`,
      `${expiry}.${'0'.repeat(64)}`,
      `${expiry}.${mac.slice(1)}`,
      mac,
      'x',
      ' ',
      '\u{1F3E6}',
    ];
    for (const beneficiary_ref of invalid) {
      const body = { reference: newReference(), amount: 1, msisdn: wallet.phone, beneficiary_ref };
      await assertRejectionRecorded(body, 'BENEFICIARY_MISMATCH');
    }
    const body = { reference: newReference(), amount: 1, msisdn: wallet.phone, beneficiary_ref: valid };
    assert.equal((await bank.credit(body)).status, 200);
    assert.equal(await operator.balance(wallet.id), 1);
  });
});

describe('a credit that fails after it was accepted', () => {
  test('is FAILED for good: no money moves, the partner gets a webhook, and the failure is logged', async () => {
    const owner = new pg.Client({ connectionString: kissi.db.url });
    await owner.connect();
    const { id, phone } = await operator.wallet();
    const body = { reference: newReference(), amount: 4_242, msisdn: phone };
    const outstanding = await bank.outstanding();
    await owner.query('alter table movements add constraint broken check (amount <> 4242) not valid');
    const reply = await bank.credit(body);
    await owner.query('alter table movements drop constraint broken');
    await owner.end();
    const data = { reference: body.reference, status: 'FAILED', failure_code: 'PROCESSING_FAILED' };
    assert.deepEqual([reply.status, reply.json.code, reply.json.data], [422, 'PROCESSING_FAILED', data]);
    assert.deepEqual([await operator.balance(id), await bank.outstanding()], [0, outstanding]);
    assert.match(kissi.logs(), /an inbound credit failed/);
    const [event] = await webhookEvents(kissi, body.reference);
    assert.deepEqual([event.event, event.status, event.failure_code], ['credit.failed', 'FAILED', 'PROCESSING_FAILED']);
    assert.equal((await bank.status(body.reference)).json.data.status, 'FAILED');
    const again = await bank.credit(body);
    assert.deepEqual([again.status, again.text], [422, reply.text]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
  });
});

describe('webhooks', () => {
  test('report completed and rejected credits immediately', async () => {
    const webhookServer = await receiver();
    const partner = await testBank(kissi, { webhook_url: webhookServer.url });
    const { phone } = await operator.wallet();
    const [completedRef, rejectedRef] = [newReference(), newReference()];
    const { data } = (await partner.credit({ reference: completedRef, amount: 100, msisdn: phone })).json;
    await partner.credit({ reference: rejectedRef, amount: 100, msisdn: '+23299999999' });
    await waitFor('both events have arrived', async () => webhookServer.received.length === 2);
    const events = webhookServer.received.map(({ json }) => [json.event, json.reference, json.status]).sort();
    assert.deepEqual(events, [
      ['credit.completed', completedRef, 'COMPLETED'],
      ['credit.failed', rejectedRef, 'REJECTED'],
    ]);
    const completed = webhookServer.received.find(({ json }) => json.reference === completedRef);
    assert.equal(completed?.json.transaction_id, data.transaction_id);
    await kissi.gateway.services.webhooks.settled();
    await webhookServer.close();
  });
});

describe('GET /inbound/transactions/:reference', () => {
  test("is 404 for another partner's, an unknown and an invalid reference", async () => {
    const { phone } = await operator.wallet();
    const body = { reference: newReference(), amount: 1, msisdn: phone };
    const other = await testBank(kissi);
    await bank.credit(body);
    for (const reference of [body.reference, 'never', 'x'.repeat(300), 'é', '..%2f']) {
      const { status, json } = await other.status(reference);
      assert.deepEqual([status, json.success, json.code], [404, false, 'NOT_FOUND'], reference);
      assert.equal(typeof json.message, 'string');
    }
    assert.equal((await other.credit(body)).json.code, 'COMPLETED', 'references are scoped to the partner');
    const [own, ofOtherPartner] = [await bank.status(body.reference), await other.status(body.reference)];
    assert.notEqual(own.json.data.inbound_id, ofOtherPartner.json.data.inbound_id);
  });

  test('kissi_app can only insert and read outcomes', async () => {
    const { rows } = await kissi.db.query(`select table_name, privilege_type from information_schema.table_privileges
      where grantee = 'kissi_app' and table_name in ('inbound_transactions', 'inbound_reversals') order by 1, 2`);
    const granted = rows.map(({ table_name, privilege_type }) => `${table_name} ${privilege_type}`);
    const expected = ['inbound_reversals', 'inbound_transactions'].flatMap((name) => [
      `${name} INSERT`,
      `${name} SELECT`,
    ]);
    assert.deepEqual(granted, expected);
  });
});
