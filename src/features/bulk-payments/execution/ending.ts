// Ends a bulk payment: what is left of its hold is released, rows in flight are settled, and the others are cancelled.

import { SYSTEM } from '../../../audit/log.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { changeBulkPayment, lockBulkPayment } from '../store.ts';
import type { BulkPayment, BulkRow } from '../types.ts';
import type { ExecutionContext } from './context.ts';
import * as store from './store.ts';

const PAGE = 1_000;
const RELEASING = { type: 'system', id: 'bulk-payments' } as const;

type PayRows = (rows: readonly BulkRow[]) => Promise<void>;

export function createEnding(context: ExecutionContext) {
  const { database, audit, payments, findHold, ended, told, clock } = context;
  const { queries } = database;

  /** All rows are paid or failed. */
  async function complete(payment: BulkPayment): Promise<void> {
    await releaseHold(payment);
    await finish(payment.id, { status: 'completed' });
  }

  /** After a stop or a cancellation. Once the hold has ended, every row in flight was paid or never will be. */
  async function cancelRest(payment: BulkPayment, payRows: PayRows): Promise<void> {
    await releaseHold(payment);
    for (;;) {
      const rows = await store.payingRows(queries, payment.id, PAGE);
      if (rows.length === 0) break;
      await payRows(rows);
    }
    while ((await store.cancelRows(queries, payment.id, PAGE)) === PAGE);
    await finish(payment.id, {});
  }

  /** It may have expired or have been released before. */
  async function releaseHold({ hold_id }: BulkPayment): Promise<void> {
    const hold = hold_id === null ? null : await findHold(hold_id);
    if (!hold || hold.outcome) return;
    const ending = { actor: RELEASING, request: null, outcome: 'released', record: () => ({ reply: {} }) } as const;
    if (!((await payments.endHold(hold, ending)) instanceof Refusal)) return;
    // Nothing can be drawn from one that has expired; the task that ends those may still be to come.
    if (hold.expires_at.getTime() > clock.now() && !(await findHold(hold.id))?.outcome) {
      throw new Error(`the hold ${hold.id} could not be released`);
    }
  }

  async function finish(id: string, change: { status?: 'completed' }): Promise<void> {
    await database.transact(async (trx) => {
      const before = await lockBulkPayment(trx, id);
      if (!before || before.ended_at !== null) return;
      const isOver = { lease: null, leased_until: null, ended_at: new Date(clock.now()) };
      const payment = await changeBulkPayment(trx, id, { ...change, ...isOver });
      const { paid_count, paid_amount, failed_count, cancelled_count, status } = payment;
      await audit.record(trx, SYSTEM, {
        action: 'bulk_payment.end',
        ...{ resourceType: 'bulk_payment', resourceId: id },
        details: { status, paid_count, paid_amount, failed_count, cancelled_count },
      });
      if (status !== 'cancelled') await ended(trx, payment);
    });
    told();
  }

  return { complete, cancelRest };
}
