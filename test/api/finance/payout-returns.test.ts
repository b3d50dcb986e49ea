// Returns of pay-outs that the bank has cleared: only with the bank's credit of that amount, which is used once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pendingOf, setPolicy } from '../../support/approvals.ts';
import { movementCount } from '../../support/money.ts';
import { AMOUNT, IN_TRANSIT, payoutsForFile } from '../../support/payouts.ts';
import { assertRefused } from '../../support/processors.ts';
import { assertStatus, auditLogs, runChore, withLockContention } from '../../support/staff.ts';

const { kissi, bank, maker, finance, inTransit, cleared, credit, giveBack, claims } = await payoutsForFile();

/** The service's role changes no table. */
const asOwner = (statements: string) => kissi.db.query(`begin; set local role none; ${statements}; commit`);

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
    const reply = assertStatus(await giveBack(payout, { bank_entry_id: entry }), 200);
    const { transaction_id } = reply.json;
    assert.deepEqual([await bank.balance(payout.merchant.id), await bank.balance(IN_TRANSIT)], [10_000, before]);
    const { match_id, status } = await finance.item(entry);
    assert.deepEqual([status, (await finance.item(transaction_id)).match_id], ['matched', match_id]);
    const { rows } = await kissi.db.query('select details from movements where id = $1', [transaction_id]);
    assert.equal(rows[0].details.bank_entry_id, entry);
    const [made] = await auditLogs(kissi, { action: 'reconciliation.match', resource_id: match_id });
    assert.deepEqual([made.actor_id, made.details.note], [maker.id, 'Account closed']);
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

  test('is not returned with a credit from before the pay-out; the day before in UTC may be the same day at the bank', async () => {
    const payout = await cleared();
    const dayBefore = (days: number) => new Date(kissi.clock.now() - days * 86_400_000).toISOString().slice(0, 10);
    const [old = '', recent = ''] = await finance.statement(
      { amount: AMOUNT, date: dayBefore(2) },
      { amount: AMOUNT, date: dayBefore(1) },
    );
    assertRefused(await giveBack(payout, { bank_entry_id: old }), 422, 'CREDIT_BEFORE_PAYOUT');
    assert.deepEqual([await bank.balance(payout.merchant.id), (await finance.item(old)).status], [6_000, 'unmatched']);
    assert.equal((await giveBack(payout, { bank_entry_id: recent })).status, 200);
  });

  test('is not returned by a planted claim, without a credit or with one that is matched', async () => {
    const [payout, taken] = [await cleared(), await credit()];
    assert.equal((await giveBack(await cleared(), { bank_entry_id: taken })).status, 200);
    const claim = 'insert into payout_return_claims (side, item_id, payout_id, id, claimed_by, created_at) values';
    await kissi.db.query(`${claim} ('bank', $1, $2, 'claim_3', $3, $4), ('books', $2, $2, 'claim_4', $3, $4)`, [
      ...[taken, payout.payoutId, maker.id, new Date(kissi.clock.now())],
    ]);
    assertRefused(await giveBack(payout), 409, 'PAYOUT_CLEARED');
    assertRefused(await giveBack(payout, { bank_entry_id: taken }), 409, 'ALREADY_MATCHED');
    assert.equal(await bank.balance(payout.merchant.id), 6_000);
    await kissi.db.query('delete from payout_return_claims');
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
  test('a request for it that waits for approval does not give up what it holds', async () => {
    const [payout, other] = [await cleared(), await cleared()];
    const entry = await credit();
    await kissi.db.query(
      `insert into payout_return_claims (side, item_id, payout_id, id, claimed_by, created_at)
       values ('bank', $1, $2, 'claim_0', $3, $4)`,
      [entry, payout.payoutId, maker.id, new Date(kissi.clock.now())],
    );
    await setPolicy(kissi, 'processors.payout', { enabled: true });
    pendingOf(await giveBack(payout, { bank_entry_id: entry }));
    await setPolicy(kissi, 'processors.payout', { enabled: false });
    assert.equal(await claims(), 1);
    assertRefused(await giveBack(other, { bank_entry_id: entry }), 409, 'ALREADY_MATCHED');
    assert.equal((await giveBack(payout, { bank_entry_id: entry })).status, 200);
    assert.equal(await claims(), 0);
  });

  test('nothing else takes its bank entry, nor clears a pay-out that is returned without one', async () => {
    const payout = await cleared();
    const entry = await credit();
    const { payoutId, reference } = await inTransit();
    const [debit] = await finance.statement({ amount: -AMOUNT, reference });
    const at = new Date(kissi.clock.now());
    const claim = 'insert into payout_return_claims (side, item_id, payout_id, id, claimed_by, created_at) values';
    await kissi.db.query(`${claim} ('bank', $1, $2, 'claim_1', $3, $5), ('books', $4, $4, 'claim_2', $3, $5)`, [
      ...[entry, payout.payoutId, maker.id, payoutId, at],
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
      create trigger stop before delete on payout_return_claims for each row execute function stop()`);
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
    assert.equal(made.actor_id, maker.id);
  });
});
