// Lists cards by page, newest first; those of one upload by serial.
import { sql } from 'kysely';
import { countedPage, type Listed } from '../../db/counted-page.ts';
import type { Queries } from '../../db/database.ts';
import { type Condition, equal } from '../../db/list-filter.ts';
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

// Sorts after every character that a serial may contain; the upper bound of a prefix search.
const PREFIX_UPPER_BOUND = '\x7f';

export function listCards(queries: Queries, filter: ListFilter, page: Page): Promise<Listed<CardRow>> {
  const filters = conditions(filter);
  const order = sql`created_at desc, serial`;
  return countedPage(
    queries,
    { table: 'cards', columns: COLUMNS, key: 'serial', filters, order, after: afterSerial },
    page,
  );
}

/** Cards are never deleted. The first condition bounds the scan of the index, because the order has two directions. */
function afterSerial(serial: string | null | undefined): Condition[] {
  if (!serial) return [];
  const createdAt = sql`(select created_at from cards where serial = ${serial})`;
  return [sql`created_at <= ${createdAt}`, sql`(created_at < ${createdAt} or serial > ${serial})`];
}

function conditions(filter: ListFilter): Condition[] {
  const { status, type, subscriberId, parentSerial, serialStart, withoutPeps } = filter;
  const all = equal({ status, type, subscriber_id: subscriberId, parent_serial: parentSerial });
  if (serialStart !== undefined)
    all.push(sql`serial >= ${serialStart} and serial < ${serialStart + PREFIX_UPPER_BOUND}`);
  if (withoutPeps) all.push(NO_PEP);
  return all;
}

const NO_PEP = sql`(coalesce(subscriber_id, retired_subscriber_id) is null
  or coalesce(subscriber_id, retired_subscriber_id) not in (select id from subscribers where is_pep))`;
