// What bank statements say about a pay-out: it decides whether a return needs the bank's credit, and approvers see it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decide, getApproval, pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { assertStatus } from '../../support/gateway.ts';
import { movementCount } from '../../support/money.ts';
import { AMOUNT, IN_TRANSIT, type PaidOut, payoutsForFile } from '../../support/payouts.ts';
import { assertRefused } from '../../support/processors.ts';

const { kissi, bank, maker, finance, inTransit, cleared, credit, giveBack, claims } = await payoutsForFile();

const atBank = ({ merchant, payoutId }: PaidOut) =>
  kissi.call('GET', `/api/v1/processors/${merchant.id}/payouts/${payoutId}/bank-entries`, { token: maker.token });

describe("without the bank's credit, a pay-out is not returned", () => {
  async function assertNotReturned(payout: PaidOut, message: RegExp) {
    const before = await movementCount(kissi, IN_TRANSIT);
    const reply = assertRefused(await giveBack(payout), 409, 'PAYOUT_CLEARED');
    assert.match(reply.json.error, message);
    assert.deepEqual(
      [await bank.balance(payout.merchant.id), await movementCount(kissi, IN_TRANSIT), await claims()],
      [6_000, before, 0],
    );
  }

  test('if a match of it was undone', async () => {
    const payout = await cleared();
    assert.equal((await finance.undo(payout.matchId)).status, 200);
    await assertNotReturned(payout, /the match was undone/);
    assert.equal((await giveBack(payout, { bank_entry_id: await credit() })).status, 200);
    assert.equal(await bank.balance(payout.merchant.id), 10_000);
  });

  test('if a debit has its reference, wherever and however the bank prints it', async () => {
    const spelt = (reference: string): [where: string, entry: object][] => [
      ['as it is', { reference }],
      ['in lower case, in groups', { reference: reference.toLowerCase().replaceAll(/.{4}/g, '$& ') }],
      ['with a prefix', { reference: `/ROC/${reference}//` }],
      ['in the description', { reference: 'NONREF', description: `Transfer ${reference}, Freetown` }],
      ['with hyphens in the name', { counterparty: `SHOP PO-${reference.slice(2, 8)}-${reference.slice(8)}` }],
      ['after another reference', { description: `PO0123456789AP${reference}` }],
      ['in wide letters', { description: reference.replaceAll(/[A-Z]/g, (each) => wide(each)) }],
      ['in parts of an amount', { reference, amount: -1 }],
      ['cut after ten characters', { reference: reference.slice(0, 10) }],
      ['cut before other words', { counterparty: 'SHOP', description: `${reference.slice(0, 12)} transfer` }],
    ];
    const wide = (letter: string) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0);
    for (const n of spelt('').keys()) {
      const payout = await inTransit();
      const [where, entry] = spelt(payout.reference)[n] as [string, object];
      await finance.statement({ amount: -AMOUNT, ...entry });
      await assertNotReturned(payout, /One of the bank's debits/).catch((error) => assert.fail(`${where}: ${error}`));
    }
  });

  test('if that debit is written off or matched with something else', async () => {
    const [first, second, third] = [await inTransit(), await inTransit(), await inTransit()];
    const [writtenOff, matched] = await finance.statement(
      { amount: -AMOUNT, reference: first.reference },
      { amount: -AMOUNT, reference: second.reference },
    );
    const body = { bank_entry_ids: [writtenOff], reason: 'Charges' };
    assert.equal((await finance.call('POST', '/write-offs', body)).status, 201);
    await assertNotReturned(first, /One of the bank's debits/);
    assert.equal((await finance.match([String(matched)], [third.payoutId])).status, 201);
    await assertNotReturned(second, /One of the bank's debits/);
  });

  test('until another user has matched the entries of the undone match with something else, or written them off', async () => {
    const [payout, other] = [await inTransit(), await inTransit()];
    const [debit = '', charge = ''] = await finance.statement(
      { amount: -AMOUNT + 500, description: 'TRF' },
      { amount: -500, description: 'Charge' },
    );
    const match = assertStatus(await finance.match([debit, charge], [payout.payoutId]), 201);
    assert.equal((await finance.undo(match.json.match.id)).status, 200);
    await assertNotReturned(payout, /the match was undone/);
    const second = await user(kissi, 'finance_user');
    const reconcile = (path: string, body: object, { token } = second) =>
      kissi.call('POST', `/api/v1/admin/reconciliation/${path}`, { token, body });
    assertStatus(await reconcile('write-offs', { bank_entry_ids: [charge], reason: 'Charge' }), 201);
    await assertNotReturned(payout, /the match was undone/);
    // By the requester of the return alone, it does not count.
    const alone = await reconcile('write-offs', { bank_entry_ids: [debit], reason: 'Rent' }, maker);
    await assertNotReturned(payout, /the match was undone/);
    assert.equal((await finance.undo(alone.json.match.id)).status, 200);
    const [rest = ''] = await finance.statement({ amount: -500 });
    assertStatus(await reconcile('matches', { bank_entry_ids: [debit, rest], transaction_ids: [other.payoutId] }), 201);
    const { json } = await atBank(payout);
    assert.equal(json.credit_required, false);
    assert.equal((await giveBack(payout)).status, 200);
    assert.equal(await bank.balance(payout.merchant.id), 10_000);
    await assertNotReturned(other, /The bank has executed/);
  });

  test('but it is returned if only a credit, or a debit with another reference, is at the bank', async () => {
    const payout = await inTransit();
    const { reference } = await inTransit();
    await finance.statement({ amount: AMOUNT, reference: payout.reference }, { amount: -AMOUNT, reference });
    await finance.statement({ amount: -AMOUNT, reference: payout.reference.slice(0, 9) });
    assert.equal((await giveBack(payout)).status, 200);
    assert.deepEqual([await bank.balance(payout.merchant.id), await claims()], [10_000, 0]);
  });
});

describe('what the bank says about a pay-out', () => {
  const shown = (entries: { id: string; relations: string[] }[]) => entries.map(({ id, relations }) => [id, relations]);

  test('is shown with the credits that fit: open, of its amount, those with its reference first', async () => {
    const payout = await inTransit();
    const none = await atBank(payout);
    assert.deepEqual([none.status, none.json.credit_required, none.json.bank_entries], [200, false, []]);
    const [debit, other, larger, own] = await finance.statement(
      { amount: -AMOUNT, description: `TRF ${payout.reference}` },
      { amount: AMOUNT, description: 'Cash' },
      { amount: AMOUNT + 1, reference: payout.reference },
      { amount: AMOUNT, reference: payout.reference, counterparty: 'Freetown Bank' },
    );
    const { json } = await atBank(payout);
    assert.equal(json.credit_required, true);
    assert.deepEqual(
      new Map(shown(json.bank_entries) as [string, string[]][]),
      new Map([debit, larger, own].map((id) => [String(id), ['reference']])),
    );
    const offered = shown(json.credits);
    assert.deepEqual(offered[0], [own, ['reference']]);
    assert.ok(offered.some(([id]) => id === other) && !offered.some(([id]) => id === larger));
    assert.equal((await giveBack(payout, { bank_entry_id: own })).status, 200);
    assert.ok(!shown((await atBank(await inTransit())).json.credits).some(([id]) => id === own));
    assertRefused(await atBank({ ...payout, payoutId: 'txn_none' }), 404, 'NOT_FOUND');
  });

  test('is shown to the approver of its return, who cannot return it without the credit', async () => {
    const payout = await cleared();
    const entry = await credit();
    const second = await user(kissi, 'finance_user');
    const untouched = await inTransit();
    await setPolicy(kissi, 'processors.payout', { enabled: true });
    try {
      const { id } = pendingOf(await giveBack(payout, { bank_entry_id: entry }));
      assert.equal(await claims(), 0);
      assert.deepEqual(shown((await getApproval(kissi, id, second)).bank_entries), [
        [payout.debit, ['matched', 'reference']],
        [entry, ['named']],
      ]);
      assert.equal((await finance.undo(payout.matchId)).status, 200);
      const seen = await getApproval(kissi, id, second);
      assert.deepEqual(shown(seen.bank_entries)[0], [payout.debit, ['match_undone', 'reference']]);
      assert.equal(seen.bank_entries[0].amount, -AMOUNT);
      assert.equal((await decide(kissi, id, 'approve', second)).status, 200);
      assert.equal(await bank.balance(payout.merchant.id), 10_000);

      const waiting = pendingOf(await giveBack(untouched));
      assert.deepEqual((await getApproval(kissi, waiting.id, second)).bank_entries, []);
      const [debit] = await finance.statement({ amount: -AMOUNT, reference: untouched.reference });
      assert.deepEqual(shown((await getApproval(kissi, waiting.id, second)).bank_entries), [[debit, ['reference']]]);
      assertRefused(await decide(kissi, waiting.id, 'approve', second), 422, 'EXECUTION_REFUSED');
      assert.equal(await bank.balance(untouched.merchant.id), 6_000);
    } finally {
      await setPolicy(kissi, 'processors.payout', { enabled: false });
    }
  });
});

test('a run matches the debit of a pay-out whose reference the bank cut', async () => {
  const [payout, other] = [await inTransit(), await inTransit()];
  const [debit = '', short = ''] = await finance.statement(
    { amount: -AMOUNT, reference: payout.reference.slice(0, 10) },
    { amount: -AMOUNT, reference: other.reference.slice(0, 9) },
  );
  await finance.run();
  const { match_id, status } = await finance.item(debit);
  assert.deepEqual([status, (await finance.item(payout.payoutId)).match_id], ['matched', match_id]);
  assert.notEqual((await finance.item(short)).status, 'matched');
});
