// Attacks on partners' limits: a credit that one route refuses must not be possible on another.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bankForFile, movementCount } from '../support/money.ts';
import { newReference, partnerBank } from '../support/partner.ts';
import { assertRefused } from '../support/staff.ts';

const { kissi, bank } = await bankForFile();

describe("a partner's own key", () => {
  test('cannot exceed min_amount and max_amount by funding a wallet instead of a cash-in', async () => {
    const rokel = await partnerBank(kissi, { fields: { min_amount: 500, max_amount: 2_000 } });
    const { id, phone } = await bank.wallet();
    const fund = (amount: number) => {
      const body = { partner_id: rokel.id, subscriber_id: id, amount, request_id: newReference() };
      return kissi.call('POST', '/api/v1/wallet/fund-from-partner', { body, token: rokel.key.key });
    };
    for (const amount of [499, 2_001, 20_000_000]) {
      assertRefused(await rokel.cashIn({ phone_number: phone, amount }), 422, 'AMOUNT_OUT_OF_RANGE');
      assertRefused(await fund(amount), 422, 'AMOUNT_OUT_OF_RANGE', String(amount));
    }
    assert.equal(await movementCount(kissi, id), 0);
    assert.equal((await fund(500)).status, 200);
    assert.equal((await fund(2_000)).status, 200);
  });
});
