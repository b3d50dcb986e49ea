// Rows of the request log: written in batches by each gateway, read by key, and deleted by age.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Queries } from '../../db/database.ts';
import { int8Array, textArray } from '../../db/driver/binary-arrays.ts';
import { type StatementRunner, statement } from '../../db/driver/statement.ts';
import { type Condition, where } from '../../db/list-filter.ts';
import type { NewRow, Row } from '../../db/schema/tables.ts';
import type { Page } from '../../http/paging.ts';
import { HOUR_MS } from '../../kernel/clock.ts';

export type LogRow = Row<'request_log'>;
export type NewLogRow = Omit<NewRow<'request_log'>, 'seq'>;

const SUBJECT_LENGTH = 16;
/** In SQL, of a row of subscribers. */
const SUBJECT = `left(encode(sha256(convert_to(id, 'UTF8')), 'hex'), ${SUBJECT_LENGTH})`;

/** How a row names a subscriber: it can be compared, but not read. */
export function subjectOf(subscriberId: string): string {
  return createHash('sha256').update(subscriberId).digest('hex').slice(0, SUBJECT_LENGTH);
}

/** The advisory lock of writers. */
const WRITERS = 7_200;

/** One gateway after another: numbers become visible in their order, and a follower misses none. */
export async function insertRequests(database: Database, rows: NewLogRow[]): Promise<void> {
  if (rows.length === 0) return;
  await database.transact(async (trx) => {
    await sql`select pg_advisory_xact_lock(${WRITERS})`.execute(trx);
    await trx.insertInto('request_log').values(rows).execute();
  });
}

// Sorted, so that two gateways that write at once lock the rows in the same order.
const ADD_OMISSIONS = statement(
  'request-log-omissions',
  `insert into request_log_omissions as o (key_id, hour, count)
  select key_id, $3::integer, count from unnest($1::text[], $2::bigint[]) as new (key_id, count)
  where exists (select from api_keys where id = new.key_id) order by key_id
  on conflict (key_id, hour) do update set count = o.count + excluded.count`,
);

export async function addOmissions(
  pool: StatementRunner,
  omitted: ReadonlyMap<string, number>,
  now: number,
): Promise<void> {
  if (omitted.size === 0) return;
  await pool.execute(ADD_OMISSIONS, [textArray([...omitted.keys()]), int8Array([...omitted.values()]), hourOf(now)]);
}

export interface LogFilter {
  keyId: string;
  /** Rows before it are older than the log keeps them. */
  since: Date;
  /** Exact, or a class such as 4xx. */
  status?: string | undefined;
  code?: string | undefined;
  newerThan?: string | undefined;
  withoutPeps: boolean;
}

/** Newest first. With newerThan: the ones that directly follow it. */
export async function listRequests(queries: Queries, filter: LogFilter, page: Page): Promise<LogRow[]> {
  const after = page.after ? [sql`seq < ${page.after}::bigint`] : [];
  const conditions = where([...conditionsOf(filter), ...after]);
  const ascending = filter.newerThan !== undefined && page.after === undefined;
  const order = ascending ? sql`seq` : sql`seq desc`;
  const { rows } = await sql<LogRow>`select * from request_log ${conditions}
    order by ${order} limit ${page.limit} offset ${page.offset}`.execute(queries);
  return ascending ? rows.reverse() : rows;
}

// Counting stops here.
const COUNTED_AT_MOST = 100_000;

export async function countRequests(queries: Queries, filter: LogFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (
    select from request_log ${where(conditionsOf(filter))} limit ${COUNTED_AT_MOST}) counted`.execute(queries);
  return rows[0]?.n ?? 0;
}

function conditionsOf({ keyId, since, status, code, newerThan, withoutPeps }: LogFilter): Condition[] {
  const first = Number(status?.[0]) * 100;
  return [
    sql`key_id = ${keyId}`,
    sql`at >= ${since}`,
    ...(status === undefined
      ? []
      : [status.endsWith('xx') ? sql`status between ${first} and ${first + 99}` : sql`status = ${Number(status)}`]),
    ...(code === undefined ? [] : [sql`code = ${code}`]),
    ...(withoutPeps ? [sql`not subjects && array(select ${sql.raw(SUBJECT)} from subscribers where is_pep)`] : []),
    ...(newerThan === undefined ? [] : [sql`seq > ${newerThan}::bigint`]),
  ];
}

/** The number of requests that were not kept. */
export async function countOmissions(queries: Queries, keyId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`select coalesce(sum(count), 0)::bigint as n from request_log_omissions
    where key_id = ${keyId} and hour >= ${hourOf(since.getTime())}`.execute(queries);
  return rows[0]?.n ?? 0;
}

const PRUNE_CHUNK = 5_000;

// By seq, which is nearly in order of time: needs no additional index. Rows that another gateway deletes are skipped.
const PRUNE = statement(
  'request-log-prune',
  `delete from request_log where at < $1 and seq in (
    select seq from request_log order by seq limit ${PRUNE_CHUNK} for update skip locked)`,
);
const PRUNE_OMISSIONS = statement('request-log-prune-omissions', `delete from request_log_omissions where hour < $1`);

export async function pruneRequests(pool: StatementRunner, before: Date): Promise<void> {
  while ((await pool.execute(PRUNE, [before])) === PRUNE_CHUNK);
  await pool.execute(PRUNE_OMISSIONS, [hourOf(before.getTime())]);
}

function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS);
}
