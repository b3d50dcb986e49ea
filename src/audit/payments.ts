// Audit entries of payments made by users.

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

/** Written in the commit of the payment. Payments made with API keys are recorded in the ledger only. */
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
