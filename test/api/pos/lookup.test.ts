// Tests the look-ups of terminals and apps: verify-card, verify-account and lookup-card.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bankForFile } from '../../support/money.ts';
import { assertRefused } from '../../support/processors.ts';
import { type Terminal, terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile({ unauditedRecords: ['card'] });
const admin = await kissi.adminToken();
const terminal = await terminalOf(kissi);

const PREFIXES = ['/pos', '/payment'];
const asAdmin = (path: string, body: object = {}) => kissi.call('POST', `/api/v1${path}`, { body, token: admin });

const customer = () => bank.customer(123_456);

async function stockCard(serial: string, status: 'unassigned' | 'blocked' = 'unassigned'): Promise<string> {
  const row = { serial, status, label: null, created_at: new Date() };
  await kissi.db.database.queries.insertInto('cards').values(row).execute();
  return serial;
}

describe('verify-card', () => {
  const verify = (serial: unknown, prefix = '/pos') => terminal.send(`${prefix}/verify-card`, { card_serial: serial });

  test("returns the holder's first name and initial and the balance", async () => {
    const { card } = await customer();
    for (const prefix of PREFIXES) {
      for (const serial of [card, card.toLowerCase(), ` ${card}`]) {
        const reply = await verify(serial, prefix);
        assert.deepEqual(reply.json, {
          success: true,
          valid: true,
          status: 'active',
          holder_name: 'Aminata K.',
          balance: 123_456,
          balance_formatted: '1,234.56 SLE',
        });
      }
    }
  });

  test('of a card that cannot pay returns only its status', async () => {
    const lost = await customer();
    await bank.post(`/cards/${lost.card}/block`, { reason: 'Lost' });
    const blockedHolder = await customer();
    await asAdmin(`/subscribers/${blockedHolder.wallet.id}/block`, { reason: 'Fraud' });
    const limited = await customer();
    await asAdmin(`/subscribers/${limited.wallet.id}/block`, { reason: 'Asked', transaction_types: ['pos_payment'] });
    const pending = await bank.card(await bank.wallet(0, { status: 'PENDING' }));
    const blocked = [lost.card, blockedHolder.card, limited.card, pending, await stockCard('VERIFY-02', 'blocked')];
    const masked = { success: true, valid: false, holder_name: null, balance: null, balance_formatted: null };
    for (const card of blocked) assert.deepEqual((await verify(card)).json, { ...masked, status: 'blocked' });
    const unassigned = (await verify(await stockCard('VERIFY-01'))).json;
    assert.deepEqual(unassigned, { ...masked, status: 'unassigned' });
  });

  test('of an unknown card returns 404', async () => {
    for (const serial of ['CARD-UNKNOWN', '?']) assertRefused(await verify(serial), 404, 'CARD_NOT_FOUND');
    for (const serial of [undefined, 7, '', 'x'.repeat(129)])
      assertRefused(await verify(serial), 400, 'INVALID_REQUEST');
  });
});

describe('verify-account', () => {
  const verify = (body: object, prefix = '/pos') => terminal.send(`${prefix}/verify-account`, body);

  test('finds an account by account number or by phone number in any format', async () => {
    const { wallet } = await customer();
    const { account_number } = (await asAdminGet(`/subscribers/${wallet.id}`)).json.subscriber;
    for (const prefix of PREFIXES) {
      for (const body of [
        { account_number },
        { phone_number: wallet.phone },
        { phone_number: `0${wallet.phone.slice(4)}` },
      ]) {
        const reply = await verify(body, prefix);
        assert.deepEqual(reply.json, { success: true, exists: true, status: 'active', holder_name: 'Aminata K.' });
      }
    }
    await asAdmin(`/subscribers/${wallet.id}/block`, { reason: 'Fraud' });
    assert.equal((await verify({ account_number })).json.status, 'blocked');
    const pending = await bank.wallet(0, { status: 'PENDING' });
    assert.equal((await verify({ phone_number: pending.phone })).json.status, 'pending');
  });

  const asAdminGet = (path: string) => kissi.call('GET', `/api/v1${path}`, { token: admin });

  test('returns exists: false for an unknown account, and requires exactly one identifier', async () => {
    const none = { success: true, exists: false, status: null, holder_name: null };
    for (const body of [
      { account_number: '0000000000' },
      { phone_number: '+23299999999' },
      { phone_number: 'nonsense' },
    ]) {
      const reply = await verify(body);
      assert.deepEqual([reply.status, reply.json], [200, none], JSON.stringify(body));
    }
    for (const body of [{}, { account_number: '1', phone_number: '+23276000001' }]) {
      const reply = assertRefused(await verify(body), 400, 'INVALID_REQUEST');
      assert.match(reply.json.error, /account_number and phone_number/);
    }
    assertRefused(await verify({ account_number: 7 }), 400, 'INVALID_REQUEST');
  });
});

describe('lookup-card', () => {
  const lookUp = (serial: unknown, sender = terminal, prefix = '/pos') =>
    sender.send(`${prefix}/lookup-card`, { card_serial: serial });

  test("returns the card, its masked subscriber and the card's recent payments", async () => {
    const { wallet, card } = await customer();
    const { json: paid } = await terminal.pay(card, { amount: 2_500 });
    await terminal.pay(await bank.card(wallet));
    for (const prefix of PREFIXES) {
      const { json, text } = await lookUp(card.toLowerCase(), terminal, prefix);
      const { account_number, phone_number, ...subscriber } = json.subscriber;
      assert.deepEqual(subscriber, { id: wallet.id, name: 'Aminata K.', status: 'ACTIVE', kyc_level: 1 });
      assert.match(account_number, /^\*{6}\d{4}$/);
      assert.equal(phone_number, `********${wallet.phone.slice(-4)}`);
      assert.ok(!text.includes('Kamara') && !text.includes(wallet.phone));
      const full = (await bank.get(`/cards/${card}`)).json.card;
      assert.deepEqual(json.card, full);
      assert.deepEqual(json.recent_payments, [
        {
          transaction_id: paid.transaction_id,
          authorization_code: paid.authorization_code,
          amount: 2_500,
          refunded_total: 0,
          processor_id: terminal.merchant.id,
          merchant_id: terminal.merchant.merchantId,
          terminal_id: 'T-0001',
          channel: 'pos',
          created_at: paid.created_at,
        },
      ]);
    }
  });

  test('shows the last ten payments, newest first, with their refunded totals', async () => {
    const { card } = await customer();
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) {
      kissi.clock.advance(1_000);
      ids.unshift((await (n % 2 ? terminal.pay : terminal.payInApp)(card, { amount: 100 + n })).json.transaction_id);
    }
    await terminal.refund(ids[1] ?? '', { amount: 40 });
    const { recent_payments } = (await lookUp(card)).json;
    const listed = recent_payments.map(({ transaction_id }: { transaction_id: string }) => transaction_id);
    assert.deepEqual(listed, ids.slice(0, 10));
    const [first, second] = recent_payments;
    assert.deepEqual([first.channel, first.terminal_id, first.refunded_total], ['pos', 'T-0001', 0]);
    assert.deepEqual([second.channel, second.terminal_id, second.refunded_total], ['in_app', null, 40]);
  });

  test("with a processor's key shows only payments to that processor, with another key those that it made", async () => {
    const { card } = await customer();
    const own = await terminalOf(kissi, {
      merchant: terminal.merchant,
      keyExtra: { processor_id: terminal.merchant.id },
    });
    const other = await terminalOf(kissi);
    const { transaction_id } = (await own.pay(card)).json;
    const byOther = (await other.pay(card)).json.transaction_id;
    const recentPayments = async (sender: Terminal) => (await lookUp(card, sender)).json.recent_payments;
    const made = await recentPayments(other);
    assert.deepEqual([made.length, made[0].transaction_id], [1, byOther]);
    const payments = await recentPayments(own);
    assert.deepEqual([payments.length, payments[0].transaction_id], [1, transaction_id]);
  });

  test('shows blocked and unassigned cards too; an unknown card gets 404', async () => {
    const { card } = await customer();
    await bank.post(`/cards/${card}/block`, { reason: 'Lost' });
    assert.equal((await lookUp(card)).json.card.status, 'blocked');
    const { json } = await lookUp(await stockCard('LOOKUP-01'));
    assert.deepEqual([json.card.status, json.subscriber, json.recent_payments], ['unassigned', null, []]);
    assertRefused(await lookUp('CARD-UNKNOWN'), 404, 'CARD_NOT_FOUND');
    assertRefused(await lookUp(undefined), 400, 'INVALID_REQUEST');
  });
});
