// Storage of PINs: batched reads, and updates that require the version that was read.
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { textArray } from '../../db/driver/binary-arrays.ts';
import { bytes, integer, integerOrNull } from '../../db/driver/columns.ts';
import { isSerializationFailure } from '../../db/driver/errors.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { type Columns, statement } from '../../db/driver/statement.ts';
import type { PinState, StoredPin } from './attempts.ts';

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

const COLUMNS = 'p.owner_id, p.salt, p.hash, p.failures, ceil(extract(epoch from p.locked_until) * 1000), p.version';

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

// For card payments, where the holder of the card is not known yet.
const BY_CARD = statement(
  'pins-by-card',
  `select ${COLUMNS}, requested.serial
  from unnest($1::text[]) as requested (serial)
  cross join lateral (select subscriber_id from cards where serial = requested.serial limit 1) c
  cross join lateral (select * from pins where owner_id = c.subscriber_id limit 1) p`,
  (columns) => [columns[6] as string, pinRowOf(columns)] as const,
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

function pinRowOf([ownerId, salt, hash, failures, lockedUntil, version]: Columns): PinRow {
  return {
    ownerId: ownerId as string,
    salt: bytes(salt),
    hash: bytes(hash),
    failures: integer(failures),
    lockedUntil: integerOrNull(lockedUntil),
    version: integer(version),
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
    const locks = changes.map(({ state }) => (state.lockedUntil === null ? null : new Date(state.lockedUntil)));
    const { rows } = await sql<{ owner_id: string }>`
      update pins set failures = changed.failures, locked_until = changed.locked_until, version = pins.version + 1
      from unnest(${ownerIds}::text[], ${versions}::bigint[], ${failures}::smallint[], ${locks}::timestamptz[])
        as changed (owner_id, version, failures, locked_until)
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
    .values({ owner_id: ownerId, salt, hash, locked_until: null })
    .onConflict((conflict) => conflict.column('owner_id').doUpdateSet({ salt, hash, ...CLEAN }))
    .execute();
}

export async function clearFailures(trx: Queries, ownerId: string): Promise<void> {
  await trx.updateTable('pins').set(CLEAN).where('owner_id', '=', ownerId).execute();
}

/** False if there is no active lock. */
export async function removeLock(trx: Queries, ownerId: string, now: Date): Promise<boolean> {
  const locked = trx.updateTable('pins').set(CLEAN).where('owner_id', '=', ownerId).where('locked_until', '>', now);
  return (await locked.executeTakeFirst()).numUpdatedRows === 1n;
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
    .where(unlocked(now))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

const unlocked = (now: Date): Expression<SqlBool> => sql<SqlBool>`(locked_until is null or locked_until <= ${now})`;

const CLEAN = { failures: 0, locked_until: null, version: sql<number>`pins.version + 1` };
