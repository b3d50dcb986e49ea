// Tests the reconciliation over HTTP: runs, manual matches, undo, suggestions, write-offs, lists and ages.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Actor } from '../../../src/audit/log.ts';
import { fixedTable } from '../../../src/db/keyed-lookup.ts';
import { createClearing } from '../../../src/features/finance/reconciliation/clearing.ts';
import { createListing } from '../../../src/features/finance/reconciliation/listing.ts';
import { createMatches } from '../../../src/features/finance/reconciliation/matches.ts';
import { createRun } from '../../../src/features/finance/reconciliation/run.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { createPayments } from '../../../src/payments/execute.ts';
import { newAgent } from '../../support/agents.ts';
import { pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { testLedger } from '../../support/ledger.ts';
import { bankForFile, movementCount, newFundingId } from '../../support/money.ts';
import { directPayments, type Merchant } from '../../support/processors.ts';
import { financeOf, INSERTED_STATEMENTS, today } from '../../support/reconciliation.ts';
import { assertRefused, auditLogs, runChore } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({
  ...INSERTED_STATEMENTS,
  brokenRules: ['account_terms_differ', 'recent_differs', ...INSERTED_STATEMENTS.brokenRules],
});
const payments = directPayments(kissi, bank);
const admin = await kissi.adminToken();
const user1 = await user(kissi, 'finance_user');
const finance = await financeOf(kissi, user1.token);
const IN_TRANSIT = 'sys_payouts_in_transit';

const TASK = 'post movements of matches';
const ledgerPayments = createPayments({
  ledger: testLedger({ pool: kissi.db.database.pool, clock: kissi.clock }),
  clock: kissi.clock,
  answered: async () => null,
  rules: async () => null,
  feeSettings: fixedTable([]),
  stripe: 0,
});
const context = {
  database: kissi.db.database,
  audit: kissi.gateway.services.audit,
  payments: ledgerPayments,
  treasuryAccount: 'sys_treasury_00',
  clock: kissi.clock,
};
/** As a gateway that stops after the commit of the match. */
async function matchWithoutMovement(entry: string, transactionId: string): Promise<string> {
  const { match } = createMatches({ ...context, listNewItems: createListing(context) });
  const caller = { kind: 'user', id: user1.id, role: 'finance_user' } as unknown as Actor['caller'];
  const request = { bankIds: [entry], bookIds: [transactionId], note: null };
  const made = await match({ caller, ip: '', requestId: 'req' }, request);
  assert.ok(!(made instanceof Refusal), JSON.stringify(made));
  return made.id;
}

let names = 0;
const uniqueName = () => `Business number ${++names} of tests`;

async function fundedAgent(
  amount: number,
  requestId?: string,
): Promise<{ id: string; name: string; transactionId: string }> {
  const name = uniqueName();
  const agent = await newAgent(kissi, { business_name: name });
  const transactionId = await fund(agent.id, amount, requestId);
  return { id: agent.id, name, transactionId };
}

async function fund(agentId: string, amount: number, requestId = newFundingId()): Promise<string> {
  const body = { amount, request_id: requestId };
  const reply = await kissi.call('POST', `/api/v1/agents/${agentId}/fund`, { body, token: user1.token });
  assert.equal(reply.status, 200, reply.text);
  return reply.json.transaction_id;
}

async function payout(amount: number): Promise<{ merchant: Merchant; transactionId: string; reference: string }> {
  const merchant = await payments.fundedMerchant(amount, { business_name: uniqueName() });
  const body = { amount, bank_account: 'SL0042001', request_id: newFundingId() };
  const reply = await kissi.call('POST', `/api/v1/processors/${merchant.id}/payout`, { body, token: user1.token });
  assert.equal(reply.status, 200, reply.text);
  return { merchant, transactionId: reply.json.transaction_id, reference: reply.json.reference };
}

/** More than a run posts at the same time, each with its debit at the bank. */
async function manyPayouts(): Promise<{ ids: string[]; total: number }> {
  const amounts = Array.from({ length: 20 }, (_, n) => 1_000 + n);
  const total = amounts.reduce((sum, amount) => sum + amount);
  const merchant = await payments.fundedMerchant(total, { business_name: uniqueName() });
  const path = `/api/v1/processors/${merchant.id}/payout`;
  const replies: Json[] = [];
  for (const amount of amounts) {
    const body = { amount, bank_account: 'SL0042001', request_id: newFundingId() };
    const reply = assertStatus(await kissi.call('POST', path, { body, token: user1.token }), 200);
    replies.push(reply.json);
  }
  await finance.statement(...replies.map(({ reference }, n) => ({ amount: -Number(amounts[n]), reference })));
  return { ids: replies.map(({ transaction_id }) => transaction_id), total };
}

/** As a gateway that stops between posting the movements of a batch and entering them into the matches. */
async function runUntilEntering(): Promise<void> {
  const listNewItems = createListing(context);
  const stopped = { ...kissi.db.database, transact: () => Promise.reject(new Error('stopped')) };
  const clearing = createClearing({ ...context, database: stopped });
  const run = createRun({ ...context, listNewItems, matches: createMatches({ ...context, listNewItems }), clearing });
  const caller = { kind: 'user', id: user1.id, role: 'finance_user' } as unknown as Actor['caller'];
  await run({ caller, ip: '', requestId: 'req' });
}

/** For each pay-out the movement that its match names: its type, whether it has the match's id, and the whole amount. Null: none. */
async function clearedBy(ids: string[]): Promise<unknown[]> {
  const { rows } = await kissi.db.query(
    `select m.id = v.request_id as is_own, v.type, v.amount = -m.bank_amount as is_whole
     from unnest($1::text[]) with ordinality as p (id, n)
     join reconciliation_matches m on m.transaction_ids = array[p.id] and m.status = 'matched'
     left join movements v on v.id = m.cleared_transaction_id order by p.n`,
    [ids],
  );
  return rows.map(({ type, is_own, is_whole }: Json) => (type === null ? null : [type, is_own, is_whole]));
}

const ownMovement = () => ['payout_cleared', true, true];

const matchOf = async (id: string): Promise<Json> => (await finance.call('GET', `/matches/${id}`)).json.match;
const oneOf = (ids: string[]): string => ids[0] ?? '';

describe('a run', () => {
  test('matches by reference, by counterparty and amount, and by the sum of a day', async () => {
    const referenced = await fundedAgent(5_000, 'SLIP-4711');
    const named = await fundedAgent(7_001);
    const summed = await fundedAgent(300);
    const other = await fund(summed.id, 450);
    const [a, b, c, unknown] = await finance.statement(
      { amount: 5_000, reference: 'slip 4711' },
      { amount: 7_001, counterparty: named.name.toUpperCase() },
      { amount: 750, description: `CASH DEPOSIT ${summed.name}` },
      { amount: -125, description: 'Bank charges' },
    );
    const run = await finance.run();
    assert.equal(run.matched, 3);
    const kinds = [];
    for (const id of [a, b, c]) kinds.push((await matchOf((await finance.item(String(id))).match_id)).kind);
    assert.deepEqual(kinds, ['reference', 'amount', 'day_sum']);
    const day = await matchOf((await finance.item(String(c))).match_id);
    assert.deepEqual(day.transaction_ids, [summed.transactionId, other].sort());
    assert.deepEqual([day.bank_amount, day.books_amount, day.created_by], [750, 750, null]);
    assert.equal((await finance.item(referenced.transactionId)).status, 'matched');
    assert.equal((await finance.item(String(unknown))).status, 'unmatched');
    const again = await finance.run();
    assert.deepEqual([again.matched, again.suggested], [0, run.suggested]);
    const entries = await auditLogs(kissi, { action: 'reconciliation.run', resource_id: run.id });
    assert.equal(entries[0].actor_id, user1.id);
  });

  test('suggests what is ambiguous, and keeps a suggestion as long as it holds', async () => {
    const agent = await fundedAgent(8_800);
    const second = await fund(agent.id, 8_800);
    const entry = oneOf(await finance.statement({ amount: 8_800, counterparty: agent.name }));
    await finance.run();
    const item = await finance.item(entry);
    assert.equal(item.status, 'suggested');
    await finance.run();
    assert.equal((await finance.item(entry)).suggestion_id, item.suggestion_id);
    const { suggestions } = (await finance.call('GET', '/suggestions?limit=100')).json;
    const suggestion = suggestions.find(({ id }: Json) => id === item.suggestion_id);
    assert.deepEqual(suggestion.transaction_ids, [agent.transactionId]);
    const accepted = await finance.call('POST', `/suggestions/${item.suggestion_id}/accept`, {
      note: 'Called the agent',
    });
    assert.equal(accepted.status, 201, accepted.text);
    assert.deepEqual(
      [accepted.json.match.kind, accepted.json.match.created_by, accepted.json.match.note],
      ['amount', user1.id, 'Called the agent'],
    );
    assertRefused(await finance.call('POST', `/suggestions/${item.suggestion_id}/accept`), 404, 'NOT_FOUND');
    assert.equal((await finance.item(second)).status, 'unmatched');
  });

  test('ends a suggestion when one of its items is matched otherwise', async () => {
    const agent = await fundedAgent(9_900);
    const second = await fund(agent.id, 9_900);
    const [first, other] = await finance.statement(
      { amount: 9_900, counterparty: agent.name },
      { amount: 9_900, counterparty: 'Somebody else' },
    );
    await finance.run();
    assert.equal((await finance.item(String(first))).status, 'suggested');
    const { transaction_ids } = (await finance.call('GET', '/suggestions?limit=100')).json.suggestions.find(
      ({ bank_entry_ids }: Json) => bank_entry_ids[0] === first,
    );
    assertStatus(await finance.match([String(other)], transaction_ids), 201);
    assert.equal((await finance.item(String(first))).status, 'unmatched');
    assert.equal((await finance.run()).matched, 1);
    assert.deepEqual(
      (await matchOf((await finance.item(String(first))).match_id)).transaction_ids,
      [agent.transactionId, second].filter((id) => id !== transaction_ids[0]),
    );
  });

  test('does not make a match again that a user undid, but suggests it', async () => {
    const agent = await fundedAgent(6_600, 'UNDO-ME');
    const entry = oneOf(await finance.statement({ amount: 6_600, reference: 'UNDO-ME' }));
    await finance.run();
    const { match_id } = await finance.item(entry);
    assert.equal((await finance.undo(match_id)).status, 200);
    assert.equal((await finance.run()).matched, 0);
    const item = await finance.item(entry);
    assert.equal(item.status, 'suggested');
    const accepted = await finance.call('POST', `/suggestions/${item.suggestion_id}/accept`, {});
    assert.deepEqual(accepted.json.match.transaction_ids, [agent.transactionId]);
  });

  test('is refused while another is running, until that one loses its lease', async () => {
    const at = new Date(kissi.clock.now());
    await kissi.db.query(
      `insert into reconciliation_runs (id, status, started_by, started_at, lease_until)
       values ('rrun_other', 'running', 'usr_other', $1, $2)`,
      [at, new Date(at.getTime() + 60_000)],
    );
    assertRefused(await finance.call('POST', '/run'), 409, 'RECONCILIATION_RUNNING');
    kissi.clock.advance(61_000);
    await finance.run();
    const { rows } = await kissi.db.query(`select status from reconciliation_runs where id = 'rrun_other'`);
    assert.equal(rows[0].status, 'failed');
  });

  test('concurrent runs make each match once', async () => {
    const agents = [];
    for (let n = 0; n < 3; n++) agents.push(await fundedAgent(1_234 + n, `RACE-${n}`));
    await finance.statement(...agents.map((_, n) => ({ amount: 1_234 + n, reference: `RACE-${n}` })));
    const replies = await Promise.all(Array.from({ length: 3 }, () => finance.call('POST', '/run')));
    assert.ok(replies.some(({ status }) => status === 200));
    assert.ok(replies.every(({ status }) => status === 200 || status === 409));
    const matched = replies.reduce((sum, { json }) => sum + (json.run?.matched ?? 0), 0);
    assert.equal(matched, 3);
  });
});

describe('a manual match', () => {
  test('is stored with its note, its author and an audit entry', async () => {
    const agent = await fundedAgent(4_444);
    const entry = oneOf(await finance.statement({ amount: 4_444, description: 'unclear' }));
    const reply = assertStatus(await finance.match([entry], [agent.transactionId], 'Slip in the file'), 201);
    const { id, ...match } = reply.json.match;
    assert.match(id, /^match_[0-9A-Z]{26}$/);
    assert.deepEqual(match, {
      kind: 'manual',
      status: 'matched',
      bank_entry_ids: [entry],
      transaction_ids: [agent.transactionId],
      bank_amount: 4_444,
      books_amount: 4_444,
      note: 'Slip in the file',
      created_by: user1.id,
      created_at: new Date(kissi.clock.now()).toISOString(),
      undone_by: null,
      undone_at: null,
      cleared_transaction_id: null,
      uncleared_transaction_id: null,
    });
    const [logged] = await auditLogs(kissi, { action: 'reconciliation.match', resource_id: id });
    assert.deepEqual(logged.details.transaction_ids, [agent.transactionId]);
    assert.deepEqual((await finance.call('GET', '/matches?status=matched')).json.matches[0].id, id);
  });

  test('that does not balance is refused with both sums, and nothing changes', async () => {
    const agent = await fundedAgent(4_000);
    const entry = oneOf(await finance.statement({ amount: 3_999 }));
    const reply = assertRefused(await finance.match([entry], [agent.transactionId]), 422, 'MATCH_DOES_NOT_BALANCE');
    assert.deepEqual([reply.json.bank_amount, reply.json.books_amount], [3_999, 4_000]);
    assert.equal((await finance.item(entry)).status, 'unmatched');
  });

  test('of an item that is matched already is refused', async () => {
    const [agent, other] = [await fundedAgent(2_000), await fundedAgent(2_000)];
    const [first, second] = await finance.statement({ amount: 2_000 }, { amount: 2_000 });
    assert.equal((await finance.match([String(first)], [agent.transactionId])).status, 201);
    const reply = assertRefused(await finance.match([String(second)], [agent.transactionId]), 409, 'ALREADY_MATCHED');
    assert.deepEqual(reply.json.matched_items, [agent.transactionId]);
    assertRefused(await finance.match([String(first)], [other.transactionId]), 409, 'ALREADY_MATCHED');
  });

  test('needs items that exist and stand for money at a bank', async () => {
    const agent = await fundedAgent(2_000);
    const entry = oneOf(await finance.statement({ amount: 2_000 }));
    assertRefused(await finance.match(['bent_none'], [agent.transactionId]), 404, 'NOT_FOUND');
    assertRefused(await finance.match([entry], ['txn_none']), 404, 'NOT_FOUND');
    // An id of the other side is no item of this side.
    assertRefused(await finance.match([agent.transactionId], [entry]), 404, 'NOT_FOUND');
    await payments.fundedMerchant(1);
    const cashin = await newest('partner_cashin');
    assertRefused(await finance.match([entry], [cashin]), 422, 'NOT_RECONCILABLE');
    assertRefused(await finance.match([], []), 400, 'INVALID_REQUEST');
    assertRefused(await finance.match([entry], []), 400, 'INVALID_REQUEST');
    assertRefused(await finance.match([entry, entry], []), 400, 'INVALID_REQUEST');
  });

  test('of one side only is allowed if it sums to zero', async () => {
    const [wrong, reversed] = await finance.statement({ amount: 700 }, { amount: -700, description: 'Reversal' });
    assert.equal((await finance.match([String(wrong), String(reversed)], [])).status, 201);
  });

  test('of two users at once: one of them gets the entry', async () => {
    const [agent, other] = [await fundedAgent(5_500), await fundedAgent(5_500)];
    const entry = oneOf(await finance.statement({ amount: 5_500 }));
    const replies = await Promise.all([
      finance.match([entry], [agent.transactionId]),
      finance.match([entry], [other.transactionId]),
    ]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409]);
  });

  test('and a run at once: the item is in one match', async () => {
    const agent = await fundedAgent(5_501, 'RUN-AND-MATCH');
    const [entry, other] = await finance.statement({ amount: 5_501, reference: 'RUN-AND-MATCH' }, { amount: 5_501 });
    const [manual] = await Promise.all([finance.match([String(other)], [agent.transactionId]), finance.run()]);
    assert.ok(manual.status === 201 || manual.status === 409, manual.text);
    const { rows } = await kissi.db.query(
      `select count(*)::int as n from reconciliation_matches where status = 'matched' and $1 = any(transaction_ids)`,
      [agent.transactionId],
    );
    assert.equal(rows[0].n, 1);
    const [first, second] = [await finance.item(String(entry)), await finance.item(String(other))];
    assert.equal([first, second].filter(({ status }) => status === 'matched').length, 1);
  });
});

