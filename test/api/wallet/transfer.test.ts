// Tests transfers between wallets: fees, refusals and their order of precedence.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { floatOf, fundAgent, newAgent } from '../../support/agents.ts';
import {
  bankForFile,
  DAILY_LIMIT,
  MAX_BALANCE,
  movementCount,
  PIN,
  type Wallet,
  WRONG_PIN,
} from '../../support/money.ts';
import { assertRefused, assertStatus, auditLogs } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
let admin = await kissi.adminToken();

const transfer = (body: object, headers?: Record<string, string>) => bank.post('/wallet/transfer', body, headers);
const asAdmin = (path: string, body: object = {}, method = 'POST') =>
  kissi.call(method, `/api/v1${path}`, { body, token: admin });
const block = (wallet: Wallet, body = {}) => asAdmin(`/subscribers/${wallet.id}/block`, { reason: 'Lost', ...body });

describe('a transfer', () => {
  test('debits the amount and the fee, credits the amount and returns both', async () => {
    const [from, to] = [await bank.wallet(100_000), await bank.wallet()];
    const body = { sender_id: from.id, recipient_id: to.id, amount: 10_000, pin: PIN, request_id: 'r-1' };
    const reply = assertStatus(await transfer({ ...body, description: ' Rent ' }), 200);
    const { transaction_id, ...rest } = reply.json;
    assert.match(transaction_id, /^txn_[0-9A-Z]{26}$/);
    assert.deepEqual(rest, {
      success: true,
      message: 'The transfer was completed.',
      request_id: 'r-1',
      status: 'COMPLETED',
      amount: 10_000,
      fee: 150,
      total_debited: 10_150,
      currency: 'SLE',
      balance: 89_850,
      created_at: new Date(kissi.clock.now()).toISOString(),
    });
    assert.deepEqual([await bank.balance(from.id), await bank.balance(to.id)], [89_850, 10_000]);
    const { rows } = await kissi.db.query('select * from movements where id = $1', [transaction_id]);
    assert.deepEqual([rows[0].narration, rows[0].type, rows[0].fee], ['Rent', 'transfer_p2p', 150]);
    assert.equal(reply.headers.get('idempotent-replayed'), null);
  });

  test('finds the recipient by phone number in any format and by card serial', async () => {
    const [from, to] = [await bank.wallet(100_000), await bank.wallet()];
    const base = { sender_id: from.id, amount: '1000', pin: PIN };
    const local = `0${to.phone.slice(4)}`;
    for (const phone of [to.phone, local, `${to.phone.slice(0, 6)} ${to.phone.slice(6)}`]) {
      assert.equal((await transfer({ ...base, recipient_phone: phone })).status, 200, phone);
    }
    const serial = await bank.card(to);
    for (const recipient_card_serial of [serial, serial.toLowerCase()]) {
      const reply = assertStatus(await bank.post('/wallet/transfer-p2p', { ...base, recipient_card_serial }), 200);
      assert.equal(reply.json.request_id, null);
    }
    assert.equal(await bank.balance(to.id), 5_000);
  });

  test('uses the current fee settings', async () => {
    const [from, to] = [await bank.wallet(1_000_000), await bank.wallet()];
    const body = { sender_id: from.id, recipient_id: to.id, amount: 10_000, pin: PIN };
    const setting = { transaction_type: 'transfer_p2p', fee_type: 'flat', credit_enabled: false, debit_enabled: true };
    await asAdmin('/fee-settings', { ...setting, party_type: 'sender', fee_value: 2.5 }, 'PUT');
    await asAdmin('/fee-settings', { ...setting, party_type: 'recipient', fee_value: 1 }, 'PUT');
    const priced = await transfer(body);
    assert.deepEqual([priced.json.fee, priced.json.total_debited], [250, 10_250]);
    assert.equal(await bank.balance(to.id), 9_900);
    await asAdmin('/fee-settings/transfer_p2p/sender', {}, 'DELETE');
    await asAdmin('/fee-settings/transfer_p2p/recipient', {}, 'DELETE');
    assert.equal((await transfer(body)).json.fee, 150);
  });

  test('by staff is audited; one by a key is not', async () => {
    const [from, to] = [await bank.wallet(10_000), await bank.wallet()];
    const body = { sender_id: from.id, recipient_id: to.id, amount: 100, pin: PIN };
    const reply = assertStatus(await asAdmin('/wallet/transfer', body), 200);
    await transfer(body);
    const entries = await auditLogs(kissi, { action: 'wallet.transfer' });
    assert.deepEqual(
      entries.map(({ resource_id, resource_type, details }) => ({ resource_id, resource_type, details })),
      [
        {
          resource_id: reply.json.transaction_id,
          resource_type: 'transaction',
          details: { payer: from.id, payee: to.id, amount: 100, fee: 2 },
        },
      ],
    );
    assertRefused(await asAdmin('/wallet/transfer', { ...body, amount: 1_000_000 }), 402, 'INSUFFICIENT_BALANCE');
    assert.equal((await auditLogs(kissi, { action: 'wallet.transfer.refused' })).length, 1);
  });
});

