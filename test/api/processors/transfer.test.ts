// Tests transfers of processors to processors and wallets: free, idempotent, within the balance, refused while suspended.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { bankForFile, MAX_BALANCE, movementCount, newFundingId } from '../../support/money.ts';
import { assertRefused, directPayments, type Merchant, merchantToken } from '../../support/processors.ts';
import { auditLogs, withLockContention } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ brokenRules: ['account_terms_differ', 'recent_differs'] });
const payments = directPayments(kissi, bank);
const admin = await kissi.adminToken();

type Headers = Record<string, string>;
/** With a new request id unless the body or a header has one: keys need one. */
const transfer = ({ id }: { id: string }, fields: object, headers: Headers = {}, token = bank.key) => {
  const body = 'x-request-id' in headers ? fields : { request_id: newFundingId(), ...fields };
  return kissi.call('POST', `/api/v1/processors/${id}/transfer`, { body, headers, token });
};
const asAdmin = (path: string, body: object = {}) => kissi.call('POST', `/api/v1${path}`, { body, token: admin });
const suspend = ({ id }: Merchant) => asAdmin(`/processors/${id}/suspend`, { reason: 'Fraud' });
const balances = (...parties: { id: string }[]) => Promise.all(parties.map(({ id }) => bank.balance(id)));
const statuses = (replies: CallReply[]) => replies.map((reply) => reply.status).sort();

describe('a transfer', () => {
  test('to another processor moves the amount without a fee, with the reply of a wallet transfer', async () => {
    const [from, to] = [await payments.fundedMerchant(10_000), await payments.fundedMerchant(500)];
    const reply = await transfer(from, {
      to_processor_id: to.id,
      amount: 4_000,
      request_id: 'p-1',
      description: ' Rent ',
    });
    assert.equal(reply.status, 200, reply.text);
    const { transaction_id, ...rest } = reply.json;
    assert.match(transaction_id, /^txn_[0-9A-Z]{26}$/);
    assert.deepEqual(rest, {
      success: true,
      message: 'The transfer was completed.',
      request_id: 'p-1',
      status: 'COMPLETED',
      amount: 4_000,
      fee: 0,
      total_debited: 4_000,
      currency: 'SLE',
      balance: 6_000,
      created_at: new Date(kissi.clock.now()).toISOString(),
    });
    assert.equal(reply.headers.get('idempotent-replayed'), null);
    assert.deepEqual(await balances(from, to), [6_000, 4_500]);
    const { rows } = await kissi.db.query('select * from movements where id = $1', [transaction_id]);
    assert.deepEqual([rows[0].type, rows[0].fee, rows[0].narration], ['processor_transfer', 0, 'Rent']);
  });

  test('to a wallet may be the whole balance, as digits, and is in both histories', async () => {
    const [from, to] = [await payments.fundedMerchant(7_777), await bank.wallet(23)];
    const reply = await transfer(from, { to_subscriber_id: to.id, amount: '7777' });
    assert.deepEqual([reply.status, reply.json.balance], [200, 0]);
    assert.deepEqual(await balances(from, to), [0, 7_800]);
    const wallet = (await bank.get(`/transactions?subscriber_id=${to.id}`)).json.transactions[0];
    assert.deepEqual([wallet.transaction_id, wallet.direction], [reply.json.transaction_id, 'credit']);
    const own = (await bank.get(`/processors/${from.id}/transactions`)).json.transactions[0];
    assert.deepEqual([own.transaction_id, own.direction, own.counterparty], [wallet.transaction_id, 'debit', to.id]);
    const day = wallet.created_at.slice(0, 10);
    const query = { subscriber_id: to.id, from: day, to: day };
    const [, entry] = (await bank.post('/wallet/account-statement', query)).json.entries;
    assert.deepEqual([entry.credit, entry.description], [7_777, 'Payment, Lumley Beach Grill']);
  });

  test('is free regardless of fees of other types, and does not count against a daily limit', async () => {
    const setting = { transaction_type: 'transfer_p2p', party_type: 'sender', fee_type: 'flat', fee_value: 5 };
    await kissi.call('PUT', '/api/v1/fee-settings', { body: setting, token: admin });
    const [from, to] = [await payments.fundedMerchant(30_000_000), await bank.wallet()];
    const reply = await transfer(from, { to_subscriber_id: to.id, amount: 30_000_000 });
    assert.deepEqual([reply.status, reply.json.fee], [200, 0], reply.text);
    await kissi.call('DELETE', '/api/v1/fee-settings/transfer_p2p/sender', { token: admin });
  });

  test('by a user is audited, even if refused; one by a key is not', async () => {
    const [from, to] = [await payments.fundedMerchant(1_000), await payments.fundedMerchant(0)];
    const body = { to_processor_id: to.id, amount: 100 };
    const reply = assertStatus(await transfer(from, body, {}, await merchantToken(kissi, from)), 200);
    await transfer(from, body);
    assertRefused(await transfer(from, { ...body, amount: 5_000 }, {}, admin), 402, 'INSUFFICIENT_BALANCE');
    const entries = await auditLogs(kissi, { action: 'processor.transfer' });
    assert.deepEqual(
      entries.map(({ actor_id, resource_id, details }) => ({ actor_id, resource_id, details })),
      [
        {
          actor_id: from.userId,
          resource_id: reply.json.transaction_id,
          details: { payer: from.id, payee: to.id, amount: 100, fee: 0 },
        },
      ],
    );
    const [refused] = await auditLogs(kissi, { action: 'processor.transfer.refused' });
    assert.deepEqual([refused.resource_id, refused.details.code], [from.id, 'INSUFFICIENT_BALANCE']);
  });
});