describe('pay-outs', () => {
  test('are cleared by their match, and put back in transit when it is undone', async () => {
    const { merchant, transactionId, reference } = await payout(12_000);
    const before = await bank.balance(IN_TRANSIT);
    const entry = oneOf(await finance.statement({ amount: -12_000, reference }));
    await finance.run();
    const { match_id } = await finance.item(entry);
    assert.equal(await bank.balance(IN_TRANSIT), before - 12_000);
    const cleared = await matchOf(match_id);
    assert.deepEqual(await movement(cleared.cleared_transaction_id), ['payout_cleared', 12_000]);
    assert.deepEqual(await statesOf(merchant), [[transactionId, 'cleared', match_id]]);
    const undone = await finance.undo(match_id);
    assert.equal(undone.json.match.status, 'undone', undone.text);
    assert.deepEqual(await movement(undone.json.match.uncleared_transaction_id), ['payout_uncleared', 12_000]);
    assert.equal(await bank.balance(IN_TRANSIT), before);
    assert.deepEqual(await statesOf(merchant), [[transactionId, 'in_transit', null]]);
    assertRefused(await finance.undo(match_id), 409, 'ALREADY_UNDONE');
    assert.deepEqual((await matchOf(match_id)).bank_entry_ids, [entry]);
  });

  test("that are returned clear with the bank's credit", async () => {
    const { merchant, transactionId, reference } = await payout(3_100);
    const before = (await bank.balance(IN_TRANSIT)) - 3_100;
    const [debit, credit] = await finance.statement({ amount: -3_100, reference }, { amount: 3_100 });
    assert.equal((await finance.match([String(debit)], [transactionId])).status, 201);
    const path = `/api/v1/processors/${merchant.id}/payouts/${transactionId}/return`;
    const body = { reason: 'Unknown account', bank_entry_id: credit };
    const returned = await kissi.call('POST', path, { body, token: user1.token });
    const match = await matchOf((await finance.item(returned.json.transaction_id)).match_id);
    assert.deepEqual(match.bank_entry_ids, [credit]);
    assert.deepEqual(await movement(match.cleared_transaction_id), ['payout_uncleared', 3_100]);
    assert.equal(await bank.balance(IN_TRANSIT), before);
    assert.deepEqual(await statesOf(merchant), [
      [transactionId, 'returned', (await finance.item(transactionId)).match_id],
    ]);
  });

  test('that the bank never executed match with their return, and move nothing', async () => {
    const { merchant, transactionId } = await payout(2_200);
    const path = `/api/v1/processors/${merchant.id}/payouts/${transactionId}/return`;
    const returned = await kissi.call('POST', path, { body: { reason: 'Rejected' }, token: user1.token });
    const count = await movementCount(kissi, IN_TRANSIT);
    const reply = await finance.match([], [transactionId, returned.json.transaction_id]);
    assert.deepEqual([reply.status, reply.json.match.cleared_transaction_id], [201, null]);
    assert.equal(await movementCount(kissi, IN_TRANSIT), count);
  });

  test('whose gateway stopped after the match are cleared once by the background task', async () => {
    const { transactionId } = await payout(1_900);
    const entry = oneOf(await finance.statement({ amount: -1_900 }));
    const before = await bank.balance(IN_TRANSIT);
    const id = await matchWithoutMovement(entry, transactionId);
    await runChore(kissi, TASK);
    assert.equal(await bank.balance(IN_TRANSIT), before, 'the gateway may still be at it');
    kissi.clock.advance(31_000);
    await Promise.all(Array.from({ length: 3 }, () => runChore(kissi, TASK)));
    assert.deepEqual(await movement((await matchOf(id)).cleared_transaction_id), ['payout_cleared', 1_900]);
    assert.equal(await bank.balance(IN_TRANSIT), before - 1_900);
  });

  test('whose gateway stopped after the movement are not cleared again', async () => {
    const { transactionId } = await payout(1_800);
    const entry = oneOf(await finance.statement({ amount: -1_800 }));
    const before = await bank.balance(IN_TRANSIT);
    const id = await matchWithoutMovement(entry, transactionId);
    const row = await kissi.db.database.queries
      .selectFrom('reconciliation_matches')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const stopped = { ...kissi.db.database, transact: () => Promise.reject(new Error('stopped')) };
    await assert.rejects(createClearing({ ...context, database: stopped }).complete(row), /stopped/);
    assert.equal(await bank.balance(IN_TRANSIT), before - 1_800);
    const count = await movementCount(kissi, IN_TRANSIT);
    assertStatus(await finance.undo(id), 200);
    assert.equal(await movementCount(kissi, IN_TRANSIT), count + 1);
    assert.equal(await bank.balance(IN_TRANSIT), before);
  });

  test('of many matches of one run are posted once each, and entered together', async () => {
    const { ids, total } = await manyPayouts();
    const before = await bank.balance(IN_TRANSIT);
    const run = await finance.run();
    assert.equal(await bank.balance(IN_TRANSIT), before - total);
    assert.deepEqual(await clearedBy(ids), ids.map(ownMovement));
    const logs = await auditLogs(kissi, { action: 'reconciliation.enter_movement', resource_id: run.id });
    assert.deepEqual(
      logs.map(({ details }) => details),
      [{ movements: ids.length }],
    );
  });

  test('of a run whose gateway stopped before it entered their movements are not cleared again', async () => {
    const { ids, total } = await manyPayouts();
    const before = await bank.balance(IN_TRANSIT);
    await assert.rejects(runUntilEntering(), /stopped/);
    assert.equal(await bank.balance(IN_TRANSIT), before - total);
    const count = await movementCount(kissi, IN_TRANSIT);
    assert.deepEqual(
      await clearedBy(ids),
      ids.map(() => null),
    );
    kissi.clock.advance(31_000);
    await Promise.all(Array.from({ length: 3 }, () => runChore(kissi, TASK)));
    assert.deepEqual(await clearedBy(ids), ids.map(ownMovement));
    assert.equal(await movementCount(kissi, IN_TRANSIT), count);
    assert.equal(await bank.balance(IN_TRANSIT), before - total);
  });

  test('undone before their movement is posted end up in transit', async () => {
    const { transactionId } = await payout(1_750);
    const entry = oneOf(await finance.statement({ amount: -1_750 }));
    const before = await bank.balance(IN_TRANSIT);
    const id = await matchWithoutMovement(entry, transactionId);
    assert.equal((await finance.undo(id)).status, 200);
    assert.equal(await bank.balance(IN_TRANSIT), before);
    kissi.clock.advance(31_000);
    await runChore(kissi, TASK);
    assert.equal(await bank.balance(IN_TRANSIT), before);
  });

  test('undone and matched again at once are cleared by the last match only', async () => {
    const { transactionId } = await payout(1_700);
    const [first, second] = await finance.statement({ amount: -1_700 }, { amount: -1_700 });
    const before = await bank.balance(IN_TRANSIT);
    const { id } = (await finance.match([String(first)], [transactionId])).json.match;
    const replies = await Promise.all([
      finance.undo(id),
      finance.undo(id),
      finance.match([String(second)], [transactionId]),
    ]);
    assert.deepEqual(
      replies
        .slice(0, 2)
        .map(({ status }) => status)
        .sort(),
      [200, 409],
    );
    const isMatched = replies[2]?.status === 201;
    assert.equal((await finance.item(transactionId)).status, isMatched ? 'matched' : 'unmatched');
    assert.equal(await bank.balance(IN_TRANSIT), isMatched ? before - 1_700 : before);
  });
});

