// What a payment is answered with, and what the audit log says of it when staff made it.
import { type Actor, inboxRow } from '../../audit/log.ts';
import { type Clock, iso } from '../../kernel/clock.ts';
import { CURRENCY } from '../../kernel/money.ts';
import type { Done, PaymentRequest } from '../../movements/execute.ts';

/** What a payment is asked for with, beside its body. */
export interface Terms {
  amount: number | string;
  requestId: string | null;
}

export function requestOf(actor: Actor, { requestId }: Terms, same: readonly unknown[]): PaymentRequest | null {
  return requestId === null ? null : { scope: String(actor.caller.id), id: requestId, same };
}

export function completed(done: Done, { requestId }: Terms, message: string, balance: number) {
  return {
    success: true,
    message,
    transaction_id: done.transactionId,
    request_id: requestId,
    status: 'COMPLETED',
    amount: done.amount,
    fee: done.payerFee,
    total_debited: done.debited,
    currency: CURRENCY,
    balance,
    created_at: iso(done.at),
  };
}

export interface AuditedPayment {
  actor: Actor;
  action: string;
  payer: string;
  payee: string;
}

/** In the commit of the payment; what integrations do with their keys is in the books, and that is enough. */
export function auditRows({ actor, action, payer, payee }: AuditedPayment, done: Done, clock: Clock) {
  if (actor.caller.kind !== 'user') return [];
  const details = { payer, payee, amount: done.amount, fee: done.payerFee };
  const event = { action, resourceType: 'transaction', resourceId: done.transactionId, details };
  return [{ table: 'audit_inbox', row: inboxRow(actor, event, clock) }];
}

/** One letter in one form, no blanks around it; nothing is null. */
export function narrationOf(description: string | undefined): string | null {
  return description?.trim().normalize('NFC') || null;
}
