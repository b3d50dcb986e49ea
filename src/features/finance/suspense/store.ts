// Reads the items of the suspense account: credits to wallets whose payer is not identified yet.
import { type RawBuilder, sql } from 'kysely';
import { isDistributed } from '../../../db/citus/queries.ts';
import type { Queries } from '../../../db/database.ts';
import { type Condition, where } from '../../../db/list-filter.ts';
import type { Page } from '../../../http/paging.ts';
import { type MovementType, sqlType } from '../../../ledger/movement-types.ts';
import { SUSPENSE } from '../../../ledger/system-accounts.ts';

export interface SuspenseItem {
  transaction_id: string;
  /** The wallet that was credited. */
  subscriber_id: string;
  subscriber_name: string | null;
  amount: number;
  reference: string | null;
  card_serial: string | null;
  at: Date;
}

export interface ItemFilter {
  subscriberId?: string | undefined;
  reference?: string | undefined;
  /** Exclusive. */
  before?: Date | undefined;
  /** Wallets whose items the caller may not see. */
  except?: readonly string[];
  /** Only items of these wallets. */
  among?: readonly string[];
}

export interface ListedItems {
  items: SuspenseItem[];
  total: number;
  totalAmount: number;
}

const ITEM_TYPE: MovementType = 'partner_cashin';
/** The movements that take an item out of suspense. */
export const RESOLVING_TYPES = ['suspense_resolution', 'suspense_refund'] as const satisfies MovementType[];

/** Rows `m` of movements that debited the suspense account. */
export const IS_ITEM = `m.type = ${sqlType(ITEM_TYPE)} and m.from_account = '${SUSPENSE}'`;
const IS_RESOLUTION = `r.type in (${RESOLVING_TYPES.map(sqlType).join(', ')})`;
const IS_DEBIT = `p.account_id = '${SUSPENSE}' and p.amount < 0`;

/**
 * Items that were not resolved before the instant; by default at all. The postings of the account lead to its movements by
 * index, whatever the ledger's size. On a cluster these and the resolutions are not on the items' shards.
 */
export function openItemsSql(
  queries: Queries,
  columns: RawBuilder<unknown>,
  resolvedBefore?: Date,
): RawBuilder<unknown> {
  const isResolution = sql`${sql.raw(IS_RESOLUTION)}${resolvedBefore ? sql` and r.at < ${resolvedBefore}` : sql``}`;
  if (isDistributed(queries)) {
    return sql`with debits as materialized (select p.movement_id from postings p where ${sql.raw(IS_DEBIT)}),
      resolved as materialized (select r.related_id from movements r where ${isResolution} and r.related_id is not null)
      select ${columns} from debits join movements m on m.id = debits.movement_id
      where ${sql.raw(IS_ITEM)} and m.id not in (select related_id from resolved)`;
  }
  return sql`select ${columns} from postings p join movements m on m.id = p.movement_id where ${sql.raw(IS_DEBIT)}
    and ${sql.raw(IS_ITEM)} and not exists (select from movements r where r.related_id = m.id and ${isResolution})`;
}

const COLUMNS = sql.raw(`m.id as transaction_id, m.to_account as subscriber_id, m.amount, m.reference,
  m.details ->> 'card_serial' as card_serial, m.at`);

/** Oldest first. */
export async function openItems(queries: Queries, filter: ItemFilter, page: Page): Promise<ListedItems> {
  const isExport = page.after !== undefined;
  const matching = sql`${openItemsSql(queries, COLUMNS)} ${conditions(filter)}`;
  const after = page.after ? where([sql`transaction_id > ${page.after}`]) : sql``;
  const [{ rows: items }, sums] = await Promise.all([
    sql<SuspenseItem>`select page.*, s.first_name || ' ' || s.last_name as subscriber_name
      from (select * from (${matching}) open_items ${after}
        order by transaction_id limit ${page.limit} offset ${page.offset}) page
      left join subscribers s on s.id = page.subscriber_id order by page.transaction_id`.execute(queries),
    isExport ? null : openItemSums(queries, filter),
  ]);
  return { items, total: sums?.count ?? 0, totalAmount: sums?.amount ?? 0 };
}

interface Sums {
  count: number;
  amount: number;
  oldest: Date | null;
}

export async function openItemSums(queries: Queries, filter: ItemFilter = {}): Promise<Sums> {
  const sums = sql`count(*)::bigint as count, coalesce(sum(m.amount), 0)::bigint as amount, min(m.at) as oldest`;
  const { rows } = await sql<Sums>`${openItemsSql(queries, sums)} ${conditions(filter)}`.execute(queries);
  return rows[0] ?? { count: 0, amount: 0, oldest: null };
}

function conditions({ subscriberId, reference, before, except = [], among }: ItemFilter): Condition {
  const all = [
    ...(subscriberId === undefined ? [] : [sql`m.to_account = ${subscriberId}`]),
    ...(reference === undefined ? [] : [sql`m.reference = ${reference}`]),
    ...(before === undefined ? [] : [sql`m.at < ${before}`]),
    ...(except.length === 0 ? [] : [sql`m.to_account <> all(${except})`]),
    ...(among === undefined ? [] : [sql`m.to_account = any(${among})`]),
  ];
  return all.length === 0 ? sql`` : sql`and ${sql.join(all, sql` and `)}`;
}

export interface FoundItem extends SuspenseItem {
  isResolved: boolean;
}

/** Null if the transaction is not a credit from the suspense account. */
export async function itemById(queries: Queries, transactionId: string): Promise<FoundItem | null> {
  const { rows } = await sql<FoundItem>`with resolutions as materialized (
      select 1 as found from movements r where r.related_id = ${transactionId} and ${sql.raw(IS_RESOLUTION)})
    select ${COLUMNS}, exists (select 1 from resolutions) as "isResolved" from movements m where m.id = ${transactionId} and ${sql.raw(IS_ITEM)}`.execute(
    queries,
  );
  return rows[0] ?? null;
}
