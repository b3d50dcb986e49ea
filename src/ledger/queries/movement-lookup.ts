// Look-ups of single movements by id, and of the payments with one card.
import { batchLoader, type Load } from '../../db/batch-loader.ts';
import { textArray } from '../../db/driver/binary-arrays.ts';
import { integer, json, text } from '../../db/driver/columns.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { type Columns, onCitus, type StatementRunner, statement } from '../../db/driver/statement.ts';
import { keyedLookup, loader } from '../../db/keyed-lookup.ts';
import { sqlType } from '../movement-types.ts';
import { type Archives, createArchives } from './archives.ts';

export interface StoredMovement {
  id: string;
  type: string;
  fromAccount: string;
  toAccount: string;
  amount: number;
  details: Record<string, unknown>;
  at: Date;
}

export interface CardQuery {
  serial: string;
  /** Only payments from this account: a card may have had other holders. */
  fromAccount: string;
  /** Only payments to this account. */
  toAccount?: string;
  /** Only payments that this key or user made. */
  actorId?: string;
  limit: number;
}

export interface CardMovement extends StoredMovement {
  refundedTotal: number;
}

export interface MovementLookup {
  /** Why a movement is not found, if its time is archived. */
  archivedRefusal: Archives['refusalOf'];
  byId: Load<string, StoredMovement | null>;
  /** The refunded total of a payment. */
  refunded: Load<string, number>;
  /** Newest first. */
  byCard(query: CardQuery): Promise<CardMovement[]>;
}

/** The id of the allowance that counts the refunds of a payment. */
export function refundsOf(movementId: string): string {
  return `refund:${movementId}`;
}

const COLUMNS = 'id, type, from_account, to_account, amount, details, (extract(epoch from at) * 1000)::bigint';

// LATERAL with LIMIT forces an index scan, even if the planner last saw the table empty.
export const MOVEMENTS = keyedLookup(
  onCitus(
    statement(
      'movement-by-id',
      `select m.* from unnest($1::text[]) as requested (id) cross join lateral (
    select ${COLUMNS} from movements where id = requested.id limit 1) m`,
      (columns) => [text(columns[0]), movementOf(columns)] as const,
    ),
    `select ${COLUMNS} from movements where id = any($1::text[])`,
  ),
  (ids) => `select unnest(array[m.from_account, m.to_account]) from unnest(${ids}::text[]) as requested (id)
    cross join lateral (select from_account, to_account from movements where id = requested.id limit 1) m`,
);

const REFUNDED = onCitus(
  statement(
    'refunds-by-payment',
    `select a.* from unnest($1::text[]) as requested (id) cross join lateral (
    select id, used from allowances where id = requested.id limit 1) a`,
    ([id, used]) => [text(id), integer(used)] as const,
  ),
  'select id, used from allowances where id = any($1::text[])',
);

/** As a case: PostgreSQL would take two comparisons to leave one row, and sort all the card's payments. */
const IF_GIVEN = (column: string, value: string) =>
  `case when ${value}::text is null then true else ${column} = ${value} end`;

const PAID = `select ${COLUMNS} from movements
    where type = ${sqlType('pos_payment')} and (details ->> 'card_serial') collate "C" = $1
      and from_account = $4 and ${IF_GIVEN('to_account', '$2')} and ${IF_GIVEN('actor_id', '$5')}
    order by id desc limit $3`;

export const BY_CARD = onCitus(
  statement(
    'movements-by-card',
    `select paid.*, coalesce(refunds.used, 0) from (${PAID}) paid
  left join lateral (select used from allowances where id = 'refund:' || paid.id limit 1) refunds on true
  order by paid.id desc`,
    (columns) => ({ ...movementOf(columns), refundedTotal: integer(columns.at(-1)) }),
  ),
  `with paid as materialized (${PAID}), refunds as materialized (
    select a.id, a.used from allowances a join paid on a.id = 'refund:' || paid.id)
  select paid.*, coalesce(refunds.used, 0) from paid left join refunds on refunds.id = 'refund:' || paid.id
  order by paid.id desc`,
);

export function createMovementLookup({ pool, reader }: { pool: StatementRunner; reader: Reader }): MovementLookup {
  return {
    archivedRefusal: createArchives(reader).refusalOf,
    byId: loader(reader, MOVEMENTS),
    refunded: batchLoader({
      async fetch(ids: string[]) {
        const totals = ids.map(refundsOf);
        const found = new Map(await reader.run(REFUNDED, [textArray([...new Set(totals)])]));
        return totals.map((total) => found.get(total) ?? 0);
      },
    }),
    byCard: ({ serial, fromAccount, toAccount, actorId, limit }) =>
      pool.run(BY_CARD, [serial, toAccount ?? null, limit, fromAccount, actorId ?? null]),
  };
}

function movementOf([id, type, fromAccount, toAccount, amount, details, at]: Columns): StoredMovement {
  return {
    id: text(id),
    type: text(type),
    fromAccount: text(fromAccount),
    toAccount: text(toAccount),
    amount: integer(amount),
    details: json(details),
    at: new Date(integer(at)),
  };
}