describe('refusals', () => {
  test('an invalid body is rejected with 400, message the field, and moves no money', async () => {
    const [from, to, wallet] = [
      await payments.fundedMerchant(1_000),
      await payments.fundedMerchant(0),
      await bank.wallet(),
    ];
    const valid = { to_processor_id: to.id, amount: 100 };
    const cases: [object, RegExp][] = [
      [{ amount: 100 }, /to_processor_id and to_subscriber_id/],
      [{ ...valid, to_subscriber_id: wallet.id }, /to_processor_id and to_subscriber_id/],
      [{ ...valid, to_processor_id: '' }, /to_processor_id/],
      [{ ...valid, to_processor_id: 7 }, /to_processor_id/],
      [{ ...valid, to_processor_id: null }, /to_processor_id/],
      [{ ...valid, to_processor_id: 'x'.repeat(129) }, /to_processor_id/],
      [{ to_subscriber_id: { id: wallet.id }, amount: 1 }, /to_subscriber_id/],
      [{ ...valid, amount: undefined }, /amount/],
      [{ ...valid, amount: [100] }, /amount/],
      [{ ...valid, amount: null }, /amount/],
      [{ ...valid, request_id: 'with space' }, /request_id/],
      [{ ...valid, request_id: 'x'.repeat(129) }, /request_id/],
      [{ ...valid, description: 'x'.repeat(501) }, /description/],
    ];
    for (const [body, message] of cases) {
      const reply = assertRefused(await transfer(from, body), 400, 'INVALID_REQUEST', JSON.stringify(body));
      assert.match(reply.json.error, message);
    }
    assertRefused(await transfer(from, valid, { 'x-request-id': 'not an id' }), 400, 'INVALID_REQUEST');
    assert.deepEqual(await balances(from, to, wallet), [1_000, 0, 0]);
  });

  test('amounts must be positive integers or strings of digits below 2^53', async () => {
    const [from, to] = [await payments.fundedMerchant(1_000), await payments.fundedMerchant(0)];
    const base = { to_processor_id: to.id };
    for (const amount of [0, -1, 1.5, 2 ** 53, '0', '-1', '1.5', '1e3', '', '9007199254740992']) {
      assertRefused(await transfer(from, { ...base, amount }), 400, 'INVALID_AMOUNT', String(amount));
    }
    const raw = `{"amount": 1e2, "to_processor_id": "${to.id}", "request_id": "raw-1"}`;
    const path = `/api/v1/processors/${from.id}/transfer`;
    assertRefused(await kissi.call('POST', path, { raw, token: bank.key }), 400, 'INVALID_AMOUNT');
    // As a user: the key's limit of the day is not larger.
    const body = { ...base, amount: Number.MAX_SAFE_INTEGER, request_id: 'largest-1' };
    const largest = await kissi.call('POST', path, { body, token: await kissi.adminToken() });
    assertRefused(largest, 402, 'INSUFFICIENT_BALANCE');
    assert.deepEqual(await balances(from, to), [1_000, 0]);
  });

  test('an unknown party, the same account, insufficient balance and maximum balance have separate codes', async () => {
    const [from, full] = [await payments.fundedMerchant(1_000), await bank.wallet()];
    await bank.fund(full, MAX_BALANCE);
    const amount = 100;
    assertRefused(await transfer({ id: 'proc_unknown' }, { to_processor_id: from.id, amount }), 404, 'NOT_FOUND');
    assertRefused(await transfer(from, { to_processor_id: 'proc_unknown', amount }), 404, 'NOT_FOUND');
    assertRefused(await transfer(from, { to_subscriber_id: 'sub_unknown', amount }), 404, 'SUBSCRIBER_NOT_FOUND');
    assertRefused(await transfer(from, { to_processor_id: from.id, amount }), 400, 'SAME_ACCOUNT');
    assertRefused(await transfer(from, { to_subscriber_id: full.id, amount }), 422, 'MAX_BALANCE_EXCEEDED');
    const tooMuch = await transfer(from, { to_subscriber_id: (await bank.wallet()).id, amount: 1_001 });
    assertRefused(tooMuch, 402, 'INSUFFICIENT_BALANCE');
    assert.equal(await bank.balance(from.id), 1_000);
  });

  test('accounts of another kind are not found as processor or subscriber', async () => {
    const [from, wallet] = [await payments.fundedMerchant(1_000), await bank.wallet(1_000)];
    const to = await payments.fundedMerchant(0);
    for (const id of [wallet.id, bank.partnerId, 'sys_treasury_00', 'sys_fees_00', 'sys_suspense']) {
      assertRefused(await transfer({ id }, { to_processor_id: to.id, amount: 1 }), 404, 'NOT_FOUND', id);
      assertRefused(await transfer(from, { to_processor_id: id, amount: 1 }), 404, 'NOT_FOUND', id);
    }
    assertRefused(await transfer(from, { to_subscriber_id: to.id, amount: 1 }), 404, 'SUBSCRIBER_NOT_FOUND');
    assert.deepEqual(await balances(from, wallet, to), [1_000, 1_000, 0]);
  });

  test('a blocked or pending subscriber cannot receive', async () => {
    const [from, blocked] = [await payments.fundedMerchant(1_000), await bank.wallet()];
    await asAdmin(`/subscribers/${blocked.id}/block`, { reason: 'Lost' });
    const pending = await bank.wallet(0, { status: 'PENDING' });
    for (const { id } of [blocked, pending]) {
      assertRefused(await transfer(from, { to_subscriber_id: id, amount: 1 }), 403, 'SUBSCRIBER_BLOCKED');
    }
    assert.equal(await bank.balance(from.id), 1_000);
  });

  test('a suspended processor can neither send nor receive until it is reactivated', async () => {
    const [one, other, wallet] = [
      await payments.fundedMerchant(1_000),
      await payments.fundedMerchant(1_000),
      await bank.wallet(),
    ];
    await suspend(one);
    assertRefused(await transfer(one, { to_processor_id: other.id, amount: 1 }), 403, 'PROCESSOR_SUSPENDED');
    assertRefused(await transfer(one, { to_subscriber_id: wallet.id, amount: 1 }), 403, 'PROCESSOR_SUSPENDED');
    assertRefused(await transfer(other, { to_processor_id: one.id, amount: 1 }), 403, 'PROCESSOR_SUSPENDED');
    // The status has precedence over the amount and the balance.
    assertRefused(await transfer(one, { to_subscriber_id: wallet.id, amount: 0 }), 403, 'PROCESSOR_SUSPENDED');
    assert.deepEqual(await balances(one, other, wallet), [1_000, 1_000, 0]);
    await asAdmin(`/processors/${one.id}/reactivate`);
    assert.equal((await transfer(one, { to_processor_id: other.id, amount: 1 })).status, 200);
    assert.equal((await transfer(other, { to_processor_id: one.id, amount: 1 })).status, 200);
  });
});

