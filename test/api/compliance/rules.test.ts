// Compliance rules: defaults, validation, changes with versions, listing, access, and the KYC levels.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertStatus, type CallReply, type Json, testGateway } from '../../support/gateway.ts';
import {
  assertRefused,
  auditLogs,
  openSession,
  refusedAttemptCount,
  staffMember,
  staffToken,
} from '../../support/staff.ts';

const RULES = '/api/v1/compliance/rules';

const kissi = await testGateway();
const officer = await staffToken(kissi, 'compliance_user');
after(() => kissi.close());

const ruleBody = (extra: Record<string, unknown> = {}) => ({
  name: 'Five transfers an hour',
  kind: 'velocity_count',
  transaction_types: ['transfer_p2p'],
  threshold: 5,
  window_seconds: 3600,
  outcome: 'block',
  ...extra,
});
const amountRuleBody = (extra: Record<string, unknown> = {}) =>
  ruleBody({
    name: 'Large',
    kind: 'amount',
    threshold: 1_000_000,
    window_seconds: undefined,
    outcome: 'flag',
    ...extra,
  });

const post = (body: unknown, token = officer) => kissi.call('POST', RULES, { body, token });
const put = (id: string, body: unknown, token = officer) => kissi.call('PUT', `${RULES}/${id}`, { body, token });
const get = (path: string, token = officer) => kissi.call('GET', path, { token });

async function createRule(body: unknown): Promise<Json> {
  return assertStatus(await post(body), 201).json.rule;
}

function assertInvalid(reply: CallReply, code: string, message: RegExp): void {
  assertRefused(reply, 400, code);
  assert.match(reply.json.error, message);
}

test('the nine default rules are enabled and only flag', async () => {
  const { json } = await get(RULES);
  assert.deepEqual([json.total_count, json.limit, json.offset, json.rules.length], [9, 50, 0, 9]);
  for (const shipped of json.rules) {
    assert.deepEqual([shipped.outcome, shipped.enabled, shipped.version], ['flag', true, 1], shipped.name);
    assert.match(shipped.id, /^rule_[0-9A-Z]{26}$/);
  }
});

test('a new rule returns 201 with the whole record and can be read back', async () => {
  const reply = assertStatus(await post(ruleBody()), 201);
  const { success, message, rule: record } = reply.json;
  assert.deepEqual([success, message], [true, 'The rule was added.']);
  assert.match(record.id, /^rule_[0-9A-Z]{26}$/);
  const at = new Date(kissi.clock.now()).toISOString();
  const { id, ...rest } = record;
  assert.deepEqual(rest, {
    ...ruleBody(),
    side: 'payer',
    severity: 'CRITICAL',
    enabled: true,
    version: 1,
    created_at: at,
    updated_at: at,
  });
  assert.deepEqual((await get(`${RULES}/${id}`)).json, { rule: record });
});

test('the side is payer by default, can be changed, filters the list, and must be payer or payee', async () => {
  const { id } = await createRule(ruleBody({ side: 'payee' }));
  const ofPayee = (await get(`${RULES}?side=payee&limit=100`)).json.rules;
  assert.ok(ofPayee.some((rule: Json) => rule.id === id));
  assert.ok(ofPayee.every(({ side }: Json) => side === 'payee'));
  const { json } = await put(id, { side: 'payer' });
  assert.deepEqual([json.rule.side, json.rule.version], ['payer', 2]);
  assertInvalid(await put(id, { side: 'both' }), 'INVALID_REQUEST', /side/);
  assertInvalid(await post(ruleBody({ side: '' })), 'INVALID_REQUEST', /side/);
});

test('a flagging rule is MEDIUM by default, and an amount rule has no window', async () => {
  const { severity, window_seconds, enabled } = await createRule(amountRuleBody({ enabled: false }));
  assert.deepEqual([severity, window_seconds, enabled], ['MEDIUM', null, false]);
});

test('accepts the threshold as a number or as digits', async () => {
  assert.equal((await createRule(amountRuleBody({ threshold: '2500000' }))).threshold, 2_500_000);
  assert.equal((await createRule(ruleBody({ threshold: Number.MAX_SAFE_INTEGER }))).threshold, Number.MAX_SAFE_INTEGER);
});

