// Monitoring rules as staff keep them, and the limits of the KYC levels.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type CallReply, type Json, type TestGateway, testGateway } from '../support/gateway.ts';
import {
  assertRefused,
  auditLogs,
  openSession,
  refusedAttemptCount,
  staffMember,
  staffToken,
} from '../support/staff.ts';

let kissi: TestGateway;
let officer: string;
const RULES = '/api/v1/compliance/rules';

before(async () => {
  kissi = await testGateway();
  officer = await staffToken(kissi, 'compliance_user');
});
after(() => kissi.close());

const rule = (extra: Record<string, unknown> = {}) => ({
  name: 'Five transfers an hour',
  kind: 'velocity_count',
  transaction_types: ['transfer_p2p'],
  threshold: 5,
  window_seconds: 3600,
  outcome: 'block',
  ...extra,
});
const amountRule = (extra: Record<string, unknown> = {}) =>
  rule({ name: 'Large', kind: 'amount', threshold: 1_000_000, window_seconds: undefined, outcome: 'flag', ...extra });

const post = (body: unknown, token = officer) => kissi.call('POST', RULES, { body, token });
const put = (id: string, body: unknown, token = officer) => kissi.call('PUT', `${RULES}/${id}`, { body, token });
const get = (path: string, token = officer) => kissi.call('GET', path, { token });

async function made(body: unknown): Promise<Json> {
  const reply = await post(body);
  assert.equal(reply.status, 201, reply.text);
  return reply.json.rule;
}

function refused(reply: CallReply, code: string, names: RegExp): void {
  assertRefused(reply, 400, code);
  assert.match(reply.json.error, names);
}

test('the rules that ship only flag, are enabled, and leave the limits of the KYC levels alone', async () => {
  const { json } = await get(RULES);
  assert.deepEqual([json.total_count, json.limit, json.offset, json.rules.length], [5, 50, 0, 5]);
  for (const shipped of json.rules) {
    assert.deepEqual([shipped.outcome, shipped.enabled, shipped.version], ['flag', true, 1], shipped.name);
    assert.match(shipped.id, /^rule_[0-9A-Z]{26}$/);
  }
});

test('a rule that is added answers 201 with the whole record, and can be read back', async () => {
  const reply = await post(rule());
  assert.equal(reply.status, 201, reply.text);
  const { success, message, rule: record } = reply.json;
  assert.deepEqual([success, message], [true, 'The rule was added.']);
  assert.match(record.id, /^rule_[0-9A-Z]{26}$/);
  const at = new Date(kissi.clock.now()).toISOString();
  const { id, ...rest } = record;
  assert.deepEqual(rest, {
    ...rule(),
    severity: 'CRITICAL',
    enabled: true,
    version: 1,
    created_at: at,
    updated_at: at,
  });
  assert.deepEqual((await get(`${RULES}/${id}`)).json, { rule: record });
});

test('a rule that flags is MEDIUM unless told, and one of the kind amount has no window', async () => {
  const { severity, window_seconds, enabled } = await made(amountRule({ enabled: false }));
  assert.deepEqual([severity, window_seconds, enabled], ['MEDIUM', null, false]);
});

test('a threshold is taken as a number or as digits', async () => {
  assert.equal((await made(amountRule({ threshold: '2500000' }))).threshold, 2_500_000);
  assert.equal((await made(rule({ threshold: Number.MAX_SAFE_INTEGER }))).threshold, Number.MAX_SAFE_INTEGER);
});

