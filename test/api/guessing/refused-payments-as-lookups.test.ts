// Tests that refused payments, which move no money, do not tell who exists without counting as look-ups.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentToken, newFundedAgent } from '../../support/agents.ts';
import { assertStatus } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { bankForFile } from '../../support/money.ts';
import { partnerBank } from '../../support/partner.ts';
import { assertRefused, newMerchant } from '../../support/processors.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
let numbers = 79_550_000;
const unknownPhone = () => `+232${numbers++}`;

describe('a card payment that is refused before the PIN', () => {
  async function ownTerminal() {
    const merchant = await newMerchant(kissi);
    return terminalOf(kissi, { merchant, keyExtra: { processor_id: merchant.id } });
  }

  test("takes its card's place; beyond 30, existing and unknown cards get 429, and payments go on", async () => {
    const terminal = await ownTerminal();
    const elsewhere = { merchant_id: 'MERCH-WRONG' };
    for (let n = 0; n < 30; n++) {
      const { card } = await bank.customer(0);
      const isKnown = n % 2 === 0;
      const reply = await terminal.pay(isKnown ? card : `NO-CARD-${n}`, elsewhere);
      assertRefused(reply, isKnown ? 403 : 404, isKnown ? 'MERCHANT_MISMATCH' : 'CARD_NOT_FOUND');
    }
    const { card, wallet } = await bank.customer(1_000);
    for (const serial of [card, 'NO-CARD-LAST']) {
      assertRefused(await terminal.pay(serial, elsewhere), 429, 'TOO_MANY_LOOKUPS', serial);
      assertRefused(await terminal.send('/pos/verify-card', { card_serial: serial }), 429, 'TOO_MANY_LOOKUPS', serial);
    }
    assert.equal((await terminal.pay(card, { amount: 100 })).status, 200);
    assert.equal(await bank.balance(wallet.id), 900);
  });

  test("takes its card's place if encrypted_pin cannot be read or is for another card", async () => {
    const terminal = await ownTerminal();
    const { card: first } = await bank.customer(0);
    const unreadable = [(await ownTerminal()).encrypt(first, '1234'), terminal.encrypt(first, '1234')];
    const serials = [];
    for (let n = 0; n < 30; n++) serials.push((await bank.customer(0)).card);
    for (const [n, serial] of serials.entries()) {
      const encrypted_pin = String(unreadable[n % 2]);
      assertRefused(await terminal.pay(serial, { encrypted_pin }), 400, 'INVALID_REQUEST');
    }
    const { card, wallet } = await bank.customer(1_000);
    for (const encrypted_pin of unreadable) {
      for (const serial of [card, 'NO-CARD-AT-ALL']) {
        assertRefused(await terminal.pay(serial, { encrypted_pin }), 429, 'TOO_MANY_LOOKUPS', serial);
      }
    }
    assert.equal((await terminal.pay(card, { amount: 100 })).status, 200);
    assert.equal(await bank.balance(wallet.id), 900);
  });

  test('takes none if it is about the key itself, and none because of a wrong PIN', async () => {
    const terminal = await ownTerminal();
    const { card } = await bank.customer(1_000);
    assertRefused(await terminal.pay('NO-CARD', { processor_id: (await newMerchant(kissi)).id }), 403, 'FORBIDDEN');
    assertRefused(await terminal.pay(card, { encrypted_pin: terminal.encrypt(card, '9999') }), 401, 'INVALID_PIN');
    const { rows } = await kissi.db.query('select target from lookups where subject = $1', [terminal.key.id]);
    assert.deepEqual(rows, []);
  });
});

test("an agent's refused cash-ins count as look-ups, whatever the amount; those that succeed go on", async () => {
  const agent = await newFundedAgent(kissi, 100_000);
  const token = await agentToken(kissi, agent);
  const cashIn = (phone_number: string, amount: string, pin = agent.pin) =>
    kissi.call('POST', '/api/v1/agents/cashin', { body: { agent_id: agent.id, phone_number, amount, pin }, token });
  for (let n = 0; n < 20; n++) {
    assertRefused(await cashIn(unknownPhone(), n % 2 ? '0' : '100'), 404, 'SUBSCRIBER_NOT_FOUND');
  }
  const known = await bank.wallet();
  assertRefused(await cashIn(known.phone, '0'), 400, 'INVALID_AMOUNT');
  for (const phone of [unknownPhone(), known.phone]) {
    for (const amount of ['0', '99999999']) {
      assertRefused(await cashIn(phone, amount), 429, 'TOO_MANY_LOOKUPS', `${phone} ${amount}`);
    }
  }
  assertRefused(
    await kissi.call('GET', `/api/v1/search?q=${encodeURIComponent(known.phone)}`, { token }),
    429,
    'TOO_MANY_LOOKUPS',
  );
  assert.equal((await cashIn(known.phone, '100')).status, 200);
  assert.equal(await bank.balance(known.id), 100);
  assertRefused(await cashIn(known.phone, '100', '12'), 400, 'INVALID_PIN', 'about the request alone');
});

