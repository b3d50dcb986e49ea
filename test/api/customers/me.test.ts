// A customer's own wallet under /me: what it shows, that it is the staff's truth, and that nobody else's is reachable.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EXPECTED_ACCESS } from '../../support/contract.ts';
import { knownPhone, newPhone } from '../../support/customers.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { bankForFile, PIN, WRONG_PIN } from '../../support/money.ts';
import { markPep } from '../../support/pep.ts';
import { assertRefused } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();

const today = () => new Date(kissi.clock.now()).toISOString().slice(0, 10);

let payments = 0;
async function transfer(from: string, to: string, amount: number): Promise<Json> {
  const body = { sender_id: from, recipient_id: to, amount, pin: PIN, request_id: `me-${++payments}` };
  return assertStatus(await bank.post('/wallet/transfer', body), 200).json;
}

// On a device that is no longer new; this moves the clock by a day.
const attacker = await bank.wallet();
const phone = await knownPhone(kissi, attacker);
const victim = await bank.customer(100_000);
const victimPhone = await newPhone(kissi, victim.wallet);
const paid = await transfer(victim.wallet.id, (await bank.wallet()).id, 5_000);
assertStatus(await victimPhone.post(`/me/cards/${victim.card}/block`), 200);
const ask = { amount: 100, description: 'Fare', request_id: 'foreign-1', payer_phone: victim.wallet.phone };
const asker = await newPhone(kissi, await bank.wallet());
const { payment_request: asked } = assertStatus(await asker.post('/me/payment-requests', ask), 201).json;
const coding = { amount: 1_000, pin: PIN, request_id: 'foreign-2' };
const { cash_out_code: coded } = assertStatus(await victimPhone.post('/me/cash-out-codes', coding), 201).json;
const complaint = { kind: 'other', description: 'The agent was rude' };
const { case: opened } = assertStatus(await victimPhone.post('/me/cases', complaint), 201).json;
/** By the parameter's name and the collection it is in. */
const FOREIGN: Record<string, string> = {
  'transactions/:id': paid.transaction_id,
  'cards/:serial': victim.card,
  'devices/:id': victimPhone.deviceId,
  'me/payment-requests/:id': asked.id,
  'cash-out-codes/:id': coded.id,
  'cases/:id': opened.id,
};
/** Whoever scanned a request may read it, and refuse it for themselves. */
const OPEN =
  /payment-requests\/(?:by-code\/:code|:id\/(?:decline|block-payee|unblock-payee))$|\/requests\/:request_id$/;

