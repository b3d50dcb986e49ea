// Matches and pay-outs of an archived period: what they clear is known from movements that are no longer in the database.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { firstIdAt } from '../../../src/kernel/ids.ts';
import { user } from '../../support/approvals.ts';
import { archive, newArchiveDirectory, START, verifiedWith } from '../../support/archive.ts';
import { testClock } from '../../support/clock.ts';
import { assertStatus, type CallReply, testGateway } from '../../support/gateway.ts';
import { createBank, movementCount, newFundingId } from '../../support/money.ts';
import { storeAccount } from '../../support/processors.ts';
import { type Finance, financeOf, INSERTED_STATEMENTS } from '../../support/reconciliation.ts';
import { openSession, runChore } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const HORIZON = '2023-04-01T00:00:00.000Z';
const IN_TRANSIT = 'sys_payouts_in_transit';
const UNMATCHED = /pay-outs? or their returns not matched/;

const clock = testClock(START);
const kissi = await testGateway({ clock });
after(() => kissi.close());
const bank = await createBank(kissi);
const terminal = await terminalOf(kissi);
const { id: merchant } = terminal.merchant;
await storeAccount(kissi, merchant);
const staff = await user(kissi, 'finance_user');
let { token } = staff;
const directory = await newArchiveDirectory();

async function payOut(amount: number): Promise<string> {
  const body = { amount, bank_account: 'SL0042001', request_id: newFundingId() };
  const reply = assertStatus(await kissi.call('POST', `/api/v1/processors/${merchant}/payout`, { body, token }), 200);
  return reply.json.transaction_id;
}

const giveBack = (transactionId: string) =>
  kissi.call('POST', `/api/v1/processors/${merchant}/payouts/${transactionId}/return`, {
    body: { reason: 'Account closed' },
    token,
  });

function assertArchived({ status, json, text }: CallReply): void {
  assert.equal(status, 409, text);
  assert.deepEqual([json.code, json.archived_before], ['ARCHIVED', HORIZON]);
}

const card = (await bank.customer(1_000_000)).card;
assert.equal((await terminal.pay(card, { amount: 100_000 })).status, 200);
const cleared = await payOut(10_000);
const returned = await payOut(5_000);
const comesBack = (await giveBack(returned)).json.transaction_id;
// Archives of January 2023 can be written in January 2024, with a history of six months.
clock.advance(360 * DAY_MS);
({ token } = await openSession(kissi, staff));
const recent = await payOut(3_000);
await runChore(kissi, 'prune idempotency keys');

let finance: Finance;
let matchId = '';

test('pay-outs in transit are not archived, also before there is a trust account', async () => {
  await assert.rejects(() => archive(kissi, directory), /3 pay-outs or their returns not matched/);
  const { rows } = await kissi.db.query('select from ledger_archives');
  assert.equal(rows.length, 0);
});

test('a match that is undone while its pay-out is exported keeps the rows in the database', async () => {
  finance = await financeOf(kissi, token);
  assert.equal((await finance.match([], [returned, comesBack])).status, 201);
  const made = assertStatus(await finance.match(await finance.statement({ amount: -10_000 }), [cleared]), 201);
  matchId = made.json.match.id;

  const undoing = new pg.Client({ connectionString: kissi.db.url });
  await undoing.connect();
  await undoing.query('begin');
  await undoing.query('select from reconciliation_progress for update');
  const item = `side = 'books' and item_id = '${cleared}'`;
  await undoing.query(`update reconciliation_items set status = 'unmatched', match_id = null where ${item}`);
  // Reported after the archive's record is committed.
  const committed: Promise<unknown>[] = [];
  const report = () => void committed.push(undoing.query('commit'));
  await assert.rejects(() => archive(kissi, directory, { report }), /archive 1 are not deleted: 1 pay-out /);
  await Promise.all(committed);
  await assert.rejects(() => archive(kissi, directory), UNMATCHED);
  const { rows } = await kissi.db.query('select from movements where id = $1', [cleared]);
  assert.equal(rows.length, 1);

  await undoing.query(`update reconciliation_items set status = 'matched', match_id = '${matchId}' where ${item}`);
  await undoing.end();
});

test('the match of an archived pay-out is not undone, and no money moves', async () => {
  // Its record is written already.
  assert.equal(await archive(kissi, directory), 0);
  const before = [await bank.balance(IN_TRANSIT), await movementCount(kissi, IN_TRANSIT)];
  assertArchived(await finance.undo(matchId));
  assert.deepEqual([await bank.balance(IN_TRANSIT), await movementCount(kissi, IN_TRANSIT)], before);
  const { rows } = await kissi.db.query('select status, match_id from reconciliation_items where item_id = $1', [
    cleared,
  ]);
  assert.deepEqual(rows, [{ status: 'matched', match_id: matchId }]);
  const broken = [...(await verifiedWith(kissi, directory)).broken.keys()];
  assert.deepEqual(
    broken.filter((rule) => !INSERTED_STATEMENTS.brokenRules.some((expected) => expected === rule)),
    [],
  );
});

test('lists of pay-outs say that earlier ones are archived, and the item of one is shown as archived', async () => {
  for (const path of [`/processors/${merchant}/payouts`, '/admin/payouts']) {
    const { json } = await kissi.call('GET', `/api/v1${path}`, { token });
    const listed = json.payouts.map((each: { transaction_id: string }) => each.transaction_id);
    assert.deepEqual([listed, json.total_count, json.archived_before], [[recent], 1, HORIZON]);
  }
  const { type, amount, status } = await finance.item(cleared);
  assert.deepEqual({ type, amount, status }, { type: 'archived', amount: -10_000, status: 'matched' });
});

test('an archived pay-out is not returned, and an archived transaction not matched', async () => {
  const before = await bank.balance(merchant);
  assertArchived(await giveBack(cleared));
  assert.equal(await bank.balance(merchant), before);
  const [entry = ''] = await finance.statement({ amount: -7 });
  assertArchived(await finance.match([entry], [`${firstIdAt('txn', START)}0000000000000000`]));
  const unknown = await finance.match([entry], [`${firstIdAt('txn', clock.now())}0000000000000000`]);
  assert.deepEqual([unknown.status, unknown.json.code], [404, 'NOT_FOUND']);
});

test('the match of a pay-out that is in the database is undone and made again, and clears it again', async () => {
  const inTransit = await bank.balance(IN_TRANSIT);
  const [entry = ''] = await finance.statement({ amount: -3_000 });
  const made = await finance.match([entry], [recent]);
  assert.equal(await bank.balance(IN_TRANSIT), inTransit - 3_000);
  assert.equal((await finance.undo(made.json.match.id)).status, 200);
  assert.equal(await bank.balance(IN_TRANSIT), inTransit);
  assert.equal((await finance.match([entry], [recent])).status, 201);
  assert.equal(await bank.balance(IN_TRANSIT), inTransit - 3_000);
});
