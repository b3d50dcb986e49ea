// The table of webhook endpoints.

import { countedPage, type Listed } from '../../db/counted-page.ts';
import type { Queries } from '../../db/database.ts';
import { textArray } from '../../db/driver/binary-arrays.ts';
import { byteas, record, text } from '../../db/driver/columns.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { statement } from '../../db/driver/statement.ts';
import { equal } from '../../db/list-filter.ts';
import type { NewRow, Row, RowChange } from '../../db/schema/tables.ts';
import type { Page } from '../../http/paging.ts';
import { isPartnerId } from '../../webhooks/owner.ts';

/** Without the secrets. */
export type WebhookEndpoint = Omit<Row<'webhook_endpoints'>, 'sealed_secret' | 'previous_secret'>;

export interface EndpointFilter {
  processor_id?: string;
  partner_id?: string;
}

const COLUMNS = [
  'id',
  'processor_id',
  'partner_id',
  'url',
  'events',
  'previous_valid_until',
  'created_by',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof WebhookEndpoint)[];

export function insertEndpoint(trx: Queries, endpoint: NewRow<'webhook_endpoints'>): Promise<WebhookEndpoint> {
  return trx.insertInto('webhook_endpoints').values(endpoint).returning(COLUMNS).executeTakeFirstOrThrow();
}

export function findEndpoint(queries: Queries, id: string): Promise<WebhookEndpoint | undefined> {
  return queries.selectFrom('webhook_endpoints').select(COLUMNS).where('id', '=', id).executeTakeFirst();
}

export function listEndpoints(queries: Queries, filter: EndpointFilter, page: Page): Promise<Listed<WebhookEndpoint>> {
  return countedPage(queries, { table: 'webhook_endpoints', columns: COLUMNS, filters: equal({ ...filter }) }, page);
}

/** Locks the owner, so that its endpoints change one after the other; whether it exists. */
export async function lockOwner(trx: Queries, ownerId: string): Promise<boolean> {
  const table = isPartnerId(ownerId) ? 'partners' : 'processors';
  const owner = trx.selectFrom(table).select('id').where('id', '=', ownerId).forNoKeyUpdate();
  return (await owner.executeTakeFirst()) !== undefined;
}

export async function countEndpoints(trx: Queries, ownerId: string): Promise<number> {
  const column = isPartnerId(ownerId) ? 'partner_id' : 'processor_id';
  const own = trx.selectFrom('webhook_endpoints').select('id').where(column, '=', ownerId);
  return (await own.execute()).length;
}

export function updateEndpoint(trx: Queries, id: string, change: RowChange<'webhook_endpoints'>) {
  const update = trx.updateTable('webhook_endpoints').set(change).where('id', '=', id);
  return update.returning(COLUMNS).executeTakeFirstOrThrow();
}

/** The new secret signs from now on; the one before it is kept until `previousUntil`, if that is set. */
export async function replaceSecret(
  trx: Queries,
  id: string,
  { sealed, previousUntil, now }: { sealed: Buffer; previousUntil: Date | null; now: Date },
): Promise<WebhookEndpoint> {
  const update = trx.updateTable('webhook_endpoints').where('id', '=', id);
  const changed = update.set((row) => ({
    sealed_secret: sealed,
    previous_secret: previousUntil === null ? null : row.ref('sealed_secret'),
    previous_valid_until: previousUntil,
    updated_at: now,
  }));
  return changed.returning(COLUMNS).executeTakeFirstOrThrow();
}

export async function deleteEndpoint(trx: Queries, id: string): Promise<void> {
  await trx.deleteFrom('webhook_endpoints').where('id', '=', id).execute();
}

/** There is no address any more that could get them. */
export async function abandonDeliveries(trx: Queries, endpointId: string, now: Date): Promise<void> {
  const pending = trx.updateTable('webhook_deliveries').where('endpoint_id', '=', endpointId);
  const abandoned = { status: 'abandoned', next_attempt_at: null, finished_at: now, lease: null, leased_until: null };
  await pending
    .where('status', '=', 'pending')
    .set(abandoned as RowChange<'webhook_deliveries'>)
    .execute();
}

export async function insertDelivery(trx: Queries, delivery: NewRow<'webhook_deliveries'>): Promise<void> {
  await trx.insertInto('webhook_deliveries').values(delivery).execute();
}

const TARGETS = statement(
  'webhook-targets',
  `select endpoint.id, endpoint.url, endpoint.sealed
  from unnest($1::text[]) as requested (id) cross join lateral (
    select id, url, array[sealed_secret] || case when previous_valid_until > $2 then array[previous_secret] else '{}' end as sealed
    from webhook_endpoints where id = requested.id limit 1) endpoint`,
  record({ id: text, url: text, sealed: byteas }),
);

export type SealedTarget = ReturnType<typeof TARGETS.decode>;

/** The current addresses and secrets. */
export function readTargets(reader: Reader, ids: readonly string[], now: Date): Promise<SealedTarget[]> {
  return reader.run(TARGETS, [textArray([...new Set(ids)]), now]);
}
