// A new bulk payment of the rows that failed: it is checked and approved like an upload, and linked with the first.
import type { Actor } from '../../../audit/log.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { changeRefusal, noSuchBulkPayment } from '../access.ts';
import { rowLimitRefusal } from '../intake/row-limit.ts';
import { changeBulkPayment, lockBulkPayment, lockPayer } from '../store.ts';
import type { BulkPayment } from '../types.ts';
import { notNow } from './approval.ts';
import type { ExecutionContext } from './context.ts';
import { CREATED, readAll } from './digest.ts';
import * as store from './store.ts';

type Context = Pick<ExecutionContext, 'database' | 'audit' | 'clock'>;

/** `uploaded`: called when it waits to be checked. */
export function createRetry({ database, audit, clock }: Context, uploaded: () => void) {
  async function retry(trx: DatabaseTransaction, actor: Actor, id: string): Promise<BulkPayment | Refusal> {
    const first = await lockBulkPayment(trx, id);
    if (!first || first.status === 'uploading') return noSuchBulkPayment();
    const refusal = changeRefusal(actor.caller, first);
    if (refusal) return refusal;
    if (first.status !== 'completed' && first.status !== 'stopped') return notNow(first.status, 'retried');
    if (first.ended_at === null) return notNow('still being stopped', 'retried');
    const before = await store.retryOf(trx, id);
    if (before) {
      return refuse('BULK_PAYMENT_EXISTS', 'The failed rows are retried already.', {
        details: { bulk_payment_id: before.id, bulk_status: before.status },
      });
    }
    if (first.failed_count === 0) return refuse('ROWS_INVALID', 'No row of the bulk payment failed.');
    await lockPayer(trx, first.payer_id);
    // Checked again and again, and cancelled each time, they would be look-ups without an end.
    const tooMany = await rowLimitRefusal(trx, first.payer_id, first.failed_count, clock.now());
    return tooMany ?? insert(trx, actor, first);
  }

  async function insert(trx: DatabaseTransaction, actor: Actor, first: BulkPayment): Promise<BulkPayment> {
    const { caller } = actor;
    const id = newId('bulk', clock);
    const isKey = caller.kind === 'key';
    const row = {
      ...{ id, status: 'checking' as const, name: first.name, payer_kind: first.payer_kind, payer_id: first.payer_id },
      uploaded_by_type: isKey ? ('key' as const) : ('user' as const),
      uploaded_by: String(caller.id),
      key_created_by: isKey ? await store.keyCreator(trx, caller.id) : null,
      ...{ created_at: new Date(clock.now()), format: first.format, file_sha256: first.file_sha256 },
      ...{ repeat_of: first.repeat_of, retry_of: first.id, reference_scope: first.reference_scope },
      ...{ unclaimed: first.unclaimed, row_count: first.failed_count, amount: first.failed_amount },
    };
    await trx.insertInto('bulk_payments').values(row).execute();
    await store.copyFailed(trx, first.id, id);
    const digest = await readAll(trx, id);
    const payment = await changeBulkPayment(trx, id, { rows_digest: Buffer.from(digest, 'hex') });
    await audit.record(trx, actor, {
      action: CREATED,
      ...{ resourceType: 'bulk_payment', resourceId: id },
      details: {
        ...{ payer_id: first.payer_id, name: first.name, row_count: first.failed_count, amount: first.failed_amount },
        ...{ retry_of: first.id, file_sha256: first.file_sha256?.toString('hex'), rows_digest: digest },
      },
    });
    return payment;
  }

  return async (actor: Actor, id: string): Promise<BulkPayment | Refusal> => {
    const created = await database.transact((trx) => retry(trx, actor, id));
    if (!(created instanceof Refusal)) uploaded();
    return created;
  };
}