describe('refusals', () => {
  test('an invalid body is rejected with 400, message the field', async () => {
    const [from, to] = [await bank.wallet(1_000), await bank.wallet()];
    const valid = { sender_id: from.id, recipient_id: to.id, amount: 100, pin: PIN };
    const cases: [object, RegExp][] = [
      [{ ...valid, sender_id: undefined }, /sender_id/],
      [{ ...valid, recipient_id: undefined }, /recipient_id and recipient_phone/],
      [{ ...valid, recipient_phone: to.phone }, /recipient_id and recipient_phone/],
      [{ ...valid, recipient_id: undefined, recipient_phone: 'nonsense' }, /recipient_phone/],
      [{ ...valid, amount: undefined }, /amount/],
      [{ ...valid, amount: { value: 1 } }, /amount/],
      [{ ...valid, amount: true }, /amount/],
      [{ ...valid, amount: null }, /amount/],
      [{ ...valid, pin: 1234 }, /pin/],
      [{ ...valid, request_id: '' }, /request_id/],
      [{ ...valid, request_id: 'with space' }, /request_id/],
      [{ ...valid, request_id: 'x'.repeat(129) }, /request_id/],
      [{ ...valid, request_id: 7 }, /request_id/],
      [{ ...valid, description: 'x'.repeat(501) }, /description/],
    ];
    for (const [body, message] of cases) {
      const reply = assertRefused(await transfer(body), 400, 'INVALID_REQUEST', JSON.stringify(body));
      assert.match(reply.json.error, message);
    }
    const header = assertRefused(await transfer(valid, { 'x-request-id': 'not an id' }), 400, 'INVALID_REQUEST');
    assert.match(header.json.error, /request_id/);
    assert.equal(await bank.balance(to.id), 0);
  });

  test('amounts must be positive integers or strings of digits below 2^53', async () => {
    const [from, to] = [await bank.wallet(1_000_000), await bank.wallet()];
    const base = { sender_id: from.id, recipient_id: to.id, pin: PIN };
    const invalid = [
      0,
      -1,
      1.5,
      2 ** 53,
      1e21,
      '0',
      '-1',
      '+1',
      ' 1',
      '1 ',
      '1.5',
      '1e3',
      '0x10',
      '',
      '١',
      '9007199254740992',
    ];
    for (const amount of invalid)
      assertRefused(await transfer({ ...base, amount }), 400, 'INVALID_AMOUNT', String(amount));
    for (const literal of ['1e3', '100.0', '1E2', '-0', '1.000000000000000000001']) {
      const raw = `{"amount": ${literal}, ${JSON.stringify(base).slice(1)}`;
      const reply = await kissi.call('POST', '/api/v1/wallet/transfer', { raw, token: bank.key });
      assertRefused(reply, 400, 'INVALID_AMOUNT', literal);
    }
    for (const amount of [1, '1', '007']) assert.equal((await transfer({ ...base, amount })).status, 200);
    for (const amount of [2 ** 53 - 1, '9007199254740991']) {
      assertRefused(await transfer({ ...base, amount }), 422, 'DAILY_LIMIT_EXCEEDED', String(amount));
    }
  });

  test('a transfer to the same wallet is rejected with SAME_ACCOUNT', async () => {
    const from = await bank.wallet(1_000);
    const base = { sender_id: from.id, amount: 100, pin: PIN };
    assertRefused(await transfer({ ...base, recipient_id: from.id }), 400, 'SAME_ACCOUNT');
    assertRefused(await transfer({ ...base, recipient_phone: from.phone }), 400, 'SAME_ACCOUNT');
    const recipient_card_serial = await bank.card(from);
    assertRefused(await bank.post('/wallet/transfer-p2p', { ...base, recipient_card_serial }), 400, 'SAME_ACCOUNT');
  });

  test('unknown subscribers, unknown cards and unassigned cards are rejected with 404', async () => {
    const [from, to] = [await bank.wallet(1_000), await bank.wallet()];
    const base = { sender_id: from.id, amount: 100, pin: PIN };
    assertRefused(await transfer({ ...base, recipient_id: 'sub_unknown' }), 404, 'SUBSCRIBER_NOT_FOUND');
    assertRefused(await transfer({ ...base, recipient_phone: '+23279999999' }), 404, 'SUBSCRIBER_NOT_FOUND');
    assertRefused(await transfer({ ...base, sender_id: 'x', recipient_id: to.id }), 404, 'SUBSCRIBER_NOT_FOUND');
    for (const account of ['sys_fees_00', 'sys_suspense', bank.partnerId]) {
      assertRefused(await transfer({ ...base, sender_id: account, recipient_id: to.id }), 404, 'SUBSCRIBER_NOT_FOUND');
      assertRefused(await transfer({ ...base, recipient_id: account }), 404, 'SUBSCRIBER_NOT_FOUND');
    }
    const now = new Date();
    const stock = { serial: 'STOCK-0001', label: null, created_at: now };
    await kissi.db.database.queries.insertInto('cards').values(stock).execute();
    for (const recipient_card_serial of ['STOCK-0001', 'NO-SUCH-CARD', '?']) {
      const reply = await bank.post('/wallet/transfer-p2p', { ...base, recipient_card_serial });
      assertRefused(reply, 404, 'CARD_NOT_FOUND', recipient_card_serial);
    }
  });

  test("an agent's float cannot be the sender, even with the agent's PIN", async () => {
    const [agent, to] = [await newAgent(kissi), await bank.wallet()];
    await fundAgent(kissi, agent, 100_000);
    const base = { sender_id: agent.id, amount: 1_000, pin: agent.pin };
    assertRefused(await transfer({ ...base, recipient_id: to.id }), 404, 'SUBSCRIBER_NOT_FOUND');
    const byCard = { ...base, recipient_card_serial: await bank.card(to) };
    assertRefused(await bank.post('/wallet/transfer-p2p', byCard), 404, 'SUBSCRIBER_NOT_FOUND');
    assert.deepEqual([await floatOf(kissi, agent), await bank.balance(to.id)], [100_000, 0]);
  });

  test('a blocked or pending party, or a disabled type, is refused with 403 on either side', async () => {
    const pay = (sender: Wallet, recipient: Wallet) =>
      transfer({ sender_id: sender.id, recipient_id: recipient.id, amount: 100, pin: PIN });
    const [active, blocked, disabled] = [await bank.wallet(1_000), await bank.wallet(1_000), await bank.wallet(1_000)];
    const pending = await bank.wallet(0, { status: 'PENDING' });
    await block(blocked);
    await block(disabled, { transaction_types: ['transfer_p2p'] });
    assertRefused(await pay(blocked, active), 403, 'SUBSCRIBER_BLOCKED');
    assertRefused(await pay(active, blocked), 403, 'SUBSCRIBER_BLOCKED');
    for (const reply of [await pay(pending, active), await pay(active, pending)]) {
      assertRefused(reply, 403, 'SUBSCRIBER_BLOCKED');
      assert.match(reply.json.error, /not active yet/);
    }
    assertRefused(await pay(disabled, active), 403, 'TRANSACTION_TYPE_DISABLED');
    assertRefused(await pay(active, disabled), 403, 'TRANSACTION_TYPE_DISABLED');
    const serial = await bank.card(active);
    await bank.post(`/cards/${serial}/block`, { reason: 'Lost' });
    const other = await bank.wallet(1_000);
    const byCard = { sender_id: other.id, recipient_card_serial: serial, amount: 100, pin: PIN };
    assertRefused(await bank.post('/wallet/transfer-p2p', byCard), 403, 'CARD_BLOCKED');
  });

  test('an amount that overflows with its fee exceeds the daily limit, with the precedence of limits', async () => {
    const [from, to] = [await bank.wallet(1_000), await bank.wallet()];
    const body = { sender_id: from.id, recipient_id: to.id, amount: Number.MAX_SAFE_INTEGER, pin: PIN };
    assertRefused(await transfer(body), 422, 'DAILY_LIMIT_EXCEEDED');
    const used = { ...body, request_id: 'huge-1' };
    assert.equal((await transfer({ ...used, amount: 1 })).status, 200);
    assertRefused(await transfer(used), 409, 'REQUEST_CONFLICT');
    await block(from);
    assertRefused(await transfer(body), 403, 'SUBSCRIBER_BLOCKED');
  });

  test('the balance must cover the amount and its fee', async () => {
    const [from, to] = [await bank.wallet(10_149), await bank.wallet()];
    const body = { sender_id: from.id, recipient_id: to.id, amount: 10_000, pin: PIN };
    assertRefused(await transfer(body), 402, 'INSUFFICIENT_BALANCE');
    await bank.fund(from, 1);
    assert.equal((await transfer(body)).json.balance, 0);
  });

  test('the maximum balance of the KYC level cannot be exceeded', async () => {
    const [from, to] = [await bank.wallet(1_000_000), await bank.wallet(MAX_BALANCE - 100)];
    const body = { sender_id: from.id, recipient_id: to.id, pin: PIN };
    assertRefused(await transfer({ ...body, amount: 101 }), 422, 'MAX_BALANCE_EXCEEDED');
    assert.equal((await transfer({ ...body, amount: 100 })).status, 200);
    assert.equal(await bank.balance(to.id), MAX_BALANCE);
  });

  test('the daily limit of the KYC level applies per UTC day, fees excluded', async () => {
    kissi.clock.set(Date.parse('2026-03-10T23:59:59.000Z'));
    const [from, to] = [await bank.wallet(3 * DAILY_LIMIT), await bank.wallet()];
    const pay = (amount: number) => transfer({ sender_id: from.id, recipient_id: to.id, amount, pin: PIN });
    assert.equal((await pay(DAILY_LIMIT - 1)).status, 200);
    const refused = assertRefused(await pay(2), 422, 'DAILY_LIMIT_EXCEEDED');
    assert.deepEqual([refused.json.available, refused.json.required], [1, 2]);
    assert.equal((await pay(1)).status, 200);
    assertRefused(await pay(1), 422, 'DAILY_LIMIT_EXCEEDED');
    kissi.clock.advance(1_000);
    assert.equal((await pay(DAILY_LIMIT)).status, 200, 'a new day');
    assertRefused(await pay(1), 422, 'DAILY_LIMIT_EXCEEDED');
    kissi.clock.advance(DAY_MS);
    admin = await kissi.adminToken();
  });

  test('of several refusals the one with the documented precedence is returned', async () => {
    const from = await bank.wallet(1_000);
    const to = await bank.wallet(MAX_BALANCE - 50);
    const used = { sender_id: from.id, recipient_id: to.id, amount: 1, pin: PIN, request_id: 'used' };
    assert.equal((await transfer(used)).status, 200);
    await block(to);
    await block(from, { transaction_types: ['transfer_p2p'] });
    let body: Record<string, unknown> = {
      sender_id: from.id,
      recipient_id: 'sub_unknown',
      amount: -5,
      pin: WRONG_PIN,
      request_id: 'used',
      description: 7,
    };
    const fix = (change: object) => async () => {
      body = { ...body, ...change };
    };
    const steps: [string, number, string, () => Promise<unknown>][] = [
      ['credential', 401, 'UNAUTHORIZED', async () => undefined],
      ['scope', 403, 'FORBIDDEN', async () => undefined],
      ['body', 400, 'INVALID_REQUEST', fix({ description: undefined })],
      ['replay', 409, 'REQUEST_CONFLICT', fix({ request_id: 'fresh' })],
      ['existence', 404, 'SUBSCRIBER_NOT_FOUND', fix({ recipient_id: to.id })],
      ['status of the sender', 403, 'TRANSACTION_TYPE_DISABLED', () => unblockTypes(from)],
      ['status of the recipient', 403, 'SUBSCRIBER_BLOCKED', () => asAdmin(`/subscribers/${to.id}/unblock`)],
      ['PIN', 401, 'INVALID_PIN', fix({ pin: PIN })],
      ['amount', 400, 'INVALID_AMOUNT', fix({ amount: DAILY_LIMIT + 1 })],
      ['daily limit', 422, 'DAILY_LIMIT_EXCEEDED', fix({ amount: 2_000 })],
      ['maximum balance', 422, 'MAX_BALANCE_EXCEEDED', () => spend(to, 10_000)],
      ['balance', 402, 'INSUFFICIENT_BALANCE', () => bank.fund(from, 100_000)],
    ];
    const readOnly = await kissi.call('POST', '/api/v1/admin/api-keys', {
      body: { name: 'Reader', scopes: ['payments:read'] },
      token: admin,
    });
    const tokens: Record<string, string> = { credential: 'svc_test_unknown', scope: readOnly.json.key };
    for (const [check, status, code, fixCause] of steps) {
      const token = tokens[check] ?? bank.key;
      assertRefused(await kissi.call('POST', '/api/v1/wallet/transfer', { body, token }), status, code, check);
      await fixCause();
    }
    assertStatus(await transfer(body), 200);
    assert.equal(await movementCount(kissi, from.id), 4, 'two fundings, the used request and this one');
  });

  async function unblockTypes(wallet: Wallet): Promise<void> {
    await block(wallet);
    await asAdmin(`/subscribers/${wallet.id}/unblock`);
  }

  async function spend(wallet: Wallet, amount: number): Promise<void> {
    const recipient = await bank.wallet();
    assertStatus(await transfer({ sender_id: wallet.id, recipient_id: recipient.id, amount, pin: PIN }), 200);
  }
});
