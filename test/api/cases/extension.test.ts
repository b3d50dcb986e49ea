// Tests what two users decide: to extend the hold of a recall for suspected fraud, and to return a transfer on a legal order.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock.ts';
import { assertClean } from '../../ledger/books.ts';
import { decide, pendingOf, type User, user } from '../../support/approvals.ts';
import { accept, heldOf, newRequestId, ownCase, recalled, strangers, transferTo } from '../../support/cases.ts';
import { again } from '../../support/customers.ts';
import { assertStatus, type Json, testGateway } from '../../support/gateway.ts';
import { createBank } from '../../support/money.ts';
import { assertRefused, auditRows, createdByAdmin, openSession, runChore, type Staff } from '../../support/staff.ts';

const kissi = await testGateway();
const bank = await createBank(kissi);
after(async () => {
  await assertClean(kissi.db.url);
  await kissi.close();
});
const [one, two] = [await user(kissi, 'compliance_user'), await user(kissi, 'compliance_user')];
const support = await user(kissi, 'support_user');

/** The clock moves, and sessions end. */
async function now(member: Staff): Promise<User> {
  return { ...member, token: (await openSession(kissi, member)).token };
}

async function post(member: Staff, path: string, body: unknown) {
  return kissi.call('POST', `/api/v1${path}`, { token: (await now(member)).token, body });
}

const reason = { reason: 'Three customers sent money to this wallet today.' };
const order = (amount: number, extra: Json = {}) => ({
  ...{ order_reference: 'High Court 17/2026', reason: 'Restitution', amount, request_id: newRequestId() },
  ...extra,
});

async function extended(id: string): Promise<Json> {
  const approval = pendingOf(await post(one, `/cases/${id}/extend-hold`, reason));
  return assertStatus(await decide(kissi, approval.id, 'approve', await now(two)), 200).json.approval;
}

describe('a hold that two users extend', () => {
  test('stays when the recipient contests, for ten days, and can still be returned', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const { id } = await recalled(sender, await transferTo(sender, recipient.wallet.phone, 7_000));
    const first = (await kissi.asAdmin.get(`/cases/${id}`)).json.case.recall;
    const approval = await extended(id);
    assert.equal(approval.status, 'executed', JSON.stringify(approval));
    await runChore(kissi, 'settle recalls');
    const { recall, timeline } = (await kissi.asAdmin.get(`/cases/${id}`)).json.case;
    assert.deepEqual([recall.extended_by, recall.held], [[one.id, two.id], 7_000]);
    assert.notEqual(recall.hold_id, first.hold_id);
    assert.equal(Date.parse(recall.expires_at), kissi.clock.now() + 10 * DAY_MS);
    assert.ok(timeline.some(({ kind }: Json) => kind === 'hold_extended'));
    const contested = assertStatus(await recipient.post(`/me/cases/${id}/contest`), 200).json.case;
    assert.deepEqual([contested.recall.state, contested.recall.contested_at !== null], ['asked', true]);
    kissi.clock.advance(73 * HOUR_MS);
    await runChore(kissi, 'settle recalls');
    assert.equal(await heldOf(kissi, recipient.wallet.id), 7_000);
    assertStatus(await accept(await again(kissi, recipient), id), 200);
    assert.equal((await ownCase(await again(kissi, sender), id)).recall.state, 'returned');
  });

  test('ends by itself', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const { id } = await recalled(sender, await transferTo(sender, recipient.wallet.phone, 7_000));
    await extended(id);
    await runChore(kissi, 'settle recalls');
    kissi.clock.advance(10 * DAY_MS);
    await runChore(kissi, 'settle recalls');
    assert.equal(await heldOf(kissi, recipient.wallet.id), 0);
    assert.equal((await ownCase(await again(kissi, recipient), id)).recall.state, 'expired');
  });

  test('is not extended by one user, by support, or by somebody whom the other made', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const { id } = await recalled(sender, await transferTo(sender, recipient.wallet.phone, 7_000));
    assertRefused(await post(support, `/cases/${id}/extend-hold`, reason), 403, 'FORBIDDEN');
    const approval = pendingOf(await post(one, `/cases/${id}/extend-hold`, reason));
    const own = await decide(kissi, approval.id, 'approve', await now(one));
    assert.equal(own.status, 403, own.text);
    const made = await createdByAdmin(kissi, 'compliance_user');
    const byMade = pendingOf(await post(made, `/cases/${id}/extend-hold`, reason));
    const admin = { token: await kissi.adminToken() };
    assertRefused(await decide(kissi, byMade.id, 'approve', admin), 403, 'NOT_INDEPENDENT');
    await runChore(kissi, 'settle recalls');
    assertStatus(await recipient.post(`/me/cases/${id}/contest`), 200);
    assert.equal(await heldOf(kissi, recipient.wallet.id), 0);
    const late = await decide(kissi, approval.id, 'approve', await now(two));
    assertRefused(late, 422, 'EXECUTION_REFUSED');
    assert.equal(await heldOf(kissi, recipient.wallet.id), 0);
  });

  test('needs two users whatever the policies are', async () => {
    const off = await kissi.asAdmin.put('/admin/approval-policies', { action: 'cases.recall', enabled: false });
    assertRefused(off, 409, 'POLICY_LOCKED');
    const { policies } = (await kissi.asAdmin.get('/admin/approval-policies')).json;
    const policy = policies.find(({ action }: Json) => action === 'cases.recall');
    assert.deepEqual([policy.enabled, policy.locked, policy.threshold], [true, true, null]);
  });
});

