// Lists accounts in the order of their ids, by cursor or offset.
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { type Condition, where } from '../../db/list-filter.ts';
import type { AccountKind } from '../account-kinds.ts';
import { commissionAccountOf } from '../commission-accounts.ts';

export interface AccountQuery {
  kind?: AccountKind | undefined;
  /** The owner's id, which is also the account's; an agent has a commission account too. */
  owner?: string | undefined;
  /** Only accounts after this id. */
  after?: string | undefined;
  limit: number;
  offset: number;
  /** False in an export, which needs no count. */
  counts: boolean;
}

export interface ListedAccount {
  id: string;
  kind: AccountKind;
  balance: number;
  floor: number | null;
  ceiling: number | null;
  frozen: boolean;
  posting_count: number;
  last_seq: number;
  opened_at: Date;
}

export interface AccountPage {
  accounts: ListedAccount[];
  /** The next page has the accounts after this id; null: this is the last page. */
  next: string | null;
  total: number;
  /** The total is a lower bound. */
  isMinimum: boolean;
}

/** Counting a million wallets would take longer than the page. */
const COUNTED_AT_MOST = 10_000;

export async function listAccounts(queries: Queries, query: AccountQuery): Promise<AccountPage> {
  if (!query.counts) return pageOf(query, (await pageStatement(query).execute(queries)).rows, 0);
  const counted = sql<{ count: number }>`select count(*) as count from (
    select 1 from accounts ${where(conditions(query))} limit ${COUNTED_AT_MOST + 1}) counted`;
  const [{ rows }, total] = await Promise.all([pageStatement(query).execute(queries), counted.execute(queries)]);
  return pageOf(query, rows, total.rows[0]?.count ?? 0);
}

function pageOf(query: AccountQuery, rows: ListedAccount[], count: number): AccountPage {
  const accounts = rows.slice(0, query.limit);
  return {
    accounts,
    next: rows.length > query.limit ? (accounts.at(-1)?.id ?? null) : null,
    total: Math.min(count, COUNTED_AT_MOST),
    isMinimum: count > COUNTED_AT_MOST,
  };
}

/** One more than the page holds, to know whether there is a next page. */
export function pageStatement({ after, ...query }: AccountQuery): RawBuilder<ListedAccount> {
  const all = [...conditions(query), ...(after === undefined ? [] : [sql`id > ${after}`])];
  return sql`select id, kind, balance, floor, ceiling, frozen, posting_count, last_seq, opened_at from accounts
    ${where(all)} order by id limit ${query.limit + 1} offset ${query.offset}`;
}

/** The kind is a literal, so that the planner can use the index without wallets. */
function conditions({ kind, owner }: Pick<AccountQuery, 'kind' | 'owner'>): Condition[] {
  return [
    ...(kind === undefined ? [] : [sql`kind = ${sql.lit(kind)}`]),
    ...(owner === undefined ? [] : [sql`id in (${owner}, ${commissionAccountOf(owner)})`]),
  ];
}