describe('what a customer sees', () => {
  test('the profile, the level and what is left of the limits', async () => {
    const [wallet, other] = [await bank.wallet(100_000), await bank.wallet()];
    await transfer(wallet.id, other.id, 30_000);
    const phone = await newPhone(kissi, wallet);
    const { profile, limits, new_device } = assertStatus(await phone.get('/me'), 200).json;
    assert.deepEqual(
      [profile.id, profile.first_name, profile.kyc_level, profile.status],
      [wallet.id, 'Aminata', 1, 'ACTIVE'],
    );
    assert.deepEqual([limits.daily.used, limits.daily.remaining], [30_000, 10_000_000 - 30_000]);
    assert.equal(limits.balance.maximum, 50_000_000);
    assert.equal(new_device.limit, 1_000_000);
  });

  test('balance, what is held, and what is available', async () => {
    const wallet = await bank.wallet(70_000);
    const phone = await newPhone(kissi, wallet);
    const own = assertStatus(await phone.get('/me/balance'), 200).json;
    assert.deepEqual(own, (await bank.get(`/balance/${wallet.id}`)).json);
    assert.deepEqual([own.balance, own.held, own.available], [70_000, 0, 70_000]);
  });

  test('transactions with names and without the ids of customers, and each with its receipt', async () => {
    const [wallet, other] = [await bank.wallet(100_000), await bank.wallet()];
    const { transaction_id } = await transfer(wallet.id, other.id, 5_000);
    const phone = await newPhone(kissi, wallet);
    const { transactions, total_count } = assertStatus(await phone.get('/me/transactions?limit=1'), 200).json;
    assert.equal(total_count, 2);
    assert.deepEqual(
      [transactions[0].transaction_id, transactions[0].payee_name, transactions[0].payee_id],
      [transaction_id, 'Aminata K.', null],
    );
    assert.equal(transactions[0].actor_id, undefined);
    const { transaction } = assertStatus(await phone.get(`/me/transactions/${transaction_id}`), 200).json;
    assert.match(transaction.receipt_url, /\/r\/[\w-]{22}$/);
    assert.equal(transaction.payee.phone_number.includes('*'), true);
    assert.deepEqual(
      transaction.postings.map(({ account_id }: Json) => account_id),
      [wallet.id],
    );
  });

  test('the statement, as JSON, CSV and PDF, adds up', async () => {
    const [wallet, other] = [await bank.wallet(100_000), await bank.wallet()];
    const { total_debited } = await transfer(wallet.id, other.id, 5_000);
    const phone = await newPhone(kissi, wallet);
    const at = (format: string) => phone.get(`/me/statement?from=${today()}&to=${today()}&format=${format}`);
    const { opening_balance, closing_balance, entries } = assertStatus(await at('json'), 200).json;
    const sum = entries.reduce((total: number, { debit, credit }: Json) => total + credit - debit, 0);
    assert.equal(opening_balance + sum, closing_balance);
    assert.equal(closing_balance, 100_000 - total_debited);
    assert.match(assertStatus(await at('csv'), 200).headers.get('content-type') ?? '', /^text\/csv/);
    assert.match(assertStatus(await at('pdf'), 200).text, /^%PDF/);
  });

  test('a politically exposed person sees their own payments, and their partners see no mark of them', async () => {
    const [pep, other] = [await bank.wallet(100_000), await bank.wallet(100_000)];
    const { total_debited } = await transfer(pep.id, other.id, 5_000);
    await transfer(other.id, pep.id, 1_000);
    const left = 101_000 - total_debited;
    await markPep(kissi, pep.id);
    const phone = await newPhone(kissi, pep);
    assert.equal(assertStatus(await phone.get('/me/balance'), 200).json.balance, left);
    assert.equal((await phone.get('/me/transactions')).json.transactions.length, 3);
    const range = `from=${today()}&to=${today()}`;
    const own = assertStatus(await phone.get(`/me/statement?${range}`), 200).json;
    assert.equal(own.closing_balance, left);

    const ordinary = await bank.wallet(100_000);
    await transfer(other.id, ordinary.id, 1_000);
    const theirs = await newPhone(kissi, other);
    const { entries } = (await theirs.get(`/me/statement?${range}`)).json;
    const [toPep, toOrdinary] = entries.filter(
      ({ type, direction }: Json) => type === 'transfer_p2p' && direction === 'debit',
    );
    for (const field of ['counterparty', 'payee_id', 'description', 'status']) {
      assert.equal(toPep[field], toOrdinary[field], field);
    }
    const { rows } = await kissi.db.query("select count(*)::int as n from audit_inbox where action = 'pep.access'");
    assert.equal(rows[0].n, 0, 'a customer who looks at their own wallet is not audited');
  });
});

