// Pages of inbound credits with their reversals, newest first, by cursor or offset. Each page and count takes bounded time.
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import { type Condition, where } from '../../../db/list-filter.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { MINUTE_MS } from '../../../kernel/clock.ts';
import { firstIdAt } from '../../../kernel/ids.ts';

type InboundRow = Omit<Row<'inbound_transactions'>, 'batch'>;

/** With the name of the partner, and its reversal's fields, which are null if it was not reversed. */
export interface ReviewedCredit extends InboundRow {
  partner_name: string;
  reversal_transaction_id: string | null;
  reversal_reason: string | null;
  reversed_by: string | null;
  reversed_at: Date | null;
}

export const STATUSES = ['COMPLETED', 'REJECTED', 'FAILED', 'REVERSED'] as const;
export type Status = (typeof STATUSES)[number];

export interface CreditFilter {
  status?: Status;
  partnerId?: string;
  reference?: string;
  subscriberId?: string;
  /** Inclusive instants in milliseconds. */
  from?: number;
  to?: number;
  /** Without credits to politically exposed persons. */
  withoutPeps: boolean;
}

export interface CreditPage {
  rows: ReviewedCredit[];
  /** The next page has the credits before this id; null: this is the last page. */
  next: string | null;
}

/** Counting stops here: an exact count of a year of credits would take too long. */
export const COUNTED_AT_MOST = 10_000;

// Ids are time-ordered and created just before the outcome is stored. The timestamp has no index, so ids bound the scan.
const ID_LEAD_MS = MINUTE_MS;

const COLUMNS = sql.raw(`id, partner_id, reference, key_id, idempotency_key, status, failure_code, transaction_id,
  identified_by, identifier, subscriber_id, account_number, account_name, amount, fee, net_credited, currency,
  partner_outstanding, narration, payer_name, payer_account_masked, payer_bank_code, completed_at,
  (select name from partners where partners.id = partner_id) as partner_name`);

/** Selects the ids first, from an index, and then only the page's rows. */
export async function pageOfCredits(
  queries: Queries,
  filter: CreditFilter,
  { before, limit, offset }: { before: string | null; limit: number; offset: number },
): Promise<CreditPage> {
  if (limit === 0) return { rows: [], next: null };
  // One more than the page holds, to know whether there is a next page.
  const { rows: found } = await withReversals(
    sql`${idsOf(filter, before)} limit ${limit + 1} offset ${offset}`,
  ).execute(queries);
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}

/** Up to COUNTED_AT_MOST, and one more if there are more. */
export async function countCredits(queries: Queries, filter: CreditFilter): Promise<number> {
  const matching = sql`${idsOf(filter, null)} limit ${COUNTED_AT_MOST + 1}`;
  const { rows } = await sql<{ count: number }>`select count(*) as count from (${matching}) matching`.execute(queries);
  return rows[0]?.count ?? 0;
}

export async function creditById(queries: Queries, id: string): Promise<ReviewedCredit | undefined> {
  const { rows } = await withReversals(sql`select ${id}::text as id`).execute(queries);
  return rows[0];
}

// Lateral with a limit: only an index can serve it.
function withReversals(ids: Condition): RawBuilder<ReviewedCredit> {
  return sql`select t.*, r.* from (${ids}) page
    cross join lateral (select ${COLUMNS} from inbound_transactions where id = page.id limit 1) t
    left join lateral (select transaction_id as reversal_transaction_id, reason as reversal_reason, reversed_by, reversed_at
      from inbound_reversals where inbound_id = page.id limit 1) r on true
    order by t.id desc`;
}

/** The ids that match, newest first. Reversals are few, so credits that were reversed are found through them. */
function idsOf(filter: CreditFilter, before: string | null): Condition {
  if (filter.status !== 'REVERSED') {
    return sql`select t.id from inbound_transactions t ${where(conditions(filter, before))} order by t.id desc`;
  }
  return sql`select t.id from inbound_reversals reversed
    cross join lateral (select * from inbound_transactions where id = reversed.inbound_id limit 1) t
    ${where([...idBounds(sql`reversed.inbound_id`, filter, before), ...conditions(filter, null)])}
    order by reversed.inbound_id desc`;
}

function conditions(filter: CreditFilter, before: string | null): Condition[] {
  const { status, partnerId, reference, subscriberId, from, to, withoutPeps } = filter;
  const all = idBounds(sql`t.id`, filter, before);
  if (partnerId !== undefined) all.push(sql`t.partner_id = ${partnerId}`);
  if (reference !== undefined) all.push(sql`t.reference = ${reference}`);
  if (subscriberId !== undefined) all.push(sql`t.subscriber_id = ${subscriberId}`);
  if (from !== undefined) all.push(sql`t.completed_at >= ${new Date(from)}`);
  if (to !== undefined) all.push(sql`t.completed_at < ${new Date(to + 1)}`);
  if (status !== undefined) all.push(...statusConditions(status));
  if (withoutPeps)
    all.push(sql`not exists (select from subscribers pep where pep.id = t.subscriber_id and pep.is_pep)`);
  return all;
}

function idBounds(id: Condition, { from, to }: CreditFilter, before: string | null): Condition[] {
  return [
    ...(before === null ? [] : [sql`${id} < ${before}`]),
    ...(from === undefined ? [] : [sql`${id} >= ${firstIdAt('inb', from - ID_LEAD_MS)}`]),
    ...(to === undefined ? [] : [sql`${id} < ${firstIdAt('inb', to + 1 + ID_LEAD_MS)}`]),
  ];
}

/** As a literal, so that the planner can use the index of credits that were not completed. */
function statusConditions(status: Status): Condition[] {
  if (status === 'REVERSED') return [];
  const isStored = sql`t.status = ${sql.lit(status)}`;
  if (status !== 'COMPLETED') return [isStored];
  return [isStored, sql`not exists (select from inbound_reversals r where r.inbound_id = t.id)`];
}
