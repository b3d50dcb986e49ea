// A new production database with APPROVALS=recommended: one administrator changes nothing alone, and the server makes the second.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkSecrets } from '../../../src/app/keys/secret-checks.ts';
import { RECOMMENDED_ACTIONS } from '../../../src/features/approvals/actions.ts';
import { decide, pendingOf, setPolicy } from '../../support/approvals.ts';
import { ADMIN, assertRecordsAudited, type Json, SECRETS, testGateway } from '../../support/gateway.ts';
import { enrolTotp, logInWithCode, type TotpUser } from '../../support/second-factor.ts';
import { assertRefused, login, openSession } from '../../support/staff.ts';

/** Whatever is configured. */
const ALWAYS_ON = ['cases.recall', 'privacy.erase'];
const SCRIPT = fileURLToPath(new URL('../../../scripts/admin-create.ts', import.meta.url));
const env = { APP_ENV: 'production', APPROVALS: 'recommended', REQUIRE_SECOND_FACTOR: '' };
const kissi = await testGateway({ env });
after(() => kissi.close());
// As at every start: the script refuses another key.
await checkSecrets(kissi.db.database.queries, SECRETS);
await kissi.gateway.services.users.ensureFirstAdmin(ADMIN);

const call = (method: string, path: string, { token }: { token: string }, body?: object) =>
  kissi.call(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
const policies = async (by: { token: string }): Promise<Json[]> =>
  (await call('GET', '/admin/approval-policies', by)).json.policies;
const signedIn = async (member: TotpUser) => ({ token: (await logInWithCode(kissi, member)).token });

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

function adminCreate(args: string[], settings: Record<string, string> = {}): Promise<Run> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const service = { ...SECRETS, APP_ENV: 'development', DATABASE_URL: kissi.db.url, ...settings };
  const { promise, resolve } = Promise.withResolvers<Run>();
  execFile(
    process.execPath,
    [SCRIPT, ...args],
    { env: { PATH, NODE_COMPILE_CACHE, ...service } },
    (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
  );
  return promise;
}

let first: TotpUser;
let second: TotpUser;

describe('the first start in production', () => {
  test('enables the recommended policies once, and the administrator must enrol a second factor', async () => {
    const { token } = await openSession(kissi, ADMIN);
    assertRefused(await call('GET', '/admin/approval-policies', { token }), 403, 'SECOND_FACTOR_ENROLMENT_REQUIRED');
    first = await enrolTotp(kissi, { id: '', ...ADMIN }, token);
    const listed = await policies(await signedIn(first));
    const enabled = listed.filter((policy) => policy.enabled).map(({ action }) => action);
    assert.deepEqual(enabled.sort(), [...ALWAYS_ON, ...RECOMMENDED_ACTIONS].sort());
    const entries = await kissi.db.query(`select resource_id from (select action, resource_id from audit_inbox union all
      select action, resource_id from audit_log) e where action = 'approval_policy.update'`);
    assert.equal(entries.rows.length, RECOMMENDED_ACTIONS.length);
  });

  test('one administrator can neither disable a policy nor create, reset or fund anything alone', async () => {
    const by = await signedIn(first);
    const user = { email: 'b@example.com', password: 'Some-Password-1', first_name: 'A', last_name: 'B' };
    const key = { name: 'T', scopes: ['treasury:write'], daily_limit: 100 };
    const ways = [
      ...RECOMMENDED_ACTIONS.filter((action) => action !== 'users.change').map(
        (action) => [`disable ${action}`, 'PUT', '/admin/approval-policies', { action, enabled: false }] as const,
      ),
      ['threshold', 'PUT', '/admin/approval-policies', { action: 'agents.fund', enabled: true, threshold: 9_000_000 }],
      ['user', 'POST', '/admin/users', { ...user, role: 'system_admin' }],
      ['key', 'POST', '/admin/api-keys', key],
      ['partner', 'POST', '/admin/partners', { name: 'Bank' }],
    ] as const;
    for (const [what, method, path, body] of ways) {
      const reply = await call(method, path, by, body);
      assert.equal(reply.status, 202, `${what} ${reply.text}`);
      assertRefused(await decide(kissi, reply.json.approval.id, 'approve', by), 403, 'FORBIDDEN', what);
    }
    const off = { action: 'users.change', enabled: false };
    assertRefused(await call('PUT', '/admin/approval-policies', by, off), 409, 'POLICY_LOCKED');
  });
});

describe('npm run admin:create', () => {
  const EMAIL = 'second@example.com';

  test('makes an administrator who is independent of the first one, with a password that must be changed', async () => {
    const run = await adminCreate(['--email', EMAIL, '--first-name', 'Joseph', '--last-name', 'Kargbo']);
    assert.equal(run.code, 0, run.stderr);
    const password = /Password {2}(\S+)/.exec(run.stdout)?.[1] ?? '';
    const session = await openSession(kissi, { email: EMAIL, password });
    assertRefused(await call('GET', '/admin/users', session), 403, 'PASSWORD_CHANGE_REQUIRED');
    const change = { current_password: password, new_password: 'Second-Password-1' };
    assert.equal((await call('POST', '/admin/change-password', session, change)).status, 200);
    assert.equal((await login(kissi, { email: EMAIL, password })).status, 401);
    const own = { id: '', email: EMAIL, password: change.new_password };
    second = await enrolTotp(kissi, own, (await openSession(kissi, own)).token);
    const [one, other] = [await signedIn(first), await signedIn(second)];
    const user = { email: 'c@example.com', password: 'Some-Password-1', first_name: 'A', last_name: 'B' };
    const reply = await call('POST', '/admin/users', one, { ...user, role: 'finance_user' });
    assert.equal((await decide(kissi, pendingOf(reply).id, 'approve', other)).status, 200);
  });

  test('is audited, and shown on the overview', async () => {
    const by = await signedIn(second);
    const { health } = (await call('GET', '/admin/overview', by)).json;
    assert.deepEqual(
      health.administrators_from_server.map(({ email }: Json) => email),
      [EMAIL],
    );
    const query = new URLSearchParams({ action: 'user.create', actor_id: 'admin:create' });
    const { logs } = (await call('GET', `/audit/logs?${query}`, by)).json;
    assert.deepEqual(
      logs.map(({ actor_type, details }: Json) => [actor_type, details]),
      [['service', { email: EMAIL, role: 'system_admin' }]],
    );
    await assertRecordsAudited(kissi);
  });

  test('is refused while two independent administrators exist, unless it is forced; and without the key', async () => {
    const third = ['--email', 'third@example.com'];
    const refused = await adminCreate(third);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /two independent administrators exist/);
    const wrongKey = await adminCreate([...third, '--force'], { MASTER_KEY: 'x'.repeat(40) });
    assert.equal(wrongKey.code, 1);
    assert.match((await adminCreate(['--email', EMAIL, '--force'])).stderr, /already exists/);
    assert.match((await adminCreate(['--email', 'nobody', '--force'])).stderr, /email address/);
    assert.equal((await adminCreate([])).code, 1);
    assert.equal((await adminCreate([...third, '--force'])).code, 0);
    const { health } = (await call('GET', '/admin/overview', await signedIn(first))).json;
    assert.equal(health.administrators_from_server.length, 2);
  });
});

