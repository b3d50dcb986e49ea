// The request id of a payment that waits for approval: no other payment of the party can use it.
import type { Actor } from '../../audit/log.ts';
import type { Payments } from '../../payments/execute.ts';
import { type IdempotencyKey, idempotencyKey, movementActor } from '../../payments/plan.ts';
import type { AnyPayment } from './operation.ts';
import type { ApprovalRow } from './store.ts';

/** Null if the request has no id. */
export function reservedKey(
  { id, request_id, input }: Pick<ApprovalRow, 'id' | 'request_id' | 'input'>,
  type: AnyPayment['movementType'],
): IdempotencyKey | null {
  const { party } = input as { party?: string };
  if (request_id === null || party === undefined) return null;
  return idempotencyKey(type, party, request_id, ['approval', id]);
}

/**
 * Stored with the request ids that the ledger checks anyway: card payments and refunds use those of the same processor, and do
 * not look for approvals. If the id was used in the same moment, the approval is refused when it is executed.
 */
export async function reserveId(
  payments: Pick<Payments, 'storeRefusal'>,
  actor: Actor,
  row: ApprovalRow,
  { movementType: type }: AnyPayment,
): Promise<void> {
  const key = reservedKey(row, type);
  if (!key) return;
  const reply = { success: false, code: 'APPROVAL_REQUIRED', error: 'The request waits for approval.' };
  const refusal = { type, actor: movementActor(actor), amount: row.amount ?? 0, key };
  await payments.storeRefusal({ ...refusal, record: () => ({ reply }) });
}
