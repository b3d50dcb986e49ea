// The webhook outbox: due deliveries are claimed under a lease, attempted outside transactions, and recorded.
import { byteaArray, int8Array, jsonArray, textArray, timestampArray } from '../db/driver/binary-arrays.ts';
import { bool, integer, text, textOrNull, timestampOrNull } from '../db/driver/columns.ts';
import type { ConnectionPool } from '../db/driver/pool.ts';
import { type Columns, type Statement, statement, type Values } from '../db/driver/statement.ts';
import type { Lease } from '../db/leased-queue.ts';
import type { Reply } from './reply.ts';
import type { AttemptRequest } from './transport.ts';

/** A delivery that only this process may attempt until the lease expires. */
export interface Claimed {
  id: string;
  /** The partner or processor that the delivery is for. */
  ownerId: string;
  /** Null: the partner's webhook_url. */
  endpointId: string | null;
  event: string;
  body: Buffer;
  /** Of the work that caused the event; null: it was not traced. */
  traceparent: string | null;
  /** The number of attempts so far. */
  attempts: number;
  step: number;
  lease: string;
}

export interface Result {
  id: string;
  lease: string;
  number: number;
  at: Date;
  durationMs: number;
  httpStatus: number | null;
  error: string | null;
  request: AttemptRequest | null;
  reply: Reply | null;
  /** The delivery's new status. */
  status: 'pending' | 'delivered' | 'abandoned';
  step: number;
  nextAt: Date | null;
  finishedAt: Date | null;
}

// Not leased, or the lease has expired.
const NOT_LEASED = (row: string, now: string) => `(${row}.leased_until is null or ${row}.leased_until <= ${now})`;

/** The partner or processor that a delivery is for, as the index has it. */
const OWNER = (row: string) => `coalesce(${row}.partner_id, ${row}.processor_id)`;

// Skips from owner to owner in the index (loose index scan), so a long backlog costs no more than a short one.
// Lateral with a limit, because PostgreSQL plans `exists` as a scan of all due rows (measured).
const DUE = statement(
  'webhooks-due',
  `with recursive owner (id) as (
    (select ${OWNER('d')} from webhook_deliveries d where status = 'pending' order by ${OWNER('d')} limit 1)
    union all
    select (select ${OWNER('d')} from webhook_deliveries d
      where status = 'pending' and ${OWNER('d')} > owner.id order by ${OWNER('d')} limit 1)
    from owner where owner.id is not null)
  select owner.id from owner cross join lateral (
    select from webhook_deliveries d
    where ${OWNER('d')} = owner.id and d.status = 'pending' and d.next_attempt_at <= $1 and ${NOT_LEASED('d', '$1')}
    limit 1) due`,
  ([id]) => text(id),
);

// Several gateways claim at once: each skips rows that another has locked; committed claims have a lease.
// A delivery behind an earlier one of its reference is deferred until the earlier one's next attempt or the end of its
// lease. Claims then do not read it again and it does not hide deliveries that are ready. RECORD makes it due again.
// The subquery for earlier deliveries is written so that only the index by reference fits (next_attempt_at is set while
// pending). A cached plan from an empty table would otherwise scan an owner's whole backlog for each row (measured).
const CLAIM = statement(
  'webhooks-claim',
  `with due as materialized (
    select found.* from unnest($1::text[], $2::bigint[]) as slots (owner_id, count) cross join lateral (
      select d.id, slots.owner_id, d.endpoint_id, d.reference, d.turn from webhook_deliveries d
      where ${OWNER('d')} = slots.owner_id and d.status = 'pending' and d.next_attempt_at <= $3 and ${NOT_LEASED('d', '$3')}
      order by d.next_attempt_at, d.id limit slots.count for update skip locked) found),
  ordered as materialized (
    select due.id, (
      select max(greatest(earlier.next_attempt_at, earlier.leased_until)) from webhook_deliveries earlier
      where earlier.reference = due.reference and ${OWNER('earlier')} || '' = due.owner_id
        and earlier.endpoint_id is not distinct from due.endpoint_id
        and earlier.next_attempt_at is not null and (earlier.turn, earlier.id) < (due.turn, due.id)) as behind
    from due)
  update webhook_deliveries d set
    lease = case when behind is null then $4 end,
    leased_until = case when behind is null then $5::timestamptz end,
    next_attempt_at = greatest(d.next_attempt_at, behind + interval '1 millisecond')
  from ordered where d.id = ordered.id
  returning d.id, ${OWNER('d')}, d.endpoint_id, d.event, d.body, d.attempts, d.step, behind is not null, d.traceparent`,
  claimedRow,
);

