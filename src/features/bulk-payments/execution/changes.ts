// Stops and cancels bulk payments. The decision is recorded at once; the runner then ends the hold and the rows.
import { type Actor, type Author, SYSTEM } from '../../../audit/log.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { changeRefusal, noSuchBulkPayment } from '../access.ts';
import { changeBulkPayment, lockBulkPayment } from '../store.ts';
import type { BulkPayment, BulkStatus } from '../types.ts';
import { notNow } from './approval.ts';
import type { ExecutionContext } from './context.ts';

interface Change {
  action: 'bulk_payment.stop' | 'bulk_payment.cancel';
  status: 'stopped' | 'cancelled';
  from: readonly BulkStatus[];
  words: string;
}

const STOP: Change = {
  action: 'bulk_payment.stop',
  status: 'stopped',
  from: ['approved', 'running'],
  words: 'stopped',
};
const CANCEL: Change = {
  action: 'bulk_payment.cancel',
  status: 'cancelled',
  from: ['approved'],
  words: 'cancelled',
};

export function createChanges({ database, audit }: Pick<ExecutionContext, 'database' | 'audit'>, wake: () => void) {
  async function change(
    author: Author,
    id: string,
    { action, status, from, words }: Change,
    refusalFor: (payment: BulkPayment) => Refusal | null,
    details: Record<string, unknown> = {},
  ): Promise<BulkPayment | Refusal> {
    const changed = await database.transact(async (trx: DatabaseTransaction) => {
      const payment = await lockBulkPayment(trx, id);
      if (!payment || payment.status === 'uploading') return noSuchBulkPayment();
      const refusal = refusalFor(payment);
      if (refusal) return refusal;
      // Again: the answer is the same.
      if (payment.status === status) return payment;
      if (!from.includes(payment.status)) return notNow(payment.status, words);
      const endedBy = 'caller' in author ? author.caller.id : null;
      const ended = await changeBulkPayment(trx, id, { status, ended_by: endedBy });
      await audit.record(trx, author, { action, resourceType: 'bulk_payment', resourceId: id, details });
      return ended;
    });
    if (!(changed instanceof Refusal)) wake();
    return changed;
  }

  return {
    stop: (actor: Actor, id: string) => change(actor, id, STOP, (payment) => changeRefusal(actor.caller, payment)),
    /** One whose money is held and that has not begun. */
    cancelApproved: (actor: Actor, id: string) =>
      change(actor, id, CANCEL, (payment) => changeRefusal(actor.caller, payment)),
    /** The payer can pay no further row. */
    stopBySystem: (id: string, why: Refusal) =>
      change(SYSTEM, id, STOP, () => null, { reason: why.code, message: why.message }),
  };
}
