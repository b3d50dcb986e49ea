// Decisions about requests: approve, reject, withdraw, expire. Each is made once, on the locked row.
import { type ChangeContext, SYSTEM } from '../../audit/log.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import type { RowChange } from '../../db/schema/tables.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import { createChangeApproval } from './change-approval.ts';
import { type Decider, deciderRefusal, openRefusal } from './decision-checks.ts';
import { createDecisionRecords } from './decision-records.ts';
import type { AnyOperation } from './operation.ts';
import { createPaymentApproval } from './payment-approval.ts';
import type { PaymentExecutionDependencies } from './payment-execution.ts';
import { subjectsOf } from './people.ts';
import { decidedByOther, executionRefused } from './refusals.ts';
import { type ApprovalRow, findApproval, findUserNames, lockApproval } from './store.ts';

export interface DecisionDependencies extends ChangeContext, PaymentExecutionDependencies {
  pep: PepGuard;
  operationOf(row: ApprovalRow): AnyOperation;
}

export function createDecisions(deps: DecisionDependencies) {
  const { database, pep, clock, operationOf } = deps;
  const records = createDecisionRecords(deps);
  const { save, decisionBy, finishedNow } = records;
  const payments = createPaymentApproval(deps, records);
  const approveChange = createChangeApproval(deps, records);

  async function approve(actor: Decider, row: ApprovalRow): Promise<ApprovalRow | Refusal> {
    const before = ownDecision(actor, row);
    if (before) return before;
    for (const id of subjectsOf(row)) {
      const hidden = await pep.refusalOf(actor, id, 'payment');
      if (hidden) return hidden;
    }
    const operation = operationOf(row);
    const decided =
      operation.kind === 'payment'
        ? await payments.approve(actor, row, operation)
        : await approveChange(actor, row, operation);
    if (decided instanceof Refusal) {
      const current = decided.code === 'ALREADY_DECIDED' ? await findApproval(database.queries, row.id) : undefined;
      return (current && (ownDecision(actor, current) ?? (await decidedBefore(current)))) ?? decided;
    }
    // This user completed what someone else had approved.
    if (decided.decided_by !== actor.caller.id) return (await decidedBefore(decided)) ?? decided;
    return decided.status === 'failed' ? executionRefused(decided) : decided;
  }

  /** Names the user who decided first; null if the request expired or was withdrawn. */
  async function decidedBefore({ decided_by, status }: ApprovalRow): Promise<Refusal | null> {
    if (decided_by === null || status === 'withdrawn') return null;
    const name = (await findUserNames(database.queries, [decided_by])).get(decided_by)?.name ?? 'Another user';
    return decidedByOther(name, status === 'rejected' ? 'rejected' : 'approved');
  }

  async function decide(
    actor: Decider,
    row: ApprovalRow,
    check: (trx: DatabaseTransaction, current: ApprovalRow) => Promise<Refusal | null> | Refusal | null,
    { action, change }: { action: string; change: RowChange<'approvals'> },
  ): Promise<ApprovalRow | Refusal> {
    return database.transact(async (trx) => {
      const current = await lockApproval(trx, row.id);
      const refusal = openRefusal(current, clock.now()) ?? (await check(trx, current));
      if (refusal) return refusal;
      return save(trx, actor, current, action, { ...change, ...decisionBy(actor), ...finishedNow() });
    });
  }

  return {
    approve,
    finishPayment: payments.finish,
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
    /** Changes an approval without deciding on it. */
    save,
  };
}

/** The result again for the user who approved it: a double click, or a retry after a lost reply. */
function ownDecision({ caller }: Decider, row: ApprovalRow): ApprovalRow | Refusal | null {
  if (row.decided_by !== caller.id) return null;
  if (row.status === 'failed') return executionRefused(row);
  return row.status === 'executed' ? row : null;
}

function onlyRequester(): Refusal {
  return refuse('FORBIDDEN', 'Only the requester can withdraw the request.');
}
