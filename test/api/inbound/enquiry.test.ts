// Name enquiries: identification, masked names, and limits that credits then respect.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { changeAccount } from '../../../src/ledger/accounts.ts';
import { assertStatus, type CallReply } from '../../support/gateway.ts';
import { assertRejected, inboundRows, newReference, testBank } from '../../support/inbound.ts';
import { bankForFile, MAX_BALANCE, type Wallet } from '../../support/money.ts';

const { kissi, bank: operator } = await bankForFile({ brokenRules: ['account_terms_differ'] });
const bank = await testBank(kissi);

const asAdmin = async (path: string, body: object = {}) => kissi.asAdmin.post(path, body);
const accountOf = async ({ id }: Wallet): Promise<string> =>
  (await kissi.asAdmin.get(`/subscribers/${id}`)).json.subscriber.account_number;

function assertRefused(reply: CallReply, status: number, code: string): void {
  assert.deepEqual([reply.status, reply.json.code], [status, code], reply.text);
  assert.deepEqual(Object.keys(reply.json), ['success', 'code', 'message']);
}

describe('POST /inbound/name-enquiry', () => {
  test('finds by account number, phone number or card and returns exactly the documented fields', async () => {
    const wallet = await operator.wallet(1_000);
    const account_number = await accountOf(wallet);
    const card_serial = await operator.card(wallet);
    for (const identifier of [
      { account_number },
      { msisdn: wallet.phone },
      { card_serial },
      { card_serial: card_serial.toLowerCase() },
    ]) {
      const reply = assertStatus(await bank.enquire({ ...identifier, currency: 'SLE' }), 200);
      const { beneficiary_ref } = reply.json.data;
      assert.ok(typeof beneficiary_ref === 'string' && !beneficiary_ref.includes(wallet.id));
      assert.deepEqual(reply.json, {
        success: true,
        code: 'OK',
        message: reply.json.message,
        data: {
          account_number,
          account_name: 'Aminata K.',
          beneficiary_ref,
          status: 'active',
          kyc_level: 1,
          currency: 'SLE',
          can_credit: true,
          max_creditable: MAX_BALANCE - 1_000,
        },
      });
    }
    assert.equal((await bank.enquire({ account_number })).status, 200, 'currency is optional');
  });

  test('returns only the first name and the initial of the last name', async () => {
    const names = [
      ['Aminata Binta', 'Kamara Sesay', 'Aminata K.'],
      ['Åsa', 'ö', 'Åsa ö.'],
      ['Aminata.Binta', 'Kamara', 'Aminata K.'],
      ['Aminata,Binta', '.Kamara', 'Aminata K.'],
      ['Aminata\u200bBinta', '\u200bKamara', 'Aminata K.'],
      ["N'Gadie-Marie Binta", "N'Diaye", "N'Gadie-Marie N."],
      ['Ada', '𝒦amara', 'Ada 𝒦.'],
    ];
    for (const [first_name, last_name, masked] of names) {
      const { phone } = await operator.wallet(0, { first_name, last_name });
      const { text, json } = await bank.enquire({ msisdn: phone });
      assert.equal(json.data.account_name, masked);
      if (last_name !== 'ö') assert.ok(!text.includes(String(last_name)) && !text.includes('Binta'));
    }
  });

  test('an unknown beneficiary or an unassigned card gets 404 BENEFICIARY_NOT_FOUND', async () => {
    const stock = await kissi.call('POST', '/api/v1/cards/upload-csv', {
      raw: 'serial\nSTOCK-0001\n',
      headers: { 'content-type': 'text/csv' },
      token: await kissi.adminToken(),
    });
    assert.equal(stock.json.created, 1);
    const unknown = [
      { account_number: '1234567897' },
      { account_number: "' or 1=1 --" },
      { msisdn: '+23299999999' },
      { card_serial: 'UNKNOWN-1' },
      { card_serial: '!' },
      { card_serial: 'STOCK-0001' },
    ];
    for (const identifier of unknown) assertRefused(await bank.enquire(identifier), 404, 'BENEFICIARY_NOT_FOUND');
  });

  test("requires exactly one valid identifier and the account's currency", async () => {
    const { phone } = await operator.wallet();
    const invalid = [
      {},
      { currency: 'SLE' },
      { msisdn: phone, account_number: '1234567897' },
      { msisdn: phone.replace('+232', '0') },
      { msisdn: phone.slice(1) },
      { msisdn: `${phone} ` },
      { msisdn: '+0232' },
      { msisdn: null },
      { account_number: 1234567897 },
      { account_number: '' },
      { card_serial: 'x'.repeat(129) },
      { msisdn: phone, currency: 7 },
    ];
    for (const body of invalid) assertRefused(await bank.enquire(body), 400, 'INVALID_REQUEST');
    for (const currency of ['USD', 'sle', 'SLL']) {
      assertRefused(await bank.enquire({ msisdn: phone, currency }), 422, 'CURRENCY_MISMATCH');
    }
  });

  test('ignores X-Idempotency-Key and records nothing', async () => {
    const { phone } = await operator.wallet();
    assert.equal((await bank.enquire({ msisdn: phone }, { idempotencyKey: 'op-1' })).status, 200);
    const { rows } = await kissi.db.query('select count(*)::int as n from inbound_transactions');
    assert.equal(rows[0].n, 0);
  });
});