test('what a rule cannot say is refused, naming the field', async () => {
  const before = (await get(`${RULES}?limit=0`)).json.total_count;
  refused(await post(rule({ window_seconds: undefined })), 'INVALID_REQUEST', /^window_seconds is required/);
  refused(await post(rule({ window_seconds: null })), 'INVALID_REQUEST', /^window_seconds is required/);
  refused(await post(amountRule({ window_seconds: 60 })), 'INVALID_REQUEST', /^window_seconds must be null/);
  for (const window_seconds of [0, -1, 1.5, 2_678_401, '60', true]) {
    refused(
      await post(rule({ window_seconds })),
      'INVALID_REQUEST',
      /^window_seconds must be a whole number of seconds/,
    );
  }
  for (const threshold of [0, -5, 1.5, 2 ** 53, '', '-1', '1e3', 'many']) {
    refused(
      await post(rule({ threshold })),
      'INVALID_REQUEST',
      /^threshold must be a positive whole number of payments/,
    );
    refused(
      await post(amountRule({ threshold })),
      'INVALID_AMOUNT',
      /^threshold must be a positive whole number of minor/,
    );
  }
  refused(await post(rule({ threshold: null })), 'INVALID_REQUEST', /^threshold must be/);
  refused(await post(rule({ transaction_types: [] })), 'INVALID_REQUEST', /^transaction_types must have at least 1/);
  refused(await post(rule({ transaction_types: ['loan'] })), 'INVALID_REQUEST', /^transaction_types\.0 must be one of/);
  const twice = ['transfer_p2p', 'transfer_p2p'];
  refused(await post(rule({ transaction_types: twice })), 'INVALID_REQUEST', /^transaction_types must/);
  refused(await post(rule({ kind: 'velocity' })), 'INVALID_REQUEST', /^kind must be one of/);
  refused(await post(rule({ outcome: 'pass' })), 'INVALID_REQUEST', /^outcome must be one of/);
  refused(await post(rule({ severity: 'SEVERE' })), 'INVALID_REQUEST', /^severity must be one of/);
  refused(await post(rule({ enabled: 'yes' })), 'INVALID_REQUEST', /^enabled must be a boolean/);
  for (const name of ['', '   ', 'x'.repeat(101), 'two\nlines']) {
    refused(await post(rule({ name })), 'INVALID_REQUEST', /^name must be one line/);
  }
  for (const field of ['name', 'kind', 'transaction_types', 'threshold', 'outcome']) {
    refused(await post(rule({ [field]: undefined })), 'INVALID_REQUEST', new RegExp(`^${field} is required`));
  }
  assert.equal((await get(`${RULES}?limit=0`)).json.total_count, before);
});

test('a change is partial, raises the version, and is in the audit log field by field', async () => {
  const { id } = await made(rule());
  kissi.clock.advance(1_000);
  const reply = await put(id, { threshold: 7, enabled: false });
  assert.equal(reply.status, 200, reply.text);
  const { version, threshold, enabled, window_seconds, created_at, updated_at } = reply.json.rule;
  assert.deepEqual([version, threshold, enabled, window_seconds], [2, 7, false, 3600]);
  assert.equal(Date.parse(updated_at) - Date.parse(created_at), 1_000);
  const [changed, added] = await auditLogs(kissi, { resource_id: id });
  assert.deepEqual([changed.action, changed.resource_type], ['compliance_rule.update', 'compliance_rule']);
  assert.deepEqual(changed.details, {
    threshold: { from: 5, to: 7 },
    enabled: { from: true, to: false },
    version: 2,
  });
  assert.equal(added.action, 'compliance_rule.create');
});

test('a change to what is there already leaves version and log alone', async () => {
  const { id, version } = await made(rule());
  const reply = await put(id, rule());
  assert.deepEqual([reply.status, reply.json.rule.version], [200, version]);
  assert.equal((await auditLogs(kissi, { resource_id: id })).length, 1);
});

test('a change is judged on the rule as it would be', async () => {
  const { id } = await made(rule());
  refused(await put(id, { kind: 'amount' }), 'INVALID_REQUEST', /^window_seconds must be null/);
  refused(await put(id, { window_seconds: null }), 'INVALID_REQUEST', /^window_seconds is required/);
  refused(await put(id, { kind: 'velocity_amount', threshold: 0 }), 'INVALID_AMOUNT', /^threshold/);
  refused(await put(id, {}), 'INVALID_REQUEST', /names no field/);
  refused(await put(id, { version: 9 }), 'INVALID_REQUEST', /names no field/);
  const turned = await put(id, { kind: 'amount', window_seconds: null, threshold: 10_000 });
  assert.deepEqual([turned.status, turned.json.rule.kind, turned.json.rule.version], [200, 'amount', 2], turned.text);
  assertRefused(await put('rule_nobody', { enabled: false }), 404, 'NOT_FOUND');
  assertRefused(await get(`${RULES}/rule_nobody`), 404, 'NOT_FOUND');
});

test('changes of one rule at once each count: no version is given twice', async () => {
  const { id } = await made(rule());
  const thresholds = Array.from({ length: 8 }, (_, index) => 10 + index);
  const replies = await Promise.all(thresholds.map((threshold) => put(id, { threshold })));
  const versions = replies.map(({ json }) => json.rule.version).sort((a, b) => a - b);
  assert.deepEqual(versions, [2, 3, 4, 5, 6, 7, 8, 9]);
});

