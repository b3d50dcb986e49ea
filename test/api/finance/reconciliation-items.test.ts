// The items of the reconciliation are written with the movement or bank statement that they stand for; reads write nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createListing } from '../../../src/features/finance/reconciliation/service.ts';
import { newAgent } from '../../support/agents.ts';
import { csvFile, newTrustAccount, uploadStatement } from '../../support/bank-files.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { storeAccount } from '../../support/processors.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const token = await kissi.adminToken();

async function call(method: string, path: string, body?: object): Promise<Json> {
  const reply = await kissi.call(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
  assert.ok(reply.status < 300, reply.text);
  return reply.json;
}

const stored = async () =>
  (await kissi.db.query('select *, dated::text as dated from reconciliation_items order by side, item_id')).rows;

test('each movement that stands for money at a bank, and each bank entry, is an item at once', async () => {
  const agent = await newAgent(kissi);
  const terminal = await terminalOf(kissi);
  const { card } = await bank.customer(100_000);
  assert.equal((await terminal.pay(card, { amount: 50_000 })).status, 200);
  await call('POST', `/agents/${agent.id}/fund`, { amount: 40_000, request_id: 'fund-1' });
  await call('POST', `/agents/${agent.id}/return-float`, { amount: 15_000, request_id: 'return-1' });
  const settled = { amount: 5_000, reference: 'SET-1', request_id: 'settle-1' };
  await call('POST', `/admin/partners/${bank.partnerId}/settle`, settled);
  const { id } = terminal.merchant;
  await storeAccount(kissi, id, 'RCB-00001');
  const payout = { amount: 7_000, bank_account: 'RCB-00001', request_id: 'payout-1' };
  const { transaction_id } = await call('POST', `/processors/${id}/payout`, payout);
  const back = { reason: 'Account closed', request_id: 'back-1' };
  await call('POST', `/processors/${id}/payouts/${transaction_id}/return`, back);
  const trust = await newTrustAccount(kissi, token);
  const day = new Date(kissi.clock.now()).toISOString().slice(0, 10);
  const file = csvFile({ from: day, entries: [{ amount: 40_000 }, { amount: -250, description: 'Charges' }] });
  assert.equal((await uploadStatement(kissi, token, trust.id, ['text/csv', file])).status, 201);

  const items = await stored();
  const amounts = (side: string) => items.filter((item) => item.side === side).map(({ amount }) => Number(amount));
  assert.deepEqual(amounts('books').toSorted(), [-15_000, -7_000, 40_000, 5_000, 7_000].toSorted());
  assert.deepEqual(amounts('bank').toSorted(), [-250, 40_000].toSorted());

  const { total_count } = await call('GET', '/admin/reconciliation?status=unmatched');
  const { unmatched } = (await call('GET', '/admin/overview')).finance;
  assert.deepEqual([total_count, unmatched.bank.under_1_day, unmatched.books.under_1_day], [7, 2, 5]);
  assert.deepEqual(await stored(), items);

  // The service's role cannot delete items.
  await kissi.db.query('begin; set local role none; delete from reconciliation_items; commit');
  assert.equal((await call('GET', '/admin/reconciliation')).total_count, 0, 'a read enters nothing');
  await createListing({ database: kissi.db.database, clock: kissi.clock })();
  assert.deepEqual(await stored(), items, 'the background task enters the same');
});

test('statement_id lists the open entries of one bank statement, and no others', async () => {
  const [first, second] = [await newTrustAccount(kissi, token), await newTrustAccount(kissi, token)];
  const upload = async ({ id }: Json, amounts: number[]) => {
    const file = csvFile({ entries: amounts.map((amount) => ({ amount })) });
    return assertStatus(await uploadStatement(kissi, token, id, ['text/csv', file]), 201).json.statement.id;
  };
  const statement = await upload(first, [1_100, 2_200]);
  await upload(second, [3_300]);
  const open = async (query: string) => {
    const { items, total_count } = await call('GET', `/admin/reconciliation?${query}&statement_id=${statement}`);
    return [total_count, items.map(({ amount }: Json) => amount).toSorted()];
  };
  assert.deepEqual(await open('status=unmatched'), [2, [1_100, 2_200]]);
  assert.deepEqual(await open('side=books'), [0, []]);
});
