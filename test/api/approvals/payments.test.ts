// Approvals of the other payments: funding from a partner, settlements, reversals and transfers of processors.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { assertRefused } from '../../support/agents.ts';
import { decide, getApproval, pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { newReference, testBank } from '../../support/inbound.ts';
import { bankForFile, newFundingId } from '../../support/money.ts';
import { directPayments, merchantToken } from '../../support/processors.ts';

const { kissi, bank: operator } = await bankForFile({ brokenRules: ['recent_differs'] });
const admin = { token: await kissi.adminToken() };
const maker = await user(kissi, 'finance_user');
const checker = await user(kissi, 'finance_user');
const bank = await testBank(kissi);
const payments = directPayments(kissi, operator);

before(async () => {
  for (const action of ['partners.settle', 'inbound.reverse', 'processors.transfer']) {
    await setPolicy(kissi, action, { enabled: true });
  }
});

const post = (path: string, body: object, { token } = maker) => kissi.call('POST', `/api/v1${path}`, { body, token });

async function approved(reply: CallReply, by: { token: string } = checker): Promise<Json> {
  return assertStatus(await decide(kissi, pendingOf(reply).id, 'approve', by), 200).json.approval;
}

describe('wallet.fund_from_partner', () => {
  test('funds the wallet on approval, with the checks of that moment', async () => {
    const wallet = await operator.wallet(100);
    await setPolicy(kissi, 'wallet.fund_from_partner', { enabled: true });
    const body = { partner_id: operator.partnerId, subscriber_id: wallet.id, amount: 500 };
    const reply = await post('/wallet/fund-from-partner', body);
    assert.deepEqual(pendingOf(reply).summary.before, { balance: 100 });
    assert.deepEqual(pendingOf(reply).summary.after, { balance: 600 });
    assert.equal(await operator.balance(wallet.id), 100);
    assert.equal((await approved(reply)).result.balance, 600);
    assert.equal(await operator.balance(wallet.id), 600);
    const late = pendingOf(await post('/wallet/fund-from-partner', body));
    assert.equal(
      (await post(`/subscribers/${wallet.id}/block`, { reason: 'Test' }, { ...maker, ...admin })).status,
      200,
    );
    const failed = await decide(kissi, late.id, 'approve', checker);
    assert.equal(failed.json.refusal_code, 'SUBSCRIBER_BLOCKED');
    assert.equal(await operator.balance(wallet.id), 600);
    const byKey = { ...body, request_id: newFundingId() };
    assertRefused(
      await post('/wallet/fund-from-partner', byKey, { ...maker, token: operator.key }),
      403,
      'APPROVAL_REQUIRED',
    );
    await setPolicy(kissi, 'wallet.fund_from_partner', { enabled: false });
  });
});

describe('partners.settle', () => {
  test('lowers what the partner owes when another system_admin approves it', async () => {
    await operator.wallet(900);
    const owed = async () =>
      (await kissi.call('GET', `/api/v1/admin/partners/${operator.partnerId}`, admin)).json.partner.outstanding;
    const before = await owed();
    const path = `/admin/partners/${operator.partnerId}/settle`;
    assertRefused(
      await post(path, { amount: before + 1 }, { ...maker, ...admin }),
      422,
      'SETTLEMENT_EXCEEDS_OUTSTANDING',
    );
    const reply = await post(path, { amount: 400, reference: 'S-1' }, { ...maker, ...admin });
    assert.deepEqual(pendingOf(reply).summary.after, { partner_outstanding: before - 400 });
    assert.equal(await owed(), before);
    assertRefused(await decide(kissi, pendingOf(reply).id, 'approve', checker), 404, 'NOT_FOUND');
    const second = await user(kissi, 'system_admin');
    await approved(reply, second);
    assert.equal(await owed(), before - 400);
    await kissi.call('PUT', `/api/v1/admin/users/${second.id}`, { body: { status: 'suspended' }, ...admin });
  });
});

describe('inbound.reverse', () => {
  test('reverses the credit once, whichever of two approved requests comes first', async () => {
    const wallet = await operator.wallet();
    const credit = await bank.credit({ reference: newReference(), amount: 5_000, msisdn: wallet.phone });
    const path = `/admin/inbound/${credit.json.data.inbound_id}/reverse`;
    const [one, two] = [await post(path, { reason: 'Twice' }), await post(path, { reason: 'Twice' })];
    assert.deepEqual([pendingOf(one).amount, pendingOf(one).summary.after.balance], [5_000, 0]);
    assert.equal(await operator.balance(wallet.id), 5_000);
    const replies = await Promise.all(
      [one, two].map((reply) => decide(kissi, pendingOf(reply).id, 'approve', checker)),
    );
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 422]);
    const failed = replies.find(({ status }) => status === 422);
    assert.equal(failed?.json.refusal_code, 'ALREADY_REVERSED');
    assert.equal(await operator.balance(wallet.id), 0);
    assertRefused(await post(path, { reason: 'Again' }), 409, 'ALREADY_REVERSED');
  });
});

