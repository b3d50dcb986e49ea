// Storage of cash-out codes: which hold each one pays out, and how many wrong codes were entered meanwhile.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Page } from '../../http/paging.ts';

export type CodeRow = Row<'cash_out_codes'>;

/** After this many wrong codes for a number, its codes end. */
export const MOST_WRONG = 3;

export async function readCode(queries: Queries, holdId: string): Promise<CodeRow | null> {
  const rows = queries.selectFrom('cash_out_codes').selectAll().where('hold_id', '=', holdId);
  return (await rows.executeTakeFirst()) ?? null;
}

/** False: the hold has a code, or the customer has the same one for another hold. */
export async function insertCode(trx: Queries, row: Omit<CodeRow, 'wrong'>): Promise<boolean> {
  const inserting = trx.insertInto('cash_out_codes').values(row);
  const { numInsertedOrUpdatedRows: count } = await inserting
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return count === 1n;
}

/** Whether the customer's access ended after the instant: locked, so that an end comes before or after what is decided. */
export async function hasEndedSince(trx: Queries, subscriberId: string, at: Date): Promise<boolean> {
  const columns = ['status', 'pin_reset_at', 'phone_changed_at'] as const;
  const holder = trx.selectFrom('subscribers').select(columns).where('id', '=', subscriberId);
  const row = await holder.forShare().executeTakeFirst();
  const isLater = (end: Date | null) => end !== null && end.getTime() > at.getTime();
  return row?.status !== 'ACTIVE' || isLater(row.pin_reset_at) || isLater(row.phone_changed_at);
}

export interface EnterableCode extends Pick<CodeRow, 'hold_id' | 'code_hash'> {
  /** The hold has not ended, and neither has the code. */
  live: boolean;
}

/** The codes of a customer, locked: what agents enter for a number is compared one after another, on all gateways. */
export async function lockCodes(trx: Queries, subscriberId: string, now: Date): Promise<EnterableCode[]> {
  const { rows } = await sql<EnterableCode>`
    select c.hold_id, c.code_hash, not c.void and not h.ended and c.expires_at > ${now} as live
    from cash_out_codes c join holds h on h.id = c.hold_id
    where c.subscriber_id = ${subscriberId} order by c.hold_id for update of c`.execute(trx);
  return rows;
}

/** Counts a wrong code for all codes that it could have been, and ends those that have had too many. */
export async function countWrong(trx: Queries, holdIds: readonly string[]): Promise<void> {
  await sql`update cash_out_codes set wrong = wrong + 1, void = wrong + 1 >= ${MOST_WRONG}
    where hold_id = any (${holdIds}::text[])`.execute(trx);
}

export async function endCodes(trx: Queries, subscriberId: string, now: Date): Promise<void> {
  const codes = trx.updateTable('cash_out_codes').set({ void: true }).where('subscriber_id', '=', subscriberId);
  await codes.where('void', '=', false).where('expires_at', '>', now).execute();
}

/** The holds of codes that have ended before them. */
export async function voidHolds(queries: Queries, most: number): Promise<string[]> {
  const { rows } = await sql<{
    hold_id: string;
  }>`select c.hold_id from cash_out_codes c join holds h on h.id = c.hold_id
    where c.void and not h.ended limit ${most}`.execute(queries);
  return rows.map(({ hold_id }) => hold_id);
}

export interface ListedCode {
  hold_id: string;
  void: boolean;
}

/** Newest first. */
export async function listCodes(queries: Queries, subscriberId: string, { limit, offset, after }: Page) {
  const own = queries.selectFrom('cash_out_codes').where('subscriber_id', '=', subscriberId);
  const rest = after == null ? own : own.where('hold_id', '<', after);
  const page = rest.select(['hold_id', 'void']).orderBy('hold_id', 'desc').limit(limit).offset(offset);
  const count = own.select((select) => select.fn.countAll<number>().as('total'));
  const [rows, { total }] = await Promise.all([page.execute(), count.executeTakeFirstOrThrow()]);
  return { rows, total: Number(total) };
}

/** What ended long ago: the holds tell the history. */
export async function pruneCodes(queries: Queries, before: Date, most: number): Promise<number> {
  const { rows } = await sql`delete from cash_out_codes where hold_id = any (array(
    select c.hold_id from cash_out_codes c join holds h on h.id = c.hold_id
    where c.expires_at < ${before} and h.ended limit ${most})) returning hold_id`.execute(queries);
  return rows.length;
}
