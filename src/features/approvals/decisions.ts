// Decisions about requests: approve, reject, withdraw, expire. Each is made once, on the locked row.
import { type Actor, type AuditLog, type Author, SYSTEM } from '../../audit/log.ts';
import { isStaff, type UserCaller } from '../../auth/caller.ts';
import { isAllowed } from '../../auth/permissions.ts';
import type { Database, DatabaseTransaction } from '../../db/database.ts';
import type { RowChange } from '../../db/schema/tables.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import { ACTIONS, type ApprovalAction } from './actions.ts';
import { settle } from './attempt.ts';
import { areIndependent } from './independence.ts';
import type { AnyChange, AnyOperation, AnyPayment, Input } from './operation.ts';
import { createPaymentExecution, type PaymentExecutionDependencies } from './payment-execution.ts';
import {
  alreadyDecided,
  decidedByOther,
  executionRefused,
  hasExpired,
  notIndependent,
  notPermitted,
  ownRequest,
  recordChanged,
  requesterNotPermitted,
  type StoredRefusal,
} from './refusals.ts';
import {
  type ApprovalRow,
  findApproval,
  findUserNames,
  lockApproval,
  updateApproval,
  usersAsCallers,
} from './store.ts';
import { openInput, separate } from './summary.ts';

export interface DecisionDependencies extends PaymentExecutionDependencies {
  database: Database;
  audit: AuditLog;
  pep: PepGuard;
  clock: Clock;
  operationOf(row: ApprovalRow): AnyOperation;
}

/** A user who decides. */
export type Decider = Actor & { caller: UserCaller };

