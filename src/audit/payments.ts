// What the audit log says of a payment that staff made.

import type { OutboxRow } from '../db/outbox-table.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Actor, AUDIT_INBOX, inboxRow } from './log.ts';

export interface AuditedPayment {
  actor: Actor;
  action: string;
  payer: string;
  payee: string;
}

interface DonePayment {
  transactionId: string;
  amount: number;
  payerFee: number;
}

/** In the commit of the payment; what integrations do with their keys is in the books, and that is enough. */
export function auditRows(
  { actor, action, payer, payee }: AuditedPayment,
  done: DonePayment,
  clock: Clock,
): OutboxRow[] {
  if (actor.caller.kind !== 'user') return [];
  const details = { payer, payee, amount: done.amount, fee: done.payerFee };
  const event = { action, resourceType: 'transaction', resourceId: done.transactionId, details };
  return [{ table: AUDIT_INBOX, row: inboxRow(actor, event, clock) }];
}