describe('can_credit and max_creditable', () => {
  const WIDE = { min_amount: 1, max_amount: 2 * MAX_BALANCE, outstanding_limit: 10 * MAX_BALANCE };
  beforeEach(() => bank.updatePartner(WIDE));

  /** Asserts that the reported maximum can be credited and one unit more cannot. */
  async function assertMaxCreditable(identifier: object, expected: number, codeAbove: string): Promise<void> {
    const { data } = (await bank.enquire(identifier)).json;
    assert.deepEqual([data.can_credit, data.max_creditable], [expected > 0, expected]);
    const over = newReference();
    assertRejected(await bank.credit({ ...identifier, reference: over, amount: expected + 1 }), codeAbove, over);
    if (expected === 0) return;
    const exact = { ...identifier, reference: newReference(), amount: expected };
    assert.equal((await bank.credit(exact)).json.code, 'COMPLETED');
    assert.equal((await inboundRows(kissi, exact.reference)).length, 1);
  }

  test('reflect the maximum balance of the KYC level', async () => {
    const { phone } = await operator.wallet(1_234);
    await assertMaxCreditable({ msisdn: phone }, MAX_BALANCE - 1_234, 'MAX_BALANCE_EXCEEDED');
    await assertMaxCreditable({ msisdn: phone }, 0, 'MAX_BALANCE_EXCEEDED');
  });

  test('reflect the minimum and maximum of one credit', async () => {
    await bank.updatePartner({ min_amount: 100, max_amount: 5_000 });
    const { id, phone } = await operator.wallet();
    await assertMaxCreditable({ msisdn: phone }, 5_000, 'AMOUNT_OUT_OF_RANGE');
    await changeAccount(kissi.db.database.queries, id, { ceiling: 5_099 });
    await assertMaxCreditable({ msisdn: phone }, 0, 'AMOUNT_OUT_OF_RANGE');
    await bank.updatePartner({ min_amount: 1 });
    await assertMaxCreditable({ msisdn: phone }, 99, 'MAX_BALANCE_EXCEEDED');
  });

  test('reflect what the partner may still owe', async () => {
    await bank.updatePartner({ outstanding_limit: (await bank.outstanding()) + 700 });
    const { phone } = await operator.wallet();
    await assertMaxCreditable({ msisdn: phone }, 700, 'PARTNER_EXPOSURE_LIMIT_EXCEEDED');
    await assertMaxCreditable({ msisdn: phone }, 0, 'PARTNER_EXPOSURE_LIMIT_EXCEEDED');
    await bank.updatePartner({ outstanding_limit: 0 });
    await assertMaxCreditable({ msisdn: phone }, 0, 'PARTNER_EXPOSURE_LIMIT_EXCEEDED');
  });

  test('are false and 0 for a blocked or pending beneficiary, a blocked card or a disabled type', async () => {
    const [blocked, withBlockedCard, disabled] = [
      await operator.wallet(),
      await operator.wallet(),
      await operator.wallet(),
    ];
    const pending = await operator.wallet(0, { status: 'PENDING' });
    const card_serial = await operator.card(withBlockedCard);
    await asAdmin(`/subscribers/${blocked.id}/block`, { reason: 'Lost' });
    await asAdmin(`/cards/${card_serial}/block`, { reason: 'Lost' });
    await asAdmin(`/subscribers/${disabled.id}/block`, { reason: 'x', transaction_types: ['inbound_credit'] });
    const cases = [
      [{ msisdn: blocked.phone }, 'blocked'],
      [{ msisdn: pending.phone }, 'pending'],
      [{ card_serial }, 'blocked'],
      [{ msisdn: disabled.phone }, 'active'],
    ] as const;
    for (const [identifier, status] of cases) {
      assert.equal((await bank.enquire(identifier)).json.data.status, status);
      await assertMaxCreditable(identifier, 0, 'BENEFICIARY_BLOCKED');
    }
    assert.equal(
      (await bank.enquire({ msisdn: withBlockedCard.phone })).json.data.can_credit,
      true,
      'by its other identifiers',
    );
  });
});
