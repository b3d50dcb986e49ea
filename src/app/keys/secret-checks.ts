// Checks at the start that the keys are those that the database was written with, and that none is missing.
import { createHmac } from 'node:crypto';
import { createVault } from '../../auth/vault.ts';
import type { Queries } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import { FIRST_KEY, type Key, type KeyRing, type Keys, ringOf } from '../../kernel/key-ring.ts';
import { plural } from '../../kernel/plural.ts';
import type { Secrets } from '../secrets.ts';
import { countUses } from './counts.ts';
import { liveGateways } from './live-gateways.ts';
import { KEY_NAMES, type KeyName, retiredContext } from './stored-values.ts';

/** The service must not start with these keys. The message tells the operator why. */
export class WrongSecret extends Error {}

/** Refuses to start with other keys than before: stored secrets and PINs would be unusable. Records the marks of new keys. */
export async function checkSecrets(
  queries: Queries,
  secrets: Pick<Secrets, KeyName>,
  clock: Clock = { now: Date.now },
): Promise<void> {
  for (const name of KEY_NAMES) {
    const ring = ringOf(secrets[name]);
    const known = await readMarks(queries, name);
    if (known.size === 0 && !ring.has(FIRST_KEY)) throw new WrongSecret(beginsWithFirst(name));
    checkMarks(name, ring, known);
    for (const key of ring.configured) await writeMark(queries, name, key);
    // Another gateway may have recorded another value at the same time.
    checkMarks(name, ring, await readMarks(queries, name));
    const retired = await readRetired(queries, name, ring);
    const missing = [...known.keys()].filter((id) => !ring.has(id) && !retired.has(id));
    if (missing.length > 0) await refuseIfNeeded(queries, clock, name, { ring, missing });
  }
}

/**
 * For tools, which record nothing: a database that no service used yet accepts any key. Reads the retired keys, and writes
 * under a key that every running gateway has.
 */
export async function checkMasterKey(queries: Queries, masterKeys: KeyRing): Promise<void> {
  await checkStored(queries, 'MASTER_KEY', masterKeys);
  await readRetired(queries, 'MASTER_KEY', masterKeys);
  const gateways = await liveGateways(queries, 'MASTER_KEY');
  const readable = masterKeys.configured.find(({ id }) => gateways.every(({ ids }) => ids.includes(id)));
  if (readable) masterKeys.writeUnder(readable.id);
}

export async function checkStored(queries: Queries, name: KeyName, keys: Keys): Promise<void> {
  checkMarks(name, ringOf(keys), await readMarks(queries, name));
}

function checkMarks(name: KeyName, ring: KeyRing, known: ReadonlyMap<string, Buffer>): void {
  for (const { id, value } of ring.configured) {
    const mark = known.get(id);
    if (!mark || mark.equals(markOf(name, value))) continue;
    const which = id === FIRST_KEY ? name : `The key ${id} of ${name}`;
    throw new WrongSecret(
      `${which} is not the one this database was created with: the data encrypted or hashed with it cannot be read.`,
    );
  }
}

/** The retired ids. Old master keys join the ring, to verify history. Refuses a ring whose first key is retired. */
export async function readRetired(queries: Queries, name: KeyName, ring: KeyRing): Promise<ReadonlySet<string>> {
  const rows = await queries.selectFrom('retired_keys').select(['id', 'sealed_key']).where('name', '=', name).execute();
  const ended =
    rows.some(({ id }) => id === ring.first.id) || (name === 'MASTER_KEY' && (await isClosed(queries, ring)));
  if (ended) throw new WrongSecret(wasReplaced(name, ring.first.id));
  const vault = createVault(ring);
  for (const { id, sealed_key: sealed } of rows) {
    if (sealed !== null) ring.addRetired({ id, value: vault.open(sealed, retiredContext(id)) });
  }
  return new Set(rows.map(({ id }) => id));
}

async function isClosed(queries: Queries, { first }: KeyRing): Promise<boolean> {
  const closing = queries.selectFrom('key_closings').select('chain').where('old_key', '=', first.id).limit(1);
  return (await closing.executeTakeFirst()) !== undefined;
}

interface Missing {
  ring: KeyRing;
  missing: readonly string[];
}

/** Counts, which reads whole tables: a key that was configured in advance and never used may go. */
async function refuseIfNeeded(queries: Queries, clock: Clock, name: KeyName, { ring, missing }: Missing) {
  const uses = (await countUses(queries, clock, ring)).filter((use) => use.name === name && missing.includes(use.id));
  const [first] = uses;
  if (!first) return;
  const count = uses.filter(({ id }) => id === first.id).reduce((sum, use) => sum + use.count, 0);
  throw new WrongSecret(
    `${plural(count, 'stored value')} still ${count === 1 ? 'needs' : 'need'} the key ${first.id} of ${name}, such as in ` +
      `${first.where}: add ${first.id}:… to ${name} (npm run keys:status counts them).`,
  );
}

async function readMarks(queries: Queries, name: KeyName): Promise<Map<string, Buffer>> {
  const rows = await queries.selectFrom('secret_checks').selectAll().execute();
  const ofName = rows.filter((row) => row.name === name || row.name.startsWith(`${name} `));
  return new Map(ofName.map((row) => [row.name.slice(name.length + 1) || FIRST_KEY, row.mark]));
}

async function writeMark(queries: Queries, name: KeyName, { id, value }: Key): Promise<void> {
  const row = { name: id === FIRST_KEY ? name : `${name} ${id}`, mark: markOf(name, value) };
  const inserting = queries.insertInto('secret_checks').values(row);
  await inserting.onConflict((existing) => existing.doNothing()).execute();
}

function markOf(name: KeyName, value: string): Buffer {
  return createHmac('sha256', value).update(`kissi ${name}`).digest();
}

function beginsWithFirst(name: KeyName): string {
  return `The first key of a database has the id ${FIRST_KEY}: ${name} has no ${FIRST_KEY}, and this database is new.`;
}

function wasReplaced(name: KeyName, id: string): string {
  return `The key ${id} of ${name} was replaced: put the key that replaced it first (docs/operations/keys.md).`;
}
