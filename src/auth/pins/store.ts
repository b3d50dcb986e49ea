// The rows of the PINs: read many at once, and written only over the version a decision was made on.

import { type Expression, type SqlBool, sql } from 'kysely';
import pg from 'pg';
import type { Queries } from '../../db/database.ts';
import { textArray } from '../../db/driver/binary-arrays.ts';
import { bytes, whole, wholeOrNull } from '../../db/driver/columns.ts';
import type { Columns } from '../../db/driver/prepared.ts';
import type { Reader } from '../../db/driver/reader.ts';
import type { PinState, StoredPin } from './attempts.ts';

export interface PinRow extends StoredPin, PinState {
  ownerId: string;
  version: number;
}

export interface PinChange {
  ownerId: string;
  /** The version the change was decided on. */
  version: number;
  state: PinState;
}

const COLUMNS = 'p.owner_id, p.salt, p.hash, p.failures, ceil(extract(epoch from p.locked_until) * 1000), p.version';

// Lateral with a limit: only an index can serve it, whatever the planner believed when the table was empty.
const READ = `select ${COLUMNS}
  from unnest($1::text[]) as asked (id)
  cross join lateral (select * from pins where owner_id = asked.id limit 1) p`;

// Of a card in the hand of whoever pays, before it is known whose it is.
const READ_BY_CARD = `select ${COLUMNS}, asked.serial
  from unnest($1::text[]) as asked (serial)
  cross join lateral (select subscriber_id from cards where serial = asked.serial limit 1) c
  cross join lateral (select * from pins where owner_id = c.subscriber_id limit 1) p`;

const WRITE = `update pins set failures = changed.failures, locked_until = changed.locked_until, version = pins.version + 1
  from unnest($1::text[], $2::bigint[], $3::smallint[], $4::timestamptz[])
    as changed (owner_id, version, failures, locked_until)
  where pins.owner_id = changed.owner_id and pins.version = changed.version
  returning pins.owner_id`;

export async function readPins(reader: Reader, ownerIds: string[]): Promise<Map<string, PinRow>> {
  const rows = await reader.rows({ name: 'pins-by-owner', text: READ, values: [textArray(ownerIds)] });
  return new Map(rows.map((row) => [row[0] as string, pinRowOf(row)]));
}

/** By serial. */
export async function readPinsByCard(reader: Reader, serials: string[]): Promise<Map<string, PinRow>> {
  const rows = await reader.rows({ name: 'pins-by-card', text: READ_BY_CARD, values: [textArray(serials)] });
  return new Map(rows.map((row) => [row[6] as string, pinRowOf(row)]));
}

function pinRowOf([ownerId, salt, hash, failures, lockedUntil, version]: Columns): PinRow {
  return {
    ownerId: ownerId as string,
    salt: bytes(salt),
    hash: bytes(hash),
    failures: whole(failures),
    lockedUntil: wholeOrNull(lockedUntil),
    version: whole(version),
  };
}

/** Compare and set; returns the owners whose row was still at the version given. */
export async function writePins(pool: pg.Pool, changes: PinChange[]): Promise<Set<string>> {
  if (changes.length === 0) return new Set();
  // In one order on every gateway, so that two batches rarely hold what the other waits for.
  changes.sort((a, b) => (a.ownerId < b.ownerId ? -1 : 1));
  try {
    const { rows } = await pool.query<{ owner_id: string }>(WRITE, [
      changes.map((change) => change.ownerId),
      changes.map((change) => change.version),
      changes.map((change) => change.state.failures),
      changes.map(({ state }) => (state.lockedUntil === null ? null : new Date(state.lockedUntil))),
    ]);
    return new Set(rows.map((row) => row.owner_id));
  } catch (error) {
    // A deadlock or a serialisation failure wrote nothing: every row lost this race.
    if (error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001')) return new Set();
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

/** False when the row is no longer at that version, or is locked. */
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
