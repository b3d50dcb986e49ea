// Approval policies: which actions need a second user, and above which amount. All are disabled at first.
import type { Actor, AuditLog } from '../../audit/log.ts';
import type { Database, DatabaseTransaction } from '../../db/database.ts';
import { ok } from '../../http/endpoint.ts';
import type { Clock } from '../../kernel/clock.ts';
import { parseAmount } from '../../kernel/money.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { ACTIONS, type ApprovalAction, POLICY_ACTION_NAMES, POLICY_CHANGE, type PolicyAction } from './actions.ts';
import type { ChangeOperation } from './operation.ts';
import { type PolicyBody, policyView } from './schemas.ts';
import {
  allPolicies,
  countActiveAdmins,
  findPolicy,
  lockPolicies,
  type Policy,
  type PolicyRow,
  savePolicy,
} from './store.ts';

export interface PoliciesDependencies {
  database: Database;
  audit: AuditLog;
  clock: Clock;
}

export type Policies = ReturnType<typeof createPolicies>;

export function createPolicies({ database, audit, clock }: PoliciesDependencies) {
  /** Read for every request: a change applies to the next one on every gateway. */
  async function of(action: ApprovalAction): Promise<Policy> {
    if (action !== POLICY_CHANGE) return applying(action, await findPolicy(database.queries, action));
    return { ...applying(action), enabled: (await countActiveAdmins(database.queries)) > 1 };
  }

  async function save(
    trx: DatabaseTransaction,
    actor: Actor,
    { action, enabled, threshold }: Pick<Policy, 'action' | 'enabled' | 'threshold'>,
  ): Promise<Policy> {
    await lockPolicies(trx);
    const before = applying(action, await findPolicy(trx, action));
    if (before.enabled === enabled && before.threshold === threshold) return before;
    const change = { updated_by: String(actor.caller.id), updated_at: new Date(clock.now()) };
    const after = await savePolicy(trx, { action, enabled, threshold, ...change });
    await audit.record(trx, actor, {
      action: 'approval_policy.update',
      resourceType: 'approval_policy',
      resourceId: action,
      details: { from: terms(before), to: terms(after) },
    });
    return applying(action, after);
  }

  const changeOperation: ChangeOperation<unknown, PolicyBody, Policy> = {
    kind: 'change',
    name: POLICY_CHANGE,
    action: POLICY_CHANGE,
    describe: ({ body: { action, enabled } }) => `${enabled ? 'Require' : 'Do not require'} approval for ${action}.`,
    before: async (_actor, { body }) => policyView(await of(body.action)),
    after: policyView,
    plan(actor, { body: { action, enabled, threshold } }) {
      const amount = threshold === undefined ? null : readThreshold(action, threshold);
      if (amount instanceof Refusal) return amount;
      return (trx) => save(trx, actor, { action, enabled, threshold: amount });
    },
    reply: (policy) => ok({ success: true, message: 'The policy was saved.', policy: policyView(policy) }),
  };

  return {
    of,
    async list(): Promise<Policy[]> {
      const rows = new Map((await allPolicies(database.queries)).map((row) => [row.action, row]));
      return POLICY_ACTION_NAMES.map((action) => applying(action, rows.get(action)));
    },
    change: changeOperation,
  };
}

function applying(action: ApprovalAction, row?: PolicyRow): Policy {
  const { enabled, threshold, updated_by, updated_at } = row ?? NEVER_CHANGED;
  return { action, enabled, threshold, updated_by, updated_at };
}

const NEVER_CHANGED = { enabled: false, threshold: null, updated_by: null, updated_at: null };

function readThreshold(action: PolicyAction, text: string): number | Refusal {
  if (!ACTIONS[action].movesMoney) return refuse('INVALID_REQUEST', `threshold: ${action} has no amount.`);
  const amount = parseAmount(text);
  return amount ?? refuse('INVALID_REQUEST', 'threshold must be a positive whole number of minor units below 2^53.');
}

function terms({ enabled, threshold }: Pick<Policy, 'enabled' | 'threshold'>) {
  return { enabled, threshold };
}