describe('a write-off', () => {
  test('needs a reason, takes the items off the list and moves no money', async () => {
    const entry = oneOf(await finance.statement({ amount: -350, description: 'Bank charges' }));
    assertRefused(await finance.call('POST', '/write-offs', { bank_entry_ids: [entry] }), 400, 'INVALID_REQUEST');
    const count = await movementCount(kissi, IN_TRANSIT);
    const reply = await finance.call('POST', '/write-offs', { bank_entry_ids: [entry], reason: 'Charges of October' });
    assert.equal(reply.status, 201, reply.text);
    assert.deepEqual(
      [reply.json.match.status, reply.json.match.kind, reply.json.match.note, reply.json.match.bank_amount],
      ['written_off', 'write_off', 'Charges of October', -350],
    );
    assert.equal(await movementCount(kissi, IN_TRANSIT), count);
    assert.equal((await finance.item(entry)).status, 'written_off');
    const again = await finance.call('POST', '/write-offs', { bank_entry_ids: [entry], reason: 'Twice' });
    assertRefused(again, 409, 'ALREADY_MATCHED');
    assert.equal((await finance.undo(reply.json.match.id)).status, 200);
    assert.equal((await finance.item(entry)).status, 'unmatched');
  });

  test('of a pay-out is refused', async () => {
    const { transactionId } = await payout(1_000);
    const body = { transaction_ids: [transactionId], reason: 'Lost' };
    assertRefused(await finance.call('POST', '/write-offs', body), 422, 'PAYOUT_NOT_WRITTEN_OFF');
    assertRefused(await finance.call('POST', '/write-offs', { reason: 'Nothing' }), 400, 'INVALID_REQUEST');
  });

  test('waits for a second user under an approval policy', async () => {
    const entry = oneOf(await finance.statement({ amount: -360 }));
    const second = await user(kissi, 'finance_user');
    await setPolicy(kissi, 'reconciliation.write_off', { enabled: true });
    const body = { bank_entry_ids: [entry], reason: 'Charges' };
    const approval = pendingOf(await finance.call('POST', '/write-offs', body));
    assert.equal(approval.summary.text, 'Write off 1 bank entry: Charges');
    assert.equal(approval.summary.after.bank_amount, -360);
    await setPolicy(kissi, 'reconciliation.write_off', { enabled: false });
    assert.equal((await finance.item(entry)).status, 'unmatched');
    const path = `/api/v1/admin/approvals/${approval.id}/approve`;
    assertRefused(await kissi.call('POST', path, { token: user1.token }), 403, 'FORBIDDEN');
    const approved = await kissi.call('POST', path, { token: second.token });
    assert.equal(approved.json.approval.status, 'executed', approved.text);
    const { match_id, status } = await finance.item(entry);
    assert.equal(status, 'written_off');
    assert.equal((await matchOf(match_id)).created_by, user1.id);
  });
});