describe('a legal order', () => {
  test('returns a transfer without consent, by two users, from the hold or from the balance', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const { id } = await recalled(sender, await transferTo(sender, recipient.wallet.phone, 7_000));
    const before = await bank.balance(sender.wallet.id);
    const request = pendingOf(await post(one, `/cases/${id}/legal-order`, order(4_000)));
    assert.equal(await bank.balance(sender.wallet.id), before);
    const own = await decide(kissi, request.id, 'approve', await now(one));
    assert.equal(own.status, 403, own.text);
    const done = assertStatus(await decide(kissi, request.id, 'approve', await now(two)), 200).json.approval;
    assert.deepEqual([done.status, done.result.amount], ['executed', 4_000]);
    // The rest of the hold is released.
    assert.equal(await heldOf(kissi, recipient.wallet.id), 0);
    assert.equal(await bank.balance(sender.wallet.id), before + 4_000);
    const rest = pendingOf(await post(two, `/cases/${id}/legal-order`, order(3_000)));
    assertStatus(await decide(kissi, rest.id, 'approve', await now(one)), 200);
    assert.deepEqual(
      [await bank.balance(recipient.wallet.id), await bank.balance(sender.wallet.id)],
      [0, before + 7_000],
    );
    const beyond = await post(one, `/cases/${id}/legal-order`, order(1));
    assertRefused(beyond, 422, 'AMOUNT_OUT_OF_RANGE');
    assert.equal((await auditRows(kissi, { action: 'case.legal_order', resource_id: id })).length, 2);
    const { timeline, recall } = (await kissi.asAdmin.get(`/cases/${id}`)).json.case;
    const orders = timeline.filter(({ kind }: Json) => kind === 'legal_order');
    assert.deepEqual(
      orders.map(({ details }: Json) => [details.amount, details.by]),
      [
        [4_000, [one.id, two.id]],
        [3_000, [two.id, one.id]],
      ],
    );
    assert.equal(recall.returned, 7_000);
  });

  test('is for transfers between customers only, and for at most what is there', async () => {
    const [sender, recipient] = await strangers(kissi, bank);
    const opened = assertStatus(
      await post(support, '/cases', { kind: 'fraud', subscriber_id: sender.wallet.id, description: 'SIM swap' }),
      201,
    ).json.case;
    assertRefused(await post(one, `/cases/${opened.id}/legal-order`, order(100)), 409, 'NO_RECALL');
    const { id } = await recalled(sender, await transferTo(sender, recipient.wallet.phone, 7_000));
    assertRefused(await post(one, `/cases/${id}/legal-order`, order(7_001)), 422, 'AMOUNT_OUT_OF_RANGE');
    assertRefused(await post(one, `/cases/${id}/legal-order`, order(0)), 400, 'INVALID_AMOUNT');
    assertRefused(await post(support, `/cases/${id}/legal-order`, order(10)), 403, 'FORBIDDEN');
  });
});
