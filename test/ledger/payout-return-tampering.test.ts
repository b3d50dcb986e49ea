// The database owner tampers with pay-out returns: verification detects a return that lost the bank's credit.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RECONCILIATION } from '../../src/features/finance/reconciliation/verification.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { payoutsForFile } from '../support/payouts.ts';
import { assertRefused } from '../support/processors.ts';
import { checkAfter } from '../support/tampering.ts';

const { kissi, finance, inTransit, cleared, credit, giveBack } = await payoutsForFile();
const RULE = 'payout_return_unmatched';

const payout = await cleared();
const other = await cleared();
const entry = await credit();
// Makes statements and matches older than the largest difference between gateway clocks.
kissi.clock.advance(11 * MINUTE_MS);
const returned = (await giveBack(payout, { bank_entry_id: entry })).json.transaction_id as string;
// The bank executed this one after all.
const late = await inTransit();
assert.equal((await giveBack(late)).status, 200);
const [lateDebit] = await finance.statement({ amount: -4_000, reference: late.reference });
assert.equal((await finance.match([String(lateDebit)], [late.payoutId])).status, 201);

const faultsAfter = async (tampering: string) => {
  const { faults } = await checkAfter(kissi.db.url, RECONCILIATION, tampering);
  return faults.filter(({ rule }) => rule === RULE);
};

const RETURN = `where id = '${returned}'`;
const CLAIM = (
  payoutId: string,
  at = `(select at from movements ${RETURN})`,
) => `insert into payout_return_claims (side, item_id, payout_id, id, claimed_by, created_at)
  values ('bank', '${entry}', '${payoutId}', 'claim_x', 'usr_x', ${at})`;
/** The credit could be used again. */
const UNMATCHED = `update reconciliation_matches set status = 'undone', undone_at = now()
    where transaction_ids @> array['${returned}'];
  update reconciliation_items set status = 'unmatched', match_id = null, was_undone = true
    where item_id in ('${returned}', '${entry}')`;
const NO_CREDIT = `update movements set details = '{}' ${RETURN}`;

test('nothing is reported without tampering, nor while a return has its claim and is not matched yet', async () => {
  assert.deepEqual(await faultsAfter('select 1'), []);
  assert.deepEqual(await faultsAfter(`${UNMATCHED}; ${CLAIM(payout.payoutId)}`), []);
});

test('nothing is reported if a mistaken match of the pay-out was corrected before the return', async () => {
  const CORRECTED = `insert into reconciliation_matches select (jsonb_populate_record(m, jsonb_build_object('id', 'match_corrected',
      'transaction_ids', '{txn_other}'::text[]))).* from reconciliation_matches m
      where m.transaction_ids @> array['${payout.payoutId}'];
    update reconciliation_matches set status = 'undone', undone_at = created_at
      where transaction_ids @> array['${payout.payoutId}']`;
  const tampering = `${NO_CREDIT}; update bank_entries set reference = null where id = '${payout.debit}'; ${CORRECTED}`;
  assert.deepEqual(await faultsAfter(tampering), []);
});

describe('ledger:verify detects', () => {
  const tamperings = {
    'a return whose match with the credit was undone': UNMATCHED,
    'a return whose match was removed': `delete from reconciliation_matches where transaction_ids @> array['${returned}']`,
    'a match of the credit with another transaction': `update reconciliation_matches
      set transaction_ids = array['${other.payoutId}'] where transaction_ids @> array['${returned}']`,
    'a return that names another credit': `update movements set details = '{"bank_entry_id":"bent_x"}' ${RETURN}`,
    'a claim for another pay-out in place of the match': `${UNMATCHED}; ${CLAIM(other.payoutId)}`,
    'a claim that was not made for the return in place of the match': `${UNMATCHED}; ${CLAIM(payout.payoutId, `'2099-01-01'`)}`,
    'a claim in place of the match while the credit is matched with another return': `update reconciliation_matches
      set transaction_ids = array['txn_other'] where transaction_ids @> array['${returned}']; ${CLAIM(payout.payoutId)}`,
    'a return without the credit although the entry from the undone match is open': `${NO_CREDIT};
      update bank_entries set reference = null where id = '${payout.debit}';
      update reconciliation_matches set status = 'undone', undone_at = created_at where transaction_ids @> array['${payout.payoutId}']`,
    'a return without the credit after the debit was matched': `${NO_CREDIT};
      update bank_entries set reference = null where id = '${payout.debit}'`,
    'a return without the credit after a debit had its reference': `${NO_CREDIT};
      delete from reconciliation_matches where transaction_ids @> array['${payout.payoutId}']`,
  };
  for (const [what, tampering] of Object.entries(tamperings)) {
    test(what, async () => {
      const faults = await faultsAfter(tampering);
      assert.deepEqual(
        faults.map(({ about }) => about),
        [returned],
      );
    });
  }
});

test('the match of a return with its credit cannot be undone, even without its claim', async () => {
  const { rows } = await kissi.db.query('select from payout_return_claims');
  assert.equal(rows.length, 0);
  const { match_id } = await finance.item(entry);
  assertRefused(await finance.undo(match_id), 409, 'PAYOUT_CLEARED');
  assertRefused(await giveBack(other, { bank_entry_id: entry }), 409, 'ALREADY_MATCHED');
});