describe('a credit with an amount that the partner may never send', () => {
  /** After 201 misses, more than 30 % of all. */
  async function assertLimited(send: (phone: string, amount: number) => Promise<{ status: number; json: Answer }>) {
    const known = await bank.wallet();
    for (let n = 0; n < 200; n++) assert.equal((await send(unknownPhone(), 999_999)).status, 404);
    for (const phone of [unknownPhone(), known.phone]) {
      const { status, json } = await send(phone, 999_999);
      assert.deepEqual([status, json.code], [429, 'TOO_MANY_LOOKUPS'], phone);
    }
    assert.equal((await send(unknownPhone(), 100)).status, 404, 'credits are not limited');
    assert.equal((await send(known.phone, 100)).status, 200);
    assert.equal(await bank.balance(known.id), 100);
  }

  test('counts as an enquiry on /inbound/credit', async () => {
    const partner = await testBank(kissi, { max_amount: 1_000 });
    await assertLimited((msisdn, amount) => partner.credit({ reference: newReference(), msisdn, amount }));
    assertStatus(await partner.enquire({ msisdn: unknownPhone() }), 429);
  });

  test('counts as an enquiry on /partner/cashin', async () => {
    const partner = await partnerBank(kissi, { fields: { max_amount: 1_000 } });
    await assertLimited((phone_number, amount) => partner.cashIn({ phone_number, amount }));
  });
});

describe('a credit that is refused for the customer', () => {
  /** 100 by each kind of refusal. Of the customers that exist, each counts once. */
  async function assertCounted(send: (phone: string, n: number) => Promise<{ status: number }>, enquire: Enquire) {
    const known = await bank.wallet();
    for (let n = 0; n < 200; n++) assert.equal((await send(unknownPhone(), n)).status, 404);
    assert.equal((await enquire(known.phone)).status, 200, 'exactly 200 misses');
    assert.equal((await send(unknownPhone(), 0)).status, 404, 'credits are not limited');
    for (const phone of [known.phone, unknownPhone()]) {
      const { status, json } = await enquire(phone);
      assert.deepEqual([status, json.code], [429, 'TOO_MANY_LOOKUPS'], phone);
    }
    assert.equal((await send(unknownPhone(), 0)).status, 404, 'credits are not limited');
    return known;
  }

  test('counts as an enquiry on /inbound/credit, and one for another beneficiary_ref is limited like one', async () => {
    const partner = await testBank(kissi);
    const credit = (msisdn: string, beneficiary_ref?: string) =>
      partner.credit({
        reference: newReference(),
        msisdn,
        amount: 100,
        ...(beneficiary_ref ? { beneficiary_ref } : {}),
      });
    const enquire = (msisdn: string) => partner.enquire({ msisdn });
    const known = await assertCounted((phone) => credit(phone), enquire);
    for (const phone of [known.phone, unknownPhone()]) assert.equal((await credit(phone, 'x')).status, 429, phone);
    assert.equal((await credit(known.phone)).status, 200);
    assert.equal(await bank.balance(known.id), 100);
  });

  test('counts as an enquiry on /partner/cashin, with a valid amount or more than a wallet holds', async () => {
    const partner = await partnerBank(kissi, { fields: { max_amount: 60_000_000_000 } });
    const cashIn = (phone_number: string, n: number) =>
      partner.cashIn({ phone_number, amount: n % 2 ? 50_000_000_000 : 100 });
    const enquire = (phone_number: string) => partner.send('/account-status', { phone_number });
    const known = await assertCounted(cashIn, enquire);
    assertRefused(await cashIn(known.phone, 1), 422, 'MAX_BALANCE_EXCEEDED');
    assert.equal((await cashIn(known.phone, 0)).status, 200);
    assert.equal(await bank.balance(known.id), 100);
  });
});

type Enquire = (phone: string) => Promise<{ status: number; json: Answer }>;

interface Answer {
  code?: string;
}