test('the list is filtered, in pages, in the order the rules were made', async () => {
  const [first, second] = [
    await made(amountRule({ transaction_types: ['agent_transfer'], severity: 'LOW', enabled: false })),
    await made(rule({ transaction_types: ['agent_transfer', 'pos_payment'], severity: 'LOW' })),
  ];
  const ids = async (query: string) => (await get(`${RULES}?${query}`)).json.rules.map(({ id }: Json) => id);
  assert.deepEqual(await ids('transaction_type=agent_transfer'), [first.id, second.id]);
  assert.deepEqual(await ids('transaction_type=agent_transfer&enabled=true'), [second.id]);
  assert.deepEqual(await ids('severity=LOW&kind=amount'), [first.id]);
  assert.deepEqual(await ids('severity=LOW&outcome=block'), [second.id]);
  const { json } = await get(`${RULES}?transaction_type=agent_transfer&limit=1&offset=1`);
  assert.deepEqual([json.rules.length, json.total_count, json.limit, json.offset], [1, 2, 1, 1]);
  for (const query of ['kind=x', 'enabled=1', 'limit=-1', 'offset=x', 'transaction_type=loan']) {
    assertRefused(await get(`${RULES}?${query}`), 400, 'INVALID_REQUEST', query);
  }
});

test('there are at most a hundred enabled rules, also when several are added at once', async () => {
  const enabled = (await get(`${RULES}?enabled=true&limit=0`)).json.total_count;
  const replies = await Promise.all(Array.from({ length: 103 - enabled }, () => post(amountRule({ severity: 'LOW' }))));
  const statuses = replies.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 201).length, 100 - enabled);
  assertRefused(await post(amountRule()), 409, 'RULE_LIMIT');
  const spare = await made(amountRule({ enabled: false }));
  assertRefused(await put(spare.id, { enabled: true }), 409, 'RULE_LIMIT');
  assert.equal((await get(`${RULES}/${spare.id}`)).json.rule.version, 1);
  for (const { json } of replies.filter(({ status }) => status === 201)) await put(json.rule.id, { enabled: false });
  assert.equal((await put(spare.id, { enabled: true })).status, 200);
  await put(spare.id, { enabled: false });
});

test('who may read may not change, and the attempt is in the audit log', async () => {
  const auditor = await staffToken(kissi, 'audit_user');
  assert.equal((await get(RULES, auditor)).status, 200);
  const { id } = await made(rule());
  assertRefused(await post(rule(), auditor), 403, 'FORBIDDEN');
  assertRefused(await put(id, { enabled: false }, auditor), 403, 'FORBIDDEN');
  assertRefused(await get(RULES, await staffToken(kissi, 'finance_user')), 403, 'FORBIDDEN');
  assert.equal((await get(`${RULES}/${id}`)).json.rule.enabled, true);
  const actor = (await auditLogs(kissi, { action: 'compliance_rule.update.refused' }))[0];
  assert.deepEqual([actor.resource_id, actor.details.code], [id, 'FORBIDDEN']);
});

test('a change that is refused is counted in the audit log as well', async () => {
  const member = await staffMember(kissi, 'compliance_user');
  const { token } = await openSession(kissi, member);
  await post(rule({ threshold: 0 }), token);
  await post(amountRule({ window_seconds: 1 }), token);
  assert.equal(await refusedAttemptCount(kissi, { action: 'compliance_rule.create.refused', actor_id: member.id }), 2);
});

test('the limits of the KYC levels are those of the interface', async () => {
  const { json } = await get('/api/v1/compliance/account-rules');
  assert.deepEqual([json.total_count, json.limit, json.offset], [3, 50, 0]);
  const limits = json.account_rules.map(({ kyc_level, max_balance_formatted, daily_limit_formatted }: Json) => [
    ...[kyc_level, max_balance_formatted, daily_limit_formatted],
  ]);
  assert.deepEqual(limits, [
    [1, '500,000.00 SLE', '100,000.00 SLE'],
    [2, '2,000,000.00 SLE', '500,000.00 SLE'],
    [3, '10,000,000.00 SLE', '2,000,000.00 SLE'],
  ]);
  const paged = await get('/api/v1/compliance/account-rules?limit=1&offset=2');
  assert.deepEqual([paged.json.account_rules[0].kyc_level, paged.json.total_count], [3, 3]);
});

test('one KYC level is the record itself; one there is not is 404', async () => {
  assert.deepEqual((await get('/api/v1/account-rules/2')).json, {
    kyc_level: 2,
    max_balance: 200_000_000,
    max_balance_formatted: '2,000,000.00 SLE',
    daily_limit: 50_000_000,
    daily_limit_formatted: '500,000.00 SLE',
    currency: 'SLE',
    requirement: 'Phone and PIN, plus ID document',
  });
  for (const level of ['0', '4', '1.0', '01', 'one', '__proto__']) {
    assertRefused(await get(`/api/v1/account-rules/${level}`), 404, 'NOT_FOUND', level);
  }
});