test('a start with recommended policies enables what is missing and what one administrator alone had decided', async () => {
  const before = await testGateway({
    env: { APP_ENV: 'production', APPROVALS: 'off', REQUIRE_SECOND_FACTOR: 'false' },
  });
  await setPolicy(before, 'rules.change', { enabled: true });
  await setPolicy(before, 'fees.change', { enabled: true });
  await setPolicy(before, 'fees.change', { enabled: false });
  // Above every amount, which is like disabled.
  await setPolicy(before, 'agents.fund', { enabled: true, threshold: Number.MAX_SAFE_INTEGER });
  const settings = { ...env, REQUIRE_SECOND_FACTOR: 'false' };
  const later = await testGateway({ env: settings, db: before.db, clock: before.clock });
  try {
    for (let start = 0; start < 2; start++) await later.gateway.services.approvals.policies.enableRecommended();
    const token = await later.adminToken();
    const listed: Json[] = (await later.call('GET', '/api/v1/admin/approval-policies', { token })).json.policies;
    const enabled = listed.filter((policy) => policy.enabled);
    assert.deepEqual(
      enabled.map(({ action, threshold }) => [action, threshold]).sort(),
      [...ALWAYS_ON, 'rules.change', ...RECOMMENDED_ACTIONS].map((action) => [action, null]).sort(),
    );
    const person = { email: 'puppet@example.com', password: 'Chosen-By-A-77', first_name: 'P', last_name: 'P' };
    const body = { ...person, role: 'system_admin' };
    pendingOf(await later.call('POST', '/api/v1/admin/users', { token, body }));
    const entries = await before.db.query(`select resource_id from (select actor_id, resource_id from audit_inbox
      union all select actor_id, resource_id from audit_log) e where actor_id = 'bootstrap' and resource_id = 'fees.change'`);
    assert.equal(entries.rows.length, 1, 'once, not at every start');
    await assertRecordsAudited(later);
  } finally {
    await later.close();
    await before.close();
  }
});

test('a later start changes no policy that two administrators disabled', async () => {
  const [one, other] = [await signedIn(first), await signedIn(second)];
  const body = { action: 'fees.change', enabled: false };
  const { id } = pendingOf(await call('PUT', '/admin/approval-policies', one, body));
  assert.equal((await decide(kissi, id, 'approve', other)).status, 200);
  await kissi.gateway.services.approvals.policies.enableRecommended();
  const fees = (await policies(one)).find(({ action }) => action === 'fees.change');
  assert.equal(fees.enabled, false);
});
