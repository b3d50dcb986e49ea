// One administrator tries in every way to approve with a second login.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RECOMMENDED_ACTIONS } from '../../../src/features/approvals/actions.ts';
import { newAgent } from '../../support/agents.ts';
import { decide, getApproval, pendingOf, setPolicy, type User, user } from '../../support/approvals.ts';
import { bankForFile } from '../../support/money.ts';
import { enrolTotp, logInWithCode } from '../../support/second-factor.ts';
import {
  assertRefused,
  assertStatus,
  createdByAdmin,
  openSession,
  type Staff,
  withLockContention,
} from '../../support/staff.ts';

interface Policy {
  action: string;
  enabled: boolean;
  locked: boolean;
}

const DAY_MS = 86_400_000;
const { kissi } = await bankForFile();
const first = { token: await kissi.adminToken() };
const finance = await user(kissi, 'finance_user');
const partner = await user(kissi, 'finance_user');

const call = (method: string, path: string, { token }: { token: string }, body?: object) =>
  kissi.call(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
const approve = (id: string, by: { token: string }) => decide(kissi, id, 'approve', by);
const opened = async (staff: Staff): Promise<User> => ({ ...staff, token: (await openSession(kissi, staff)).token });

/** A request of this user under the policy of fundings, which is disabled again afterwards. */
async function requested(by: { token: string }, work: (id: string) => Promise<void>): Promise<void> {
  await setPolicy(kissi, 'agents.fund', { enabled: true });
  try {
    const agent = await newAgent(kissi);
    await work(pendingOf(await call('POST', `/agents/${agent.id}/fund`, by, { amount: 500 })).id);
  } finally {
    await setPolicy(kissi, 'agents.fund', { enabled: false });
  }
}

/** In both directions: the request of one, approved by the other. */
async function assertIndependent(one: { token: string }, other: { token: string }, expected: boolean) {
  for (const [requester, approver] of [
    [one, other],
    [other, one],
  ] as const) {
    await requested(requester, async (id) => {
      const reply = await approve(id, approver);
      if (expected) return assert.equal(reply.status, 200, reply.text);
      assertRefused(reply, 403, 'NOT_INDEPENDENT');
      assert.equal((await getApproval(kissi, id, approver)).status, 'pending');
      // Nothing is lost: somebody else approves it.
      assert.equal((await approve(id, partner)).status, 200);
    });
  }
}

describe('two users are not independent, in either direction', () => {
  test('if one created the other, even after 30 days', async () => {
    const created = await opened(await createdByAdmin(kissi, 'finance_user'));
    await assertIndependent(first, created, false);
    await assertIndependent(created, finance, true);
  });

  test('the request is marked in the list and is not counted as one to decide', async () => {
    const created = await opened(await createdByAdmin(kissi, 'finance_user'));
    await requested(created, async (id) => {
      const marked = async (by: { token: string }) => {
        const { approvals } = assertStatus(await call('GET', '/admin/approvals?status=pending', by), 200).json;
        return approvals.find((each: { id: string }) => each.id === id).not_independent;
      };
      const toDecide = async (by: { token: string }) =>
        assertStatus(await call('GET', '/admin/counts?fresh=true', by), 200).json.approvals_to_decide;
      assert.deepEqual(
        [await marked(first), await marked(finance), await marked(created)],
        [true, undefined, undefined],
      );
      assert.deepEqual([await toDecide(first), await toDecide(finance), await toDecide(created)], [0, 1, 0]);
      assert.equal((await approve(id, finance)).status, 200);
    });
  });

  const CHANGES: [string, object][] = [
    ['password', { password: 'Another-Password-7' }],
    ['phone number', { phone_number: '+23276900001' }],
    ['status', { status: 'active' }],
  ];
  for (const [what, body] of CHANGES) {
    test(`if one changed the ${what} of the other`, async () => {
      const staff = await user(kissi, 'finance_user');
      if ('status' in body) await suspend(staff.id);
      assert.equal((await call('PUT', `/admin/users/${staff.id}`, first, body)).status, 200);
      const password = 'password' in body ? String(body.password) : staff.password;
      await assertIndependent(first, await opened({ ...staff, password }), false);
    });
  }

  test('if one changed the role of the other, but not if it changed the name', async () => {
    const staff = await user(kissi, 'support_user');
    assert.equal((await call('PUT', `/admin/users/${staff.id}`, first, { role: 'finance_user' })).status, 200);
    await assertIndependent(first, await opened(staff), false);
    const renamed = await user(kissi, 'finance_user');
    assert.equal((await call('PUT', `/admin/users/${renamed.id}`, first, { last_name: 'Kamara' })).status, 200);
    await assertIndependent(first, renamed, true);
  });

  test('if one reset the password of the other, even after the other chose a new one', async () => {
    const staff = await user(kissi, 'finance_user');
    const reset = await call('POST', `/admin/users/${staff.id}/reset-password`, first);
    const current_password = reset.json.temporary_password;
    const temporary = await opened({ ...staff, password: current_password });
    const change = { current_password, new_password: 'Chosen-Password-3' };
    assert.equal((await call('POST', '/admin/change-password', temporary, change)).status, 200);
    await assertIndependent(first, await opened({ ...staff, password: change.new_password }), false);
  });

  test('if one removed the second factor of the other, even after a new enrolment', async () => {
    const staff = await user(kissi, 'finance_user');
    await enrolTotp(kissi, staff, staff.token);
    assert.equal((await call('POST', `/admin/users/${staff.id}/reset-second-factor`, first)).status, 200);
    const again = await enrolTotp(kissi, staff, (await opened(staff)).token);
    const { token } = await logInWithCode(kissi, again);
    await assertIndependent(first, { token }, false);
  });

  test('if one created the user who created the other', async () => {
    const second = await opened(await createdByAdmin(kissi, 'system_admin'));
    const body = { email: 'third@example.com', password: 'Third-Password-1', first_name: 'A', last_name: 'B' };
    const reply = assertStatus(await call('POST', '/admin/users', second, { ...body, role: 'finance_user' }), 201);
    const third = await opened({ id: reply.json.user_id, email: body.email, password: body.password });
    await suspend(second.id);
    await assertIndependent(first, third, false);
  });

  test('for 30 days after a change, and for good after a creation', async () => {
    const [changed, created] = [await user(kissi, 'finance_user'), await createdByAdmin(kissi, 'finance_user')];
    const phone = { phone_number: '+23276900002' };
    assert.equal((await call('PUT', `/admin/users/${changed.id}`, first, phone)).status, 200);
    kissi.clock.advance(30 * DAY_MS - 1_000);
    for (const each of [first, partner, finance]) each.token = await renewed(each);
    await assertIndependent(first, await opened(changed), false);
    kissi.clock.advance(1_000);
    await assertIndependent(first, await opened(changed), true);
    await assertIndependent(first, await opened(created), false);
  });
});

describe('a change that a third user approved', () => {
  test('leaves requester and changed user independent; one that the changed user approved does not', async () => {
    const [second, staff] = [await user(kissi, 'system_admin'), await user(kissi, 'finance_user')];
    await withUsersPolicy(second, async () => {
      const reset = pendingOf(await call('POST', `/admin/users/${staff.id}/reset-password`, first));
      assert.equal((await approve(reset.id, second)).status, 200);
      const own = pendingOf(await call('PUT', `/admin/users/${second.id}`, first, { phone_number: '+23276900003' }));
      assert.equal((await approve(own.id, second)).status, 200);
      const next = pendingOf(await call('PUT', `/admin/users/${staff.id}`, first, { last_name: 'Sesay' }));
      assertRefused(await approve(next.id, second), 403, 'NOT_INDEPENDENT');
      assert.equal((await decide(kissi, next.id, 'reject', second)).status, 200);
      const password = (await decide(kissi, reset.id, 'collect-secrets', first)).json.secrets.temporary_password;
      const login = await openSession(kissi, { email: staff.email, password });
      const change = { current_password: password, new_password: 'Chosen-Password-4' };
      assert.equal((await call('POST', '/admin/change-password', { token: login.token }, change)).status, 200);
    });
    await assertIndependent(first, await opened({ ...staff, password: 'Chosen-Password-4' }), true);
  });

  test('counts as soon as it is committed: an approval that waits for it is refused', async () => {
    const staff = await user(kissi, 'finance_user');
    await requested(first, async (id) => {
      const reply = await withLockContention(kissi, {
        lock: `select from users where id = '${staff.id}' for update`,
        waiters: 1,
        begin: () => approve(id, staff),
        meanwhile: `insert into audit_inbox (id, at, actor_type, actor_id, action, resource_type, resource_id, details, mac)
          select 'aud_test', now(), 'user', requested_by, 'user.reset_password', 'user', '${staff.id}', '{}', '\\x00'
          from approvals where id = '${id}'`,
      });
      assertRefused(reply, 403, 'NOT_INDEPENDENT');
      // It was not written by the service.
      await kissi.db.query(`delete from audit_inbox where id = 'aud_test'`);
    });
  });
});

describe('while any policy is enabled', () => {
  test('so is users.change: it cannot be disabled, and a user is neither created nor reset by one administrator', async () => {
    await setPolicy(kissi, 'fees.change', { enabled: true });
    const listed = (await call('GET', '/admin/approval-policies', first)).json.policies;
    const users = listed.find(({ action }: { action: string }) => action === 'users.change');
    assert.deepEqual([users.enabled, users.locked], [true, true]);
    const off = { action: 'users.change', enabled: false };
    assertRefused(await call('PUT', '/admin/approval-policies', first, off), 409, 'POLICY_LOCKED');
    const names = { first_name: 'A', last_name: 'B', role: 'system_admin' };
    const body = { email: 'puppet@example.com', password: 'Puppet-Password-1', ...names };
    const ways = [
      await call('POST', '/admin/users', first, body),
      await call('POST', `/admin/users/${finance.id}/reset-password`, first),
      await call('PUT', `/admin/users/${finance.id}`, first, { password: 'Puppet-Password-1' }),
      await call('PUT', `/admin/users/${finance.id}`, first, { phone_number: '+23276900009' }),
      await call('PUT', `/admin/users/${finance.id}`, first, { role: 'system_admin' }),
      await call('PUT', `/admin/users/${finance.id}`, first, { status: 'suspended' }),
      await call('PUT', `/admin/users/${finance.id}`, first, { pep_access_authorized: true }),
    ];
    for (const reply of ways) {
      const { id } = pendingOf(reply);
      assertRefused(await approve(id, first), 403, 'FORBIDDEN');
      assert.equal((await decide(kissi, id, 'withdraw', first)).status, 200);
    }
    assert.equal((await kissi.call('POST', '/api/v1/admin/login', { body })).status, 401);
    await setPolicy(kissi, 'fees.change', { enabled: false });
    const free = (await call('GET', '/admin/approval-policies', first)).json.policies;
    // Without consent, money moves only by two users, whatever the others are.
    const locked = free.filter((policy: Policy) => policy.enabled || policy.locked);
    assert.deepEqual(
      locked.map(({ action, enabled }: Policy) => [action, enabled]),
      [
        ['cases.recall', true],
        ['privacy.erase', true],
      ],
    );
  });
});

// The contract's list. The names of RECOMMENDED_ACTIONS that have no action yet come with other features.
const RECOMMENDED = [
  ...['agents.fund', 'wallet.fund_from_partner', 'partners.settle', 'partners.change', 'inbound.reverse'],
  ...['processors.payout', 'api_keys.create', 'agents.return_float', 'processors.transfer', 'suspense.resolve'],
  ...['reconciliation.write_off', 'fees.change', 'kyc.raise', 'pin.reset', 'users.change'],
  'beneficiaries.change',
  'trust_accounts.change',
  'subscribers.change_phone',
];

test('the recommended policies are those of the contract', () => {
  assert.deepEqual([...RECOMMENDED_ACTIONS].sort(), [...RECOMMENDED].sort());
});

async function suspend(id: string): Promise<void> {
  assert.equal((await call('PUT', `/admin/users/${id}`, first, { status: 'suspended' })).status, 200);
}

async function renewed(member: { token: string } & Partial<Staff>): Promise<string> {
  return member.email ? (await openSession(kissi, member as Staff)).token : kissi.adminToken();
}

/** With two administrators, both change the policy; the second one is suspended at the end. */
async function withUsersPolicy(second: User, work: () => Promise<void>): Promise<void> {
  const set = async (enabled: boolean, by: { token: string }) => {
    const body = { action: 'users.change', enabled };
    const { id } = pendingOf(await call('PUT', '/admin/approval-policies', first, body));
    assert.equal((await approve(id, by)).status, 200);
  };
  await set(true, second);
  await work();
  const third = await user(kissi, 'system_admin');
  await set(false, third);
  for (const { id } of [second, third]) await suspend(id);
}
