// Archives the oldest quarters of the ledger: exports them to files, stores the opening balances, and deletes the rows.
import { setTimeout as delay } from 'node:timers/promises';
import { shardsOn } from '../../db/citus/shards.ts';
import { integer, text } from '../../db/driver/columns.ts';
import type { Connection } from '../../db/driver/connection.ts';
import { statement } from '../../db/driver/statement.ts';
import type { OutboxRow } from '../../db/outbox-table.ts';
import { plural } from '../../kernel/plural.ts';
import type { SealKey } from '../seals/format.ts';
import { type ArchiveSeal, archiveMac, NO_ARCHIVE } from './format.ts';
import { INSERT_OPENINGS, openingsDigest } from './openings.ts';
import { readArchive } from './read.ts';
import { removeArchived } from './remove.ts';
import { writeArchive } from './write.ts';

export interface ArchiveOptions {
  key: SealKey;
  /** Where the files are written. */
  directory: string;
  /** Movements before this instant are archived, one file per quarter. */
  before: number;
  now: number;
  /** Conditions of other layers: each query returns what must be done before the period can be archived. */
  obstacles: readonly Obstacle[];
  /** The audit entry of an archive. */
  auditRow(seal: ArchiveSeal): OutboxRow;
  report(line: string): void;
  /** How long the rows stay after the record is written: gateways then know that they are archived. */
  noticeMs?: number | undefined;
}

export interface Obstacle {
  /** Says what is open, and what to do: "2 open items of the suspense account: resolve them". */
  what(count: number): string;
  /** Counts; `$1` is the instant in milliseconds. */
  count: string;
  /**
   * Waits for the transactions that may add to the count and did not yet see the archive. Those that begin later see it and
   * refuse.
   */
  lock?: string;
}

const OBSTACLES: readonly Obstacle[] = [
  {
    what: (count) => `${plural(count, 'movement')} without a seal: run npm run ledger:verify`,
    count: 'select count(*) from movements where batch is null and at < to_timestamp($1::double precision / 1000)',
  },
  {
    what: () => 'expired idempotency keys are not deleted yet: a running gateway deletes them within minutes',
    count: `select count(*) from request_pruning where before < to_timestamp($1::double precision / 1000) or page is not null`,
  },
  {
    // After a clock was set back, an account's postings can be in a different order from their movements.
    what: (count) =>
      `${plural(count, 'posting')} on the other side of the instant from their movements: choose another instant with --before`,
    count: `select count(*) from postings p join movements m on m.id = p.movement_id
      where (p.seq < $1::bigint * 1000) <> (m.at < to_timestamp($1::double precision / 1000))`,
  },
];

interface StoredArchive {
  seal: ArchiveSeal;
  mac: Buffer;
  complete: boolean;
}

const NOTICE_MS = 2_000;

const LATEST = statement(
  'archive-latest',
  `select number, (extract(epoch from before) * 1000)::bigint, movements, postings, encode(sha256, 'hex'), encode(openings, 'hex'),
    encode(mac, 'hex'), complete from ledger_archives order by number desc limit 1`,
  ([number, before, movements, postings, sha256, openings, mac, complete]): StoredArchive => ({
    seal: {
      number: integer(number),
      before: integer(before),
      movements: integer(movements),
      postings: integer(postings),
      sha256: text(sha256),
      openings: text(openings),
    },
    mac: Buffer.from(text(mac), 'hex'),
    complete: complete === 't',
  }),
);
const OLDEST = statement(
  'archive-oldest',
  `select (extract(epoch from at) * 1000)::bigint from movements order by id limit 1`,
  ([at]) => integer(at),
);
const BEGIN = statement('archive-begin', 'begin isolation level repeatable read');
const SETTINGS = statement(
  'archive-settings',
  `select set_config('statement_timeout', '0', false), set_config('lock_timeout', '2s', false),
    set_config('idle_in_transaction_session_timeout', '0', false), set_config('work_mem', '64MB', false), set_config('jit', 'off', false)`,
);
/** A reconciliation run holds its lock for minutes. Payments do not take it, so that they notice nothing of the wait. */
const WAIT_LONG = statement('archive-wait-long', `select set_config('lock_timeout', '15min', false)`);
const WAIT_SHORT = statement('archive-wait-short', `select set_config('lock_timeout', '2s', false)`);
/** Postings are sent to the shards of their movements. */
const JOINS_ON_CITUS = statement(
  'archive-joins-on-citus',
  `select set_config('citus.enable_repartition_joins', 'on', false)`,
);
const INSERT = statement(
  'archive-insert',
  `insert into ledger_archives (number, before, movements, postings, sha256, openings, mac, archived_at, key_id, complete)
  values ($1, to_timestamp($2::double precision / 1000), $3, $4, decode($5, 'hex'), decode($6, 'hex'), $7::bytea,
    to_timestamp($8::double precision / 1000), $9, false)`,
);
const COMPLETE = statement('archive-complete', 'update ledger_archives set complete = true where number = $1');

interface Archiving extends ArchiveOptions {
  /** Over a Citus cluster. */
  isDistributed: boolean;
}

