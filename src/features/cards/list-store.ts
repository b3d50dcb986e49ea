// Lists cards by page with an exact count; a single statement reads both from one snapshot.
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { Page } from '../../http/paging.ts';
import { type CardRow, COLUMNS } from './record.ts';

export interface ListFilter {
  status?: string;
  type?: string;
  subscriberId?: string;
  parentSerial?: string;
  serialStart?: string;
  /** Excludes the cards of politically exposed persons. */
  withoutPeps?: boolean;
}

export interface CardPage {
  rows: CardRow[];
  total: number;
}

type Condition = RawBuilder<unknown>;

// Sorts after every character that a serial may contain; the upper bound of a prefix search.
const PREFIX_UPPER_BOUND = '\x7f';

export async function listCards(queries: Queries, filter: ListFilter, page: Page): Promise<CardPage> {
  const { rows } = await listStatement(filter, page).execute(queries);
  const found = rows.filter((row) => row.serial !== null);
  return { total: rows[0]?.total ?? found.length, rows: found };
}

/** Newest first; cards of one upload batch by serial. An export needs no count. */
export function listStatement(filter: ListFilter, page: Page): RawBuilder<{ total: number | null } & CardRow> {
  const all = conditions(filter);
  const counted =
    page.after === undefined
      ? sql`select count(*) as total from cards ${where(all)}`
      : sql`select null::bigint as total`;
  return sql`select counted.total, page.* from (${counted}) counted
    left join (
      select ${columns} from cards ${where([...all, ...afterSerial(page.after)])}
      order by created_at desc, serial limit ${page.limit} offset ${page.offset}
    ) page on true
    order by page.created_at desc, page.serial`;
}

/** Cards are never deleted. The first condition bounds the scan of the index, because the order has two directions. */
function afterSerial(serial: string | null | undefined): Condition[] {
  if (!serial) return [];
  const createdAt = sql`(select created_at from cards where serial = ${serial})`;
  return [sql`created_at <= ${createdAt}`, sql`(created_at < ${createdAt} or serial > ${serial})`];
}

function conditions(filter: ListFilter): Condition[] {
  const { status, type, subscriberId, parentSerial, serialStart, withoutPeps } = filter;
  const all: Condition[] = [];
  if (status !== undefined) all.push(sql`status = ${status}`);
  if (type !== undefined) all.push(sql`type = ${type}`);
  if (subscriberId !== undefined) all.push(sql`subscriber_id = ${subscriberId}`);
  if (parentSerial !== undefined) all.push(sql`parent_serial = ${parentSerial}`);
  if (serialStart !== undefined)
    all.push(sql`serial >= ${serialStart} and serial < ${serialStart + PREFIX_UPPER_BOUND}`);
  if (withoutPeps) all.push(NO_PEP);
  return all;
}

function where(all: Condition[]): Condition {
  return all.length === 0 ? sql`` : sql`where ${sql.join(all, sql` and `)}`;
}

const NO_PEP = sql`(coalesce(subscriber_id, retired_subscriber_id) is null
  or coalesce(subscriber_id, retired_subscriber_id) not in (select id from subscribers where is_pep))`;
const columns = sql.raw(COLUMNS.join(', '));
