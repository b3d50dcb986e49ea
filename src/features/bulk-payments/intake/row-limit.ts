// How many rows a payer may have checked without paying them: checking tells who has a wallet, and whether a name is theirs.
import type { Actor, ChangeContext } from '../../../audit/log.ts';
import type { Load } from '../../../db/batch-loader.ts';
import type { Queries } from '../../../db/database.ts';
import { DAY_MS } from '../../../kernel/clock.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import { noSuchPartner } from '../../../parties/partner.ts';
import { noSuchProcessor } from '../../../parties/processor.ts';
import { isPartnerId } from '../../../webhooks/owner.ts';
import { lockPayer } from '../store.ts';
import { TREASURY } from '../types.ts';
import { payerRows, storeLimit } from './store.ts';

export const WINDOW_DAYS = 30;
export const DEFAULT_UNPAID_ROWS = 1_000;

export interface RowLimit {
  payer_id: string;
  /** Allowed beyond the rows paid. */
  unpaid_rows: number;
  /** In the last 30 days. */
  checked_rows: number;
  paid_rows: number;
  /** How many rows the next file may have. */
  remaining: number;
}

export interface RowLimitContext extends ChangeContext {
  findProcessor: Load<string, { id: string } | null>;
  findPartner: Load<string, { id: string } | null>;
}

/**
 * `paid` rows count twice: they are no look-ups, and each allows another one, unless it repeats a recipient: whoever paid a
 * wallet of their own ten thousand times could look up as many numbers.
 */
export async function readRowLimit(queries: Queries, payerId: string, now: number): Promise<RowLimit> {
  const { checked, paid, differing, allowed } = await payerRows(queries, payerId, new Date(now - WINDOW_DAYS * DAY_MS));
  const unpaid_rows = allowed ?? DEFAULT_UNPAID_ROWS;
  const remaining = Math.max(0, unpaid_rows + differing - (checked - paid));
  return { payer_id: payerId, unpaid_rows, checked_rows: checked, paid_rows: paid, remaining };
}

/** Null if the payer may have so many more rows checked. Finance sees customers' records, so the treasury has no limit. */
export async function rowLimitRefusal(
  trx: Queries,
  payerId: string,
  rowCount: number,
  now: number,
): Promise<Refusal | null> {
  if (payerId === TREASURY) return null;
  const { remaining } = await readRowLimit(trx, payerId, now);
  if (rowCount <= remaining) return null;
  const sentence = `The file has ${rowCount} rows, and ${remaining} more can be checked now: rows that are checked and not paid are limited over ${WINDOW_DAYS} days. Ask the operator to raise the limit. Nothing was stored.`;
  return refuse('BULK_ROW_LIMIT_EXCEEDED', sentence, { details: { allowed_rows: remaining } });
}

export function createRowLimits({ database, audit, clock, findProcessor, findPartner }: RowLimitContext) {
  async function payerRefusal(id: string): Promise<Refusal | null> {
    const found = isPartnerId(id) ? await findPartner(id) : await findProcessor(id);
    return found ? null : isPartnerId(id) ? noSuchPartner() : noSuchProcessor();
  }

  return {
    async get(id: string): Promise<RowLimit | Refusal> {
      return (await payerRefusal(id)) ?? readRowLimit(database.queries, id, clock.now());
    },

    async set(actor: Actor, id: string, unpaidRows: number): Promise<RowLimit | Refusal> {
      const refusal = await payerRefusal(id);
      if (refusal) return refusal;
      return database.transact(async (trx) => {
        await lockPayer(trx, id);
        const before = await readRowLimit(trx, id, clock.now());
        if (before.unpaid_rows === unpaidRows) return before;
        const set = { set_by: String(actor.caller.id), set_at: new Date(clock.now()) };
        await storeLimit(trx, { payer_id: id, unpaid_rows: unpaidRows, ...set });
        await audit.record(trx, actor, {
          action: 'bulk_row_limit.update',
          ...{ resourceType: isPartnerId(id) ? 'partner' : 'processor', resourceId: id },
          details: { before: before.unpaid_rows, unpaid_rows: unpaidRows },
        });
        return readRowLimit(trx, id, clock.now());
      });
    },
  };
}