test('rejects an invalid field with 400 that names it', async () => {
  const before = (await get(`${RULES}?limit=0`)).json.total_count;
  assertInvalid(await post(ruleBody({ window_seconds: undefined })), 'INVALID_REQUEST', /^window_seconds is required/);
  assertInvalid(await post(ruleBody({ window_seconds: null })), 'INVALID_REQUEST', /^window_seconds is required/);
  assertInvalid(
    await post(amountRuleBody({ window_seconds: 60 })),
    'INVALID_REQUEST',
    /^window_seconds is not allowed/,
  );
  for (const window_seconds of [0, -1, 1.5, 2_678_401, '60', true]) {
    assertInvalid(
      await post(ruleBody({ window_seconds })),
      'INVALID_REQUEST',
      /^window_seconds must be a whole number of seconds/,
    );
  }
  for (const threshold of [0, -5, 1.5, 2 ** 53, '', '-1', '1e3', 'many']) {
    assertInvalid(
      await post(ruleBody({ threshold })),
      'INVALID_REQUEST',
      /^threshold must be a positive whole number of payments/,
    );
    assertInvalid(
      await post(amountRuleBody({ threshold })),
      'INVALID_AMOUNT',
      /^threshold must be a positive whole number of minor/,
    );
  }
  assertInvalid(await post(ruleBody({ threshold: null })), 'INVALID_REQUEST', /^threshold is required/);
  assertInvalid(
    await post(ruleBody({ transaction_types: [] })),
    'INVALID_REQUEST',
    /^transaction_types must not be empty\.$/,
  );
  assertInvalid(
    await post(ruleBody({ transaction_types: ['loan'] })),
    'INVALID_REQUEST',
    /^transaction_types\.0 must be one of/,
  );
  const duplicates = ['transfer_p2p', 'transfer_p2p'];
  assertInvalid(await post(ruleBody({ transaction_types: duplicates })), 'INVALID_REQUEST', /^transaction_types must/);
  assertInvalid(await post(ruleBody({ kind: 'velocity' })), 'INVALID_REQUEST', /^kind must be one of/);
  assertInvalid(await post(ruleBody({ outcome: 'pass' })), 'INVALID_REQUEST', /^outcome must be one of/);
  assertInvalid(await post(ruleBody({ severity: 'SEVERE' })), 'INVALID_REQUEST', /^severity must be one of/);
  assertInvalid(await post(ruleBody({ enabled: 'yes' })), 'INVALID_REQUEST', /^enabled must be a boolean/);
  for (const name of ['', '   ', 'x'.repeat(101), 'two\nlines']) {
    assertInvalid(await post(ruleBody({ name })), 'INVALID_REQUEST', /^name must be one line/);
  }
  for (const field of ['name', 'kind', 'transaction_types', 'threshold', 'outcome']) {
    assertInvalid(await post(ruleBody({ [field]: undefined })), 'INVALID_REQUEST', new RegExp(`^${field} is required`));
  }
  assert.equal((await get(`${RULES}?limit=0`)).json.total_count, before);
});

