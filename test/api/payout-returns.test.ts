// Returns of pay-outs that the bank has cleared: only with the bank's credit of that amount, which is used once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { user } from '../support/approvals.ts';
import type { CallReply } from '../support/gateway.ts';
import { bankForFile, movementCount, newFundingId } from '../support/money.ts';
import { assertRefused, directPayments, type Merchant } from '../support/processors.ts';
import { financeOf, INSERTED_STATEMENTS } from '../support/reconciliation.ts';
import { auditLogs, runChore, withLockContention } from '../support/staff.ts';

const { kissi, bank } = await bankForFile({
  ...INSERTED_STATEMENTS,
  brokenRules: [...INSERTED_STATEMENTS.brokenRules, 'account_terms_differ', 'recent_differs'],
});
const payments = directPayments(kissi, bank);
const user1 = await user(kissi, 'finance_user');
const finance = await financeOf(kissi, user1.token);

const IN_TRANSIT = 'sys_payouts_in_transit';
const AMOUNT = 4_000;

interface Cleared {
  merchant: Merchant;
  payoutId: string;
}

async function payOut(merchant: Merchant, amount = AMOUNT): Promise<{ payoutId: string; reference: string }> {
  const body = { amount, bank_account: 'SL0042001', request_id: newFundingId() };
  const reply = await kissi.call('POST', `/api/v1/processors/${merchant.id}/payout`, { body, token: user1.token });
  assert.equal(reply.status, 200, reply.text);
  return { payoutId: reply.json.transaction_id, reference: reply.json.reference };
}

/** A pay-out whose debit at the bank is matched. */
async function cleared(): Promise<Cleared> {
  const merchant = await payments.fundedMerchant(10_000);
  const { payoutId, reference } = await payOut(merchant);
  const [debit] = await finance.statement({ amount: -AMOUNT, reference });
  assert.equal((await finance.match([String(debit)], [payoutId])).status, 201);
  return { merchant, payoutId };
}

async function credit(amount = AMOUNT): Promise<string> {
  const [entry] = await finance.statement({ amount });
  return String(entry);
}

const giveBack = ({ merchant, payoutId }: Cleared, fields: object = {}): Promise<CallReply> =>
  kissi.call('POST', `/api/v1/processors/${merchant.id}/payouts/${payoutId}/return`, {
    body: { reason: 'Account closed', ...fields },
    token: user1.token,
  });

/** The role of the service changes no table. */
const asOwner = (statements: string) => kissi.db.query(`begin; set local role none; ${statements}; commit`);

async function claims(): Promise<number> {
  const { rows } = await kissi.db.query('select count(*)::int as n from payout_return_claims where open');
  return rows[0].n;
}

describe('a pay-out that the bank has cleared', () => {
  test("is not returned without the bank's credit", async () => {
    const payout = await cleared();
    const before = await movementCount(kissi, IN_TRANSIT);
    assertRefused(await giveBack(payout), 409, 'PAYOUT_CLEARED');
    assert.deepEqual(
      [await bank.balance(payout.merchant.id), await movementCount(kissi, IN_TRANSIT), await claims()],
      [6_000, before, 0],
    );
  });

  test('is returned with it: the money is back, the credit is matched, and transit is as before', async () => {
    const payout = await cleared();
    const entry = await credit();
    const before = await bank.balance(IN_TRANSIT);
    const reply = await giveBack(payout, { bank_entry_id: entry });
    assert.equal(reply.status, 200, reply.text);
    const { transaction_id } = reply.json;
    assert.deepEqual([await bank.balance(payout.merchant.id), await bank.balance(IN_TRANSIT)], [10_000, before]);
    const { match_id, status } = await finance.item(entry);
    assert.deepEqual([status, (await finance.item(transaction_id)).match_id], ['matched', match_id]);
    const { rows } = await kissi.db.query('select details from movements where id = $1', [transaction_id]);
    assert.equal(rows[0].details.bank_entry_id, entry);
    const [made] = await auditLogs(kissi, { action: 'reconciliation.match', resource_id: match_id });
    assert.deepEqual([made.actor_id, made.details.note], [user1.id, 'Account closed']);
    assertRefused(await finance.undo(match_id), 409, 'PAYOUT_CLEARED');
    assertRefused(await giveBack(payout, { bank_entry_id: await credit() }), 409, 'ALREADY_RETURNED');
    assertRefused(await giveBack(payout), 409, 'ALREADY_RETURNED');
    assertRefused(await giveBack(await cleared(), { bank_entry_id: entry }), 409, 'ALREADY_MATCHED');
    assert.equal(await claims(), 0);
  });

  test('is not returned with a debit, another amount, a matched entry or none that exists', async () => {
    const payout = await cleared();
    const taken = await credit();
    assert.equal((await giveBack(await cleared(), { bank_entry_id: taken })).status, 200);
    for (const [bank_entry_id, status, code] of [
      [await credit(-AMOUNT), 422, 'MATCH_DOES_NOT_BALANCE'],
      [await credit(AMOUNT + 1), 422, 'MATCH_DOES_NOT_BALANCE'],
      [taken, 409, 'ALREADY_MATCHED'],
      ['bent_none', 404, 'NOT_FOUND'],
      [payout.payoutId, 404, 'NOT_FOUND'],
      ['', 400, 'INVALID_REQUEST'],
    ] as const) {
      assertRefused(await giveBack(payout, { bank_entry_id }), status, code, bank_entry_id);
    }
    assert.equal(await bank.balance(payout.merchant.id), 6_000);
  });

  test('one credit returns one of many pay-outs at once, and one pay-out is returned with one of many credits', async () => {
    const payouts = [await cleared(), await cleared(), await cleared()];
    const entry = await credit();
    const lock = 'select from reconciliation_progress for update';
    const replies = await withLockContention(kissi, {
      lock,
      waiters: 1,
      begin: () => Promise.all(payouts.map((payout) => giveBack(payout, { bank_entry_id: entry }))),
    });
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409]);
    const balances = await Promise.all(payouts.map(({ merchant }) => bank.balance(merchant.id)));
    assert.deepEqual(balances.toSorted(), [10_000, 6_000, 6_000].toSorted());

    const payout = await cleared();
    const credits = [await credit(), await credit(), await credit()];
    const returns = await withLockContention(kissi, {
      lock: `select from accounts where id = '${payout.merchant.id}' for update`,
      waiters: 1,
      begin: () => Promise.all(credits.map((bank_entry_id) => giveBack(payout, { bank_entry_id }))),
    });
    assert.deepEqual(returns.map(({ status }) => status).sort(), [200, 409, 409]);
    assert.equal(await bank.balance(payout.merchant.id), 10_000);
    kissi.clock.advance(60_000);
    await runChore(kissi, 'post movements of matches');
    const states = await Promise.all(credits.map(async (id) => (await finance.item(id)).status));
    assert.deepEqual(states.toSorted(), ['matched', 'unmatched', 'unmatched']);
    assert.equal(await claims(), 0);
  });
});