describe('a repeated request', () => {
  test('is replayed byte for byte and moves no money, even after a suspension', async () => {
    const [from, to] = [await payments.fundedMerchant(1_000), await payments.fundedMerchant(0)];
    const body = { to_processor_id: to.id, amount: 600, request_id: 'again', description: 'Rent' };
    const first = assertStatus(await transfer(from, body), 200);
    for (const same of [body, { ...body, amount: '600' }, { ...body, description: ' Rent ' }]) {
      const again = await transfer(from, same);
      assert.deepEqual([again.status, again.text], [200, first.text]);
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
    }
    await suspend(from);
    await suspend(to);
    const { request_id, ...rest } = body;
    const header = await transfer(from, rest, { 'x-request-id': request_id });
    assert.equal(header.text, first.text, 'the header identifies the request too');
    assert.deepEqual(await balances(from, to), [400, 600]);
  });

  test('with other details is a conflict; another processor can use the same request id', async () => {
    const [from, to, third] = [
      await payments.fundedMerchant(1_000),
      await payments.fundedMerchant(1_000),
      await payments.fundedMerchant(0),
    ];
    const wallet = await bank.wallet();
    const body = { to_processor_id: to.id, amount: 100, request_id: 'mine' };
    assert.equal((await transfer(from, body)).status, 200);
    const others: [{ id: string }, object][] = [
      [from, { ...body, amount: 101 }],
      [from, { ...body, to_processor_id: third.id }],
      [from, { to_subscriber_id: wallet.id, amount: 100, request_id: 'mine' }],
      [from, { ...body, description: 'Other' }],
    ];
    for (const [payer, other] of others) assertRefused(await transfer(payer, other), 409, 'REQUEST_CONFLICT');
    assert.equal((await transfer(to, { ...body, to_processor_id: from.id })).status, 200);
    assert.deepEqual(await balances(from, to), [1_000, 1_000]);
  });

  test('is executed if the first was refused', async () => {
    const [from, to] = [await payments.fundedMerchant(50), await payments.fundedMerchant(1_000)];
    const body = { to_processor_id: to.id, amount: 100, request_id: 'later' };
    assertRefused(await transfer(from, body), 402, 'INSUFFICIENT_BALANCE');
    await transfer(to, { to_processor_id: from.id, amount: 50 });
    assert.equal((await transfer(from, body)).status, 200);
  });
});

