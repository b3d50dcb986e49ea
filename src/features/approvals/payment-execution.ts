// Executes an approved payment. The approval's id is its request id, so that the ledger posts it once.
import type { Actor } from '../../audit/log.ts';
import type { Vault } from '../../auth/vault.ts';
import type { Load } from '../../db/batch-loader.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { AnsweredRequest, RequestKey } from '../../ledger/posting/idempotency.ts';
import type { Payments } from '../../payments/execute.ts';
import { APPROVAL_SCOPE, idempotencyKey, movementActor } from '../../payments/plan.ts';
import type { ApprovalAction } from './actions.ts';
import type { AnyPayment } from './operation.ts';
import type { StoredRefusal } from './refusals.ts';
import type { ApprovalRow } from './store.ts';
import { openInput } from './summary.ts';
import { dayTotal } from './totals.ts';

export interface PaymentExecutionDependencies {
  payments: Payments;
  /** Stored replies by idempotency key. */
  answered: Load<RequestKey, AnsweredRequest | null>;
  vault: Vault;
}

export type PaymentResult = { result: object } | { refusal: StoredRefusal };

/**
 * Whatever interrupts it, and however often it is called: the first reply that the ledger stores under the approval's id
 * counts. That is the reply of the movement, or a refusal, which is stored like one. So one call can never report a
 * refusal while another moves the money.
 */
export function createPaymentExecution({ payments, answered, vault }: PaymentExecutionDependencies) {
  async function execute(actor: Actor, row: ApprovalRow, operation: AnyPayment): Promise<PaymentResult> {
    const outcome = (await requestRefusal(row)) ?? (await post(actor, row, operation));
    const json = outcome instanceof Refusal ? await storedReply(actor, row, operation, outcome) : outcome.json;
    const reply = JSON.parse(json) as { success: boolean; code: string; error: string };
    return reply.success ? { result: reply } : { refusal: { code: reply.code, message: reply.error } };
  }

  /** The same request id may have been sent again, and executed without approval. */
  async function requestRefusal({ request_id, input }: ApprovalRow): Promise<Refusal | null> {
    const { party } = input as { party?: string };
    if (request_id === null || party === undefined) return null;
    const executed = await answered({ scope: party, id: request_id });
    return executed && refuse('REQUEST_CONFLICT', 'A request with this request_id has already been executed.');
  }

  function post(actor: Actor, row: ApprovalRow, operation: AnyPayment) {
    const input = openInput(vault, row);
    const { amount = '' } = input.body as { amount?: string };
    const action = row.action as ApprovalAction;
    const total = dayTotal({
      action,
      userId: row.requested_by,
      at: row.requested_at.getTime(),
      limit: Number.MAX_SAFE_INTEGER,
    });
    return operation.execute(actor, input, {
      amount,
      requestId: row.id,
      approval: { total, subscriberId: row.subscriber_id },
    });
  }

  /** Stores the refusal, unless the request has already been answered. */
  async function storedReply(
    actor: Actor,
    row: ApprovalRow,
    { movementType: type }: AnyPayment,
    { code, message }: Refusal,
  ): Promise<string> {
    const stored = await payments.storeRefusal({
      type,
      actor: movementActor(actor),
      amount: row.amount ?? 0,
      key: idempotencyKey(type, APPROVAL_SCOPE, row.id, [REFUSED]),
      record: () => ({ reply: { success: false, code, error: message } }),
    });
    if (!(stored instanceof Refusal)) return stored.json;
    const first = await answered({ scope: APPROVAL_SCOPE, id: row.id });
    if (!first) throw new Error(`the outcome of ${row.id} is unknown`);
    return first.reply;
  }

  return execute;
}

const REFUSED = 'refused';
