// Approval policies: which actions need a second user, and above which amount.
import type { Actor, ChangeContext } from '../../audit/log.ts';
import type { DatabaseTransaction, Queries } from '../../db/database.ts';
import { ok } from '../../http/endpoint.ts';
import { parseAmount } from '../../kernel/money.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import {
  ACTIONS,
  type ApprovalAction,
  POLICY_ACTION_NAMES,
  POLICY_CHANGE,
  type PolicyAction,
  RECOMMENDED_ACTIONS,
} from './actions.ts';
import type { ChangeOperation } from './operation.ts';
import { type PolicyBody, policyView } from './schemas.ts';
import * as store from './store.ts';

const USERS_CHANGE = 'users.change';
const STARTING: Actor = { caller: { kind: 'service', id: 'bootstrap' }, ip: '', requestId: 'start' };

export interface PoliciesDependencies extends ChangeContext {
  /** recommended: every policy change needs a second administrator, even if there is only one. */
  approvals: 'recommended' | 'off';
}

type Terms = Pick<store.Policy, 'action' | 'enabled' | 'threshold'>;

export type Policies = ReturnType<typeof createPolicies>;

export function createPolicies({ database, audit, clock, approvals }: PoliciesDependencies) {
  const recommended = approvals === 'recommended';

  /** Read for every request: a change applies to the next one on every gateway. */
  async function of(action: ApprovalAction): Promise<store.Policy> {
    if (action !== POLICY_CHANGE) return current(database.queries, action);
    return { ...applying(action), enabled: recommended || (await store.countActiveAdmins(database.queries)) > 1 };
  }

  async function save(trx: DatabaseTransaction, actor: Actor, change: Terms): Promise<store.Policy | Refusal> {
    await store.lockPolicies(trx);
    const before = await current(trx, change.action);
    if (before.locked && !change.enabled) return policyLocked();
    if (before.enabled === change.enabled && before.threshold === change.threshold) return before;
    return write(trx, actor, before, change);
  }

  async function write(
    trx: DatabaseTransaction,
    actor: Actor,
    before: store.Policy,
    change: Terms,
  ): Promise<store.Policy> {
    const author = { updated_by: String(actor.caller.id), updated_at: new Date(clock.now()) };
    const after = await store.savePolicy(trx, { ...change, ...author });
    await audit.record(trx, actor, {
      action: 'approval_policy.update',
      resourceType: 'approval_policy',
      resourceId: change.action,
      details: { from: terms(before), to: terms(after) },
    });
    return applying(change.action, after);
  }

  const changeOperation: ChangeOperation<unknown, PolicyBody, store.Policy> = {
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
    async list(): Promise<store.Policy[]> {
      const all = await store.allPolicies(database.queries);
      const rows = new Map(all.map((row) => [row.action, row]));
      return POLICY_ACTION_NAMES.map((action) =>
        action === USERS_CHANGE ? usersPolicy(all) : applying(action, rows.get(action)),
      );
    },
    /** At the start: enables the recommended policies, except what two administrators decided otherwise. */
    enableRecommended: async (): Promise<void> => {
      if (!recommended || (await undecided(database.queries)).length === 0) return;
      await database.transact(async (trx) => {
        await store.lockPolicies(trx);
        for (const before of await undecided(trx))
          await write(trx, STARTING, before, { action: before.action, enabled: true, threshold: null });
      });
    },
    change: changeOperation,
  };
}

/**
 * The recommended policies that apply otherwise although no second administrator approved it: never set, or set by one alone
 * before they were recommended. A threshold above every amount is like a disabled policy.
 */
async function undecided(queries: Queries): Promise<store.Policy[]> {
  const rows = new Map((await store.allPolicies(queries)).map((row) => [row.action, row]));
  const approved = await store.approvedPolicies(queries);
  return RECOMMENDED_ACTIONS.filter((action) => !approved.has(action))
    .map((action) => applying(action, rows.get(action)))
    .filter(({ enabled, threshold }) => !enabled || threshold !== null);
}

/** For those who ask whether one person alone can move money. */
export async function disabledPolicies(queries: Queries): Promise<{ recommended: number; disabled: PolicyAction[] }> {
  const policies = await Promise.all(RECOMMENDED_ACTIONS.map((action) => current(queries, action)));
  const disabled = RECOMMENDED_ACTIONS.filter((_, place) => !policies[place]?.enabled);
  return { recommended: RECOMMENDED_ACTIONS.length, disabled };
}

async function current(queries: Queries, action: ApprovalAction): Promise<store.Policy> {
  if (action === USERS_CHANGE) return usersPolicy(await store.allPolicies(queries));
  return applying(action, await store.findPolicy(queries, action));
}

/** While any policy is enabled, so is the one for users: otherwise one administrator creates the second user. */
function usersPolicy(rows: readonly store.PolicyRow[]): store.Policy {
  const locked = isLocked(rows);
  const own = applying(
    USERS_CHANGE,
    rows.find(({ action }) => action === USERS_CHANGE),
  );
  return { ...own, enabled: own.enabled || locked, locked };
}

function isLocked(rows: readonly store.PolicyRow[]): boolean {
  return rows.some(({ action, enabled }) => enabled && action !== USERS_CHANGE);
}

function policyLocked(): Refusal {
  return refuse('POLICY_LOCKED', 'users.change stays enabled while any other policy is: disable the others first.');
}

function applying(action: ApprovalAction, row?: store.PolicyRow): store.Policy {
  if (ACTIONS[action].always) return { action, ...NEVER_CHANGED, enabled: true, locked: true };
  const { enabled, threshold, updated_by, updated_at } = row ?? NEVER_CHANGED;
  return { action, enabled, threshold, updated_by, updated_at, locked: false };
}

const NEVER_CHANGED = { enabled: false, threshold: null, updated_by: null, updated_at: null };

function readThreshold(action: PolicyAction, text: string): number | Refusal {
  if (!ACTIONS[action].movesMoney) return refuse('INVALID_REQUEST', `threshold: ${action} has no amount.`);
  const amount = parseAmount(text);
  return amount ?? refuse('INVALID_REQUEST', 'threshold must be a positive whole number of minor units below 2^53.');
}

function terms({ enabled, threshold }: Pick<store.Policy, 'enabled' | 'threshold'>) {
  return { enabled, threshold };
}
