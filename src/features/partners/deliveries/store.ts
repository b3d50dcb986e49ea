// Reads pages of the webhook outbox with their attempts, and restarts deliveries.
import { type SqlBool, sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Page } from '../../../http/paging.ts';

export type DeliveryRow = Row<'webhook_deliveries'>;
export type AttemptDetailsRow = Row<'webhook_attempts'>;
export type AttemptRow = Pick<
  AttemptDetailsRow,
  'delivery_id' | 'number' | 'at' | 'duration_ms' | 'http_status' | 'error'
>;
export type Delivery = DeliveryRow & { attemptRows: AttemptRow[] };

export interface DeliveryFilter {
  partner_id?: string;
  processor_id?: string;
  endpoint_id?: string;
  event?: string;
  status?: DeliveryRow['status'];
  reference?: string;
  /** Subscribers about whom nothing is found. */
  except?: readonly string[];
}

const FILTERS = ['partner_id', 'processor_id', 'endpoint_id', 'event', 'status', 'reference'] as const;

// Counting stops here: an exact count of a year of deliveries would take too long.
const COUNTED_AT_MOST = 100_000;
// Enough for two schedules and a few replays. The table keeps all attempts.
const ATTEMPTS_SHOWN = 20;

export async function listDeliveries(
  queries: Queries,
  filter: DeliveryFilter,
  { limit, offset, after }: Page,
): Promise<{ deliveries: Delivery[]; total: number }> {
  const all = matching(queries, filter).selectAll();
  const page = (after ? all.where('id', '<', after) : all).orderBy('id', 'desc').limit(limit).offset(offset);
  const deliveries = await withAttempts(queries, await page.execute());
  // An export needs no count.
  return { deliveries, total: after === undefined ? await countDeliveries(queries, filter) : deliveries.length };
}

async function countDeliveries(queries: Queries, filter: DeliveryFilter): Promise<number> {
  const some = matching(queries, filter).select('id').limit(COUNTED_AT_MOST).as('some');
  const counted = queries.selectFrom(some).select(sql<number>`count(*)`.as('total'));
  return (await counted.executeTakeFirstOrThrow()).total;
}

function matching(queries: Queries, { except = [], ...filter }: DeliveryFilter) {
  let selection = queries.selectFrom('webhook_deliveries');
  for (const column of FILTERS) {
    const value = filter[column];
    if (value !== undefined) selection = selection.where(column, '=', value);
  }
  if (except.length > 0) {
    const subscriber = sql`coalesce(subscriber_id, body::json ->> 'subscriber_id', '')`;
    selection = selection.where(sql<SqlBool>`${subscriber} <> all(${[...except]}::text[])`);
  }
  return selection;
}

/** Adds the latest attempts of each delivery, in order, without what they sent and received. */
export async function withAttempts(queries: Queries, rows: DeliveryRow[]): Promise<Delivery[]> {
  const byDelivery = new Map<string, AttemptRow[]>(rows.map(({ id }) => [id, []]));
  if (rows.length > 0) {
    const { rows: found } =
      await sql<AttemptRow>`select attempt.* from unnest(${[...byDelivery.keys()]}::text[]) as requested (id)
      cross join lateral (select delivery_id, number, at, duration_ms, http_status, error
        from webhook_attempts where delivery_id = requested.id order by number desc limit ${ATTEMPTS_SHOWN}) attempt
      order by attempt.number`.execute(queries);
    for (const attempt of found) byDelivery.get(attempt.delivery_id)?.push(attempt);
  }
  return rows.map((row) => ({ ...row, attemptRows: byDelivery.get(row.id) ?? [] }));
}

export function findDelivery(queries: Queries, id: string): Promise<DeliveryRow | undefined> {
  return queries.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirst();
}

/** A delivery's latest attempts, in order. */
export async function attemptDetails(queries: Queries, deliveryId: string): Promise<AttemptDetailsRow[]> {
  const all = queries.selectFrom('webhook_attempts').selectAll().where('delivery_id', '=', deliveryId);
  return (await all.orderBy('number', 'desc').limit(ATTEMPTS_SHOWN).execute()).reverse();
}

export function lockDelivery(trx: Queries, id: string): Promise<DeliveryRow | undefined> {
  return trx.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Restarts at the first step of the schedule. The number of attempts is not reset. */
export function restartDelivery(trx: Queries, id: string, now: Date): Promise<DeliveryRow> {
  return trx
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', step: 0, next_attempt_at: now, finished_at: null, lease: null, leased_until: null })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
