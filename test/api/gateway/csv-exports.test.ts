// CSV exports of the real lists: roles, owners, filters, formulas, and the audit log.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentToken, newAgent, newSubAgent } from '../../support/agents.ts';
import { CSV, parseCsv } from '../../support/csv.ts';
import { bankForFile } from '../../support/money.ts';
import { markPep } from '../../support/pep.ts';
import { merchantToken, newMerchant } from '../../support/processors.ts';
import { assertRefused, assertStatus, auditLogs, openSession, staffMember, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile({ exportLimits: { pageSize: 2 } });

const exported = (path: string, token: string) => kissi.call('GET', `/api/v1${path}`, { token, headers: CSV });

async function rowsOf(path: string, token: string): Promise<string[][]> {
  const reply = assertStatus(await exported(path, token), 200);
  return parseCsv(reply.text).rows;
}

test('a role that may not read a list cannot export it, and the refusal is JSON', async () => {
  const token = await staffToken(kissi, 'sales_user');
  assertRefused(await exported('/transactions', token), 403, 'FORBIDDEN');
  assertRefused(await exported('/admin/users', token), 403, 'FORBIDDEN');
  assertRefused(await exported('/subscribers?unknown=1', token), 400, 'INVALID_REQUEST');
  assertRefused(await exported('/subscribers?limit=x', token), 400, 'INVALID_REQUEST');
  assertRefused(await kissi.call('GET', '/api/v1/subscribers', { headers: CSV }), 401, 'UNAUTHORIZED');
});

test('agents and merchants export only their own records', async () => {
  const agent = await newAgent(kissi);
  const subs = [await newSubAgent(kissi, agent), await newSubAgent(kissi, agent)];
  await newAgent(kissi);
  const network = await rowsOf('/agents', await agentToken(kissi, agent));
  assert.deepEqual(network.map(([id]) => id).sort(), [agent.id, ...subs.map(({ id }) => id)].sort());
  const merchant = await newMerchant(kissi);
  const other = await newMerchant(kissi);
  const token = await merchantToken(kissi, merchant);
  assert.deepEqual(
    (await rowsOf('/processors', token)).map(([id]) => id),
    [merchant.id],
  );
  assertRefused(await exported(`/processors/${other.id}/transactions`, token), 403, 'FORBIDDEN');
});

test('filters apply, politically exposed persons are masked, and names are no formulas', async () => {
  const names = ['=2+5', '@SUM(A1)', '+1', 'Zainab'];
  for (const first_name of names) await bank.wallet(0, { first_name, last_name: 'Export' });
  const pep = await bank.wallet(0, { first_name: 'Hidden', last_name: 'Export' });
  await markPep(kissi, pep.id);
  const token = await staffToken(kissi, 'support_user');
  const found = await exported('/subscribers?search=export', token);
  const { columns, rows } = parseCsv(found.text);
  assert.deepEqual(rows.map((row) => row[columns.indexOf('first_name')]).reverse(), [
    "'=2+5",
    "'@SUM(A1)",
    "'+1",
    'Zainab',
  ]);
  const all = await exported('/subscribers', token);
  assert.doesNotMatch(all.text, /Hidden/);
  const masked = parseCsv(all.text).rows.find(([id]) => id === pep.id);
  assert.deepEqual(
    masked?.filter((cell) => cell !== ''),
    [pep.id, 'ACTIVE'],
  );
});

test('the audit log has who exported which list with which filter, without text, and how many rows', async () => {
  const staff = await staffMember(kissi, 'support_user');
  const { token } = await openSession(kissi, staff);
  const rows = await rowsOf('/subscribers?status=ACTIVE&limit=1', token);
  assert.ok(rows.length > 2);
  const [end, start] = await auditLogs(kissi, { actor_id: staff.id, resource_id: '/api/v1/subscribers' });
  const filter = { status: 'ACTIVE' };
  assert.deepEqual([start?.action, start?.details, start?.resource_type], ['list.export', { filter }, 'list']);
  assert.deepEqual(
    [end?.action, end?.details],
    ['list.export_ended', { filter, rows: rows.length, outcome: 'complete' }],
  );
  await rowsOf('/subscribers?search=Sesay&phone_number=%2B23276123456&kyc_level=1', token);
  await rowsOf(`/cards?subscriber_id=${(await bank.wallet()).id}&search=0412`, token);
  const entries = await auditLogs(kissi, { actor_id: staff.id, action: 'list.export' });
  const [cards, searched] = entries.map(({ details }) => details);
  assert.deepEqual(searched, { filter: { kyc_level: '1' }, text_filters: ['phone_number', 'search'] });
  assert.deepEqual([Object.keys(cards?.filter ?? {}), cards?.text_filters], [['subscriber_id'], ['search']]);
  assert.doesNotMatch(JSON.stringify(await auditLogs(kissi, { actor_id: staff.id })), /Sesay|23276123456|0412"/);
  // A list as JSON is no export.
  await kissi.call('GET', '/api/v1/subscribers', { token, headers: { accept: 'text/csv;q=0.5, application/json' } });
  assert.equal((await auditLogs(kissi, { actor_id: staff.id, action: 'list.export' })).length, 3);
});
