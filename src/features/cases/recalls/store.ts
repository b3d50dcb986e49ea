// Queries on recalls.
import { sql } from 'kysely';
import type { DatabaseTransaction, Queries } from '../../../db/database.ts';
import type { NewRow, RowChange } from '../../../db/schema/tables.ts';
import type { Recall } from '../store.ts';

/** The ledger's running total of what was returned of the transfer `r`. */
const RETURNED = sql<number>`coalesce((select used from allowances where id = 'recall:' || r.transfer_id), 0)`;

function recalls(queries: Queries) {
  return queries.selectFrom('recalls as r').selectAll().select(RETURNED.as('returned'));
}

export async function findRecall(queries: Queries, caseId: string): Promise<Recall | null> {
  return ((await recalls(queries).where('case_id', '=', caseId).executeTakeFirst()) as Recall | undefined) ?? null;
}

export async function recallsOf(queries: Queries, caseIds: readonly string[]): Promise<Map<string, Recall>> {
  if (caseIds.length === 0) return new Map();
  const rows = (await recalls(queries).where('case_id', 'in', caseIds).execute()) as Recall[];
  return new Map(rows.map((row) => [row.case_id, row]));
}

export async function isRecalled(queries: Queries, transferId: string): Promise<boolean> {
  const found = queries.selectFrom('recalls').select('case_id').where('transfer_id', '=', transferId);
  return (await found.executeTakeFirst()) !== undefined;
}

/** False: the transfer has been recalled. */
export async function insertRecall(trx: Queries, row: NewRow<'recalls'>): Promise<boolean> {
  const inserted = trx.insertInto('recalls').values(row);
  const { numInsertedOrUpdatedRows: count } = await inserted
    .onConflict((conflict) => conflict.column('transfer_id').doNothing())
    .executeTakeFirstOrThrow();
  return count === 1n;
}

/** The case is locked too, before it: all changes lock in this order. */
export async function lockRecall(trx: DatabaseTransaction, caseId: string): Promise<Recall | null> {
  const locked = trx.selectFrom('recalls').select('case_id').where('case_id', '=', caseId).forUpdate();
  return (await locked.executeTakeFirst()) ? findRecall(trx, caseId) : null;
}

export async function updateRecall(trx: Queries, caseId: string, change: RowChange<'recalls'>): Promise<void> {
  await trx.updateTable('recalls').set(change).where('case_id', '=', caseId).execute();
}

export interface SendersRecalls {
  open: number;
  recent: number;
}

/** Of the sender without a decision by staff: those that hold money now, and those since the instant. */
export async function countOfSender(
  trx: Queries,
  senderId: string,
  { now, since }: { now: Date; since: Date },
): Promise<SendersRecalls> {
  const { rows } = await sql<SendersRecalls>`select
      (count(*) filter (where state = 'placing' or (state = 'asked' and expires_at > ${now})))::integer as open,
      (count(*) filter (where confirmed_at > ${since} and outside_rule is null))::integer as recent
    from recalls where sender_id = ${senderId}`.execute(trx);
  return rows[0] ?? { open: 0, recent: 0 };
}

/** Those whose hold is to be made, replaced or ended, or has ended. */
export async function findDue(
  queries: Queries,
  { most, after, now }: { most: number; after: string; now: Date },
): Promise<string[]> {
  const { rows } = await sql<{ case_id: string }>`select case_id from recalls r
    where settled_at is null and state <> 'staff_decides' and case_id > ${after} and (state = 'placing'
      or expires_at <= ${now} or (extended_until is null and contested_at is not null)
      or (extended_until is not null and hold_number = 1)
      or exists (select from holds where id = r.hold_id and ended))
    order by case_id limit ${most}`.execute(queries);
  return rows.map(({ case_id }) => case_id);
}
