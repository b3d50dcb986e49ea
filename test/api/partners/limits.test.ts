// Tests a partner's limits on every route that increases what it owes: cash-ins, notifications and fundings.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { type TestGateway, testGateway } from '../../support/gateway.ts';
import { bankForFile, movementCount, type Wallet } from '../../support/money.ts';
import { newReference, type PartnerBank, partnerBank, webhookHeaders } from '../../support/partner.ts';
import { assertRefused, withLockContention } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ brokenRules: ['account_terms_differ'] });
const other = await testGateway({ db: kissi.db, clock: kissi.clock });
after(() => other.close());

const admin = await kissi.adminToken();

function fund({ id: partner_id }: PartnerBank, { id: subscriber_id }: Wallet, amount: number, gateway = kissi) {
  const body = { partner_id, subscriber_id, amount };
  return gateway.call('POST', '/api/v1/wallet/fund-from-partner', { body, token: admin });
}

const outstanding = async ({ id }: PartnerBank): Promise<number> => 0 - (await bank.balance(id));

describe('a cash-in', () => {
  test('outside min_amount and max_amount is 422 AMOUNT_OUT_OF_RANGE and can be corrected', async () => {
    const rokel = await partnerBank(kissi, { fields: { min_amount: 500, max_amount: 2_000 } });
    const { id, phone } = await bank.wallet();
    const body = { phone_number: phone, reference: newReference() };
    for (const amount of [1, 499, 2_001, 20_000_000, Number.MAX_SAFE_INTEGER]) {
      const reply = assertRefused(await rokel.cashIn({ ...body, amount }), 422, 'AMOUNT_OUT_OF_RANGE', String(amount));
      assert.match(reply.json.error, /from 500 to 2000/);
    }
    assert.deepEqual([await bank.balance(id), await outstanding(rokel)], [0, 0]);
    assert.equal((await rokel.cashIn({ ...body, amount: 500 })).status, 200, 'a refusal does not use up the reference');
    assert.equal((await rokel.cashIn({ phone_number: phone, amount: 2_000 })).status, 200);
    assert.equal(await bank.balance(id), 2_500);
  });

  test('beyond the outstanding limit is 422 PARTNER_EXPOSURE_LIMIT_EXCEEDED; a settlement frees it', async () => {
    const rokel = await partnerBank(kissi, { fields: { outstanding_limit: 100_000 } });
    const wallet = await bank.wallet();
    const cashIn = (amount: number) => rokel.cashIn({ phone_number: wallet.phone, amount });
    assertRefused(await cashIn(20_000_000), 422, 'PARTNER_EXPOSURE_LIMIT_EXCEEDED');
    assert.equal((await cashIn(100_000)).status, 200);
    assertRefused(await cashIn(1), 422, 'PARTNER_EXPOSURE_LIMIT_EXCEEDED');
    assert.equal(await movementCount(kissi, wallet.id), 1);
    const settled = await kissi.call('POST', `/api/v1/admin/partners/${rokel.id}/settle`, {
      body: { amount: 10 },
      token: admin,
    });
    assert.equal(settled.status, 200, settled.text);
    assertRefused(await cashIn(11), 422, 'PARTNER_EXPOSURE_LIMIT_EXCEEDED');
    assert.equal((await cashIn(10)).status, 200);
    assert.deepEqual([await bank.balance(wallet.id), await outstanding(rokel)], [100_010, 100_000]);
  });

  test('that completed is replayed after the limits were lowered', async () => {
    const rokel = await partnerBank(kissi);
    const { id, phone } = await bank.wallet();
    const body = { phone_number: phone, amount: 5_000, reference: newReference() };
    const first = await rokel.cashIn(body);
    await rokel.updatePartner({ max_amount: 100, outstanding_limit: 0 });
    const again = await rokel.cashIn(body);
    assert.deepEqual([first.status, again.status, again.text], [200, 200, first.text]);
    assert.equal(await bank.balance(id), 5_000);
  });
});

describe('the outstanding limit', () => {
  test('is never exceeded by concurrent cash-ins and fundings through two gateways', async () => {
    const rokel = await partnerBank(kissi, { fields: { outstanding_limit: 10_499 } });
    const wallets = await Promise.all(Array.from({ length: 8 }, () => bank.wallet()));
    const replies = await Promise.all(
      Array.from({ length: 80 }, (_, index) => {
        const gateway: TestGateway = index % 2 ? kissi : other;
        const wallet = wallets[index % 8] as Wallet;
        if (index % 5 === 0) return fund(rokel, wallet, 1_000, gateway);
        return rokel.cashIn({ phone_number: wallet.phone, amount: 1_000 }, { gateway });
      }),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, 10);
    for (const reply of replies) {
      if (reply.status !== 200) assertRefused(reply, 422, 'PARTNER_EXPOSURE_LIMIT_EXCEEDED');
    }
    assert.equal(await outstanding(rokel), 10_000);
    const balances = await Promise.all(wallets.map(({ id }) => bank.balance(id)));
    assert.equal(
      balances.reduce((sum, balance) => sum + balance, 0),
      10_000,
    );
  });

  test('of a partner that is suspended during a funding: 403 PARTNER_SUSPENDED, and no money moves', async () => {
    const rokel = await partnerBank(kissi);
    const wallet = await bank.wallet();
    const reply = await withLockContention(kissi, {
      lock: `select from accounts where id = '${rokel.id}' for update`,
      waiters: 1,
      begin: () => fund(rokel, wallet, 100),
      meanwhile: `update accounts set frozen = true where id = '${rokel.id}'`,
    });
    assertRefused(reply, 403, 'PARTNER_SUSPENDED');
    assert.deepEqual([await bank.balance(wallet.id), await outstanding(rokel)], [0, 0]);
  });
});

describe('a notification for PARTNER_CASHIN_PARTNER_ID', () => {
  const SECRET = 'a-webhook-secret-shared-with-one-partner';

  test("is subject to the partner's limits, with 422 and a message", async (t) => {
    const rokel = await partnerBank(kissi, { fields: { min_amount: 10, max_amount: 500, outstanding_limit: 800 } });
    const env = { PARTNER_CASHIN_WEBHOOK_SECRET: SECRET, PARTNER_CASHIN_PARTNER_ID: rokel.id };
    const gateway = await testGateway({ db: kissi.db, clock: kissi.clock, env });
    t.after(() => gateway.close());
    const wallet = await bank.wallet();
    const card_serial = await bank.card(wallet);
    const notify = (amount: number) => {
      const raw = JSON.stringify({ card_serial, amount, reference: newReference() });
      return gateway.call('POST', '/webhooks/partner/cashin', { raw, headers: webhookHeaders(SECRET, raw) });
    };
    const refusal = (message: string) => ({ success: false, message });
    for (const amount of [9, 501]) {
      const reply = await notify(amount);
      assert.deepEqual([reply.status, reply.json], [422, refusal('amount must be from 10 to 500 minor units.')]);
    }
    assert.equal((await notify(500)).status, 200);
    const exceeded = await notify(301);
    const message = 'The partner would owe more than its outstanding limit.';
    assert.deepEqual([exceeded.status, exceeded.json], [422, refusal(message)]);
    assert.equal((await notify(300)).status, 200);
    assert.deepEqual([await bank.balance(wallet.id), await outstanding(rokel)], [800, 800]);
  });
});
