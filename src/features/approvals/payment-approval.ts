// Approves a payment: the decision is committed first, then the payment is executed under the approval's id.
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { approvalRefusal, type Decider, deciderRefusal } from './decision-checks.ts';
import { approvedRequest, type DecisionRecords } from './decision-records.ts';
import type { AnyPayment } from './operation.ts';
import { createPaymentExecution, type PaymentExecutionDependencies } from './payment-execution.ts';
import { type ApprovalRow, lockApproval, usersAsCallers } from './store.ts';

interface Dependencies extends PaymentExecutionDependencies {
  database: Database;
  clock: Clock;
}

export function createPaymentApproval(deps: Dependencies, records: DecisionRecords) {
  const { database, clock } = deps;
  const { save, fail, failIfRequester, decisionBy, finishedNow } = records;
  const executePayment = createPaymentExecution(deps);

  async function approve(actor: Decider, row: ApprovalRow, operation: AnyPayment): Promise<ApprovalRow | Refusal> {
    const decided = await database.transact(async (trx) => {
      const current = await lockApproval(trx, row.id);
      if (current.status === 'approved') return (await deciderRefusal(trx, actor, current)) ?? current;
      const refusal = await approvalRefusal(trx, actor, current, { operation, now: clock.now() });
      if (refusal) return failIfRequester(trx, actor, current, refusal);
      return save(trx, actor, current, 'approval.approve', { status: 'approved', ...decisionBy(actor) });
    });
    if (decided instanceof Refusal || decided.status !== 'approved') return decided;
    return finish(decided, operation);
  }

  /** Executes an approved payment. Safe to repeat, at the same time or after a crash. */
  async function finish(row: ApprovalRow, operation: AnyPayment): Promise<ApprovalRow> {
    const approverId = String(row.decided_by);
    const users = await usersAsCallers(database.queries, [row.requested_by, approverId], { locked: false });
    const [requester, approver] = [users.get(row.requested_by), users.get(approverId)];
    if (!requester || !approver) throw new Error(`the users of ${row.id} do not exist`);
    const outcome = await executePayment(approvedRequest(row, requester.caller, approver.caller), row, operation);
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

  return { approve, finish };
}
