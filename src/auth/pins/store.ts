// Storage of PINs: batched reads, and updates that require the version that was read.
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { textArray } from '../../db/driver/binary-arrays.ts';
import { bytes, integer, integerOrNull } from '../../db/driver/columns.ts';
import { isSerializationFailure } from '../../db/driver/errors.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { type Columns, statement } from '../../db/driver/statement.ts';
import { MAX_GUESSES, type PinState, type StoredPin } from './attempts.ts';

export interface PinRow extends StoredPin, PinState {
  ownerId: string;
  version: number;
}

export interface PinChange {
  ownerId: string;
  /** The version that was read. */
  version: number;
  state: PinState;
}

const milliseconds = (column: string) => `ceil(extract(epoch from ${column}) * 1000)`;
const COLUMNS = `p.owner_id, p.salt, p.hash, p.failures, ${milliseconds('p.locked_until')}, p.version, p.guesses,
    ${milliseconds('p.guesses_until')}`;

// LATERAL with LIMIT forces an index scan, even if the plan was made while the table was empty.
const BY_OWNER = statement(
  'pins-by-owner',
  `select ${COLUMNS}
  from unnest($1::text[]) as requested (id)
  cross join lateral (select * from pins where owner_id = requested.id limit 1) p`,
  pinRowOf,
);

// For payments from a wallet: agents have PINs too.
const BY_SUBSCRIBER = statement(
  'pins-by-subscriber',
  `select ${COLUMNS}
  from unnest($1::text[]) as requested (id)
  cross join lateral (select id from subscribers where id = requested.id limit 1) s
  cross join lateral (select * from pins where owner_id = s.id limit 1) p`,
  pinRowOf,
);

// For card payments, where the card's holder is not known yet.
const BY_CARD = statement(
  'pins-by-card',
  `select ${COLUMNS}, requested.serial
  from unnest($1::text[]) as requested (serial)
  cross join lateral (select subscriber_id from cards where serial = requested.serial limit 1) c
  cross join lateral (select * from pins where owner_id = c.subscriber_id limit 1) p`,
  (columns) => [columns[8] as string, pinRowOf(columns)] as const,
);

export async function readPins(reader: Reader, ownerIds: string[]): Promise<Map<string, PinRow>> {
  const rows = await reader.run(BY_OWNER, [textArray(ownerIds)]);
  return new Map(rows.map((row) => [row.ownerId, row]));
}

/** Only of subscribers. */
export async function readSubscriberPins(reader: Reader, ids: string[]): Promise<Map<string, PinRow>> {
  const rows = await reader.run(BY_SUBSCRIBER, [textArray(ids)]);
  return new Map(rows.map((row) => [row.ownerId, row]));
}

/** Keyed by card serial. */
export async function readPinsByCard(reader: Reader, serials: string[]): Promise<Map<string, PinRow>> {
  return new Map(await reader.run(BY_CARD, [textArray(serials)]));
}

function pinRowOf([ownerId, salt, hash, failures, lockedUntil, version, guesses, guessesUntil]: Columns): PinRow {
  return {
    ownerId: ownerId as string,
    salt: bytes(salt),
    hash: bytes(hash),
    failures: integer(failures),
    lockedUntil: integerOrNull(lockedUntil),
    version: integer(version),
    guesses: integer(guesses),
    guessesUntil: integerOrNull(guessesUntil),
  };
}

/** Compare-and-set: returns the owners whose row still had the given version. */
export async function writePins(queries: Queries, changes: PinChange[]): Promise<Set<string>> {
  if (changes.length === 0) return new Set();
  // The same order on every gateway makes deadlocks between two batches rare.
  changes.sort((a, b) => (a.ownerId < b.ownerId ? -1 : 1));
  try {
    const ownerIds = changes.map((change) => change.ownerId);
    const versions = changes.map((change) => change.version);
    const failures = changes.map((change) => change.state.failures);
    const locks = changes.map(({ state }) => dateOrNull(state.lockedUntil));
    const guesses = changes.map(({ state }) => state.guesses);
    const days = changes.map(({ state }) => dateOrNull(state.guessesUntil));
    const { rows } = await sql<{ owner_id: string }>`
      update pins set failures = changed.failures, locked_until = changed.locked_until, version = pins.version + 1,
        guesses = changed.guesses, guesses_until = changed.guesses_until
      from unnest(${ownerIds}::text[], ${versions}::bigint[], ${failures}::smallint[], ${locks}::timestamptz[],
          ${guesses}::smallint[], ${days}::timestamptz[])
        as changed (owner_id, version, failures, locked_until, guesses, guesses_until)
      where pins.owner_id = changed.owner_id and pins.version = changed.version
      returning pins.owner_id`.execute(queries);
    return new Set(rows.map((row) => row.owner_id));
  } catch (error) {
    // A deadlock or a serialisation failure wrote nothing: every row lost this race.
    if (isSerializationFailure(error)) return new Set();
    throw error;
  }
}

export async function putPin(trx: Queries, ownerId: string, { salt, hash }: StoredPin): Promise<void> {
  await trx
    .insertInto('pins')
    .values({ owner_id: ownerId, salt, hash, locked_until: null, guesses_until: null })
    .onConflict((conflict) => conflict.column('owner_id').doUpdateSet({ salt, hash, ...UNLOCKED }))
    .execute();
}

export async function clearFailures(trx: Queries, ownerId: string): Promise<void> {
  await trx.updateTable('pins').set(UNLOCKED).where('owner_id', '=', ownerId).execute();
}

/** False if there is no active lock. */
export async function removeLock(trx: Queries, ownerId: string, now: Date): Promise<boolean> {
  const unlocking = trx.updateTable('pins').set(UNLOCKED).where('owner_id', '=', ownerId).where(locked(now));
  return (await unlocking.executeTakeFirst()).numUpdatedRows === 1n;
}

/** False if the row has another version or is locked. */
export async function replacePin(
  trx: Queries,
  { ownerId, version, pin, now }: { ownerId: string; version: number; pin: StoredPin; now: Date },
): Promise<boolean> {
  const result = await trx
    .updateTable('pins')
    .set({ salt: pin.salt, hash: pin.hash, ...CLEAN })
    .where('owner_id', '=', ownerId)
    .where('version', '=', version)
    .where((each) => each.not(locked(now)))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

const locked = (now: Date): Expression<SqlBool> =>
  sql<SqlBool>`(coalesce(locked_until > ${now}, false) or (guesses >= ${MAX_GUESSES} and guesses_until > ${now}))`;

const dateOrNull = (time: number | null) => (time === null ? null : new Date(time));

const CLEAN = { failures: 0, locked_until: null, version: sql<number>`pins.version + 1` };
/** Ends the lock of the day as well, which a right PIN does not. */
const UNLOCKED = { ...CLEAN, guesses: 0, guesses_until: null };
