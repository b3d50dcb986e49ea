// Records what happened to an approval: the row and its audit entry, in one transaction.
import type { Actor, AuditLog, Author } from '../../audit/log.ts';
import type { UserCaller } from '../../auth/caller.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import type { RowChange } from '../../db/schema/tables.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { Decider } from './decision-checks.ts';
import type { StoredRefusal } from './refusals.ts';
import { type ApprovalRow, updateApproval } from './store.ts';

export type DecisionRecords = ReturnType<typeof createDecisionRecords>;

export function createDecisionRecords({ audit, clock }: { audit: AuditLog; clock: Clock }) {
  const decisionBy = ({ caller }: Decider) => ({ decided_by: caller.id, decided_at: new Date(clock.now()) });
  const finishedNow = () => ({ finished_at: new Date(clock.now()) });

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

  /** A request whose requester has lost the permission fails for good. Other refusals leave it as it is. */
  function failIfRequester(trx: DatabaseTransaction, actor: Decider, row: ApprovalRow, refusal: Refusal) {
    if (refusal.code !== 'REQUESTER_NOT_PERMITTED') return refusal;
    return fail(trx, actor, row, refusal, decisionBy(actor));
  }

  return { save, fail, failIfRequester, decisionBy, finishedNow };
}

/** The request as its requester made it, approved by a second user. */
export function approvedRequest(row: ApprovalRow, caller: UserCaller, approvedBy: UserCaller): Actor {
  return { caller, ip: row.requested_ip ?? '', requestId: row.id, approval: { id: row.id, approvedBy } };
}
