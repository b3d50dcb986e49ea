// Storage of PINs: batched reads, and updates that require the version that was read.
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { bytes, integer, integerOrNull } from '../../db/driver/columns.ts';
import { isSerializationFailure } from '../../db/driver/errors.ts';
import { type Columns, statement } from '../../db/driver/statement.ts';
import { type KeyedLookup, keyedLookup } from '../../db/keyed-lookup.ts';
import { MAX_GUESSES, MAX_OWN_FAILURES, type PinState } from './attempts.ts';
import type { StoredPin } from './hasher.ts';

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
    ${milliseconds('p.guesses_until')}, p.own_failures`;

// LATERAL with LIMIT forces an index scan, even if the plan was made while the table was empty.
export const PINS = pinLookup('pins-by-owner', 'select requested.key as id');

// For payments from a wallet: agents have PINs too.
export const PINS_OF_SUBSCRIBERS = pinLookup(
  'pins-by-subscriber',
  'select id from subscribers where id = requested.key limit 1',
);

// For card payments, where the card's holder is not known yet.
export const PINS_BY_CARD = pinLookup(
  'pins-by-card',
  'select subscriber_id from cards where serial = requested.key limit 1',
);

/** `owner`: a query for the id of the owner. */
function pinLookup(name: string, owner: string): KeyedLookup<PinRow> {
  const text = `select requested.key, ${COLUMNS}
  from unnest($1::text[]) as requested (key)
  cross join lateral (${owner}) owner (id)
  cross join lateral (select * from pins where owner_id = owner.id limit 1) p`;
  return keyedLookup(statement(name, text, ([key, ...row]) => [key as string, pinRowOf(row)] as const));
}

function pinRowOf([ownerId, salt, hash, failures, lockedUntil, version, guesses, guessesUntil, own]: Columns): PinRow {
  return {
    ownerId: ownerId as string,
    salt: bytes(salt),
    hash: bytes(hash),
    failures: integer(failures),
    lockedUntil: integerOrNull(lockedUntil),
    version: integer(version),
    guesses: integer(guesses),
    guessesUntil: integerOrNull(guessesUntil),
    ownFailures: integer(own),
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
    const own = changes.map(({ state }) => state.ownFailures);
    const { rows } = await sql<{ owner_id: string }>`
      update pins set failures = changed.failures, locked_until = changed.locked_until, version = pins.version + 1,
        guesses = changed.guesses, guesses_until = changed.guesses_until, own_failures = changed.own_failures
      from unnest(${ownerIds}::text[], ${versions}::bigint[], ${failures}::smallint[], ${locks}::timestamptz[],
          ${guesses}::smallint[], ${days}::timestamptz[], ${own}::smallint[])
        as changed (owner_id, version, failures, locked_until, guesses, guesses_until, own_failures)
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
    .onConflict((conflict) => conflict.column('owner_id').doUpdateSet({ salt, hash, ...UNLOCKED, own_failures: 0 }))
    .execute();
}

/** The same PIN under another pepper. Neither the version nor the salt changes: attempts that are being verified stay valid. */
export async function replaceHash(
  trx: Queries,
  ownerId: string,
  [old, hash]: readonly [Buffer, Buffer],
): Promise<boolean> {
  const updating = trx.updateTable('pins').set({ hash }).where('owner_id', '=', ownerId).where('hash', '=', old);
  return (await updating.executeTakeFirst()).numUpdatedRows === 1n;
}

export async function clearFailures(trx: Queries, ownerId: string): Promise<void> {
  await trx.updateTable('pins').set(UNLOCKED).where('owner_id', '=', ownerId).execute();
}

/** False if there is no active lock. */
export async function removeLock(trx: Queries, ownerId: string, now: Date): Promise<boolean> {
  const unlocking = trx.updateTable('pins').set(UNLOCKED).where('owner_id', '=', ownerId).where(locked(now));
  return (await unlocking.executeTakeFirst()).numUpdatedRows === 1n;
}

/** Holds the row until the end of the transaction. */
export async function hasVersion(trx: Queries, ownerId: string, version: number): Promise<boolean> {
  const row = trx.selectFrom('pins').select('version').where('owner_id', '=', ownerId).forShare();
  return Number((await row.executeTakeFirst())?.version) === version;
}

interface Replacement {
  ownerId: string;
  version: number;
  pin: StoredPin;
  now: Date;
  /** The holder does it on their own channel. */
  own: boolean;
}

/** False if the row has another version or is locked. */
export async function replacePin(trx: Queries, { ownerId, version, pin, now, own }: Replacement): Promise<boolean> {
  const result = await trx
    .updateTable('pins')
    .set({ salt: pin.salt, hash: pin.hash, ...CLEAN })
    .where('owner_id', '=', ownerId)
    .where('version', '=', version)
    .where((each) => each.not(own ? lockedOnOwnChannel(now) : locked(now)))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

const locked = (now: Date): Expression<SqlBool> =>
  sql<SqlBool>`(coalesce(locked_until > ${now}, false) or (guesses >= ${MAX_GUESSES} and guesses_until > ${now}))`;

const lockedOnOwnChannel = (now: Date): Expression<SqlBool> =>
  sql<SqlBool>`(coalesce(locked_until > ${now}, false) or own_failures >= ${MAX_OWN_FAILURES})`;

const dateOrNull = (time: number | null) => (time === null ? null : new Date(time));

const CLEAN = { failures: 0, locked_until: null, version: sql<number>`pins.version + 1` };
/** Ends the lock of the day as well, which a right PIN does not. */
const UNLOCKED = { ...CLEAN, guesses: 0, guesses_until: null };