describe('the list', () => {
  test('filters by status, side and age, oldest first, and exports as CSV', async () => {
    const dated = (days: number) => new Date(kissi.clock.now() - days * DAY_MS).toISOString().slice(0, 10);
    const [old, older] = await finance.statement({ amount: 11, date: dated(10) }, { amount: 12, date: dated(20) });
    const found = await finance.items('status=unmatched&side=bank&older_than_days=9&limit=100');
    assert.deepEqual(
      found.map(({ id, age_days }) => [id, age_days]),
      [
        [older, 20],
        [old, 10],
      ],
    );
    assert.deepEqual(await finance.items('status=unmatched&side=bank&older_than_days=20'), []);
    assert.deepEqual((await finance.items('side=bank&limit=1&offset=1&older_than_days=9'))[0]?.id, old);
    const csv = await kissi.call('GET', '/api/v1/admin/reconciliation?side=bank&older_than_days=9', {
      token: user1.token,
      headers: { accept: 'text/csv' },
    });
    assert.equal(csv.text.trim().split('\r\n').length, 3, csv.text);
    assertRefused(await finance.call('GET', '?status=open'), 400, 'INVALID_REQUEST');
    assertRefused(await finance.call('GET', '?older_than_days=-1'), 400, 'INVALID_REQUEST');
  });

  test("names the counterparty and a transaction's reference", async () => {
    const agent = await fundedAgent(77, 'REF-77');
    const { type, side, amount, reference, counterparty, party_id, date } = await finance.item(agent.transactionId);
    assert.deepEqual(
      { type, side, amount, reference, counterparty, party_id, date },
      {
        type: 'agent_fund',
        side: 'books',
        amount: 77,
        reference: 'REF-77',
        counterparty: agent.name,
        party_id: agent.id,
        date: today(kissi),
      },
    );
  });
});

async function movement(id: string): Promise<[string, number]> {
  const { rows } = await kissi.db.query('select type, amount::float8 as amount from movements where id = $1', [id]);
  return [rows[0]?.type, rows[0]?.amount];
}

async function newest(type: string): Promise<string> {
  const { rows } = await kissi.db.query('select id from movements where type = $1 order by id desc limit 1', [type]);
  return rows[0].id;
}

async function statesOf({ id }: Merchant): Promise<unknown[][]> {
  const { json } = await kissi.call('GET', `/api/v1/processors/${id}/payouts`, { token: admin });
  return json.payouts.map(({ transaction_id, state, match_id }: Json) => [transaction_id, state, match_id]);
}
