// Approves a change: decision and change are committed in one transaction.
import type { Actor, ChangeContext } from '../../audit/log.ts';
import type { Vault } from '../../auth/vault.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { settle } from './attempt.ts';
import { approvalRefusal, type Decider, deciderRefusal, openRefusal } from './decision-checks.ts';
import { approvedRequest, type DecisionRecords } from './decision-records.ts';
import type { AnyChange } from './operation.ts';
import { alreadyDecided, recordChanged } from './refusals.ts';
import { type ApprovalRow, lockApproval, usersAsCallers } from './store.ts';
import { openInput, separate } from './summary.ts';

interface Dependencies extends ChangeContext {
  vault: Vault;
}

export function createChangeApproval({ database, audit, vault, clock }: Dependencies, records: DecisionRecords) {
  const { save, fail, failIfRequester, decisionBy, finishedNow } = records;

  async function approve(actor: Decider, row: ApprovalRow, operation: AnyChange): Promise<ApprovalRow | Refusal> {
    if (row.status !== 'pending') return alreadyDecided(row);
    // Planned before the transaction, because hashing a password is slow.
    const users = await usersAsCallers(database.queries, [row.requested_by], { locked: false });
    const known = users.get(row.requested_by);
    if (!known) throw new Error(`the requester of ${row.id} does not exist`);
    const request = approvedRequest(row, known.caller, actor.caller);
    const run = await operation.plan(request, openInput(vault, row));
    let undecided: Refusal | null = null;
    const outcome = await settle(operation, () =>
      database.transact(async (trx) => {
        const current = await lockApproval(trx, row.id);
        undecided = await approvalRefusal(trx, actor, current, { operation, now: clock.now() });
        if (undecided) return failIfRequester(trx, actor, current, undecided);
        const result = run instanceof Refusal ? run : await run(trx);
        const refusal = result instanceof Refusal ? result : await changedRefusal(trx, current);
        return refusal ?? saveResult(trx, actor, current, operation, { result, request });
      }),
    );
    // The refusal has rolled the transaction back, so it is recorded in a second transaction.
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
      const refused = openRefusal(current, clock.now()) ?? (await deciderRefusal(trx, actor, current));
      return refused ?? fail(trx, actor, current, refusal, decisionBy(actor));
    });
  }

  return approve;
}
