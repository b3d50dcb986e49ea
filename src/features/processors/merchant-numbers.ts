// Assigns merchant numbers to processors that have none: those registered by a version without merchant numbers.
import { SYSTEM } from '../../audit/log.ts';
import { violatedConstraint } from '../../db/driver/errors.ts';
import { newMerchantNumber } from '../../kernel/merchant-number.ts';
import { auditResource, type ProcessorContext } from './context.ts';
import { lockProcessor, updateProcessor } from './store.ts';

const AT_ONCE = 500;

export function createMerchantNumbers({ database, audit, clock }: ProcessorContext) {
  /** Several gateways may do so at once. */
  async function assign(id: string): Promise<void> {
    const merchant_number = newMerchantNumber();
    try {
      await database.transact(async (trx) => {
        const before = await lockProcessor(trx, id);
        if (!before || before.merchant_number !== null) return;
        await updateProcessor(trx, id, { merchant_number, updated_at: new Date(clock.now()) });
        const details = { merchant_number };
        await audit.record(trx, SYSTEM, { action: 'processor.assign_number', ...auditResource(id), details });
      });
    } catch (error) {
      if (!isNumberTaken(error)) throw error;
      await assign(id);
    }
  }

  return async function assignMissing(stopping?: AbortSignal): Promise<void> {
    const missing = database.queries.selectFrom('processors').select('id').where('merchant_number', 'is', null);
    for (;;) {
      const ids = await missing.limit(AT_ONCE).execute();
      for (const { id } of ids) {
        if (stopping?.aborted) return;
        await assign(id);
      }
      if (ids.length < AT_ONCE) return;
    }
  };
}

/** Two processors got the same number at once, or the random one belongs to another: the next one is tried. */
export function isNumberTaken(error: unknown): boolean {
  return violatedConstraint(error) === 'processors_merchant_number_key';
}
