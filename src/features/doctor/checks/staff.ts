// Checks of staff logins: second factors, administrators, approvals and sessions.
import { someAreIndependent } from '../../../audit/independence.ts';
import { HOUR_MS } from '../../../kernel/clock.ts';
import { disabledPolicies } from '../../approvals/service.ts';
import { type Check, type Examined, type Finding, fail, fine, warn } from '../check.ts';
import * as store from '../store.ts';

export const STAFF_CHECKS: readonly Check[] = [
  { id: 'second_factors', area: 'staff', name: 'Second factors', run: secondFactors },
  { id: 'administrators', area: 'staff', name: 'Administrators', run: administrators },
  { id: 'approval_policies', area: 'staff', name: 'Approval policies', run: approvalPolicies },
  { id: 'sessions', area: 'staff', name: 'Length of sessions', run: sessions },
];

async function secondFactors({ config: { secondFactor }, database }: Examined): Promise<Finding> {
  if (!secondFactor.required) {
    return fail('A stolen password is enough to log in.', 'Set REQUIRE_SECOND_FACTOR=true, the default in production.');
  }
  const without = await store.staffWithoutFactor(database.queries);
  if (without === 0) return fine('All active staff have one.');
  return warn(
    `Active staff without a second factor: ${without}. Whoever has such a password can enrol one.`,
    'Ask them to log in and enrol, or suspend the users.',
  );
}

async function administrators({ database, clock }: Examined): Promise<Finding> {
  const ids = await store.activeAdministrators(database.queries);
  if (await someAreIndependent(database.queries, ids, clock.now())) {
    return fine(`There are ${ids.length}, and two of them are independent of each other.`);
  }
  return fail(
    `Active administrators: ${ids.length}, but no two that are independent. One person decides alone, or nobody can approve.`,
    "Run npm run admin:create on the server for another person (docs/operations/first-day.md, 'Administrators and approvals').",
  );
}

async function approvalPolicies({ config: { approvals }, database }: Examined): Promise<Finding> {
  const { recommended, disabled } = await disabledPolicies(database.queries);
  if (disabled.length === 0) return fine('All recommended policies are enabled.');
  if (disabled.length === recommended) {
    return fail(
      'No approval policy is enabled: one person alone can move the money of the operator.',
      'Set APPROVALS=recommended, and restart.',
    );
  }
  return warn(
    `Not enabled${approvals === 'off' ? ', and APPROVALS is off' : ''}: ${disabled.join(', ')}.`,
    'Enable them in the console under Approvals, Policies.',
  );
}

const RECOMMENDED_HOURS = 12;

function sessions({ config: { sessionMaxMs } }: Examined): Finding {
  const hours = sessionMaxMs / HOUR_MS;
  if (hours <= RECOMMENDED_HOURS) return fine(`A login lasts at most ${hours} hours.`);
  return warn(
    `A login lasts up to ${hours} hours: a lost laptop stays logged in.`,
    `Set SESSION_MAX_HOURS=${RECOMMENDED_HOURS}.`,
  );
}
