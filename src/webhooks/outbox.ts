// The outbox in the database: what is due is claimed under a lease, tried outside of any transaction, and recorded.
import { int8Array, textArray, timestampArray } from '../db/driver/binary-arrays.ts';
import { bool, integer, text, timestampOrNull } from '../db/driver/columns.ts';
import type { ConnectionPool } from '../db/driver/pool.ts';
import { type Columns, type Statement, statement, type Values } from '../db/driver/statement.ts';
import type { Lease } from '../db/leased-queue.ts';

/** A delivery that this process alone may attempt until its lease ends. */
export interface Claimed {
  id: string;
  partnerId: string;
  event: string;
  body: Buffer;
  /** How many attempts there have been. */
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
  /** What becomes of the delivery. */
  status: 'pending' | 'delivered' | 'abandoned';
  step: number;
  nextAt: Date | null;
  finishedAt: Date | null;
}

// Free is what nobody holds a lease on, or somebody did who has not come back.
const FREE = (row: string, now: string) => `(${row}.leased_until is null or ${row}.leased_until <= ${now})`;

// From partner to partner by the index, past all that wait in between: a long backlog costs no more than a short one.
// Lateral with a limit, because `exists` is planned as a walk over everything that is due (measured).
const DUE = statement(
  'webhooks-due',
  `with recursive partner (id) as (
    (select partner_id from webhook_deliveries where status = 'pending' order by partner_id limit 1)
    union all
    select (select partner_id from webhook_deliveries
      where status = 'pending' and partner_id > partner.id order by partner_id limit 1)
    from partner where partner.id is not null)
  select partner.id from partner cross join lateral (
    select from webhook_deliveries d
    where d.partner_id = partner.id and d.status = 'pending' and d.next_attempt_at <= $1 and ${FREE('d', '$1')}
    limit 1) due`,
  ([id]) => text(id),
);

// Several gateways claim at once: each passes over what another has just locked, and what it has committed has a lease.
// What is behind an earlier one of its reference is put off until that one is tried again, or its lease ends, so that it is
// not looked at in every claim, and what is ready is never hidden by it; RECORD calls it back.
// What comes earlier is asked for in words that only the index by reference can serve (a time is there while pending): a
// plan made on an empty table would else walk a partner's whole backlog for each row, and be kept (measured).
const CLAIM = statement(
  'webhooks-claim',
  `with due as materialized (
    select found.* from unnest($1::text[], $2::bigint[]) as share (partner_id, room) cross join lateral (
      select d.id, d.partner_id, d.reference, d.turn from webhook_deliveries d
      where d.partner_id = share.partner_id and d.status = 'pending' and d.next_attempt_at <= $3 and ${FREE('d', '$3')}
      order by d.next_attempt_at, d.id limit share.room for update skip locked) found),
  judged as materialized (
    select due.id, (
      select max(greatest(earlier.next_attempt_at, earlier.leased_until)) from webhook_deliveries earlier
      where earlier.reference = due.reference and earlier.partner_id || '' = due.partner_id
        and earlier.next_attempt_at is not null and (earlier.turn, earlier.id) < (due.turn, due.id)) as behind
    from due)
  update webhook_deliveries d set
    lease = case when behind is null then $4 end,
    leased_until = case when behind is null then $5::timestamptz end,
    next_attempt_at = greatest(d.next_attempt_at, behind + interval '1 millisecond')
  from judged where d.id = judged.id
  returning d.id, d.partner_id, d.event, d.body, d.attempts, d.step, behind is not null`,
  claimedRow,
);

// Only by who still holds the lease: a gateway that stood still for so long that another took over changes nothing.
// What waited for a delivery that has ended, and was not tried itself, is due now.
const RECORD = statement(
  'webhooks-record',
  `with result as (
    select * from unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[], $5::bigint[], $6::bigint[],
      $7::text[], $8::text[], $9::bigint[], $10::timestamptz[], $11::timestamptz[])
    as result (id, lease, number, at, duration_ms, http_status, error, status, step, next_at, finished_at)),
  changed as (
    update webhook_deliveries d set status = result.status, attempts = result.number, step = result.step,
      next_attempt_at = result.next_at, finished_at = result.finished_at, lease = null, leased_until = null
    from result where d.id = result.id and d.lease = result.lease
    returning d.id, d.partner_id, d.reference, d.turn, d.status,
      result.number, result.at, result.duration_ms, result.http_status, result.error),
  called as (
    update webhook_deliveries d set next_attempt_at = least(d.next_attempt_at, waiting.at)
    from (select later.id, changed.at from changed cross join lateral (
        select id from webhook_deliveries w
        where w.reference = changed.reference and w.partner_id || '' = changed.partner_id
          and w.next_attempt_at is not null and (w.turn, w.id) > (changed.turn, changed.id) offset 0) later
      where changed.status <> 'pending') waiting
    where d.id = waiting.id and d.status = 'pending' and d.step = 0 and d.lease is null)
  insert into webhook_attempts (delivery_id, number, at, duration_ms, http_status, error)
  select id, number, at, duration_ms, http_status, error from changed
  returning delivery_id`,
  ([id]) => text(id),
);

