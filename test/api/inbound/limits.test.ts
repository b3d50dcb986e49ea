// The outstanding limit of a partner: concurrency, several gateways, changes, settlements and funding.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { type CallReply, testGateway } from '../../support/gateway.ts';
import { assertRejected, newReference, type TestBank, testBank } from '../../support/inbound.ts';
import { assertLedgerConsistent, createBank, newFundingId } from '../../support/money.ts';
import { withLockContention } from '../../support/staff.ts';

const kissi = await testGateway();
const other = await testGateway({ db: kissi.db, clock: kissi.clock });
const operator = await createBank(kissi);
after(async () => {
  await assertLedgerConsistent(kissi);
  await other.close();
  await kissi.close();
});

const settle = async (bank: TestBank, amount: number): Promise<void> => {
  const token = await kissi.adminToken();
  const path = `/api/v1/admin/partners/${bank.partnerId}/settle`;
  assert.equal((await kissi.call('POST', path, { body: { amount }, token })).status, 200);
};
const fund = (bank: TestBank, subscriber_id: string, amount: number): Promise<CallReply> =>
  operator.post('/wallet/fund-from-partner', {
    partner_id: bank.partnerId,
    subscriber_id,
    amount,
    request_id: newFundingId(),
  });
const floorOf = async (id: string): Promise<number> =>
  (await kissi.db.query('select floor from accounts where id = $1', [id])).rows[0].floor;

describe('the outstanding limit', () => {
  test('admits exactly 10 of 100 concurrent credits, over one gateway and over two', async () => {
    for (const gatewayCount of [1, 2]) {
      const bank = await testBank(kissi, { outstanding_limit: 10_499 });
      const wallets = await Promise.all(Array.from({ length: 20 }, () => operator.wallet()));
      const requests = Array.from({ length: 100 }, (_, index) => ({
        body: { reference: newReference(), amount: 1_000, msisdn: wallets[index % 20]?.phone },
        gateway: index % gatewayCount ? other : kissi,
      }));
      const replies = await Promise.all(requests.map(({ body, gateway }) => bank.credit(body, { gateway })));
      const completed = replies.filter(({ status }) => status === 200);
      assert.equal(completed.length, 10);
      const outstanding = completed.map(({ json }) => json.data.partner_outstanding).sort((a, b) => a - b);
      assert.deepEqual(
        outstanding,
        Array.from({ length: 10 }, (_, n) => (n + 1) * 1_000),
        'each reply has the outstanding amount after it',
      );
      for (const [index, reply] of replies.entries()) {
        if (reply.status === 200) continue;
        const { reference } = requests[index]?.body ?? { reference: '' };
        assertRejected(reply, 'PARTNER_EXPOSURE_LIMIT_EXCEEDED', reference);
        assert.equal((await bank.status(reference)).json.data.partner_outstanding, 10_000);
      }
      assert.equal(await bank.outstanding(), 10_000);
      const balances = await Promise.all(wallets.map(({ id }) => operator.balance(id)));
      assert.equal(
        balances.reduce((sum, balance) => sum + balance, 0),
        10_000,
      );
    }
  });

  test('can be reached but not exceeded, and a settlement frees it', async () => {
    const bank = await testBank(kissi, { outstanding_limit: 500 });
    const { phone } = await operator.wallet();
    const credit = async (amount: number) =>
      (await bank.credit({ reference: newReference(), amount, msisdn: phone })).json.code;
    assert.equal(await credit(500), 'COMPLETED');
    assert.equal(await credit(1), 'PARTNER_EXPOSURE_LIMIT_EXCEEDED');
    await settle(bank, 200);
    assert.equal(await credit(201), 'PARTNER_EXPOSURE_LIMIT_EXCEEDED');
    assert.equal(await credit(200), 'COMPLETED');
  });

  test('applies from the next credit when changed, also below the outstanding amount', async () => {
    const bank = await testBank(kissi, { outstanding_limit: 0 });
    const { phone } = await operator.wallet();
    const credit = async (amount: number) =>
      (await bank.credit({ reference: newReference(), amount, msisdn: phone }, { gateway: other })).json.code;
    assert.equal(await credit(1), 'PARTNER_EXPOSURE_LIMIT_EXCEEDED');
    await bank.updatePartner({ outstanding_limit: 300 });
    assert.equal(await credit(300), 'COMPLETED');
    await bank.updatePartner({ outstanding_limit: 100 });
    assert.equal(await credit(1), 'PARTNER_EXPOSURE_LIMIT_EXCEEDED');
    await settle(bank, 250);
    assert.equal(await credit(50), 'COMPLETED');
    await bank.updatePartner({ name: 'Another name' });
    assert.equal(await floorOf(bank.partnerId), -100, 'other changes keep the limit');
  });

  test('a credit that waits for a change of the limit is decided by the new limit', async () => {
    const bank = await testBank(kissi, { outstanding_limit: 1_000 });
    const { phone } = await operator.wallet();
    const reply = await withLockContention(kissi, {
      lock: `select from accounts where id = '${bank.partnerId}' for update`,
      waiters: 1,
      begin: () => bank.credit({ reference: newReference(), amount: 500, msisdn: phone }),
      meanwhile: `update accounts set floor = -499 where id = '${bank.partnerId}'`,
    });
    assert.equal(reply.json.code, 'PARTNER_EXPOSURE_LIMIT_EXCEEDED');
    // The terms of the account are those of the partner again.
    await bank.updatePartner({ outstanding_limit: 499 });
  });

  test('also applies to wallet funding by the partner', async () => {
    const bank = await testBank(kissi, { outstanding_limit: 1_000 });
    const { id, phone } = await operator.wallet();
    assert.equal((await fund(bank, id, 600)).status, 200);
    const reply = await bank.credit({ reference: newReference(), amount: 401, msisdn: phone });
    assert.equal(reply.json.code, 'PARTNER_EXPOSURE_LIMIT_EXCEEDED');
    assert.equal((await bank.credit({ reference: newReference(), amount: 400, msisdn: phone })).status, 200);
    const refused = await fund(bank, id, 1);
    assert.deepEqual([refused.status, refused.json.code], [422, 'PARTNER_EXPOSURE_LIMIT_EXCEEDED']);
  });
});
