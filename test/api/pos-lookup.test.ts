// What a terminal may know before it asks for money: cards verified and looked up, accounts verified.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bankForFile } from '../support/money.ts';
import { markPep } from '../support/pep.ts';
import { assertRefused } from '../support/processors.ts';
import { type Terminal, terminalOf } from '../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const admin = await kissi.adminToken();
const shop = await terminalOf(kissi);

const PREFIXES = ['/pos', '/payment'];
const asAdmin = (path: string, body: object = {}) => kissi.call('POST', `/api/v1${path}`, { body, token: admin });

const customer = () => bank.customer(123_456);

async function stockCard(serial: string, status: 'unassigned' | 'blocked' = 'unassigned'): Promise<string> {
  const row = { serial, status, label: null, created_at: new Date() };
  await kissi.db.database.queries.insertInto('cards').values(row).execute();
  return serial;
}

describe('verify-card', () => {
  const verify = (serial: unknown, prefix = '/pos') => shop.send(`${prefix}/verify-card`, { card_serial: serial });

  test('tells whose a card is, by first name and initial, and what it can spend', async () => {
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

  test('of a card that cannot be paid with tells that, and nothing of its holder', async () => {
    const lost = await customer();
    await bank.post(`/cards/${lost.card}/block`, { reason: 'Lost' });
    const stopped = await customer();
    await asAdmin(`/subscribers/${stopped.wallet.id}/block`, { reason: 'Fraud' });
    const limited = await customer();
    await asAdmin(`/subscribers/${limited.wallet.id}/block`, { reason: 'Asked', transaction_types: ['pos_payment'] });
    const pending = await bank.card(await bank.wallet(0, { status: 'PENDING' }));
    const blocked = [lost.card, stopped.card, limited.card, pending, await stockCard('VERIFY-02', 'blocked')];
    const nothing = { success: true, valid: false, holder_name: null, balance: null, balance_formatted: null };
    for (const card of blocked) assert.deepEqual((await verify(card)).json, { ...nothing, status: 'blocked' });
    const unassigned = (await verify(await stockCard('VERIFY-01'))).json;
    assert.deepEqual(unassigned, { ...nothing, status: 'unassigned' });
  });

  test('of a card there is none of is 404', async () => {
    for (const serial of ['CARD-UNKNOWN', '?']) assertRefused(await verify(serial), 404, 'CARD_NOT_FOUND');
    for (const serial of [undefined, 7, '', 'x'.repeat(129)])
      assertRefused(await verify(serial), 400, 'INVALID_REQUEST');
  });
});

describe('verify-account', () => {
  const verify = (body: object, prefix = '/pos') => shop.send(`${prefix}/verify-account`, body);

  test('finds an account by its number or by the telephone, however that is written', async () => {
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

  test('says so when there is none, and takes exactly one name', async () => {
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
      const reply = await verify(body);
      assertRefused(reply, 400, 'INVALID_REQUEST');
      assert.match(reply.json.error, /account_number and phone_number/);
    }
    assertRefused(await verify({ account_number: 7 }), 400, 'INVALID_REQUEST');
  });
});

describe('lookup-card', () => {
  const lookUp = (serial: unknown, terminal = shop, prefix = '/pos') =>
    terminal.send(`${prefix}/lookup-card`, { card_serial: serial });

  test('gives the card, its subscriber masked, and what was paid with it', async () => {
    const { wallet, card } = await customer();
    const { json: paid } = await shop.pay(card, { amount: 2_500 });
    await shop.pay(await bank.card(wallet));
    for (const prefix of PREFIXES) {
      const { json, text } = await lookUp(card.toLowerCase(), shop, prefix);
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
          processor_id: shop.merchant.id,
          merchant_id: shop.merchant.merchantId,
          terminal_id: 'T-0001',
          channel: 'pos',
          created_at: paid.created_at,
        },
      ]);
    }
  });

  test('shows the last ten, newest first, with what was refunded of them', async () => {
    const { card } = await customer();
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) {
      kissi.clock.advance(1_000);
      ids.unshift((await (n % 2 ? shop.pay : shop.payInApp)(card, { amount: 100 + n })).json.transaction_id);
    }
    await shop.refund(ids[1] ?? '', { amount: 40 });
    const { recent_payments } = (await lookUp(card)).json;
    const listed = recent_payments.map(({ transaction_id }: { transaction_id: string }) => transaction_id);
    assert.deepEqual(listed, ids.slice(0, 10));
    const [first, second] = recent_payments;
    assert.deepEqual([first.channel, first.terminal_id, first.refunded_total], ['pos', 'T-0001', 0]);
    assert.deepEqual([second.channel, second.terminal_id, second.refunded_total], ['in_app', null, 40]);
  });

  test('by a processor’s key shows what was paid to that processor alone', async () => {
    const { card } = await customer();
    const own = await terminalOf(kissi, { merchant: shop.merchant, keyExtra: { processor_id: shop.merchant.id } });
    const other = await terminalOf(kissi);
    const { transaction_id } = (await own.pay(card)).json;
    await other.pay(card);
    const seen = async (terminal: Terminal) => (await lookUp(card, terminal)).json.recent_payments;
    assert.equal((await seen(other)).length, 2);
    const payments = await seen(own);
    assert.deepEqual([payments.length, payments[0].transaction_id], [1, transaction_id]);
  });

  test('is refused where the holder is marked as a PEP between the card and the record', async (context) => {
    const { wallet, card } = await customer();
    const { subscribers } = kissi.gateway.services;
    const { get } = subscribers;
    context.mock.method(subscribers, 'get', async (...asked: Parameters<typeof get>) => {
      await markPep(kissi, wallet.id);
      return get(...asked);
    });
    assertRefused(await lookUp(card), 403, 'PEP_ACCESS_REQUIRED');
  });

  test('shows cards that are blocked or nobody’s as well; one there is none of is 404', async () => {
    const { card } = await customer();
    await bank.post(`/cards/${card}/block`, { reason: 'Lost' });
    assert.equal((await lookUp(card)).json.card.status, 'blocked');
    const { json } = await lookUp(await stockCard('LOOKUP-01'));
    assert.deepEqual([json.card.status, json.subscriber, json.recent_payments], ['unassigned', null, []]);
    assertRefused(await lookUp('CARD-UNKNOWN'), 404, 'CARD_NOT_FOUND');
    assertRefused(await lookUp(undefined), 400, 'INVALID_REQUEST');
  });
});