/** As the owner of the tables. Continues a run that was interrupted. Returns how many archives were written. */
export async function archiveLedger(connection: Connection, request: ArchiveOptions): Promise<number> {
  const options = { ...request, isDistributed: (await shardsOn(connection)) !== null };
  await connection.run(SETTINGS);
  if (options.isDistributed) await connection.run(JOINS_ON_CITUS);
  await finish(connection, options);
  const [oldest] = await connection.run(OLDEST);
  let written = 0;
  for (const before of oldest === undefined ? [] : quarterEnds(oldest, options.before)) {
    await archiveUntil(connection, before, options);
    await finish(connection, options);
    written += 1;
  }
  return written;
}

/** The starts of quarters after the oldest movement, up to `before`, which is the last one. */
export function quarterEnds(oldest: number, before: number): number[] {
  const ends: number[] = [];
  for (let end = nextQuarter(oldest); end < before; end = nextQuarter(end)) ends.push(end);
  return oldest < before ? [...ends, before] : [];
}

export function quarterOf(instant: number): number {
  const date = new Date(instant);
  return Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / 3) * 3);
}

function nextQuarter(instant: number): number {
  const start = new Date(quarterOf(instant));
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 3);
}

/** From the commit on, the rows of the period count as archived. */
async function archiveUntil(connection: Connection, before: number, options: Archiving): Promise<void> {
  const { key, directory, now, isDistributed, auditRow, report } = options;
  await connection.execute(BEGIN);
  await assertArchivable(connection, before, options.obstacles);
  const [previous] = await connection.run(LATEST);
  const number = (previous?.seal.number ?? 0) + 1;
  await connection.execute(
    statement(`archive-openings-${number}`, INSERT_OPENINGS(before, previous?.seal.before ?? 0)),
  );
  const openings = await openingsDigest(connection, before);
  let done: { seal: ArchiveSeal; mac: Buffer } | null = null;
  const path = await writeArchive(connection, {
    directory,
    number,
    before,
    isDistributed,
    sealed(content) {
      const seal = { ...content, openings };
      done = { seal, mac: archiveMac(key.key, previous?.mac ?? NO_ARCHIVE, seal) };
      return done;
    },
  });
  const { seal, mac } = done as unknown as { seal: ArchiveSeal; mac: Buffer };
  const { movements, postings, sha256 } = seal;
  await connection.execute(INSERT, [number, before, movements, postings, sha256, openings, mac, now, key.id]);
  const { table, row } = auditRow(seal);
  await connection.run(table.insert, [JSON.stringify([row])]);
  await connection.commit();
  const until = new Date(before).toISOString().slice(0, 10);
  report(`${path}: ${plural(movements, 'movement')} before ${until}`);
}

async function assertArchivable(connection: Connection, before: number, others: readonly Obstacle[]): Promise<void> {
  const found = await countObstacles(connection, before, [...OBSTACLES, ...others], 'begin');
  if (found.length === 0) return;
  await connection.rollback();
  throw new Error(`movements before ${new Date(before).toISOString()} cannot be archived: ${found.join('; ')}`);
}

async function countObstacles(
  connection: Connection,
  before: number,
  obstacles: readonly Obstacle[],
  step: 'begin' | 'finish',
): Promise<string[]> {
  const found: string[] = [];
  for (const [index, { what, count }] of obstacles.entries()) {
    const [row] = await connection.run(statement(`archive-${step}-obstacle-${index}`, count), [before]);
    const open = Number(row?.[0]);
    if (open > 0) found.push(what(open));
  }
  return found;
}

/** Work on the period may have been committed while the file was written. Later transactions see the record and refuse it. */
async function assertNothingOpened(connection: Connection, before: number, others: readonly Obstacle[]): Promise<void> {
  await connection.run(WAIT_LONG);
  for (const [index, { lock }] of others.entries()) {
    if (lock) await connection.run(statement(`archive-lock-${index}`, lock));
  }
  await connection.run(WAIT_SHORT);
  const found = await countObstacles(connection, before, others, 'finish');
  if (found.length > 0) throw new Error(`${found.join('; ')}. Then run the command again`);
}

async function assertReadable(directory: string, seal: ArchiveSeal): Promise<void> {
  const fault = await readArchive(directory, seal);
  if (fault) throw new Error(`${fault.detail} (in ${directory})`);
}

/** A worker of a cluster that was killed during the commit shows them when it is recovered. */
async function assertOpened(connection: Connection, { before, openings }: ArchiveSeal): Promise<void> {
  await connection.execute(BEGIN);
  const stored = await openingsDigest(connection, before);
  await connection.rollback();
  if (stored !== openings) throw new Error('the opening balances do not match the archive: try again in a minute');
}

/** Deletes the archived rows, if their file can be read. The space is used again after the vacuum, which blocks no payment. */
async function finish(connection: Connection, options: Archiving): Promise<void> {
  const { directory, isDistributed, obstacles, report, noticeMs = NOTICE_MS } = options;
  const [latest] = await connection.run(LATEST);
  if (!latest || latest.complete) return;
  const { number, before } = latest.seal;
  await delay(noticeMs);
  try {
    await assertNothingOpened(connection, before, obstacles);
    await assertReadable(directory, latest.seal);
    await assertOpened(connection, latest.seal);
  } catch (error) {
    throw new Error(`the rows of archive ${number} are not deleted: ${(error as Error).message}`);
  }
  await removeArchived(connection, before, isDistributed);
  await connection.execute(COMPLETE, [number]);
  for (const table of ['postings', 'movements', 'account_checkpoints']) {
    await connection.execute(statement(`archive-vacuum-${table}`, `vacuum (truncate false, analyze) ${table}`));
  }
  report(`Archive ${number}: its rows are deleted from the database.`);
}
