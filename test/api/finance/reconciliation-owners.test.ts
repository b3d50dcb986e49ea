// Tests the owners of open items of the reconciliation, and the items that a match shows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAgent } from '../../support/agents.ts';
import { user } from '../../support/approvals.ts';
import type { Json } from '../../support/gateway.ts';
import { bankForFile, newFundingId } from '../../support/money.ts';
import { financeOf, INSERTED_STATEMENTS } from '../../support/reconciliation.ts';
import { assertRefused, auditLogs } from '../../support/staff.ts';

const { kissi } = await bankForFile({ ...INSERTED_STATEMENTS });
const [fatu, musa, auditor] = await Promise.all([
  user(kissi, 'finance_user'),
  user(kissi, 'finance_user'),
  user(kissi, 'audit_user'),
]);
const finance = await financeOf(kissi, fatu.token);
const agent = await newAgent(kissi, { business_name: 'Lumley Traders' });

async function fund(amount: number): Promise<string> {
  const body = { amount, request_id: newFundingId() };
  const reply = await kissi.call('POST', `/api/v1/agents/${agent.id}/fund`, { body, token: fatu.token });
  assert.equal(reply.status, 200, reply.text);
  return reply.json.transaction_id;
}

const as = (token: string, method: string, path: string, body?: object) =>
  kissi.call(method, `/api/v1/admin/reconciliation${path}`, { token, ...(body ? { body } : {}) });
const idsOf = (items: Json[]) => items.map(({ id }) => id).sort();

test('a user takes items of both sides, a colleague takes one over, and another releases it', async () => {
  const [entry = ''] = await finance.statement({ amount: 500 });
  const transaction = await fund(700);
  const both = { bank_entry_ids: [entry], transaction_ids: [transaction] };
  const taken = await finance.call('POST', '/assign', both);
  assert.deepEqual([taken.status, taken.json.changed], [200, 2], taken.text);
  const since = (await finance.item(entry)).owned_since;
  assert.equal(since, new Date(kissi.clock.now()).toISOString());
  assert.deepEqual(idsOf(await finance.items('owner=me')), [entry, transaction].sort());
  assert.deepEqual(idsOf(await finance.items('owner=me&side=bank&status=unmatched')), [entry]);
  assert.ok(!idsOf(await finance.items('owner=none&limit=100')).includes(entry));
  const { json: others } = await as(musa.token, 'GET', '?owner=me');
  assert.deepEqual([others.items, others.total_count], [[], 0]);

  kissi.clock.advance(60_000);
  assert.equal((await finance.call('POST', '/assign', both)).json.changed, 0);
  assert.equal((await finance.item(entry)).owned_since, since, 'taking an own item again keeps the time');

  assert.equal((await as(musa.token, 'POST', '/assign', { bank_entry_ids: [entry] })).json.changed, 1);
  const { owner_id, owner_name } = await finance.item(entry);
  const { rows } = await kissi.db.query('select first_name, last_name from users where id = $1', [musa.id]);
  assert.deepEqual([owner_id, owner_name], [musa.id, `${rows[0].first_name} ${rows[0].last_name}`]);

  assert.equal((await finance.call('POST', '/release', { bank_entry_ids: [entry] })).json.changed, 1);
  const free = await finance.item(entry);
  assert.deepEqual([free.owner_id, free.owner_name, free.owned_since], [null, null, null]);
  const entries = await auditLogs(kissi, { resource_id: entry });
  assert.deepEqual(
    entries.map(({ action, actor_id, details }) => [action, actor_id, details]),
    [
      ['reconciliation.release', fatu.id, { items: [entry] }],
      ['reconciliation.assign', musa.id, { items: [entry] }],
    ],
  );
  const all = await auditLogs(kissi, { action: 'reconciliation.assign' });
  assert.deepEqual(all.at(-1)?.details, { items: [entry, transaction].sort() });
});

test('a matched item is refused, and an undone one has its owner again', async () => {
  const [entry = ''] = await finance.statement({ amount: 900 });
  const transaction = await fund(900);
  await finance.call('POST', '/assign', { bank_entry_ids: [entry] });
  const { json } = await finance.match([entry], [transaction], 'Counter deposit');
  assertRefused(await finance.call('POST', '/assign', { transaction_ids: [transaction] }), 409, 'ALREADY_MATCHED');
  const shown = await finance.call('GET', `/matches/${json.match.id}`);
  assert.deepEqual(
    shown.json.items.map(({ id, side, amount, counterparty, match_id }: Json) => [
      ...[id, side, amount, counterparty, match_id],
    ]),
    [
      [entry, 'bank', 900, null, json.match.id],
      [transaction, 'books', 900, 'Lumley Traders', json.match.id],
    ],
  );
  await finance.undo(json.match.id);
  assert.equal((await finance.item(entry)).owner_id, fatu.id);
  const undone = await finance.call('GET', `/matches/${json.match.id}`);
  assert.deepEqual(
    undone.json.items.map(({ id, status, match_id }: Json) => [id, status, match_id]),
    [
      [entry, 'unmatched', null],
      [transaction, 'unmatched', null],
    ],
  );
});

test('refuses unknown items, no items, and users who may only read', async () => {
  const [entry = ''] = await finance.statement({ amount: 5 });
  const unknown = { bank_entry_ids: [entry, 'bent_unknown'] };
  assertRefused(await finance.call('POST', '/assign', unknown), 404, 'NOT_FOUND');
  assert.equal((await finance.item(entry)).owner_id, null, 'all or nothing');
  assertRefused(await finance.call('POST', '/assign', {}), 400, 'INVALID_REQUEST');
  assertRefused(await as(auditor.token, 'POST', '/assign', { bank_entry_ids: [entry] }), 403, 'FORBIDDEN');
  assertRefused(await finance.call('GET', '?owner=somebody'), 400, 'INVALID_REQUEST');
});
