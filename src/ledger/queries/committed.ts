// Reads what was committed by position: the batches of each chain of seals after a given one, and their movements and holds.
// A chain's batches are committed one after the other, so that a reader misses none, whatever the ids of the movements are.
import { int8Array, textArray } from '../../db/driver/binary-arrays.ts';
import { integer, text, textOrNull } from '../../db/driver/columns.ts';
import { type Columns, onCitus, type StatementRunner, statement } from '../../db/driver/statement.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import { chainOf } from '../seals/format.ts';

export interface CommittedBatch {
  batch: number;
  chain: number;
  /** Milliseconds since 1970. */
  at: number;
  /** Null: nothing was posted and no hold changed. */
  range: { first: string; last: string } | null;
}

export interface CommittedMovement {
  kind: 'posted' | 'held' | 'released' | 'expired';
  batch: number;
  /** Its place in the batch, which is in the order of these ids. */
  place: string;
  /** Of a hold's end: the hold's. */
  id: string;
  type: string;
  fromAccount: string;
  toAccount: string;
  amount: number;
  /** Milliseconds since 1970. */
  at: number;
  /** Of holds. */
  purpose: string | null;
  expiresAt: number | null;
}

export type Committed = ReturnType<typeof createCommitted>;

const HEADS = statement(
  'committed-heads',
  `select c.id, coalesce((select max(s.batch) from seals s
    where s.batch > c.id::bigint << 32 and s.batch < (c.id::bigint + 1) << 32), c.id::bigint << 32)
  from seal_chains c`,
  ([chain, batch]) => [integer(chain), integer(batch)] as const,
);

