// The desk's items say why a returned pay-out, or its return, is still open: which bank entry is missing, and where it belongs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAgent } from '../../support/agents.ts';
import { assertStatus } from '../../support/gateway.ts';
import { newFundingId } from '../../support/money.ts';
import { AMOUNT, IN_TRANSIT, payoutsForFile } from '../../support/payouts.ts';

const { kissi, bank, maker, finance, inTransit, cleared, credit, giveBack } = await payoutsForFile();

async function returned(payout: Parameters<typeof giveBack>[0], fields: object = {}): Promise<string> {
  return assertStatus(await giveBack(payout, fields), 200).json.transaction_id;
}

/** What an item says about its state. */
async function stateOf(id: string) {
  const { status, open_reason, related_id, expected_trust_account_id } = await finance.item(id);
  return { status, open_reason, related_id, account: expected_trust_account_id };
}

const explained = { status: 'matched', open_reason: null, related_id: null, account: null };
const unexplained = { ...explained, status: 'unmatched' };

test("a return with the bank's credit leaves the pay-out open until the bank's debit is recorded and matched", async () => {
  const payout = await inTransit();
  assert.deepEqual(await stateOf(payout.payoutId), unexplained);
  const before = await bank.balance(IN_TRANSIT);
  const entry = await credit();
  const { trust_account_id: account } = await finance.item(entry);
  const back = await returned(payout, { bank_entry_id: entry });
  assert.deepEqual(await stateOf(payout.payoutId), {
    status: 'unmatched',
    open_reason: 'bank_debit_missing',
    related_id: back,
    account,
  });
  assert.deepEqual(await stateOf(back), explained);
  // The return took the amount out of transit, and its match put it back: the pay-out's debit is still owed to the bank.
  assert.equal(await bank.balance(IN_TRANSIT), before);

  const [debit = ''] = await finance.statement({ amount: -AMOUNT, reference: payout.reference });
  assert.equal((await finance.run()).matched, 1);
  assert.deepEqual(await stateOf(payout.payoutId), explained);
  assert.equal((await finance.item(debit)).status, 'matched');
  assert.equal(await bank.balance(IN_TRANSIT), before - AMOUNT);
});

test('a pay-out and its return without bank entries are both open, and are matched with each other', async () => {
  const payout = await inTransit();
  const back = await returned(payout);
  const both = { status: 'unmatched', open_reason: 'both_open', account: null };
  assert.deepEqual(await stateOf(payout.payoutId), { ...both, related_id: back });
  assert.deepEqual(await stateOf(back), { ...both, related_id: payout.payoutId });
  assertStatus(await finance.match([], [payout.payoutId, back]), 201);
  assert.deepEqual([await stateOf(payout.payoutId), await stateOf(back)], [explained, explained]);
});

test("a debit that arrives after the return leaves the return open until the bank's credit is recorded", async () => {
  const payout = await inTransit();
  const back = await returned(payout);
  const [debit = ''] = await finance.statement({ amount: -AMOUNT, reference: payout.reference });
  const { trust_account_id: account } = await finance.item(debit);
  const { match } = assertStatus(await finance.match([debit], [payout.payoutId]), 201).json;
  const waiting = { status: 'unmatched', open_reason: 'bank_credit_missing', related_id: payout.payoutId, account };
  assert.deepEqual(await stateOf(back), waiting);
  // The items of a match say it too, once it is undone.
  assertStatus(await finance.undo(match.id), 200);
  const { items } = assertStatus(await finance.call('GET', `/matches/${match.id}`), 200).json;
  assert.deepEqual(
    items.map((item: { open_reason: string | null }) => item.open_reason),
    [null, 'both_open'],
  );
  assertStatus(await finance.match([debit], [payout.payoutId]), 201);
  assertStatus(await finance.match([await credit()], [back]), 201);
  assert.deepEqual(await stateOf(back), explained);
});

test('no other open item has such a reason', async () => {
  const agent = await newAgent(kissi);
  const body = { amount: 900, request_id: newFundingId() };
  const funded = await kissi.call('POST', `/api/v1/agents/${agent.id}/fund`, { body, token: maker.token });
  const { payoutId } = await cleared();
  assert.deepEqual(await stateOf(payoutId), explained);
  assert.deepEqual(await stateOf(assertStatus(funded, 200).json.transaction_id), unexplained);
  assert.deepEqual(await stateOf(await credit(1_234)), unexplained);
});