const RELEASE = statement(
  'webhooks-release',
  `update webhook_deliveries set lease = null, leased_until = null where id = $1 and lease = $2`,
);

// The status is asked for again, of the row as it is when it is locked: one that was just replayed stays.
const PRUNE = statement(
  'webhooks-prune',
  `with old as (
    delete from webhook_deliveries where status <> 'pending' and id in (
      select id from webhook_deliveries where id < $1 and status <> 'pending' order by id limit $2)
    returning id)
  delete from webhook_attempts where delivery_id in (select id from old)`,
);

// Not all of a backlog that is out of hand: by the index of what is pending, as far as it takes to see that it is.
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
  /** When the oldest was made. */
  oldest: Date | null;
  /** When the attempt is due that is due first. */
  due: Date | null;
}

interface ClaimedRow extends Omit<Claimed, 'lease'> {
  deferred: boolean;
}

function claimedRow([id, partnerId, event, body, attempts, step, deferred]: Columns): ClaimedRow {
  return {
    id: text(id),
    partnerId: text(partnerId),
    event: text(event),
    body: Buffer.from(text(body)),
    attempts: integer(attempts),
    step: integer(step),
    deferred: bool(deferred),
  };
}

export interface Claim {
  claimed: Claimed[];
  /** How many were due and put off, because an earlier one of their reference has not ended: there may be more behind them. */
  deferred: number;
}

export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox(pool: ConnectionPool) {
  return {
    /** The partners that something is due for, in order. */
    duePartners: (now: Date): Promise<string[]> => pool.run(DUE, [now]),
    /** Of each partner at most its share, oldest first; of each reference only its earliest. */
    async claim(shares: ReadonlyMap<string, number>, { lease, now, until }: Lease): Promise<Claim> {
      const values = [textArray([...shares.keys()]), int8Array([...shares.values()]), now, lease, until];
      const rows = await written(pool, CLAIM, values);
      const claimed = rows.filter(({ deferred }) => !deferred).map(({ deferred: _, ...row }) => ({ ...row, lease }));
      return { claimed, deferred: rows.length - claimed.length };
    },
    /** For each whether it was recorded: false when the lease was lost. */
    async record(results: Result[]): Promise<boolean[]> {
      const recorded = new Set(await written(pool, RECORD, columnsOf(results)));
      return results.map(({ id }) => recorded.has(id));
    },
    async backlog(): Promise<Backlog> {
      const [backlog] = await pool.run(BACKLOG);
      return backlog ?? { waiting: 0, oldest: null, due: null };
    },
    /** As if it had not been claimed. */
    async release({ id, lease }: Claimed): Promise<void> {
      await pool.execute(RELEASE, [id, lease]);
    },
    /** Forgets what came to its end and whose id is below; says how many attempts went with it. */
    prune: (below: string, limit: number): Promise<number> => pool.execute(PRUNE, [below, limit]),
  };
}

// Claims are taken in the order of an index. A plan made while next to nothing was pending would rather collect all that
// is and sort it, and would be kept.
const SETTINGS = statement(
  'webhooks-settings',
  `select set_config('synchronous_commit', 'off', true), set_config('enable_sort', 'off', true),
  set_config('enable_bitmapscan', 'off', true)`,
);

/**
 * Without waiting for the disk. What a crash of PostgreSQL can undo of a claim or a record costs one delivery made
 * again, which receivers are told to expect; the events themselves are written in the commits of their credits.
 */
function written<Row>(pool: ConnectionPool, statement: Statement<Row>, values: Values): Promise<Row[]> {
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
  ];
}
