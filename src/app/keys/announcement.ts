// Which keys each running gateway has: a gateway writes under its first key once every other one can read it.
import { type SqlBool, sql } from 'kysely';
import type { Database, Queries } from '../../db/database.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import type { KeyRing } from '../../kernel/key-ring.ts';
import type { RunningSecrets } from '../secrets.ts';
import { liveGateways } from './live-gateways.ts';
import { WrongSecret } from './secret-checks.ts';
import { KEY_NAMES, type KeyName } from './stored-values.ts';

const VALID_SECONDS = 30;
export const ANNOUNCE_EVERY_MS = 10 * SECOND_MS;

export interface Announcement {
  /** To be called more often than every VALID_SECONDS. Changes the key to write under when that has become possible. */
  renew(): Promise<void>;
  withdraw(): Promise<void>;
}

export interface KeyChange {
  name: KeyName;
  /** Is written under from now on. */
  key: string;
  /** The first key, if another gateway does not have it yet. */
  waitsFor: string | null;
}

export interface AnnouncingGateway {
  database: Database;
  secrets: Pick<RunningSecrets, KeyName>;
  /** The random name of the process. */
  holder: string;
  onChange(change: KeyChange): void;
}

/** Throws WrongSecret if the others write under a key that this gateway lacks. */
export async function announceKeys(gateway: AnnouncingGateway): Promise<Announcement> {
  const { database, secrets, holder } = gateway;
  const rings = KEY_NAMES.map((name) => [name, secrets[name]] as const);

  async function announce(): Promise<void> {
    for (const [name, ring] of rings) {
      const before = performance.now();
      const key = await database.transact((trx) => enrol(trx, holder, name, ring));
      if (key !== ring.writing.id) {
        gateway.onChange({ name, key, waitsFor: key === ring.first.id ? null : ring.first.id });
      }
      ring.writeUnder(key);
      ring.announcedUntil = before + VALID_SECONDS * SECOND_MS;
    }
  }

  await announce();
  return {
    async renew() {
      const before = performance.now();
      const isSettled = rings.every(([, ring]) => ring.writing.id === ring.first.id);
      if (!isSettled || !(await prolong(database.queries, holder))) return announce();
      for (const [, ring] of rings) ring.announcedUntil = before + VALID_SECONDS * SECOND_MS;
    },
    async withdraw() {
      await database.queries.deleteFrom('gateway_keys').where('holder', '=', holder).execute();
    },
  };
}

const until = sql<Date>`now() + make_interval(secs => ${VALID_SECONDS})`;
const isLive = sql<SqlBool>`announced_until > now()`;

/** False: the announcement has lapsed, and others may have gone on without this gateway. */
async function prolong(queries: Queries, holder: string): Promise<boolean> {
  const prolonging = queries.updateTable('gateway_keys').set({ announced_until: until });
  const { numUpdatedRows } = await prolonging.where('holder', '=', holder).where(isLive).executeTakeFirst();
  return numUpdatedRows === BigInt(KEY_NAMES.length);
}

/** The key to write under. One gateway at a time, so that no two decide without each other. */
async function enrol(trx: Queries, holder: string, name: KeyName, ring: KeyRing): Promise<string> {
  await sql`lock table gateway_keys in share row exclusive mode`.execute(trx);
  const others = (await liveGateways(trx, name)).filter((each) => each.holder !== holder);
  const lacking = others.find(({ writes }) => !ring.has(writes));
  if (lacking) {
    throw new WrongSecret(
      `A running gateway writes under the key ${lacking.writes} of ${name}, which this gateway does not have: ` +
        `add ${lacking.writes}:… to ${name} (docs/operations/keys.md).`,
    );
  }
  const readable = ring.configured.find(({ id }) => others.every(({ ids }) => ids.includes(id)));
  if (!readable) {
    throw new WrongSecret(
      `No key of ${name} is known to every running gateway: keep the old key until all are restarted.`,
    );
  }
  const writes = readable.id;
  const row = { ids: ring.configured.map(({ id }) => id), writes, announced_until: until };
  await trx
    .insertInto('gateway_keys')
    .values({ holder, name, ...row, writes_since: sql<Date>`now()` })
    .onConflict((existing) =>
      existing.columns(['holder', 'name']).doUpdateSet({
        ...row,
        writes_since: sql<Date>`case when gateway_keys.writes = ${writes} then gateway_keys.writes_since else now() end`,
      }),
    )
    .execute();
  await trx.deleteFrom('gateway_keys').where('announced_until', '<', sql<Date>`now() - interval '1 day'`).execute();
  return writes;
}
