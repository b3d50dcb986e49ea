// Queries on the monitoring rules table: a few rows, changed one at a time.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { NewRow, Row, RowChange } from '../../db/schema/tables.ts';
import type { Page } from '../../http/paging.ts';

export type RuleRow = Row<'compliance_rules'>;
/** The content of a rule, without its id, version and timestamps. */
export type RuleTerms = Omit<RuleRow, 'id' | 'version' | 'created_at' | 'updated_at'>;

export interface RuleFilter {
  kind?: RuleRow['kind'];
  outcome?: RuleRow['outcome'];
  severity?: RuleRow['severity'];
  transaction_type?: string;
  side?: RuleRow['side'];
  enabled?: 'true' | 'false';
}

/** Serializes changes, so that the number of enabled rules is exact. Does not block reads. */
export async function lockRules(trx: Queries): Promise<void> {
  await sql`lock table compliance_rules in share row exclusive mode`.execute(trx);
}

export async function countEnabled(trx: Queries): Promise<number> {
  const enabled = trx.selectFrom('compliance_rules').where('enabled', '=', true);
  return (await enabled.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()).total;
}

export function insertRule(trx: Queries, rule: NewRow<'compliance_rules'>): Promise<RuleRow> {
  return trx.insertInto('compliance_rules').values(rule).returningAll().executeTakeFirstOrThrow();
}

export function findRule(queries: Queries, id: string): Promise<RuleRow | undefined> {
  return queries.selectFrom('compliance_rules').selectAll().where('id', '=', id).executeTakeFirst();
}

export function updateRule(trx: Queries, id: string, change: RowChange<'compliance_rules'>): Promise<RuleRow> {
  return trx.updateTable('compliance_rules').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

/** Oldest first. */
export async function listRules(
  queries: Queries,
  { kind, outcome, severity, transaction_type, side, enabled }: RuleFilter,
  { limit, offset, after }: Page,
): Promise<{ rows: RuleRow[]; total: number }> {
  let selection = queries.selectFrom('compliance_rules');
  if (kind !== undefined) selection = selection.where('kind', '=', kind);
  if (outcome !== undefined) selection = selection.where('outcome', '=', outcome);
  if (severity !== undefined) selection = selection.where('severity', '=', severity);
  if (transaction_type !== undefined) {
    selection = selection.where(sql<boolean>`${transaction_type} = any (transaction_types)`);
  }
  if (side !== undefined) selection = selection.where('side', '=', side);
  if (enabled !== undefined) selection = selection.where('enabled', '=', enabled === 'true');
  const counted = await selection.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  if (after) {
    const last = sql`(select created_at, id from compliance_rules where id = ${after})`;
    selection = selection.where(sql<boolean>`(created_at, id) > ${last}`);
  }
  const page = selection.selectAll().orderBy('created_at').orderBy('id').limit(limit).offset(offset);
  return { rows: await page.execute(), total: counted.total };
}
