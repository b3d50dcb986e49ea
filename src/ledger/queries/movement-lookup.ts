// Single movements: by their id, and those that were paid with one card.
import type { Pool } from 'pg';
import { batchLoader, type Load } from '../../db/batch-loader.ts';
import { textArray } from '../../db/driver/binary-arrays.ts';
import { whole } from '../../db/driver/columns.ts';
import type { Columns } from '../../db/driver/prepared.ts';
import type { Reader } from '../../db/driver/reader.ts';

export interface MovementOnFile {
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
  /** Only what this account received. */
  toAccount?: string;
  limit: number;
}

export interface CardMovement extends MovementOnFile {
  refundedTotal: number;
}

export interface MovementLookup {
  byId: Load<string, MovementOnFile | null>;
  /** How much of a payment was refunded. */
  refunded: Load<string, number>;
  /** Newest first. */
  byCard(query: CardQuery): Promise<CardMovement[]>;
}

/** The name of the running total of what was refunded of a payment. */
export function refundsOf(movementId: string): string {
  return `refund:${movementId}`;
}

const COLUMNS = 'id, type, from_account, to_account, amount, details, at';

// Lateral with a limit: only an index can serve it, whatever the planner believed when the table was empty.
const BY_ID = `select m.* from unnest($1::text[]) as asked (id) cross join lateral (
    select id, type, from_account, to_account, amount, details, (extract(epoch from at) * 1000)::bigint
    from movements where id = asked.id limit 1) m`;

const REFUNDED = `select a.* from unnest($1::text[]) as asked (id) cross join lateral (
    select id, used from allowances where id = asked.id limit 1) a`;

export const BY_CARD = `select paid.*, coalesce(refunds.used, 0) as refunded_total from (
    select ${COLUMNS} from movements
    where type = 'pos_payment' and (details ->> 'card_serial') collate "C" = $1
      and ($2::text is null or to_account = $2)
    order by id desc limit $3) paid
  left join lateral (select used from allowances where id = 'refund:' || paid.id limit 1) refunds on true
  order by paid.id desc`;

interface MovementRow {
  id: string;
  type: string;
  from_account: string;
  to_account: string;
  amount: number;
  details: Record<string, unknown>;
  at: Date;
}

export function createMovementLookup({ pool, reader }: { pool: Pool; reader: Reader }): MovementLookup {
  return {
    byId: batchLoader({
      async fetch(ids: string[]) {
        const values = [textArray([...new Set(ids)])];
        const rows = await reader.rows({ name: 'movement-by-id', text: BY_ID, values });
        const found = new Map(rows.map((row) => [row[0] as string, movementOf(row)]));
        return ids.map((id) => found.get(id) ?? null);
      },
    }),
    refunded: batchLoader({
      async fetch(ids: string[]) {
        const totals = ids.map(refundsOf);
        const values = [textArray([...new Set(totals)])];
        const rows = await reader.rows({ name: 'refunds-by-payment', text: REFUNDED, values });
        const found = new Map(rows.map(([id, used]) => [id as string, whole(used)]));
        return totals.map((total) => found.get(total) ?? 0);
      },
    }),
    async byCard({ serial, toAccount, limit }) {
      const query = { name: 'movements-by-card', text: BY_CARD, values: [serial, toAccount ?? null, limit] };
      const { rows } = await pool.query<MovementRow & { refunded_total: number }>(query);
      return rows.map(({ refunded_total, ...row }) => ({ ...onFile(row), refundedTotal: refunded_total }));
    },
  };
}

function movementOf(row: Columns): MovementOnFile {
  const [id, type, fromAccount, toAccount, amount, details, at] = row as string[];
  const figures = { amount: whole(amount), details: JSON.parse(details ?? ''), at: new Date(whole(at)) };
  return { id, type, fromAccount, toAccount, ...figures } as MovementOnFile;
}

function onFile({ from_account, to_account, ...row }: MovementRow): MovementOnFile {
  return { ...row, fromAccount: from_account, toAccount: to_account };
}