describe('while a return is being posted', () => {
  test('nothing else takes its bank entry, nor clears a pay-out that is returned without one', async () => {
    const payout = await cleared();
    const [entry, merchant] = [await credit(), await payments.fundedMerchant(10_000)];
    const { payoutId, reference } = await payOut(merchant);
    const [debit] = await finance.statement({ amount: -AMOUNT, reference });
    const at = new Date(kissi.clock.now());
    const claim = 'insert into payout_return_claims (side, item_id, payout_id, claimed_by, created_at) values';
    await kissi.db.query(`${claim} ('bank', $1, $2, $3, $5), ('books', $4, $4, $3, $5)`, [
      ...[entry, payout.payoutId, user1.id, payoutId, at],
    ]);
    assertRefused(await giveBack(await cleared(), { bank_entry_id: entry }), 409, 'ALREADY_MATCHED');
    assertRefused(await finance.match([String(debit)], [payoutId]), 409, 'ALREADY_MATCHED');
    const { matched } = await finance.run();
    assert.deepEqual([matched, (await finance.item(payoutId)).match_id], [0, null]);
    // The gateway that held them was killed: the return can be repeated, and the other items are free again later.
    assert.equal((await giveBack(payout, { bank_entry_id: entry })).status, 200);
    kissi.clock.advance(10 * 60_000);
    await runChore(kissi, 'post movements of matches');
    assert.equal(await claims(), 0);
    assert.equal((await finance.match([String(debit)], [payoutId])).status, 201);
  });

  test('a gateway that stops before the match leaves it to the background task', async () => {
    const payout = await cleared();
    const entry = await credit();
    const before = await bank.balance(IN_TRANSIT);
    await asOwner(`create function stop() returns trigger language plpgsql as $$ begin raise 'stopped'; end $$;
      create trigger stop before update on payout_return_claims for each row execute function stop()`);
    try {
      assert.equal((await giveBack(payout, { bank_entry_id: entry, request_id: 'stopped' })).status, 500);
    } finally {
      await asOwner('drop trigger stop on payout_return_claims; drop function stop()');
    }
    assert.equal(await bank.balance(payout.merchant.id), 10_000);
    assertRefused(await giveBack(await cleared(), { bank_entry_id: entry }), 409, 'ALREADY_MATCHED');
    const again = await giveBack(payout, { bank_entry_id: entry, request_id: 'stopped' });
    assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true']);
    kissi.clock.advance(60_000);
    await runChore(kissi, 'post movements of matches');
    assert.equal((await finance.item(entry)).status, 'matched');
    assert.deepEqual([await bank.balance(IN_TRANSIT), await claims()], [before, 0]);
    const [made] = await auditLogs(kissi, { action: 'reconciliation.match' });
    assert.equal(made.actor_id, user1.id);
  });
});