describe('concurrent transfers', () => {
  test('of the whole balance: exactly one of twenty succeeds', async () => {
    const [from, to] = [await payments.fundedMerchant(9_999), await bank.wallet()];
    const all = Array.from({ length: 20 }, (_, index) =>
      transfer(from, { to_subscriber_id: to.id, amount: 9_999, request_id: `all-${index}` }),
    );
    const replies = await Promise.all(all);
    assert.deepEqual(statuses(replies), [200, ...Array(19).fill(402)]);
    assert.deepEqual(await balances(from, to), [0, 9_999]);
    assert.equal(await movementCount(kissi, to.id), 1);
  });

  test('with one request id move money once and all get the same reply', async () => {
    const [from, to] = [await payments.fundedMerchant(1_000), await payments.fundedMerchant(0)];
    const body = { to_processor_id: to.id, amount: 10, request_id: 'twenty' };
    const replies = await Promise.all(Array.from({ length: 20 }, () => transfer(from, body)));
    assert.deepEqual(statuses(replies), Array(20).fill(200));
    assert.equal(new Set(replies.map((reply) => reply.text)).size, 1);
    assert.equal(replies.filter((reply) => reply.headers.get('idempotent-replayed') === null).length, 1);
    assert.deepEqual(await balances(from, to), [990, 10]);
  });

  test('between two processors in both directions do not deadlock', async () => {
    const [one, other] = [await payments.fundedMerchant(10_000), await payments.fundedMerchant(10_000)];
    const pay = (index: number) =>
      index % 2 === 0
        ? transfer(one, { to_processor_id: other.id, amount: 7 })
        : transfer(other, { to_processor_id: one.id, amount: 5 });
    const replies = await Promise.all(Array.from({ length: 100 }, (_, index) => pay(index)));
    assert.deepEqual(statuses(replies), Array(100).fill(200));
    assert.deepEqual(await balances(one, other), [10_000 - 350 + 250, 10_000 + 350 - 250]);
  });

  test('succeed before a suspension and not after the suspension has returned', async () => {
    for (const suspended of ['payer', 'payee'] as const) {
      const parties = { payer: await payments.fundedMerchant(10_000), payee: await payments.fundedMerchant(0) };
      const pay = () => transfer(parties.payer, { to_processor_id: parties.payee.id, amount: 1 });
      const early = Array.from({ length: 40 }, pay);
      const suspension = suspend(parties[suspended]);
      const late = Array.from({ length: 40 }, pay);
      assert.equal((await suspension).status, 200);
      const moved = await bank.balance(parties.payee.id);
      const replies = await Promise.all([...early, ...late, pay()]);
      assert.equal(await bank.balance(parties.payee.id), moved, 'no movement after the suspension returned');
      assert.equal(replies.filter((reply) => reply.status === 200).length, moved);
      for (const reply of replies.filter(({ status }) => status !== 200)) {
        assertRefused(reply, 403, 'PROCESSOR_SUSPENDED');
      }
      assertRefused(replies.at(-1) as CallReply, 403, 'PROCESSOR_SUSPENDED');
    }
  });

  test('are refused under the lock if the suspension was committed after the status check', async () => {
    for (const suspended of ['payer', 'payee'] as const) {
      const parties = { payer: await payments.fundedMerchant(100), payee: await payments.fundedMerchant(0) };
      const { id } = parties[suspended];
      const reply = await withLockContention(kissi, {
        lock: `select * from accounts where id = '${id}' for update`,
        waiters: 1,
        begin: () => transfer(parties.payer, { to_processor_id: parties.payee.id, amount: 100 }),
        meanwhile: `update accounts set frozen = true where id = '${id}'`,
      });
      assertRefused(reply, 403, 'PROCESSOR_SUSPENDED');
      assert.match(reply.json.error, suspended === 'payer' ? /^The processor/ : /receiving/);
      assert.deepEqual(await balances(parties.payer, parties.payee), [100, 0]);
    }
  });

  test('in flight delay a suspension, which then applies to all later ones', async () => {
    const [from, to] = [await payments.fundedMerchant(100), await payments.fundedMerchant(0)];
    const both = await withLockContention(kissi, {
      lock: `select * from accounts where id = '${from.id}' for update`,
      waiters: 2,
      begin: () => Promise.all([transfer(from, { to_processor_id: to.id, amount: 100 }), suspend(from)]),
    });
    const [paid, suspended]: [CallReply, CallReply] = both;
    assert.equal(suspended.status, 200);
    const moved: Json = paid.status === 200 ? 100 : 0;
    assert.deepEqual(await balances(from, to), [100 - moved, moved]);
    assertRefused(await transfer(from, { to_processor_id: to.id, amount: 1 }), 403, 'PROCESSOR_SUSPENDED');
  });
});