const MILLIS = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`;
const BATCH = `batch, ${MILLIS('at')}, first_movement, last_movement`;

const NEW_BATCHES = statement(
  'committed-batches',
  `select s.* from (
    select unnest($1::bigint[]) as after
    union all select id::bigint << 32 from seal_chains where id > $2::integer) c
  cross join lateral (
    select ${BATCH} from seals where batch > c.after and batch < ((c.after >> 32) + 1) << 32 order by batch limit $3) s
  order by batch`,
  batchOf,
);

const MOVEMENTS = statement(
  'committed-movements',
  `select batch, id, type, from_account, to_account, amount, ${MILLIS('at')}
  from movements where id >= $1 and id <= $2 and batch = any($3::bigint[])`,
  movementOf,
);

const HOLDS = statement(
  'committed-holds',
  `select 'held', batch, id, id, type, account_id, payee_id, amount, ${MILLIS('at')}, purpose, ${MILLIS('expires_at')}
    from holds where id >= $1 and id <= $2 and batch = any($3::bigint[])
  union all
  select e.outcome, e.batch, e.id, h.id, h.type, h.account_id, h.payee_id, h.amount, ${MILLIS('e.at')}, h.purpose, ${MILLIS('h.expires_at')}
    from hold_ends e join holds h on h.id = e.hold_id
    where e.id >= $1 and e.id <= $2 and e.batch = any($3::bigint[]) and e.outcome <> 'captured'`,
  holdOf,
);

export interface AccountMovement {
  accountId: string;
  movementId: string;
  /** Of the movement, in milliseconds since 1970. */
  at: number;
}

export interface AccountEntry {
  /** Charged to the account. */
  fee: number;
  balanceAfter: number;
}

// seq is the movement's time in microseconds, or a little more if the account was ahead of it.
const ENTRIES = onCitus(
  statement(
    'committed-entries',
    `select p.* from unnest($1::text[], $2::text[], $3::bigint[]) as wanted (account_id, movement_id, at)
  cross join lateral (
    select account_id, movement_id, fee, balance_after from (
      select account_id, movement_id, fee, balance_after from postings
      where account_id = wanted.account_id and seq >= wanted.at * 1000 order by seq limit 64) near
    where near.movement_id = wanted.movement_id limit 1) p`,
    entryOf,
  ),
  // Within a minute instead of 64 postings.
  `select account_id, movement_id, fee, balance_after from postings
  where account_id = any($1::text[]) and movement_id = any($2::text[])
    and seq >= (select min(at) * 1000 from unnest($3::bigint[]) as at)
    and seq < (select max(at) * 1000 + 60000000 from unnest($3::bigint[]) as at)`,
);

export function createCommitted(pool: StatementRunner) {
  return {
    /** The end of every chain: what is read from there on is new. */
    heads: async (): Promise<ReadonlyMap<number, number>> => new Map(await pool.run(HEADS)),

    /** At most `limit` of each chain, after the given batches and in the chains that are newer than `newestChain`. */
    batchesAfter(batches: readonly number[], limit: number, newestChain: number): Promise<CommittedBatch[]> {
      return pool.run(NEW_BATCHES, [int8Array([...batches]), newestChain, limit]);
    },

    /** In the order of the batches, which are of several chains, and of the places in them. */
    async movements(batches: readonly CommittedBatch[]): Promise<CommittedMovement[]> {
      const first = batches.reduce((least, { range }) => (range && range.first < least ? range.first : least), HIGHEST);
      const last = batches.reduce((most, { range }) => (range && range.last > most ? range.last : most), '');
      if (last === '') return [];
      const values = [first, last, int8Array(batches.map(({ batch }) => batch))];
      const [posted, held] = await Promise.all([pool.run(MOVEMENTS, values), pool.run(HOLDS, values)]);
      return [...posted, ...held].sort((a, b) => a.batch - b.batch || (a.place < b.place ? -1 : 1));
    },

    /** What each movement did to an account, by `entryKey`. */
    async entries(wanted: readonly AccountMovement[]): Promise<Map<string, AccountEntry>> {
      if (wanted.length === 0) return new Map();
      const values = [
        textArray(wanted.map(({ accountId }) => accountId)),
        textArray(wanted.map(({ movementId }) => movementId)),
        int8Array(wanted.map(({ at }) => at)),
      ];
      return new Map(await pool.run(ENTRIES, values));
    },
  };
}

export function entryKey(accountId: string, movementId: string): string {
  return `${accountId} ${movementId}`;
}

const HIGHEST = '\uffff';
/** Ids are created shortly before their movement is posted. */
const ID_LEAD_MS = MINUTE_MS;

function batchOf([number, time, first, last]: Columns): CommittedBatch {
  const [batch, at] = [integer(number), integer(time)];
  return { batch, chain: chainOf(batch), at, range: rangeOf(at, textOrNull(first), textOrNull(last)) };
}

function rangeOf(at: number, first: string | null, last: string | null): CommittedBatch['range'] {
  if (first === '') return null;
  // Written by an earlier version.
  if (first === null || last === null)
    return { first: firstIdAt('txn', at - ID_LEAD_MS), last: firstIdAt('txn', at + ID_LEAD_MS) };
  return { first, last };
}

function movementOf([batch, id, type, from, to, amount, at]: Columns): CommittedMovement {
  return {
    ...{ kind: 'posted', batch: integer(batch), place: text(id), id: text(id), type: text(type) },
    ...{ fromAccount: text(from), toAccount: text(to), amount: integer(amount), at: integer(at) },
    ...{ purpose: null, expiresAt: null },
  };
}

function holdOf([kind, batch, place, id, type, from, to, amount, at, purpose, expiresAt]: Columns): CommittedMovement {
  return {
    ...{ kind: text(kind), batch: integer(batch), place: text(place), id: text(id), type: text(type) },
    ...{ fromAccount: text(from), toAccount: text(to), amount: integer(amount), at: integer(at) },
    ...{ purpose: text(purpose), expiresAt: integer(expiresAt) },
  };
}

function entryOf([accountId, movementId, fee, balanceAfter]: Columns) {
  const entry = { fee: integer(fee), balanceAfter: integer(balanceAfter) };
  return [entryKey(text(accountId), text(movementId)), entry] as const;
}