// Only the lease's holder can record: a gateway that paused until another took over changes nothing.
// Deliveries that waited for one that has now ended, and were not attempted themselves, become due.
const RECORD = statement(
  'webhooks-record',
  `with result as (
    select * from unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[], $5::bigint[], $6::bigint[],
      $7::text[], $8::text[], $9::bigint[], $10::timestamptz[], $11::timestamptz[], $12::text[], $13::json[],
      $14::json[], $15::bytea[], $16::bigint[])
    as result (id, lease, number, at, duration_ms, http_status, error, status, step, next_at, finished_at, url,
      request_headers, reply_headers, reply_body, reply_truncated)),
  changed as (
    update webhook_deliveries d set status = result.status, attempts = result.number, step = result.step,
      next_attempt_at = result.next_at, finished_at = result.finished_at, lease = null, leased_until = null
    from result where d.id = result.id and d.lease = result.lease
    returning d.id, ${OWNER('d')} as owner_id, d.endpoint_id, d.reference, d.turn, d.status,
      result.number, result.at, result.duration_ms, result.http_status, result.error, result.url,
      result.request_headers, result.reply_headers, result.reply_body, result.reply_truncated),
  resumed as (
    update webhook_deliveries d set next_attempt_at = least(d.next_attempt_at, waiting.at)
    from (select later.id, changed.at from changed cross join lateral (
        select id from webhook_deliveries w
        where w.reference = changed.reference and ${OWNER('w')} || '' = changed.owner_id
          and w.endpoint_id is not distinct from changed.endpoint_id
          and w.next_attempt_at is not null and (w.turn, w.id) > (changed.turn, changed.id) offset 0) later
      where changed.status <> 'pending') waiting
    where d.id = waiting.id and d.status = 'pending' and d.step = 0 and d.lease is null)
  insert into webhook_attempts (delivery_id, number, at, duration_ms, http_status, error, url, request_headers,
    reply_headers, reply_body, reply_truncated)
  select id, number, at, duration_ms, http_status, error, url, request_headers, reply_headers, reply_body,
    reply_truncated = 1 from changed
  returning delivery_id`,
  ([id]) => text(id),
);

const RELEASE = statement(
  'webhooks-release',
  `update webhook_deliveries set lease = null, leased_until = null where id = $1 and lease = $2`,
);

// The status is checked again on the locked row, so that a delivery replayed in the meantime is kept.
const PRUNE = statement(
  'webhooks-prune',
  `with old as (
    delete from webhook_deliveries where status <> 'pending' and id in (
      select id from webhook_deliveries where id < $1 and status <> 'pending' order by id limit $2)
    returning id)
  delete from webhook_attempts where delivery_id in (select id from old)`,
);

// Counts at most 20,000 rows of the index on pending deliveries, so that a huge backlog stays cheap to measure.
const BACKLOG = statement(
  'webhooks-backlog',
  `select count(*), min(created_at), min(next_attempt_at)
  from (select created_at, next_attempt_at from webhook_deliveries where status = 'pending' limit 20000) pending`,
  ([waiting, oldest, due]) => ({
    waiting: integer(waiting),
    oldest: timestampOrNull(oldest),
    due: timestampOrNull(due),
  }),
);

export interface Backlog {
  waiting: number;
  /** The creation time of the oldest. */
  oldest: Date | null;
  /** The time of the earliest due attempt. */
  due: Date | null;
}

interface ClaimedRow extends Omit<Claimed, 'lease'> {
  deferred: boolean;
}

