// Tampering with matches, items, entries and pay-outs by the database's owner: verification detects each change.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import { auditReportOf, verifyAuditIn } from '../../src/audit/verification.ts';
import { openDatabase } from '../../src/db/database.ts';
import { RECONCILIATION } from '../../src/features/finance/reconciliation/verification.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { newAgent } from '../support/agents.ts';
import { csvFile, newTrustAccount, uploadStatement } from '../support/bank-files.ts';
import { TEST_SHARDS } from '../support/citus.ts';
import { LONG_TIMEOUTS } from '../support/database.ts';
import { assertStatus, type Json } from '../support/gateway.ts';
import { bankForFile } from '../support/money.ts';
import { storeAccount } from '../support/processors.ts';
import { SECRETS } from '../support/secrets.ts';
import { runChore } from '../support/staff.ts';
import { checkAfter } from '../support/tampering.ts';
import { terminalOf } from '../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const owner = openDatabase({ url: kissi.db.url, poolSize: 3, timeouts: LONG_TIMEOUTS, shards: TEST_SHARDS });
after(() => owner.close());
const token = await kissi.adminToken();
const made = await makeMatches();

async function call(method: string, path: string, body?: object): Promise<Json> {
  const reply = await kissi.call(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
  return reply.json;
}

/** A bank's statement, matches of each kind, a cleared pay-out, one in transit, an undone match, a write-off. */
async function makeMatches() {
  const agent = await newAgent(kissi, { business_name: 'Lumley Cash Point' });
  const fund = async (amount: number, request_id: string) =>
    (await call('POST', `/agents/${agent.id}/fund`, { amount, request_id })).transaction_id as string;
  const funded = await fund(5_000, 'SLIP-1');
  const other = await fund(5_000, 'SLIP-2');
  const open = await fund(777, 'SLIP-3');
  const { wallet, card } = await bank.customer(500_000);
  assert.ok(wallet);
  const terminal = await terminalOf(kissi);
  assertStatus(await terminal.pay(card, { amount: 100_000 }), 200);
  await storeAccount(kissi, terminal.merchant.id);
  const payout = (amount: number, request_id: string) =>
    call('POST', `/processors/${terminal.merchant.id}/payout`, { amount, bank_account: 'SL0042001', request_id });
  const [cleared, undone, inTransit] = [
    await payout(9_000, 'po-1'),
    await payout(8_000, 'po-2'),
    await payout(7_000, 'po-3'),
  ];
  const day = new Date(kissi.clock.now()).toISOString().slice(0, 10);
  const account = await newTrustAccount(kissi, token);
  const file = csvFile({
    opening: 100_000,
    from: day,
    entries: [
      { amount: 5_000, reference: 'SLIP-1' },
      { amount: 5_000, description: 'cash deposit' },
      { amount: -9_000, reference: cleared.reference },
      { amount: -8_000, reference: undone.reference },
      { amount: -150, description: 'Bank charges' },
    ],
  });
  assertStatus(await uploadStatement(kissi, token, account.id, ['text/csv', file]), 201);
  const { run } = await call('POST', '/admin/reconciliation/run');
  assert.equal(run.matched, 3);
  const { items } = await call('GET', '/admin/reconciliation?side=bank&limit=100');
  const entry = (amount: number, status: string) =>
    items.find((item: Json) => item.amount === amount && item.status === status);
  const manual = await call('POST', '/admin/reconciliation/matches', {
    bank_entry_ids: [items.find((item: Json) => item.amount === 5_000 && item.match_id === null).id],
    transaction_ids: [other],
  });
  const undoneMatch = entry(-8_000, 'matched').match_id as string;
  await call('DELETE', `/admin/reconciliation/matches/${undoneMatch}`);
  const charges = entry(-150, 'unmatched').id as string;
  await call('POST', '/admin/reconciliation/write-offs', { bank_entry_ids: [charges], reason: 'Charges' });
  // After this, every item must be in the list.
  kissi.clock.advance(14 * MINUTE_MS);
  await runChore(kissi, 'post movements of matches');
  await kissi.gateway.services.audit.seal();
  return {
    ...{ funded, other, open, charges, undoneMatch, manual: manual.match.id as string },
    cleared: cleared.transaction_id as string,
    inTransit: inTransit.transaction_id as string,
    clearedMatch: entry(-9_000, 'matched').match_id as string,
  };
}

const findingsAfter = (tampering: string) => checkAfter(kissi.db.url, RECONCILIATION, tampering);

test('nothing is reported before a tampering', async () => {
  const { faults } = await findingsAfter('select 1');
  assert.deepEqual(faults, []);
});

const anItem = (id: string) => `where item_id = '${id}'`;
const aMatch = (id: string) => `where id = '${id}'`;

const TAMPERINGS: [what: string, sql: string, rule: string][] = [
  [
    'a match of an entry whose amount changed',
    `update bank_entries set amount = 4999 where reference = 'SLIP-1'`,
    'match_unbalanced',
  ],
  [
    'a match of a movement whose amount changed',
    `update movements set amount = 1 where id = '${made.funded}'`,
    'match_unbalanced',
  ],
  [
    'a match with another movement',
    `update reconciliation_matches set transaction_ids = array['${made.open}'] ${aMatch(made.manual)}`,
    'match_unbalanced',
  ],
  ['a match of an entry that was removed', `delete from bank_entries where reference = 'SLIP-1'`, 'match_unbalanced'],
  [
    'a match without items',
    `update reconciliation_matches set bank_entry_ids = '{}', transaction_ids = '{}' ${aMatch(made.manual)}`,
    'match_unbalanced',
  ],
  [
    'a match that clears nothing',
    `update reconciliation_matches set clears = 0 ${aMatch(made.clearedMatch)}`,
    'match_unbalanced',
  ],
  [
    'an item in two matches',
    `update reconciliation_matches set transaction_ids = array['${made.funded}'] ${aMatch(made.manual)}`,
    'match_item_twice',
  ],
  [
    'an undone match that counts again',
    `update reconciliation_matches set status = 'matched', undone_at = null ${aMatch(made.undoneMatch)}`,
    'match_item_differs',
  ],
  [
    'an open item that counts as matched',
    `update reconciliation_items set status = 'matched', match_id = '${made.manual}' ${anItem(made.open)}`,
    'match_item_differs',
  ],
  [
    'a matched item that counts as open',
    `update reconciliation_items set status = 'unmatched', match_id = null ${anItem(made.funded)}`,
    'match_item_differs',
  ],
  [
    'a match that counts as a write-off',
    `update reconciliation_items set status = 'written_off' ${anItem(made.funded)}`,
    'match_item_differs',
  ],
  [
    'a lower number of changes, so that a close would contain later ones',
    'update reconciliation_progress set changes = 0',
    'match_item_differs',
  ],
  [
    'an open item that was removed from the list',
    `delete from reconciliation_items ${anItem(made.open)}`,
    'match_item_differs',
  ],
  [
    'an open entry that was removed from the list',
    `delete from reconciliation_items where side = 'bank' and amount = -8000`,
    'match_item_differs',
  ],
  [
    'an item that does not exist',
    `insert into reconciliation_items (side, item_id, dated, amount) values ('bank', 'bent_x', now(), 1)`,
    'match_item_differs',
  ],
  [
    'the age of an item',
    `update reconciliation_items set dated = dated + 30 ${anItem(made.open)}`,
    'match_item_differs',
  ],
  ['the amount of an item', `update reconciliation_items set amount = 1 ${anItem(made.open)}`, 'match_item_differs'],
  [
    'an open item of a status that is in no list',
    `alter table reconciliation_items drop constraint reconciliation_items_status_check;
      update reconciliation_items set status = 'hidden' ${anItem(made.open)}`,
    'match_item_differs',
  ],
  [
    'an open item that counts as written off without a write-off',
    `alter table reconciliation_items drop constraint reconciliation_items_check;
      update reconciliation_items set status = 'written_off' ${anItem(made.open)}`,
    'match_item_differs',
  ],
  [
    'an item that a run may match again although a user undid it',
    `update reconciliation_items set was_undone = false where was_undone`,
    'match_item_differs',
  ],
  [
    'an item that runs no longer match',
    `update reconciliation_items set was_undone = true ${anItem(made.open)}`,
    'match_item_differs',
  ],
  [
    'an item that was removed with the progress of the list',
    `delete from reconciliation_items ${anItem(made.open)}; delete from reconciliation_progress`,
    'match_item_differs',
  ],
  [
    'an open item is removed, and the list is said to end before it',
    `delete from reconciliation_items ${anItem(made.open)}; update reconciliation_progress set listed_until = '1970-01-01'`,
    'match_item_differs',
  ],
  ['a removed match', `delete from reconciliation_matches ${aMatch(made.clearedMatch)}`, 'match_movement_differs'],
  ['a removed clearing', `delete from movements where type = 'payout_cleared'`, 'match_movement_differs'],
  [
    'the amount of a clearing',
    `update movements set amount = amount + 1 where type = 'payout_cleared'`,
    'match_movement_differs',
  ],
  ['a removed undo of a clearing', `delete from movements where type = 'payout_uncleared'`, 'match_movement_differs'],
  [
    'a clearing without a match',
    `update movements set request_id = 'match_x' where type = 'payout_uncleared'`,
    'match_movement_differs',
  ],
  [
    'the movement of a match',
    `update reconciliation_matches set cleared_transaction_id = 'txn_x' ${aMatch(made.clearedMatch)}`,
    'match_movement_differs',
  ],
  [
    'the balance in transit',
    `update accounts set balance = balance - 1 where kind = 'payouts_in_transit'`,
    'payouts_in_transit_differ',
  ],
  ['a removed pay-out', `delete from movements where id = '${made.inTransit}'`, 'payouts_in_transit_differ'],
  [
    'a removed account of pay-outs',
    `delete from accounts where kind = 'payouts_in_transit'`,
    'payouts_in_transit_differ',
  ],
];

describe('ledger:verify detects', () => {
  for (const [what, tampering, rule] of TAMPERINGS) {
    test(`${what}: ${rule}`, async () => {
      const { broken, faults } = await findingsAfter(tampering);
      assert.ok(broken.has(rule), JSON.stringify(faults));
    });
  }
});

const CHANGES: Record<string, string> = {
  'an undone match is restored': `update reconciliation_matches set status = 'matched', undone_at = null ${aMatch(made.undoneMatch)}`,
  'the author of a match is replaced': `update reconciliation_matches set created_by = 'usr_x' ${aMatch(made.manual)}`,
  'a match gets other items': `update reconciliation_matches set transaction_ids = array['${made.open}'] ${aMatch(made.manual)}`,
  'the reason of a write-off is replaced': `update reconciliation_matches set note = 'x' where kind = 'write_off'`,
  'a match is removed': `delete from reconciliation_matches ${aMatch(made.manual)}`,
  'a match is invented': `insert into reconciliation_matches (id, kind, status, bank_entry_ids, transaction_ids, bank_amount,
    books_amount, created_at) values ('match_x', 'manual', 'matched', '{}', '{}', 0, 0, now())`,
  'a match of a run is changed': `update reconciliation_matches set kind = 'amount' ${aMatch(made.clearedMatch)}`,
};

class Undo extends Error {}

describe('the states of the audit log show it if', () => {
  for (const [what, tampering] of Object.entries(CHANGES)) {
    test(what, async () => {
      const tampered = owner.queries.transaction().execute(async (trx) => {
        await sql.raw(tampering).execute(trx);
        const verification = await verifyAuditIn(trx, { masterKey: SECRETS.MASTER_KEY });
        assert.ok(!verification.clean);
        assert.match(auditReportOf(verification), /reconciliation_match match_/);
        throw new Undo();
      });
      await assert.rejects(tampered, Undo);
    });
  }
});
