// Reversals: once, from the wallet to what the partner owes, by finance, and told to the partner.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { iso } from '../../src/kernel/clock.ts';
import { type CallReply, type Json, testGateway } from '../support/gateway.ts';
import { newReference, testBank, webhookEvents } from '../support/inbound.ts';
import { bankForFile, movementCount, PIN, type Wallet } from '../support/money.ts';
import { auditLogs, staffToken, withLockContention } from '../support/staff.ts';

const { kissi, bank: house } = await bankForFile({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
let finance: string;
const bank = await testBank(kissi, { webhook_url: 'http://127.0.0.1:1/hooks' });
beforeEach(async () => {
  finance = await staffToken(kissi, 'finance_user');
});

const reverse = (id: string, body: unknown, extra: Record<string, unknown> = {}): Promise<CallReply> =>
  kissi.call('POST', `/api/v1/admin/inbound/${id}/reverse`, { body, token: finance, ...extra });
const asAdmin = async (method: string, path: string, body: object = {}) =>
  kissi.call(method, `/api/v1${path}`, { body, token: await kissi.adminToken() });
const refusedWith = ({ status, json }: CallReply) => [status, json.code];
const reason = 'Sent twice by the bank';

async function credited(amount: number, given?: Wallet): Promise<{ wallet: Wallet; data: Json }> {
  const wallet = given ?? (await house.wallet());
  const body = { reference: newReference(), amount, msisdn: wallet.phone, narration: 'Rent', metadata: { a: 1 } };
  const reply = await bank.credit(body);
  assert.equal(reply.status, 200, reply.text);
  return { wallet, data: reply.json.data };
}

async function spend({ id }: Wallet, amount: number): Promise<void> {
  const { id: recipient_id } = await house.wallet();
  const reply = await house.post('/wallet/transfer', { sender_id: id, recipient_id, amount, pin: PIN });
  assert.equal(reply.status, 200, reply.text);
}

describe('a reversal', () => {
  test('debits the wallet, lowers what is owed, and is in the record, the books, the events and the audit log', async () => {
    const owed = await bank.outstanding();
    const { wallet, data } = await credited(5_000);
    kissi.clock.advance(1_000);
    const reply = await reverse(data.inbound_id, { reason: ` ${reason} ` });
    assert.equal(reply.status, 200, reply.text);
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
      partner_outstanding: owed,
      created_at: iso(kissi.clock.now()),
    });
    assert.deepEqual([await house.balance(wallet.id), await bank.outstanding()], [0, owed]);
    const status = await bank.status(data.reference);
    assert.deepEqual(status.json.data, { ...data, status: 'REVERSED' });
    const [entry] = (await house.get(`/transactions?subscriber_id=${wallet.id}`)).json.transactions;
    assert.deepEqual(
      [entry.transaction_id, entry.type, entry.direction, entry.amount, entry.reference, entry.narration],
      [transaction_id, 'inbound_reversal', 'debit', 5_000, data.reference, 'Rent'],
    );
    const { rows } = await kissi.db.query('select related_id from movements where id = $1', [transaction_id]);
    assert.equal(rows[0].related_id, data.transaction_id);
    const [completed, reversed, ...more] = await webhookEvents(kissi, data.reference);
    assert.equal(more.length, 0);
    const { event: _event, occurred_at, ...facts } = completed;
    assert.deepEqual(reversed, {
      event: 'credit.reversed',
      ...facts,
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

  test('twice is 409 ALREADY_REVERSED, also when the money is spent, and is audited as refused', async () => {
    const { wallet, data } = await credited(1_000);
    assert.equal((await reverse(data.inbound_id, { reason })).status, 200);
    const owed = await bank.outstanding();
    for (const body of [{ reason }, { reason: 'Another' }, { reason, allow_negative: true }]) {
      assert.deepEqual(refusedWith(await reverse(data.inbound_id, body)), [409, 'ALREADY_REVERSED']);
    }
    assert.deepEqual([await house.balance(wallet.id), await bank.outstanding()], [0, owed]);
    const refused = await auditLogs(kissi, { resource_id: data.inbound_id, action: 'inbound.reverse.refused' });
    assert.deepEqual(
      refused.map(({ details }) => details.code),
      // The first at once; those that follow within the minute are counted, and recorded together.
      ['ALREADY_REVERSED'],
    );
    assert.equal((await webhookEvents(kissi, data.reference)).length, 2);
  });

  test('of what was spent is 402 INSUFFICIENT_BALANCE, unless the wallet may go below zero', async () => {
    const { wallet, data } = await credited(10_000);
    await spend(wallet, 1_000);
    const owed = await bank.outstanding();
    for (const body of [{ reason }, { reason, allow_negative: false }]) {
      assert.deepEqual(refusedWith(await reverse(data.inbound_id, body)), [402, 'INSUFFICIENT_BALANCE']);
    }
    assert.equal((await bank.status(data.reference)).json.data.status, 'COMPLETED');
    assert.equal(await bank.outstanding(), owed);
    const reply = await reverse(data.inbound_id, { reason, allow_negative: true });
    assert.deepEqual([reply.status, reply.json.balance], [200, -1_015]);
    assert.equal(await bank.outstanding(), owed - 10_000);
    const refilled = await credited(2_000, wallet);
    assert.equal(await house.balance(wallet.id), 985);
    assert.equal((await bank.status(refilled.data.reference)).json.data.status, 'COMPLETED');
  });

  test('works on a wallet that is blocked, or at its daily limit, and for a partner that is suspended', async () => {
    const { wallet, data } = await credited(1_000);
    await asAdmin('POST', `/subscribers/${wallet.id}/block`, { reason: 'Fraud' });
    await asAdmin('PUT', `/admin/partners/${bank.partnerId}`, { status: 'suspended' });
    assert.equal((await reverse(data.inbound_id, { reason })).status, 200);
    await asAdmin('PUT', `/admin/partners/${bank.partnerId}`, { status: 'active' });
    assert.equal(await house.balance(wallet.id), 0);
    const { data: large } = await credited(20_000_000);
    assert.equal((await reverse(large.inbound_id, { reason })).status, 200, 'more than may leave a wallet in a day');
  });

  test('of what the partner has settled meanwhile leaves it owing nothing, and in credit', async () => {
    const fresh = await testBank(kissi);
    const { id, phone } = await house.wallet();
    const { data } = (await fresh.credit({ reference: newReference(), amount: 700, msisdn: phone })).json;
    await asAdmin('POST', `/admin/partners/${fresh.partnerId}/settle`, { amount: 700 });
    const reply = await reverse(data.inbound_id, { reason });
    assert.deepEqual([reply.status, reply.json.partner_outstanding], [200, 0]);
    assert.deepEqual([await house.balance(fresh.partnerId), await house.balance(id)], [700, 0]);
    const next = await fresh.credit({ reference: newReference(), amount: 900, msisdn: phone });
    assert.equal(next.json.data.partner_outstanding, 200);
  });

  test('is for credits that were completed: others are 409 NOT_REVERSIBLE, unknown ones 404', async () => {
    const reference = newReference();
    await bank.credit({ reference, amount: 100, msisdn: '+23299999999' });
    const { inbound_id } = (await bank.status(reference)).json.data;
    assert.deepEqual(refusedWith(await reverse(inbound_id, { reason })), [409, 'NOT_REVERSIBLE']);
    for (const id of ['inb_nobody', reference, 'x']) {
      assert.deepEqual(refusedWith(await reverse(id, { reason })), [404, 'NOT_FOUND']);
    }
  });

  test('needs a reason, and allow_negative is a boolean', async () => {
    const { wallet, data } = await credited(100);
    const wrong = [{}, { reason: '' }, { reason: ' ' }, { reason: 7 }, { reason: 'x'.repeat(201) }];
    for (const body of [...wrong, { reason, allow_negative: 'yes' }, { reason, request_id: 7 }]) {
      assert.deepEqual(refusedWith(await reverse(data.inbound_id, body)), [400, 'INVALID_REQUEST']);
    }
    assert.equal(await house.balance(wallet.id), 100);
  });

  test('with a request id is answered again byte for byte; the credit, sent again, as it was at first', async () => {
    const { wallet, data } = await credited(100);
    const body = { reason, request_id: 'reverse-1' };
    const first = await reverse(data.inbound_id, body);
    const again = await reverse(data.inbound_id, body);
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    const changed = await reverse(data.inbound_id, { ...body, reason: 'Another' });
    assert.deepEqual(refusedWith(changed), [409, 'REQUEST_CONFLICT']);
    const { reference } = data;
    const retry = { reference, amount: 100, msisdn: wallet.phone, narration: 'Rent', metadata: { a: 1 } };
    assert.deepEqual((await bank.credit(retry)).json.data, data);
    assert.equal(await house.balance(wallet.id), 0);
  });
});

describe('reversals that race', () => {
  test('sent twice at once is answered the same twice, also when one is carried out between the look-ups of the other', async () => {
    const { data } = await credited(700);
    const body = { reason, request_id: 'reverse-between' };
    const first = await reverse(data.inbound_id, body);
    assert.equal(first.status, 200, first.text);
    // As it was when the second one asked whether it had been answered, and as it was when it read the record.
    const named = (from: string, to: string) => `update requests set request_id = '${to}' where request_id = '${from}'`;
    const aside = 'reverse-aside';
    const second = await withLockContention(kissi, {
      lock: `${named(body.request_id, aside)}; commit; begin; lock table inbound_reversals in access exclusive mode`,
      waiters: 1,
      begin: () => reverse(data.inbound_id, body),
      meanwhile: named(aside, body.request_id),
    });
    assert.deepEqual([second.status, second.text], [200, first.text]);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
  });

  test('of one credit, over two gateways: exactly one of twenty happens', async () => {
    const other = await testGateway({ db: kissi.db, clock: kissi.clock });
    const owed = await bank.outstanding();
    // Enough is left in the wallet for a second one.
    const wallet = await house.wallet(10_000);
    const { data } = await credited(1_000, wallet);
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
      if (reply.status !== 200) assert.deepEqual(refusedWith(reply), [409, 'ALREADY_REVERSED']);
    }
    assert.deepEqual([await house.balance(wallet.id), await bank.outstanding()], [10_000, owed]);
    assert.equal(await movementCount(kissi, wallet.id), 3);
    assert.deepEqual(
      (await webhookEvents(kissi, data.reference)).map(({ event }) => event),
      ['credit.completed', 'credit.reversed'],
    );
    assert.equal((await auditLogs(kissi, { resource_id: data.inbound_id, action: 'inbound.reverse' })).length, 1);
    await other.close();
  });

  test('with the spending of the money: one of them, and the other is refused', async () => {
    const { wallet, data } = await credited(1_015);
    const { id: recipient_id } = await house.wallet();
    const [reversed, spent] = await withLockContention(kissi, {
      lock: `select from accounts where id = '${wallet.id}' for update`,
      waiters: 1,
      begin: () =>
        Promise.all([
          reverse(data.inbound_id, { reason }),
          house.post('/wallet/transfer', { sender_id: wallet.id, recipient_id, amount: 1_000, pin: PIN }),
        ]),
    });
    assert.deepEqual([reversed.status, spent.status].sort(), [200, 402]);
    assert.equal(await house.balance(wallet.id), 0);
    const { status } = (await bank.status(data.reference)).json.data;
    assert.equal(status, reversed.status === 200 ? 'REVERSED' : 'COMPLETED');
  });
});