function claimedRow([
  id,
  ownerId,
  endpointId,
  event,
  body,
  attempts,
  step,
  deferred,
  traceparent,
]: Columns): ClaimedRow {
  return {
    id: text(id),
    ownerId: text(ownerId),
    endpointId: textOrNull(endpointId),
    event: text(event),
    body: Buffer.from(text(body)),
    attempts: integer(attempts),
    step: integer(step),
    deferred: bool(deferred),
    traceparent: textOrNull(traceparent),
  };
}

export interface Claim {
  claimed: Claimed[];
  /** The number of due deliveries deferred behind an earlier one of their reference; more may be due after them. */
  deferred: number;
}

export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox(pool: ConnectionPool) {
  return {
    /** The owners of due deliveries, sorted. */
    dueOwners: (now: Date): Promise<string[]> => pool.run(DUE, [now]),
    /** At most `slots` per owner, oldest first, and only the earliest of each reference and endpoint. */
    async claim(slots: ReadonlyMap<string, number>, { lease, now, until }: Lease): Promise<Claim> {
      const values = [textArray([...slots.keys()]), int8Array([...slots.values()]), now, lease, until];
      const rows = await commitAsync(pool, CLAIM, values);
      const claimed = rows.filter(({ deferred }) => !deferred).map(({ deferred: _, ...row }) => ({ ...row, lease }));
      return { claimed, deferred: rows.length - claimed.length };
    },
    /** For each result, whether it was recorded; false if the lease was lost. */
    async record(results: Result[]): Promise<boolean[]> {
      const recorded = new Set(await commitAsync(pool, RECORD, columnsOf(results)));
      return results.map(({ id }) => recorded.has(id));
    },
    async backlog(): Promise<Backlog> {
      const [backlog] = await pool.run(BACKLOG);
      return backlog ?? { waiting: 0, oldest: null, due: null };
    },
    /** Gives up the claim. */
    async release({ id, lease }: Claimed): Promise<void> {
      await pool.execute(RELEASE, [id, lease]);
    },
    /** Deletes finished deliveries with a lower id. Returns the number of attempts deleted with them. */
    prune: (below: string, limit: number): Promise<number> => pool.execute(PRUNE, [below, limit]),
  };
}

// Claims read in index order. A plan cached while few rows were pending would collect and sort all of them instead.
const SETTINGS = statement(
  'webhooks-settings',
  `select set_config('synchronous_commit', 'off', true), set_config('enable_sort', 'off', true),
  set_config('enable_bitmapscan', 'off', true)`,
);

/**
 * Commits asynchronously. If a crash of PostgreSQL undoes a claim or a record, one delivery is repeated, which
 * receivers must expect. The events themselves are written in the commits of their credits.
 */
function commitAsync<Row>(pool: ConnectionPool, statement: Statement<Row>, values: Values): Promise<Row[]> {
  return pool.using(async (connection) => {
    const [, , rows] = await connection.pipeline(() =>
      Promise.all([
        connection.begin(),
        connection.run(SETTINGS),
        connection.run(statement, values),
        connection.commit(),
      ]),
    );
    return rows;
  });
}

function columnsOf(results: Result[]): Values {
  const column = <T>(select: (result: Result) => T) => results.map(select);
  const json = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));
  return [
    textArray(column(({ id }) => id)),
    textArray(column(({ lease }) => lease)),
    int8Array(column(({ number }) => number)),
    timestampArray(column(({ at }) => at)),
    int8Array(column(({ durationMs }) => durationMs)),
    int8Array(column(({ httpStatus }) => httpStatus)),
    textArray(column(({ error }) => error)),
    textArray(column(({ status }) => status)),
    int8Array(column(({ step }) => step)),
    timestampArray(column(({ nextAt }) => nextAt)),
    timestampArray(column(({ finishedAt }) => finishedAt)),
    textArray(column(({ request }) => request?.url ?? null)),
    jsonArray(column(({ request }) => json(request?.headers))),
    jsonArray(column(({ reply }) => json(reply?.headers))),
    byteaArray(column(({ reply }) => reply?.body ?? null)),
    int8Array(column(({ reply }) => (reply ? Number(reply.truncated) : null))),
  ];
}
