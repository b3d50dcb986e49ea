// Saved views: private by default, shared within a role, deleted by their owner, at most a hundred per user.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentToken, newAgent } from '../../support/agents.ts';
import { user } from '../../support/approvals.ts';
import { assertStatus, type CallReply, gatewayForFile, type Json } from '../../support/gateway.ts';
import { assertRefused, auditLogs } from '../../support/staff.ts';

const kissi = await gatewayForFile();
const PATH = '/api/v1/admin/saved-views';
const [isatu, mariama] = [
  await user(kissi, 'support_user', { first_name: 'Isatu', last_name: 'Bangura' }),
  await user(kissi, 'support_user'),
];
const finance = await user(kissi, 'finance_user');

let names = 0;
const newView = (extra: Json = {}) => ({
  name: `View ${++names}`,
  screen: 'transactions',
  query: 'limit=50',
  ...extra,
});
const save = (body: Json, { token }: { token: string } = isatu): Promise<CallReply> =>
  kissi.call('POST', PATH, { token, body });
async function saved(body: Json, owner = isatu): Promise<Json> {
  return assertStatus(await save(body, owner), 201).json.view;
}
async function list({ token }: { token: string }, query = ''): Promise<Json[]> {
  return assertStatus(await kissi.call('GET', PATH + query, { token }), 200).json.views;
}
const remove = (id: string, { token }: { token: string }) => kissi.call('DELETE', `${PATH}/${id}`, { token });
const has = (views: Json[], { id }: Json) => views.some((view) => view.id === id);

test('a view belongs to its user until it is shared with the role', async () => {
  const body = newView({ query: 'type=pos_payment&from=2026-03-01' });
  const own = await saved(body);
  const { id, created_at, ...rest } = own;
  assert.deepEqual(rest, { ...body, shared: false, is_own: true, owner_name: 'Isatu Bangura' });
  assert.equal(created_at, new Date(kissi.clock.now()).toISOString());
  const shared = await saved(newView({ shared: true }));
  const [seenByOwner, seenByRole] = [await list(isatu), await list(mariama)];
  assert.deepEqual([has(seenByOwner, { id }), has(seenByOwner, shared)], [true, true]);
  assert.deepEqual([has(seenByRole, { id }), has(seenByRole, shared)], [false, true]);
  assert.deepEqual(
    seenByRole.find((view) => view.id === shared.id),
    { ...shared, is_own: false },
  );
  assert.equal(has(await list(finance), shared), false);
});

test('a shared view disappears with its owner', async () => {
  const leaving = await user(kissi, 'support_user');
  const shared = await saved(newView({ shared: true }), leaving);
  assert.ok(has(await list(mariama), shared));
  const body = { status: 'suspended' };
  assertStatus(await kissi.asAdmin.put(`/admin/users/${leaving.id}`, body), 200);
  assert.equal(has(await list(mariama), shared), false);
});

test('views are listed by screen, newest first', async () => {
  const screen = 'agents/floats';
  const [first, second] = [await saved(newView({ screen })), await saved(newView({ screen, query: '' }))];
  assert.deepEqual(
    (await list(isatu, `?screen=${encodeURIComponent(screen)}`)).map(({ id }) => id),
    [second.id, first.id],
  );
});

test('only the owner can delete a view, and both are audited', async () => {
  const view = await saved(newView({ shared: true }));
  assertRefused(await remove(view.id, mariama), 404, 'NOT_FOUND');
  assertRefused(await remove('view_none', isatu), 404, 'NOT_FOUND');
  assert.equal((await remove(view.id, isatu)).status, 204);
  assert.equal(has(await list(isatu), view), false);
  const actions = (await auditLogs(kissi, { resource_id: view.id })).map(({ action }) => action);
  assert.deepEqual(actions.filter((action) => !action.endsWith('.refused')).sort(), [
    'saved_view.create',
    'saved_view.delete',
  ]);
});

test('a name is used once per screen, and invalid fields are refused', async () => {
  const body = newView();
  await saved(body);
  assertRefused(await save(body), 409, 'SAVED_VIEW_EXISTS');
  assert.equal((await save({ ...body, screen: 'customers' })).status, 201);
  assert.equal((await save(body, mariama)).status, 201);
  const invalid = [{ name: '' }, { name: 'x'.repeat(81) }, { screen: 'Über' }, { screen: '' }, { query: 'a b' }];
  for (const extra of [...invalid, { query: 'x'.repeat(2_001) }, { shared: 'yes' }]) {
    assertRefused(await save(newView(extra)), 400, 'INVALID_REQUEST', JSON.stringify(extra));
  }
});

test('users of agents save views and cannot share them', async () => {
  const token = await agentToken(kissi, await newAgent(kissi));
  assertRefused(await save(newView({ shared: true }), { token }), 403, 'FORBIDDEN');
  const view = await saved(newView(), { ...isatu, token });
  assert.deepEqual(
    (await list({ token })).map(({ id }) => id),
    [view.id],
  );
});

test('a user has at most a hundred views, even with concurrent requests', async () => {
  const collector = await user(kissi, 'audit_user');
  await kissi.db.query(
    `insert into saved_views select 'view_' || n, $1, 'Old ' || n, 'audit', '', false, now() from generate_series(1, 98) n`,
    [collector.id],
  );
  const replies = await Promise.all(Array.from({ length: 5 }, () => save(newView(), collector)));
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 201, 409, 409, 409]);
  for (const reply of replies.filter(({ status }) => status === 409)) assertRefused(reply, 409, 'SAVED_VIEW_LIMIT');
});
