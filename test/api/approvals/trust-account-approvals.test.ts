// Trust accounts under approval: one user of finance alone does not make the account whose statements cover the e-money.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decide, getApproval, pendingOf, setPolicy, user } from '../../support/approvals.ts';
import { CSV, csvFile, uploadStatement } from '../../support/bank-files.ts';
import { testGateway } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { assertRefused, auditLogs } from '../../support/staff.ts';

const { kissi } = await bankForFile();
const [maker, checker] = [await user(kissi, 'finance_user'), await user(kissi, 'finance_user')];
const FIELDS = { name: 'Second trust account', bank: 'Rokel', account_number: '003-007 7777777' };
const call = (method: string, path: string, body?: object) =>
  kissi.call(method, `/api/v1/admin/trust-accounts${path}`, { token: maker.token, ...(body ? { body } : {}) });
const accounts = async () => (await call('GET', '')).json.trust_accounts;

describe('under the policy trust_accounts.change', () => {
  test('a new account exists, and takes statements, once a second user has approved it', async () => {
    await setPolicy(kissi, 'trust_accounts.change', { enabled: true });
    const { id, summary } = pendingOf(await call('POST', '', FIELDS));
    assert.equal(summary.text, 'Register the trust account *********7777 at Rokel.');
    assert.equal(summary.after.account_number, '0030077777777');
    assert.deepEqual([await accounts(), await auditLogs(kissi, { action: 'trust_account.create' })], [[], []]);
    assertRefused(await decide(kissi, id, 'approve', maker), 403, 'FORBIDDEN');
    assert.equal((await decide(kissi, id, 'approve', checker)).status, 200);
    const [account] = await accounts();
    assert.deepEqual([account.bank, account.account_number, account.status], ['Rokel', '0030077777777', 'active']);
    assert.deepEqual((await getApproval(kissi, id, maker)).result.trust_account, account);
    const [entry] = await auditLogs(kissi, { action: 'trust_account.create' });
    assert.deepEqual([entry.actor_id, entry.details.approved_by], [maker.id, checker.id]);
    const file = csvFile({ entries: [{ amount: 500 }] });
    assert.equal((await uploadStatement(kissi, maker.token, account.id, [CSV, file])).status, 201);
  });

  test('a change waits for a second user, and refuses at once what it always refused', async () => {
    await setPolicy(kissi, 'trust_accounts.change', { enabled: true });
    const [{ id }] = await accounts();
    const { id: approvalId, summary } = pendingOf(await call('PUT', `/${id}`, { bank: 'Another bank' }));
    assert.deepEqual([summary.before, summary.after], [{ bank: 'Rokel' }, { bank: 'Another bank' }]);
    assert.equal((await accounts())[0].bank, 'Rokel');
    assert.equal((await decide(kissi, approvalId, 'approve', checker)).status, 200);
    assert.equal((await accounts())[0].bank, 'Another bank');
    assertRefused(await call('PUT', `/${id}`, { status: 'closed' }), 409, 'TRUST_ACCOUNT_IN_USE');
    assertRefused(await call('POST', '', { ...FIELDS, bank: 'Another bank' }), 409, 'TRUST_ACCOUNT_EXISTS');
    assertRefused(await call('PUT', '/trust_UNKNOWN', { name: 'x' }), 404, 'NOT_FOUND');
  });
});

test('APPROVALS=recommended enables it', async () => {
  const recommended = await testGateway({ env: { APPROVALS: 'recommended' } });
  try {
    await recommended.gateway.services.approvals.policies.enableRecommended();
    const { token } = await user(recommended, 'finance_user');
    pendingOf(await recommended.call('POST', '/api/v1/admin/trust-accounts', { token, body: FIELDS }));
    const { json } = await recommended.call('GET', '/api/v1/admin/trust-accounts', { token });
    assert.equal(json.total_count, 0);
  } finally {
    await recommended.close();
  }
});
