// GET /admin/approvals?transaction_id: the requests that posted a transaction, returned it, or ask to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledQuery } from 'kysely';
import { listApprovals } from '../../../src/features/approvals/store.ts';
import { decide, pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { assertStatus, type CallReply, type Json } from '../../support/gateway.ts';
import { payoutsForFile } from '../../support/payouts.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { assertRefused } from '../../support/processors.ts';
import { firstStatement } from '../../support/statements.ts';

const { kissi, bank, maker, inTransit, giveBack } = await payoutsForFile();
const checker = await user(kissi, 'finance_user');

const list = (id: string, { token }: { token: string } = checker) =>
  kissi.call('GET', `/api/v1/admin/approvals?transaction_id=${id}`, { token });

/** The ids and states of the requests about a transaction, newest first. */
async function about(id: string, reader?: { token: string }): Promise<[string, string][]> {
  const { approvals, total_count } = assertStatus(await list(id, reader), 200).json;
  assert.equal(total_count, approvals.length);
  return approvals.map((approval: Json) => [approval.id, approval.status]);
}

async function approved(reply: CallReply): Promise<Json> {
  return assertStatus(await decide(kissi, pendingOf(reply).id, 'approve', checker), 200).json.approval;
}

async function fund(subscriberId: string): Promise<Json> {
  const body = { partner_id: bank.partnerId, subscriber_id: subscriberId, amount: 700 };
  return approved(await kissi.call('POST', '/api/v1/wallet/fund-from-partner', { body, token: maker.token }));
}

test("a payout's requests are found from the pay-out, and the approved one from its return too", async () => {
  const [payout, other] = [await inTransit(), await inTransit()];
  assert.deepEqual(await about(payout.payoutId), []);
  await setPolicy(kissi, 'processors.payout', { enabled: true });
  const rejected = pendingOf(await giveBack(payout, { request_id: 'first' }));
  assertStatus(await decide(kissi, rejected.id, 'reject', checker), 200);
  const reply = await giveBack(payout, { request_id: 'second' });
  const { id } = pendingOf(reply);
  assert.deepEqual(await about(payout.payoutId), [
    [id, 'pending'],
    [rejected.id, 'rejected'],
  ]);
  const { result } = await approved(reply);
  assert.deepEqual(await about(payout.payoutId), [
    [id, 'executed'],
    [rejected.id, 'rejected'],
  ]);
  assert.deepEqual(await about(result.transaction_id), [[id, 'executed']]);
  assert.deepEqual(await about(other.payoutId), []);
  assert.equal(await bank.balance(payout.merchant.id), 10_000);
  await setPolicy(kissi, 'processors.payout', { enabled: false });
});

test('a funding is found by the transaction that it posted, by those who may see the request', async () => {
  await setPolicy(kissi, 'wallet.fund_from_partner', { enabled: true });
  const [wallet, other] = [await bank.wallet(), await bank.wallet()];
  const { id, result } = await fund(wallet.id);
  await fund(other.id);
  assert.deepEqual(await about(result.transaction_id), [[id, 'executed']]);
  assert.deepEqual(await about(result.transaction_id, await user(kissi, 'compliance_user')), []);
  assert.deepEqual(await about(result.transaction_id, await user(kissi, 'support_user')), []);
  assert.deepEqual(await about('txn_none'), []);
  assertRefused(await list(''), 400, 'INVALID_REQUEST');

  // A request that is found by a payment would be attributed to its payee.
  await markPep(kissi, wallet.id);
  assert.deepEqual(await about(result.transaction_id), []);
  const authorized = await newAuthorizedStaff(kissi, 'finance_user');
  assert.deepEqual(await about(result.transaction_id, authorized), []);
  await openAccess(kissi, authorized);
  assert.deepEqual(await about(result.transaction_id, authorized), [[id, 'executed']]);
  await setPolicy(kissi, 'wallet.fund_from_partner', { enabled: false });
});

test('the look-up reads its index', async () => {
  const visibility = { userId: checker.id, actions: ['fees.change'], now: new Date(kissi.clock.now()) };
  const { sql, parameters } = await firstStatement((queries) =>
    listApprovals(queries, { transaction_id: 'txn_1' }, visibility, { limit: 10, offset: 0 }),
  );
  const rolledBack = new Error('rolled back');
  const explained = kissi.db.database.transact(async (trx) => {
    const execute = (text: string, values: readonly unknown[] = []) =>
      trx.executeQuery<Json>(CompiledQuery.raw(text, [...values]));
    await execute('set local role none');
    await execute(
      `insert into approvals (id, action, operation, status, requested_by, requested_at, input, summary, expires_at)
      select 'appr_' || lpad(n::text, 26, '0'), 'fees.change', 'fees.put', 'rejected', $1, $2, '{}', '{"parties": []}', $2
      from generate_series(1, 20000) n`,
      [maker.id, new Date(kissi.clock.now())],
    );
    await execute('analyze approvals');
    const { rows } = await execute(`explain ${sql}`, parameters);
    assert.match(JSON.stringify(rows), /approvals_transactions/);
    throw rolledBack;
  });
  await assert.rejects(explained, rolledBack);
});
