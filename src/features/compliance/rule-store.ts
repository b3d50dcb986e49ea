// Queries on the monitoring rules table: a few rows, changed one at a time.
import { sql } from 'kysely';
import { countedPage, type Listed } from '../../db/counted-page.ts';
import type { Queries } from '../../db/database.ts';
import { type Condition, equal } from '../../db/list-filter.ts';
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
export function listRules(queries: Queries, filter: RuleFilter, page: Page): Promise<Listed<RuleRow>> {
  const { kind, outcome, severity, transaction_type, side, enabled } = filter;
  const filters = equal({ kind, outcome, severity, side, enabled: enabled && enabled === 'true' });
  if (transaction_type !== undefined) filters.push(sql`${transaction_type} = any (transaction_types)`);
  return countedPage(
    queries,
    { table: 'compliance_rules', filters, order: sql`created_at, id`, after: afterRule },
    page,
  );
}

function afterRule(id: string | null | undefined): Condition[] {
  return id ? [sql`(created_at, id) > (select created_at, id from compliance_rules where id = ${id})`] : [];
}