describe('cards', () => {
  async function holder() {
    const { wallet, card } = await bank.customer(50_000);
    return { wallet, card, phone: await newPhone(kissi, wallet) };
  }

  test('a customer blocks a card at once, and unblocks it with the PIN', async () => {
    const { phone, card } = await holder();
    const { json } = assertStatus(await phone.post(`/me/cards/${card}/block`), 200);
    assert.deepEqual([json.card.status, json.card.blocked_by_you], ['blocked', true]);
    assertRefused(await phone.post(`/me/cards/${card}/block`), 409, 'ALREADY_BLOCKED');
    assertRefused(await phone.post(`/me/cards/${card}/unblock`, { pin: WRONG_PIN }), 401, 'INVALID_PIN');
    const [shown] = (await phone.get('/me/cards')).json.cards;
    assert.deepEqual([shown.serial, shown.status, shown.blocked_by_you], [card, 'blocked', true]);
    assertStatus(await phone.post(`/me/cards/${card}/unblock`, { pin: PIN }), 200);
    assert.equal((await bank.get(`/cards/${card}`)).json.card.status, 'active');
    assertRefused(await phone.post(`/me/cards/${card}/unblock`, { pin: PIN }), 409, 'NOT_BLOCKED');
  });

  test('a block by staff, also one that takes over from the holder, is not lifted by the holder', async () => {
    for (const byHolder of [false, true]) {
      const { phone, card } = await holder();
      if (byHolder) assertStatus(await phone.post(`/me/cards/${card}/block`), 200);
      assertStatus(await kissi.asAdmin.post(`/cards/${card}/block`, { reason: 'Fraud' }), 200);
      assertRefused(await phone.post(`/me/cards/${card}/unblock`, { pin: PIN }), 403, 'CARD_BLOCKED');
      assertRefused(await kissi.asAdmin.post(`/cards/${card}/block`, { reason: 'Fraud' }), 409, 'ALREADY_BLOCKED');
    }
  });

  test('a block of the wallet and its end leave no right to unblock behind', async () => {
    const { wallet, phone, card } = await holder();
    assertStatus(await phone.post(`/me/cards/${card}/block`), 200);
    assertStatus(await kissi.asAdmin.post(`/subscribers/${wallet.id}/block`, { reason: 'Theft' }), 200);
    assertStatus(await kissi.asAdmin.post(`/subscribers/${wallet.id}/unblock`, {}), 200);
    assertStatus(await kissi.asAdmin.post(`/cards/${card}/block`, { reason: 'Fraud' }), 200);
    const again = await newPhone(kissi, wallet);
    assertRefused(await again.post(`/me/cards/${card}/unblock`, { pin: PIN }), 403, 'CARD_BLOCKED');
  });
});

describe("other people's ids", () => {
  const routes = [...EXPECTED_ACCESS]
    .filter(
      ([route, access]) => access !== 'public' && access.customersOnly && route.includes(':') && !OPEN.test(route),
    )
    .map(([route]) => route);

  for (const route of routes) {
    test(`${route} answers for another customer as for an id that does not exist`, async () => {
      const [method = '', path = ''] = route.split(' ');
      const place = Object.keys(FOREIGN).find((each) => path.includes(`/${each}`));
      assert.ok(place, `FOREIGN has no id for ${route}`);
      const at = (id: string) => path.replace(`/${place}`, `/${place.replace(/:.*/, id)}`);
      const fields = { pin: PIN, quote_id: 'unknown', request_id: 'foreign-3', text: 'Hello', message: 'Hello' };
      const body = method === 'POST' ? { body: fields } : {};
      const call = (id: string): Promise<CallReply> => kissi.call(method, at(id), { token: phone.token, ...body });
      const [foreign, unknown] = [await call(FOREIGN[place] ?? ''), await call('UNKNOWN-1')];
      assert.equal(foreign.status, 404, foreign.text);
      assert.deepEqual(foreign.json, unknown.json);
    });
  }

  test('the outcome of their request id is unknown to others, who may use the same', async () => {
    const outcome = async (from: typeof phone) =>
      assertStatus(await from.get(`/me/requests/${coding.request_id}`), 200).json;
    const { status, transaction_id, reply } = await outcome(phone);
    assert.deepEqual([status, transaction_id, reply], ['unknown', null, null]);
    assert.notEqual((await outcome(victimPhone)).status, 'unknown');
  });

  test('who refuses a request that somebody else was sent does not end it', async () => {
    for (const end of ['decline', 'block-payee', 'unblock-payee']) {
      assertStatus(await phone.post(`/me/payment-requests/${asked.id}/${end}`), 200);
    }
    const sent = assertStatus(await asker.get(`/me/payment-requests/${asked.id}`), 200).json;
    assert.equal(sent.payment_request.status, 'open');
  });

  test('no list shows anything of another customer', async () => {
    for (const path of ['/me', '/me/balance', '/me/transactions', '/me/cards', '/me/devices']) {
      const { text } = assertStatus(await phone.get(path), 200);
      for (const foreign of [victim.wallet.id, victim.wallet.phone, ...Object.values(FOREIGN)]) {
        assert.ok(!text.includes(foreign), `${path}: ${foreign}`);
      }
    }
    assertRefused(await phone.get(`/me/transactions?subscriber_id=${victim.wallet.id}`), 400, 'INVALID_REQUEST');
  });
});
