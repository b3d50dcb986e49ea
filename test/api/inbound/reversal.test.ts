// Reversals of inbound credits: effects, access, replays and concurrency.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { iso } from '../../../src/kernel/clock.ts';
import { assertStatus, type CallReply, type Json, testGateway } from '../../support/gateway.ts';
import { newReference, testBank, webhookEvents } from '../../support/inbound.ts';
import { bankForFile, movementCount, PIN, type Wallet } from '../../support/money.ts';
import { auditLogs, staffToken, withLockContention } from '../../support/staff.ts';

const { kissi, bank: operator } = await bankForFile({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
let finance: string;
const bank = await testBank(kissi, { webhook_url: 'http://127.0.0.1:1/hooks' });
beforeEach(async () => {
  finance = await staffToken(kissi, 'finance_user');
});

const reverse = (id: string, body: unknown, extra: Record<string, unknown> = {}): Promise<CallReply> =>
  kissi.call('POST', `/api/v1/admin/inbound/${id}/reverse`, { body, token: finance, ...extra });
const asAdmin = async (method: string, path: string, body: object = {}) =>
  kissi.call(method, `/api/v1${path}`, { body, token: await kissi.adminToken() });
const outcomeOf = ({ status, json }: CallReply) => [status, json.code];
const reason = 'Sent twice by the bank';

async function newCredit(amount: number, existing?: Wallet): Promise<{ wallet: Wallet; data: Json }> {
  const wallet = existing ?? (await operator.wallet());
  const body = { reference: newReference(), amount, msisdn: wallet.phone, narration: 'Rent', metadata: { a: 1 } };
  const reply = assertStatus(await bank.credit(body), 200);
  return { wallet, data: reply.json.data };
}

async function spend({ id }: Wallet, amount: number): Promise<void> {
  const { id: recipient_id } = await operator.wallet();
  assertStatus(await operator.post('/wallet/transfer', { sender_id: id, recipient_id, amount, pin: PIN }), 200);
}

describe('POST /admin/inbound/:id/reverse', () => {
  test('debits the wallet, reduces the outstanding amount, and is recorded, reported and audited', async () => {
    const outstanding = await bank.outstanding();
    const { wallet, data } = await newCredit(5_000);
    kissi.clock.advance(1_000);
    const reply = assertStatus(await reverse(data.inbound_id, { reason: ` ${reason} ` }), 200);
    const { transaction_id, message } = reply.json;
    assert.deepEqual(reply.json, {
      success: true,
      message,
      inbound_id: data.inbound_id,
      partner_id: bank.partnerId,
      reference: data.reference,
      status: 'REVERSED',
      transaction_id,
      original_transaction_id: data.transaction_id,
      request_id: null,
      subscriber_id: wallet.id,
      amount: 5_000,
      currency: 'SLE',
      reason,
      balance: 0,
      partner_outstanding: outstanding,
      created_at: iso(kissi.clock.now()),
    });
    assert.deepEqual([await operator.balance(wallet.id), await bank.outstanding()], [0, outstanding]);
    const status = await bank.status(data.reference);
    assert.deepEqual(status.json.data, { ...data, status: 'REVERSED' });
    const [entry] = (await operator.get(`/transactions?subscriber_id=${wallet.id}`)).json.transactions;
    assert.deepEqual(
      [entry.transaction_id, entry.type, entry.direction, entry.amount, entry.reference, entry.narration],
      [transaction_id, 'inbound_reversal', 'debit', 5_000, data.reference, 'Rent'],
    );
    const { rows } = await kissi.db.query('select related_id from movements where id = $1', [transaction_id]);
    assert.equal(rows[0].related_id, data.transaction_id);
    const [completed, reversed, ...more] = await webhookEvents(kissi, data.reference);
    assert.equal(more.length, 0);
    const { event: _event, occurred_at, ...unchanged } = completed;
    assert.deepEqual(reversed, {
      event: 'credit.reversed',
      ...unchanged,
      status: 'REVERSED',
      occurred_at: iso(kissi.clock.now()),
      reason,
    });
    const [logged, ...others] = await auditLogs(kissi, { resource_id: data.inbound_id, action: 'inbound.reverse' });
    assert.equal(others.length, 0);
    assert.deepEqual(
      [logged.actor_type, logged.resource_type, logged.details.reason, logged.details.transaction_id],
      ['user', 'inbound', reason, transaction_id],
    );
  });

  test('a second reversal gets 409 ALREADY_REVERSED and audited as a refused attempt', async () => {
    const { wallet, data } = await newCredit(1_000);
    assert.equal((await reverse(data.inbound_id, { reason })).status, 200);
    const outstanding = await bank.outstanding();
    for (const body of [{ reason }, { reason: 'Another' }, { reason, allow_negative: true }]) {
      assert.deepEqual(outcomeOf(await reverse(data.inbound_id, body)), [409, 'ALREADY_REVERSED']);
    }
    assert.deepEqual([await operator.balance(wallet.id), await bank.outstanding()], [0, outstanding]);
    const refused = await auditLogs(kissi, { resource_id: data.inbound_id, action: 'inbound.reverse.refused' });
    assert.deepEqual(
      refused.map(({ details }) => details.code),
      // The first is written immediately; repetitions within the minute are counted and written as one entry.
      ['ALREADY_REVERSED'],
    );
    assert.equal((await webhookEvents(kissi, data.reference)).length, 2);
  });

  test('a reversal of spent money gets 402 INSUFFICIENT_BALANCE unless allow_negative is true', async () => {
    const { wallet, data } = await newCredit(10_000);
    await spend(wallet, 1_000);
    const outstanding = await bank.outstanding();
    for (const body of [{ reason }, { reason, allow_negative: false }]) {
      assert.deepEqual(outcomeOf(await reverse(data.inbound_id, body)), [402, 'INSUFFICIENT_BALANCE']);
    }
    assert.equal((await bank.status(data.reference)).json.data.status, 'COMPLETED');
    assert.equal(await bank.outstanding(), outstanding);
    const reply = await reverse(data.inbound_id, { reason, allow_negative: true });
    assert.deepEqual([reply.status, reply.json.balance], [200, -1_015]);
    assert.equal(await bank.outstanding(), outstanding - 10_000);
    const refilled = await newCredit(2_000, wallet);
    assert.equal(await operator.balance(wallet.id), 985);
    assert.equal((await bank.status(refilled.data.reference)).json.data.status, 'COMPLETED');
  });

  test('works for a blocked wallet, beyond the daily limit, and for a suspended partner', async () => {
    const { wallet, data } = await newCredit(1_000);
    await asAdmin('POST', `/subscribers/${wallet.id}/block`, { reason: 'Fraud' });
    await asAdmin('PUT', `/admin/partners/${bank.partnerId}`, { status: 'suspended' });
    assert.equal((await reverse(data.inbound_id, { reason })).status, 200);
    await asAdmin('PUT', `/admin/partners/${bank.partnerId}`, { status: 'active' });
    assert.equal(await operator.balance(wallet.id), 0);
    const { data: large } = await newCredit(20_000_000);
    assert.equal((await reverse(large.inbound_id, { reason })).status, 200, 'more than the daily limit');
  });

  test('reversing a settled credit leaves the partner with a credit balance', async () => {
    const partner = await testBank(kissi);
    const { id, phone } = await operator.wallet();
    const { data } = (await partner.credit({ reference: newReference(), amount: 700, msisdn: phone })).json;
    await asAdmin('POST', `/admin/partners/${partner.partnerId}/settle`, { amount: 700 });
    const reply = await reverse(data.inbound_id, { reason });
    assert.deepEqual([reply.status, reply.json.partner_outstanding], [200, 0]);
    assert.deepEqual([await operator.balance(partner.partnerId), await operator.balance(id)], [700, 0]);
    const next = await partner.credit({ reference: newReference(), amount: 900, msisdn: phone });
    assert.equal(next.json.data.partner_outstanding, 200);
  });

  test('only completed credits can be reversed: others get 409 NOT_REVERSIBLE, unknown ones 404', async () => {
    const reference = newReference();
    await bank.credit({ reference, amount: 100, msisdn: '+23299999999' });
    const { inbound_id } = (await bank.status(reference)).json.data;
    assert.deepEqual(outcomeOf(await reverse(inbound_id, { reason })), [409, 'NOT_REVERSIBLE']);
    for (const id of ['inb_unknown', reference, 'x']) {
      assert.deepEqual(outcomeOf(await reverse(id, { reason })), [404, 'NOT_FOUND']);
    }
  });

  test('requires a reason; allow_negative must be a boolean', async () => {
    const { wallet, data } = await newCredit(100);
    const invalid = [{}, { reason: '' }, { reason: ' ' }, { reason: 7 }, { reason: 'x'.repeat(501) }];
    for (const body of [...invalid, { reason, allow_negative: 'yes' }, { reason, request_id: 7 }]) {
      assert.deepEqual(outcomeOf(await reverse(data.inbound_id, body)), [400, 'INVALID_REQUEST']);
    }
    assert.equal(await operator.balance(wallet.id), 100);
  });

  test('replays a repeated request_id byte for byte; repeating the credit returns its original reply', async () => {
    const { wallet, data } = await newCredit(100);
    const body = { reason, request_id: 'reverse-1' };
    const first = await reverse(data.inbound_id, body);
    const again = await reverse(data.inbound_id, body);
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    const changed = await reverse(data.inbound_id, { ...body, reason: 'Another' });
    assert.deepEqual(outcomeOf(changed), [409, 'REQUEST_CONFLICT']);
    const { reference } = data;
    const retry = { reference, amount: 100, msisdn: wallet.phone, narration: 'Rent', metadata: { a: 1 } };
    assert.deepEqual((await bank.credit(retry)).json.data, data);
    assert.equal(await operator.balance(wallet.id), 0);
  });
});

describe('concurrent reversals', () => {
  test('a repeated request is replayed even if the first one commits between its look-ups', async () => {
    const { data } = await newCredit(700);
    const body = { reason, request_id: 'reverse-between' };
    const first = assertStatus(await reverse(data.inbound_id, body), 200);
    // Hides the stored request while the second call looks it up, and restores it before that call reads the reversals.
    const stored = `requests where request_id = '${body.request_id}'`;
    const hide = `create temp table hidden as select * from ${stored}; delete from ${stored}`;
    const second = await withLockContention(kissi, {
      lock: `${hide}; commit; begin; lock table inbound_reversals in access exclusive mode`,
      waiters: 1,
      begin: () => reverse(data.inbound_id, body),
      meanwhile: 'insert into requests table hidden',
    });
    assert.deepEqual([second.status, second.text], [200, first.text]);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
  });

  test('one of twenty reversals of one credit over two gateways succeeds', async () => {
    const other = await testGateway({ db: kissi.db, clock: kissi.clock });
    const outstanding = await bank.outstanding();
    // The wallet has enough money for a second reversal.
    const wallet = await operator.wallet(10_000);
    const { data } = await newCredit(1_000, wallet);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? kissi : other).call('POST', `/api/v1/admin/inbound/${data.inbound_id}/reverse`, {
          body: { reason, request_id: `race-${data.inbound_id}-${index}` },
          token: finance,
        }),
      ),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    for (const reply of replies) {
      if (reply.status !== 200) assert.deepEqual(outcomeOf(reply), [409, 'ALREADY_REVERSED']);
    }
    assert.deepEqual([await operator.balance(wallet.id), await bank.outstanding()], [10_000, outstanding]);
    assert.equal(await movementCount(kissi, wallet.id), 3);
    assert.deepEqual(
      (await webhookEvents(kissi, data.reference)).map(({ event }) => event),
      ['credit.completed', 'credit.reversed'],
    );
    assert.equal((await auditLogs(kissi, { resource_id: data.inbound_id, action: 'inbound.reverse' })).length, 1);
    await other.close();
  });

  test('of a reversal and a payment of the same money, one succeeds and the other is refused', async () => {
    const { wallet, data } = await newCredit(1_015);
    const { id: recipient_id } = await operator.wallet();
    const [reversed, spent] = await withLockContention(kissi, {
      lock: `select from accounts where id = '${wallet.id}' for update`,
      waiters: 1,
      begin: () =>
        Promise.all([
          reverse(data.inbound_id, { reason }),
          operator.post('/wallet/transfer', { sender_id: wallet.id, recipient_id, amount: 1_000, pin: PIN }),
        ]),
    });
    assert.deepEqual([reversed.status, spent.status].sort(), [200, 402]);
    assert.equal(await operator.balance(wallet.id), 0);
    const { status } = (await bank.status(data.reference)).json.data;
    assert.equal(status, reversed.status === 200 ? 'REVERSED' : 'COMPLETED');
  });
});
