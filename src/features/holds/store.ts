// Pages of holds, newest first.
import { sql } from 'kysely';
import { countedPage, type Listed } from '../../db/counted-page.ts';
import type { Queries } from '../../db/database.ts';
import type { Condition } from '../../db/list-filter.ts';
import type { Page } from '../../http/paging.ts';
import type { HoldStatus } from './record.ts';

export interface HoldFilter {
  /** Each is a party to the hold. */
  accounts: readonly string[];
  /** None of these is. */
  leftOut: readonly string[];
  status: HoldStatus | undefined;
}

const COUNT_LIMIT = 100_000;

export function listHolds(
  queries: Queries,
  filter: HoldFilter,
  now: number,
  page: Page,
): Promise<Listed<{ id: string }>> {
  const { accounts, leftOut, status } = filter;
  const filters = [
    ...accounts.map((id) => sql`(account_id = ${id} or payee_id = ${id})`),
    ...(leftOut.length > 0 ? [sql`account_id <> all(${leftOut}) and payee_id <> all(${leftOut})`] : []),
    ...(status ? [hasStatus(status, new Date(now))] : []),
  ];
  return countedPage(queries, { table: 'holds', columns: ['id'], filters, countLimit: COUNT_LIMIT }, page);
}

function hasStatus(status: HoldStatus, now: Date): Condition {
  if (status === 'active') return sql`not ended and expires_at > ${now}`;
  const ended = sql`ended and exists (select from hold_ends e where e.hold_id = holds.id and e.outcome = ${status})`;
  return status === 'expired' ? sql`(not ended and expires_at <= ${now} or ${ended})` : ended;
}