test('a change is partial, increments the version and is audited field by field', async () => {
  const { id } = await createRule(ruleBody());
  kissi.clock.advance(1_000);
  const reply = assertStatus(await put(id, { threshold: 7, enabled: false }), 200);
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

test('a change to the current values leaves the version and the audit log unchanged', async () => {
  const { id, version } = await createRule(ruleBody());
  const reply = await put(id, ruleBody());
  assert.deepEqual([reply.status, reply.json.rule.version], [200, version]);
  assert.equal((await auditLogs(kissi, { resource_id: id })).length, 1);
});

test('a change is validated against the resulting rule', async () => {
  const { id } = await createRule(ruleBody());
  const both = { kind: 'amount', window_seconds: 60 };
  assertInvalid(await put(id, both), 'INVALID_REQUEST', /^window_seconds is not allowed/);
  assertInvalid(await put(id, { kind: 'velocity_amount', threshold: 0 }), 'INVALID_AMOUNT', /^threshold/);
  assertInvalid(await put(id, {}), 'INVALID_REQUEST', /contains no field/);
  assertInvalid(await put(id, { version: 9 }), 'INVALID_REQUEST', /^version is read-only/);
  const changed = assertStatus(await put(id, { kind: 'amount', threshold: 10_000 }), 200);
  const { kind, window_seconds, version } = changed.json.rule;
  assert.deepEqual([kind, window_seconds, version], ['amount', null, 2], 'the window ends with the kind');
  const back = { kind: 'velocity_count', threshold: 5 };
  assertInvalid(await put(id, back), 'INVALID_REQUEST', /^window_seconds is required/);
  assertRefused(await put('rule_unknown', { enabled: false }), 404, 'NOT_FOUND');
  assertRefused(await get(`${RULES}/rule_unknown`), 404, 'NOT_FOUND');
});

test('concurrent changes of one rule each get their own version', async () => {
  const { id } = await createRule(ruleBody());
  const thresholds = Array.from({ length: 8 }, (_, index) => 10 + index);
  const replies = await Promise.all(thresholds.map((threshold) => put(id, { threshold })));
  const versions = replies.map(({ json }) => json.rule.version).sort((a, b) => a - b);
  assert.deepEqual(versions, [2, 3, 4, 5, 6, 7, 8, 9]);
});

test('lists rules in order of creation, with filters and pages', async () => {
  const [first, second] = [
    await createRule(amountRuleBody({ transaction_types: ['agent_transfer'], severity: 'LOW', enabled: false })),
    await createRule(ruleBody({ transaction_types: ['agent_transfer', 'pos_payment'], severity: 'LOW' })),
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

test('at most 100 rules are enabled, also under concurrent requests: 409 RULE_LIMIT', async () => {
  const enabled = (await get(`${RULES}?enabled=true&limit=0`)).json.total_count;
  const replies = await Promise.all(
    Array.from({ length: 103 - enabled }, () => post(amountRuleBody({ severity: 'LOW' }))),
  );
  const statuses = replies.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 201).length, 100 - enabled);
  assertRefused(await post(amountRuleBody()), 409, 'RULE_LIMIT');
  const spare = await createRule(amountRuleBody({ enabled: false }));
  assertRefused(await put(spare.id, { enabled: true }), 409, 'RULE_LIMIT');
  assert.equal((await get(`${RULES}/${spare.id}`)).json.rule.version, 1);
  for (const { json } of replies.filter(({ status }) => status === 201)) await put(json.rule.id, { enabled: false });
  assert.equal((await put(spare.id, { enabled: true })).status, 200);
  await put(spare.id, { enabled: false });
});

test('staff who may only read rules cannot change them, and the attempt is audited', async () => {
  const auditor = await staffToken(kissi, 'audit_user');
  assert.equal((await get(RULES, auditor)).status, 200);
  const { id } = await createRule(ruleBody());
  assertRefused(await post(ruleBody(), auditor), 403, 'FORBIDDEN');
  assertRefused(await put(id, { enabled: false }, auditor), 403, 'FORBIDDEN');
  assertRefused(await get(RULES, await staffToken(kissi, 'finance_user')), 403, 'FORBIDDEN');
  assert.equal((await get(`${RULES}/${id}`)).json.rule.enabled, true);
  const entry = (await auditLogs(kissi, { action: 'compliance_rule.update.refused' }))[0];
  assert.deepEqual([entry.resource_id, entry.details.code], [id, 'FORBIDDEN']);
});

test('invalid requests are counted as refused attempts in the audit log', async () => {
  const member = await staffMember(kissi, 'compliance_user');
  const { token } = await openSession(kissi, member);
  await post(ruleBody({ threshold: 0 }), token);
  await post(amountRuleBody({ window_seconds: 1 }), token);
  assert.equal(await refusedAttemptCount(kissi, { action: 'compliance_rule.create.refused', actor_id: member.id }), 2);
});

test('GET /compliance/account-rules returns the limits of the KYC levels', async () => {
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

test('GET /account-rules/:level returns one level unwrapped; an unknown level is 404', async () => {
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
