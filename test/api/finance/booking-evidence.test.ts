// What bank statements say about requests that book money at a bank: the approver sees open entries of the amount.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { floatOf, newAgent } from '../../support/agents.ts';
import { decide, getApproval, pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { assertRefused } from '../../support/processors.ts';
import { financeOf, INSERTED_STATEMENTS } from '../../support/reconciliation.ts';

const { kissi, bank } = await bankForFile(INSERTED_STATEMENTS);
const maker = await user(kissi, 'finance_user');
const checker = await user(kissi, 'finance_user');
const finance = await financeOf(kissi, maker.token);
const agent = await newAgent(kissi, {});

before(async () => {
  for (const action of ['agents.fund', 'agents.return_float', 'partners.settle']) {
    await setPolicy(kissi, action, { enabled: true });
  }
});

async function ask(path: string, body: object, { token } = maker as { token: string }): Promise<string> {
  return pendingOf(await kissi.call('POST', `/api/v1${path}`, { token, body })).id;
}

const day = (ago: number) => new Date(kissi.clock.now() - ago * DAY_MS).toISOString().slice(0, 10);
const entriesOf = async (id: string, who: { token: string } = checker): Promise<Json[]> =>
  (await getApproval(kissi, id, who)).bank_entries;
const relations = (entries: Json[]) => entries.map(({ id, relations: why }) => [id, why]);

test('the approver of a funding sees open credits of its amount, and which has its reference', async () => {
  const [old, far, other, own, debit] = await finance.statement(
    { amount: 5_000, date: day(31) },
    { amount: 5_000, date: day(32) },
    { amount: 5_001 },
    { amount: 5_000, reference: 'slip 42 / bo', counterparty: 'Bo Cash Point', description: 'Deposit' },
    { amount: -5_000 },
  );
  const id = await ask(`/agents/${agent.id}/fund`, { amount: 5_000, request_id: 'SLIP-42-BO' });
  const entries = await entriesOf(id);
  assert.deepEqual(relations(entries), [
    [old, ['amount']],
    [own, ['amount', 'reference']],
  ]);
  const { statement_id } = await finance.item(String(own));
  const shown = entries[1] as Json;
  assert.deepEqual(
    [shown.statement_id, shown.counterparty, shown.amount, shown.status, shown.uploaded_by],
    [statement_id, 'Bo Cash Point', 5_000, 'unmatched', 'test'],
  );
  assert.ok(![far, other, debit].some((each) => JSON.stringify(entries).includes(String(each))));

  // A float that is returned leaves the bank.
  assertStatus(await decide(kissi, id, 'approve', checker), 200);
  assert.equal(await floatOf(kissi, agent), 5_000);
  const back = await ask(`/agents/${agent.id}/return-float`, { amount: 5_000, request_id: 'BACK-1' });
  assert.deepEqual(relations(await entriesOf(back)), [[debit, ['amount']]]);

  // After the match, the entry is the evidence of the executed request, and of no other one.
  const { result } = await getApproval(kissi, id, checker);
  assertStatus(await finance.match([String(own)], [result.transaction_id]), 201);
  assert.deepEqual(relations(await entriesOf(id)), [
    [old, ['amount']],
    [own, ['matched', 'reference']],
  ]);
  const again = await ask(`/agents/${agent.id}/fund`, { amount: 5_000, request_id: 'SLIP-43-BO' });
  assert.deepEqual(relations(await entriesOf(again)), [[old, ['amount']]]);
});

test('a settlement is compared by its own reference; without an entry the list is empty', async () => {
  await bank.wallet(20_000);
  const admin = { token: await kissi.adminToken() };
  const partner = (await kissi.asAdmin.get('/admin/partners?limit=1')).json.partners[0];
  const [paid] = await finance.statement({ amount: 7_700, reference: 'RTGS 881' });
  const body = { amount: 7_700, reference: 'RTGS881', request_id: 'settle-1' };
  const id = await ask(`/admin/partners/${partner.id}/settle`, body, admin);
  assert.deepEqual(relations(await entriesOf(id, admin)), [[paid, ['amount', 'reference']]]);
  const none = await ask(
    `/admin/partners/${partner.id}/settle`,
    { ...body, amount: 7_701, request_id: 'settle-2' },
    admin,
  );
  assert.deepEqual(await entriesOf(none, admin), []);
});

test('auditors see the entries, and other roles not even the request', async () => {
  const id = await ask(`/agents/${agent.id}/fund`, { amount: 5_000, request_id: 'SLIP-44-BO' });
  assert.equal((await entriesOf(id, await user(kissi, 'audit_user'))).length, 1);
  const { token } = await user(kissi, 'compliance_user');
  const reply = await kissi.call('GET', `/api/v1/admin/approvals/${id}`, { token });
  assertRefused(reply, 404, 'NOT_FOUND');
});