export function createDecisions(deps: DecisionDependencies) {
  const { database, audit, vault, pep, clock, operationOf } = deps;
  const executePayment = createPaymentExecution(deps);

  async function approve(actor: Decider, row: ApprovalRow): Promise<ApprovalRow | Refusal> {
    const before = ownDecision(actor, row);
    if (before) return before;
    const hidden = await pep.refusalOf(actor, row.subscriber_id, 'payment');
    if (hidden) return hidden;
    const operation = operationOf(row);
    const decided =
      operation.kind === 'payment'
        ? await approvePayment(actor, row, operation)
        : await runChange(actor, row, operation);
    if (decided instanceof Refusal) {
      const current = decided.code === 'ALREADY_DECIDED' ? await findApproval(database.queries, row.id) : undefined;
      return (current && (ownDecision(actor, current) ?? (await decidedBefore(current)))) ?? decided;
    }
    // This user completed what another has approved.
    if (decided.decided_by !== actor.caller.id) return (await decidedBefore(decided)) ?? decided;
    return decided.status === 'failed' ? executionRefused(decided) : decided;
  }

  /** Names the user who decided first; null if the request expired or was withdrawn. */
  async function decidedBefore({ decided_by, status }: ApprovalRow): Promise<Refusal | null> {
    if (decided_by === null || status === 'withdrawn') return null;
    const name = (await findUserNames(database.queries, [decided_by])).get(decided_by)?.name ?? 'Another user';
    return decidedByOther(name, status === 'rejected' ? 'rejected' : 'approved');
  }

  /** The result again for the user who approved it: a double click, or a retry after a lost reply. */
  function ownDecision({ caller }: Decider, row: ApprovalRow): ApprovalRow | Refusal | null {
    if (row.decided_by !== caller.id) return null;
    if (row.status === 'failed') return executionRefused(row);
    return row.status === 'executed' ? row : null;
  }

  async function approvePayment(actor: Decider, row: ApprovalRow, operation: AnyPayment) {
    const decided = await database.transact(async (trx) => {
      const current = await lockApproval(trx, row.id);
      if (current.status === 'approved') return (await deciderRefusal(trx, actor, current)) ?? current;
      const refusal = await checkApproval(trx, actor, current);
      if (refusal) return failIfRequester(trx, actor, current, refusal);
      return save(trx, actor, current, 'approval.approve', { status: 'approved', ...decisionBy(actor) });
    });
    if (decided instanceof Refusal || decided.status !== 'approved') return decided;
    return finishPayment(decided, operation);
  }

  /** Executes an approved payment. Safe to repeat, at the same time or after a crash. */
  async function finishPayment(row: ApprovalRow, operation: AnyPayment): Promise<ApprovalRow> {
    const approverId = String(row.decided_by);
    const users = await usersAsCallers(database.queries, [row.requested_by, approverId], { locked: false });
    const [requester, approver] = [users.get(row.requested_by), users.get(approverId)];
    if (!requester || !approver) throw new Error(`the users of ${row.id} do not exist`);
    const outcome = await executePayment(requestOf(row, requester.caller, approver.caller), row, operation);
    return database.transact(async (trx) => {
      const current = await lockApproval(trx, row.id);
      if (current.status !== 'approved') return current;
      const author = { caller: approver.caller, ip: null, requestId: row.id };
      if ('refusal' in outcome) return fail(trx, author, current, outcome.refusal);
      const details = { transaction_id: (outcome.result as { transaction_id?: string }).transaction_id };
      const change = { status: 'executed', result: JSON.stringify(outcome.result), ...finishedNow() } as const;
      return save(trx, author, current, 'approval.execute', change, details);
    });
  }

  /** Decides and changes in one transaction. */
  async function runChange(actor: Decider, row: ApprovalRow, operation: AnyChange): Promise<ApprovalRow | Refusal> {
    if (row.status !== 'pending') return alreadyDecided(row);
    // Planned before the transaction, because hashing a password is slow.
    const users = await usersAsCallers(database.queries, [row.requested_by], { locked: false });
    const known = users.get(row.requested_by);
    if (!known) throw new Error(`the requester of ${row.id} does not exist`);
    const request = requestOf(row, known.caller, actor.caller);
    const run = await operation.plan(request, openInput(vault, row));
    let undecided: Refusal | null = null;
    const outcome = await settle(operation, () =>
      database.transact(async (trx) => {
        const current = await lockApproval(trx, row.id);
        undecided = await checkApproval(trx, actor, current);
        if (undecided) return failIfRequester(trx, actor, current, undecided);
        const result = run instanceof Refusal ? run : await run(trx);
        const refusal = result instanceof Refusal ? result : await changedRefusal(trx, current);
        return refusal ?? saveResult(trx, actor, current, operation, { result, request });
      }),
    );
    // The refusal has rolled the transaction back, so it is recorded in a new one.
    return outcome instanceof Refusal && undecided === null ? failDecided(actor, row, outcome) : outcome;
  }

  /** The approver decided on the record that the request was made for. The change has locked it. */
  async function changedRefusal(trx: DatabaseTransaction, { record_states }: ApprovalRow): Promise<Refusal | null> {
    const current = await audit.statesBefore(trx);
    return canonicalJson(current) === canonicalJson(record_states) ? null : recordChanged();
  }

  async function saveResult(
    trx: DatabaseTransaction,
    actor: Decider,
    row: ApprovalRow,
    operation: AnyChange,
    { result, request }: { result: unknown; request: Actor },
  ): Promise<ApprovalRow> {
    const { body } = operation.storedReply?.(result) ?? (await operation.reply(result, request));
    const { open, secret } = separate((body ?? {}) as Record<string, unknown>, operation.secretResult ?? []);
    const sealed_result = Object.keys(secret).length === 0 ? null : vault.seal(JSON.stringify(secret), row.id);
    const change = { status: 'executed', result: JSON.stringify(open), sealed_result } as const;
    const decision = { ...decisionBy(actor), ...finishedNow() };
    return save(trx, actor, row, 'approval.approve', { ...change, ...decision });
  }

  function failDecided(actor: Decider, row: ApprovalRow, refusal: Refusal): Promise<ApprovalRow | Refusal> {
    return database.transact(async (trx) => {
      const current = await lockApproval(trx, row.id);
      const refused = openRefusal(current) ?? (await deciderRefusal(trx, actor, current));
      return refused ?? fail(trx, actor, current, refusal, decisionBy(actor));
    });
  }

  /** Null if this user can approve the request now. */
  async function checkApproval(trx: DatabaseTransaction, actor: Decider, row: ApprovalRow): Promise<Refusal | null> {
    const closed = openRefusal(row);
    if (closed) return closed;
    // Both users at once, in the order of their ids: a change of one of them waits, or is seen.
    await usersAsCallers(trx, [actor.caller.id, row.requested_by], { locked: true });
    const refusal = await deciderRefusal(trx, actor, row);
    if (refusal) return refusal;
    const unfit = await approverRefusal(trx, actor, row);
    if (unfit) return unfit;
    const requester = (await usersAsCallers(trx, [row.requested_by], { locked: true })).get(row.requested_by);
    const { permission = ACTIONS[row.action as ApprovalAction].permission } = operationOf(row);
    if (!requester?.active || !isAllowed(requester.caller, permission)) return requesterNotPermitted();
    return (await areIndependent(trx, [actor.caller.id, row.requested_by], clock.now())) ? null : notIndependent();
  }

  /** The request stays open for other users. */
  async function approverRefusal(trx: DatabaseTransaction, { caller }: Decider, row: ApprovalRow) {
    const operation = operationOf(row);
    if (operation.kind === 'payment') return null;
    return (await operation.approverRefusal?.(trx, caller, row.input as unknown as Input<unknown, unknown>)) ?? null;
  }

  /** A request whose requester has lost the permission fails for good. Other refusals leave it as it is. */
  function failIfRequester(trx: DatabaseTransaction, actor: Decider, row: ApprovalRow, refusal: Refusal) {
    if (refusal.code !== 'REQUESTER_NOT_PERMITTED') return refusal;
    return fail(trx, actor, row, refusal, decisionBy(actor));
  }

  async function decide(
    actor: Decider,
    row: ApprovalRow,
    check: (trx: DatabaseTransaction, current: ApprovalRow) => Promise<Refusal | null> | Refusal | null,
    { action, change }: { action: string; change: RowChange<'approvals'> },
  ): Promise<ApprovalRow | Refusal> {
    return database.transact(async (trx) => {
      const current = await lockApproval(trx, row.id);
      const refusal = openRefusal(current) ?? (await check(trx, current));
      if (refusal) return refusal;
      return save(trx, actor, current, action, { ...change, ...decisionBy(actor), ...finishedNow() });
    });
  }

  function openRefusal(row: ApprovalRow): Refusal | null {
    if (row.status !== 'pending') return alreadyDecided(row);
    return row.expires_at.getTime() > clock.now() ? null : hasExpired();
  }

  /** By the role that the user has now: it is locked until the decision is committed. */
  async function deciderRefusal(trx: DatabaseTransaction, { caller }: Decider, row: ApprovalRow) {
    return caller.id === row.requested_by ? ownRequest() : permissionRefusal(trx, { caller }, row);
  }

  async function permissionRefusal(trx: DatabaseTransaction, { caller }: Pick<Decider, 'caller'>, row: ApprovalRow) {
    const { permission } = ACTIONS[row.action as ApprovalAction];
    const decider = (await usersAsCallers(trx, [caller.id], { locked: true })).get(caller.id);
    const isPermitted = decider?.active && isStaff(decider.caller) && isAllowed(decider.caller, permission);
    return isPermitted ? null : notPermitted(permission);
  }

  function fail(
    trx: DatabaseTransaction,
    author: Author,
    row: ApprovalRow,
    { code, message }: StoredRefusal,
    decision: RowChange<'approvals'> = {},
  ): Promise<ApprovalRow> {
    const change = { status: 'failed', refusal: JSON.stringify({ code, message }), ...finishedNow() } as const;
    return save(trx, author, row, 'approval.fail', { ...change, ...decision }, { code });
  }

  async function save(
    trx: DatabaseTransaction,
    author: Author,
    row: ApprovalRow,
    event: string,
    change: RowChange<'approvals'>,
    details: Record<string, unknown> = {},
  ): Promise<ApprovalRow> {
    // The secrets are needed until the request is executed or refused for good.
    const isOpen = change.status === 'approved' || change.status === undefined;
    const after = await updateApproval(trx, row.id, { ...change, ...(isOpen ? {} : { sealed_input: null }) });
    const { action, operation, requested_by } = row;
    await audit.record(trx, author, {
      action: event,
      resourceType: 'approval',
      resourceId: row.id,
      details: { action, operation, requested_by, ...details },
    });
    return after;
  }

  const decisionBy = ({ caller }: Decider) => ({ decided_by: caller.id, decided_at: new Date(clock.now()) });
  const finishedNow = () => ({ finished_at: new Date(clock.now()) });

  return {
    approve,
    finishPayment,
    reject: (actor: Decider, row: ApprovalRow, reason: string) =>
      decide(actor, row, (trx, current) => deciderRefusal(trx, actor, current), {
        action: 'approval.reject',
        change: { status: 'rejected', reason },
      }),
    withdraw: (actor: Decider, row: ApprovalRow) =>
      decide(actor, row, (_trx, current) => (current.requested_by === actor.caller.id ? null : onlyRequester()), {
        action: 'approval.withdraw',
        change: { status: 'withdrawn' },
      }),
    expire: (id: string) =>
      database.transact(async (trx) => {
        const row = await lockApproval(trx, id);
        if (row.status !== 'pending' || row.expires_at.getTime() > clock.now()) return;
        await save(trx, SYSTEM, row, 'approval.expire', { status: 'expired', ...finishedNow() });
      }),
    permissionRefusal,
    /** Changes an approval without deciding on it. */
    save,
  };
}

/** The request as its requester made it, approved by a second user. */
function requestOf(row: ApprovalRow, caller: UserCaller, approvedBy: UserCaller): Actor {
  return { caller, ip: row.requested_ip ?? '', requestId: row.id, approval: { id: row.id, approvedBy } };
}

function onlyRequester(): Refusal {
  return refuse('FORBIDDEN', 'Only the requester can withdraw the request.');
}