describe('processors.transfer', () => {
  test("of the processor's own user waits for staff; the user sees and withdraws its own requests only", async () => {
    const [from, to] = [await payments.fundedMerchant(10_000), await payments.fundedMerchant(0)];
    const [owner, stranger] = [{ token: await merchantToken(kissi, from) }, { token: await merchantToken(kissi, to) }];
    const path = `/processors/${from.id}/transfer`;
    const body = { to_processor_id: to.id, amount: 4_000 };
    const reply = await post(path, body, { ...maker, ...owner });
    const { id, summary } = pendingOf(reply);
    assert.deepEqual([summary.before, summary.after], [{ balance: 10_000 }, { balance: 6_000 }]);
    assert.equal((await getApproval(kissi, id, owner)).id, id);
    assertRefused(await kissi.call('GET', `/api/v1/admin/approvals/${id}`, stranger), 404, 'NOT_FOUND');
    assertRefused(await decide(kissi, id, 'approve', stranger), 404, 'NOT_FOUND');
    assertRefused(await decide(kissi, id, 'approve', owner), 403, 'FORBIDDEN');
    await approved(reply);
    assert.equal(await operator.balance(from.id), 6_000);
    const ofStaff = await getApproval(kissi, id, checker);
    assert.deepEqual([ofStaff.decided_by_name, ofStaff.decided_by_email], ['Test Person', checker.email]);
    const ofOwner = await getApproval(kissi, id, owner);
    assert.deepEqual([ofOwner.decided_by_name, ofOwner.decided_by_email], [null, null]);
    const other = pendingOf(await post(path, body, { ...maker, ...owner }));
    assert.equal((await decide(kissi, other.id, 'withdraw', owner)).status, 200);
    assert.equal((await kissi.call('GET', '/api/v1/admin/approvals', owner)).json.total_count, 2);
    assert.equal((await kissi.call('GET', '/api/v1/admin/approvals', stranger)).json.total_count, 0);
    assert.equal(await operator.balance(from.id), 6_000);
  });

  test('to a subscriber names it in full for staff, and by first name and initial for a user of the processor', async () => {
    const [from, wallet] = [await payments.fundedMerchant(10_000), await operator.wallet()];
    const owner = { token: await merchantToken(kissi, from) };
    const body = { to_subscriber_id: wallet.id, amount: 100 };
    const parties = async (by: { token: string }) =>
      pendingOf(await post(`/processors/${from.id}/transfer`, body, { ...maker, ...by })).summary.parties;
    const payer = { id: from.id, name: 'Lumley Beach Grill' };
    assert.deepEqual(await parties(maker), [payer, { id: wallet.id, name: 'Aminata Kamara' }]);
    assert.deepEqual(await parties(owner), [payer, { id: wallet.id, name: 'Aminata K.' }]);
  });
});
