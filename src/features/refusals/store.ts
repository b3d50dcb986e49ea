// Rows of refused payments: written in batches by each gateway, read by party, and deleted by age.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { int8Array, textArray, timestampArray } from '../../db/driver/binary-arrays.ts';
import { type StatementRunner, statement } from '../../db/driver/statement.ts';
import { afterId, where } from '../../db/list-filter.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Page } from '../../http/paging.ts';
import type { Channel } from './channel.ts';

export interface NewRefusal extends Omit<Row<'refusals'>, 'channel'> {
  channel: Channel;
}

export interface RefusalRow extends Omit<NewRefusal, 'party_id' | 'subscriber_id'> {
  place_name: string | null;
}

// A request can name parties and places that do not exist.
const INSERT = statement(
  'refusals-insert',
  `insert into refusals (id, party_id, place_id, subscriber_id, type, channel, code, amount, excess, at, last_at, attempts)
  select id, party_id,
    coalesce((select p.id from processors p where p.id = place_id), (select a.id from agents a where a.id = place_id)),
    subscriber_id, type, channel, code, amount, excess, at, last_at, attempts
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::bigint[],
    $10::timestamptz[], $11::timestamptz[], $12::bigint[])
    as new (id, party_id, place_id, subscriber_id, type, channel, code, amount, excess, at, last_at, attempts)
  where exists (select from subscribers where id = party_id) or exists (select from processors where id = party_id)
    or exists (select from agents where id = party_id)
  on conflict (id) do nothing`,
);

export async function insertRefusals(pool: StatementRunner, rows: readonly NewRefusal[]): Promise<void> {
  if (rows.length === 0) return;
  const texts = (column: 'id' | 'party_id' | 'place_id' | 'subscriber_id' | 'type' | 'channel' | 'code') =>
    textArray(rows.map((row) => row[column]));
  const numbers = (column: 'amount' | 'excess' | 'attempts') => int8Array(rows.map((row) => row[column]));
  const times = (column: 'at' | 'last_at') => timestampArray(rows.map((row) => row[column]));
  await pool.execute(INSERT, [
    ...[
      texts('id'),
      texts('party_id'),
      texts('place_id'),
      texts('subscriber_id'),
      texts('type'),
      texts('channel'),
      texts('code'),
    ],
    ...[numbers('amount'), numbers('excess'), times('at'), times('last_at'), numbers('attempts')],
  ]);
}

export interface RefusalPage {
  rows: RefusalRow[];
  total: number;
  attempts: number;
}

export interface RefusalFilter {
  partyId: string;
  /** Older ones are no longer shown, deleted or not. */
  from: string;
  withoutPeps: boolean;
}

/** Newest first. */
export async function listRefusals(
  queries: Queries,
  { partyId, from, withoutPeps }: RefusalFilter,
  { limit, offset, after }: Page,
): Promise<RefusalPage> {
  const peps = sql`not exists (select from subscribers s where s.id = refusals.subscriber_id and s.is_pep)`;
  const filters = [sql`party_id = ${partyId}`, sql`id >= ${from}`, ...(withoutPeps ? [peps] : [])];
  const counted = sql<{ total: number; attempts: number }>`
    select count(*) as total, coalesce(sum(attempts), 0)::bigint as attempts from refusals ${where(filters)}`;
  const page = sql<RefusalRow>`
    select r.id, r.place_id, r.type, r.channel, r.code, r.amount, r.excess, r.at, r.last_at, r.attempts,
      coalesce(p.business_name, a.business_name) as place_name
    from (select * from refusals ${where([...filters, ...afterId(after)])} order by id desc limit ${limit} offset ${offset}) r
    left join processors p on p.id = r.place_id left join agents a on a.id = r.place_id order by r.id desc`;
  const [{ rows }, totals] = await Promise.all([page.execute(queries), counted.execute(queries)]);
  return { rows, ...(totals.rows[0] ?? { total: 0, attempts: 0 }) };
}

const PRUNE_CHUNK = 5_000;

// Rows that another gateway deletes are skipped.
const PRUNE = statement(
  'refusals-prune',
  `delete from refusals where id in (
    select id from refusals where id < $1 order by id limit ${PRUNE_CHUNK} for update skip locked)`,
);

export async function pruneRefusals(pool: StatementRunner, before: string): Promise<void> {
  while ((await pool.execute(PRUNE, [before])) === PRUNE_CHUNK);
}
