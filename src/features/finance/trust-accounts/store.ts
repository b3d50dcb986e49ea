// The tables of trust accounts and their statements.
import { sql } from 'kysely';
import { countedPage, type Listed } from '../../../db/counted-page.ts';
import type { Queries } from '../../../db/database.ts';
import { equal } from '../../../db/list-filter.ts';
import type { NewRow, Row, RowChange } from '../../../db/schema/tables.ts';
import type { Page } from '../../../http/paging.ts';

export type TrustAccountRow = Row<'trust_accounts'>;
export type StatementRow = Omit<Row<'bank_statements'>, 'file' | 'entries_digest'>;
export type EntryRow = Row<'bank_entries'>;

export type StatementFile = Pick<Row<'bank_statements'>, 'format' | 'file'>;

/** With its last statement, if there is one. */
export interface TrustAccount extends TrustAccountRow {
  balance: number | null;
  balance_date: string | null;
}

const STATEMENT_COLUMNS = [
  ...(['id', 'trust_account_id', 'format', 'file_sha256', 'from_date', 'to_date'] as const),
  ...(['opening_balance', 'closing_balance', 'entry_count', 'uploaded_by', 'uploaded_at'] as const),
] as const;

export async function insertTrustAccount(trx: Queries, row: NewRow<'trust_accounts'>): Promise<TrustAccountRow> {
  return trx.insertInto('trust_accounts').values(row).returningAll().executeTakeFirstOrThrow();
}

export async function updateTrustAccount(trx: Queries, id: string, change: RowChange<'trust_accounts'>): Promise<void> {
  await trx.updateTable('trust_accounts').set(change).where('id', '=', id).execute();
}

export function findTrustAccount(queries: Queries, id: string): Promise<TrustAccount | undefined> {
  return withBalance(queries).where('trust_accounts.id', '=', id).executeTakeFirst();
}

/** `forNoKeyUpdate`: new statements refer to the account without waiting. */
export function lockTrustAccount(trx: Queries, id: string): Promise<TrustAccountRow | undefined> {
  return trx.selectFrom('trust_accounts').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** Undefined if another transaction has locked it, or it does not exist. */
export function tryLockTrustAccount(trx: Queries, id: string): Promise<TrustAccountRow | undefined> {
  const row = trx.selectFrom('trust_accounts').selectAll().where('id', '=', id);
  return row.forNoKeyUpdate().skipLocked().executeTakeFirst();
}

export async function listTrustAccounts(
  queries: Queries,
  { status }: { status?: TrustAccountRow['status'] | undefined },
  { limit, offset, after }: Page,
): Promise<Listed<TrustAccount>> {
  let counted = queries.selectFrom('trust_accounts');
  let selection = withBalance(queries);
  if (status !== undefined) {
    counted = counted.where('status', '=', status);
    selection = selection.where('trust_accounts.status', '=', status);
  }
  if (after) selection = selection.where('trust_accounts.id', '<', after);
  const { total } = await counted.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const rows = await selection.orderBy('trust_accounts.id', 'desc').limit(limit).offset(offset).execute();
  return { rows, total };
}

function withBalance(queries: Queries) {
  return queries
    .selectFrom('trust_accounts')
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('bank_statements')
          .select(['closing_balance', 'to_date'])
          .whereRef('trust_account_id', '=', 'trust_accounts.id')
          .orderBy('to_date', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .selectAll('trust_accounts')
    .select(['last.closing_balance as balance', 'last.to_date as balance_date']);
}

/** `before`: only those that end before this day. */
export function lastStatement(queries: Queries, accountId: string, before?: string): Promise<StatementRow | undefined> {
  let statements = queries.selectFrom('bank_statements').select(STATEMENT_COLUMNS);
  if (before !== undefined) statements = statements.where('to_date', '<', before);
  return statements.where('trust_account_id', '=', accountId).orderBy('to_date', 'desc').limit(1).executeTakeFirst();
}

export interface StatementGap {
  trust_account_id: string;
  from: string;
  to: string;
}

/** Days before the statements of active accounts that end on `since` or later, and after the statement before each. */
export async function statementGaps(
  queries: Queries,
  { since, limit }: { since: string; limit: number },
): Promise<StatementGap[]> {
  const { rows } = await sql<StatementGap>`select s.trust_account_id, (previous.to_date + 1)::text as "from",
      (s.from_date - 1)::text as "to"
    from trust_accounts t join bank_statements s on s.trust_account_id = t.id and s.to_date >= ${since}::date
    join lateral (select max(to_date) as to_date from bank_statements
      where trust_account_id = s.trust_account_id and to_date < s.from_date) previous on previous.to_date < s.from_date - 1
    where t.status = 'active' order by s.from_date desc, s.trust_account_id limit ${limit}`.execute(queries);
  return rows;
}

export function statementOfFile(
  queries: Queries,
  accountId: string,
  sha256: Buffer,
): Promise<StatementRow | undefined> {
  const statements = queries.selectFrom('bank_statements').select(STATEMENT_COLUMNS);
  return statements.where('trust_account_id', '=', accountId).where('file_sha256', '=', sha256).executeTakeFirst();
}

export function findStatement(queries: Queries, accountId: string, id: string): Promise<StatementRow | undefined> {
  const statements = queries.selectFrom('bank_statements').select(STATEMENT_COLUMNS);
  return statements.where('trust_account_id', '=', accountId).where('id', '=', id).executeTakeFirst();
}

/** Compressed with gzip. */
export function fileOfStatement(queries: Queries, accountId: string, id: string): Promise<StatementFile | undefined> {
  const statements = queries.selectFrom('bank_statements').select(['format', 'file']);
  return statements.where('trust_account_id', '=', accountId).where('id', '=', id).executeTakeFirst();
}

/** Newest first. */
export function listStatements(queries: Queries, accountId: string, page: Page): Promise<Listed<StatementRow>> {
  const filters = equal({ trust_account_id: accountId });
  return countedPage(queries, { table: 'bank_statements', columns: STATEMENT_COLUMNS, filters }, page);
}

/** In the order of the file: the ids of a statement's entries ascend. */
export async function listEntries(
  queries: Queries,
  statement: StatementRow,
  { limit, offset, after }: Page,
): Promise<Listed<EntryRow>> {
  let selection = queries.selectFrom('bank_entries').selectAll().where('statement_id', '=', statement.id);
  if (after) {
    const position = queries.selectFrom('bank_entries').select('position').where('id', '=', after);
    selection = selection.where('position', '>', position);
  }
  const rows = await selection.orderBy('position').limit(limit).offset(offset).execute();
  return { rows, total: statement.entry_count };
}

export async function insertStatement(trx: Queries, row: NewRow<'bank_statements'>): Promise<StatementRow> {
  return trx.insertInto('bank_statements').values(row).returning(STATEMENT_COLUMNS).executeTakeFirstOrThrow();
}

/** Arrays instead of one parameter per value, which are limited to 65,535. */
export async function insertEntries(trx: Queries, entries: EntryRow[]): Promise<void> {
  const column = <Name extends keyof EntryRow>(name: Name) => entries.map((entry) => entry[name]);
  await sql`insert into bank_entries
      (id, trust_account_id, statement_id, position, booked_on, amount, reference, counterparty, description)
    select * from unnest(${column('id')}::text[], ${column('trust_account_id')}::text[],
      ${column('statement_id')}::text[], ${column('position')}::integer[], ${column('booked_on')}::date[],
      ${column('amount')}::bigint[], ${column('reference')}::text[], ${column('counterparty')}::text[],
      ${column('description')}::text[])`.execute(trx);
}
