// npm run keys:rotate: ends the old keys of the chains, rewrites what is stored under old keys, and retires those nobody needs.
import { sql } from 'kysely';
import { type AuditLog, closingEvent, createAuditLog, SYSTEM } from '../../audit/log.ts';
import { pinHasher } from '../../auth/pins/hasher.ts';
import { createVault } from '../../auth/vault.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { KeyRing } from '../../kernel/key-ring.ts';
import { closeSealKeys } from '../../ledger/seals/closing.ts';
import type { RunningSecrets } from '../secrets.ts';
import { countUses } from './counts.ts';
import { liveGateways } from './live-gateways.ts';
import { type Rewriting, rewriteColumn } from './rewriting.ts';
import { HASHED_COLUMNS, ID_SQL, KEY_NAMES, type KeyName, retiredContext, SEALED_COLUMNS } from './stored-values.ts';

/** What was begun under the old key is committed or given up within this time. */
const SETTLED_SECONDS = 30;

export interface Rotation {
  /** With a login that may change all tables. */
  database: Database;
  clock: Clock;
  secrets: Pick<RunningSecrets, KeyName>;
  report(line: string): void;
  stopping?: AbortSignal;
  /** How long all gateways must have written under the new key. */
  settledSeconds?: number;
}

/** Why the rotation must not start yet; null: it may. */
export async function reasonToWait(rotation: Pick<Rotation, 'database' | 'secrets' | 'settledSeconds'>) {
  const { database, secrets, settledSeconds = SETTLED_SECONDS } = rotation;
  for (const name of KEY_NAMES) {
    const { first, configured, replaced } = secrets[name];
    const target = first.id;
    if (replaced.length < configured.length - 1)
      return `${name} has a newer key than ${target}: put the newest key first.`;
    for (const { holder, ids, writes, seconds } of await liveGateways(database.queries, name)) {
      const gateway = `The running gateway ${holder.slice(0, 8)}`;
      if (!ids.includes(target))
        return `${gateway} does not have the key ${target} of ${name}: restart it with both keys.`;
      if (writes !== target) {
        return `${gateway} writes under the key ${writes} of ${name}: restart it with ${target} first, or wait a minute.`;
      }
      if (seconds < settledSeconds) {
        const left = Math.ceil(settledSeconds - seconds);
        return `${gateway} has just begun to write under the key ${target} of ${name}: try again in ${left} seconds.`;
      }
    }
  }
  return null;
}

/** Can be interrupted and started again at any time, and run twice at the same time. Returns whether old keys are left. */
export async function rotateKeys(rotation: Rotation): Promise<{ finished: boolean }> {
  const { database, clock, secrets } = rotation;
  const waits = await reasonToWait(rotation);
  if (waits !== null) throw new Error(waits);
  const audit = createAuditLog({ database, clock, masterKey: secrets.MASTER_KEY });
  await audit.begin();
  await closeChains(rotation, audit);
  await rewriteAll(rotation, audit);
  return retireKeys(rotation, audit);
}

async function closeChains({ database, clock, secrets, report }: Rotation, audit: AuditLog): Promise<void> {
  const closed = await audit.closeKey();
  if (closed !== null) report(`The key ${closed} of the audit chain has ended.`);
  const closings = await database.transact(async (trx) => {
    const made = await closeSealKeys(secrets.MASTER_KEY, clock, trx);
    for (const closing of made) await audit.record(trx, SYSTEM, closingEvent(closing));
    return made;
  });
  for (const { oldKey } of closings) report(`The key ${oldKey} of the ledger's seals has ended.`);
}

async function rewriteAll({ database, secrets, report, stopping }: Rotation, audit: AuditLog): Promise<void> {
  const vault = createVault(secrets.MASTER_KEY);
  const hasher = pinHasher(secrets.PIN_PEPPER);
  const common = { database, audit, stopping };
  const sealed: Rewriting = {
    ...{ ...common, idSql: ID_SQL.MASTER_KEY, target: secrets.MASTER_KEY.first.id, needs: 'only' },
    action: 'keys.reencrypt',
    rewrite(stored, owner, { context = (id) => id }) {
      return vault.seal(vault.open(stored, context(owner)), context(owner));
    },
  };
  const hashed: Rewriting = {
    ...{ ...common, idSql: ID_SQL.PIN_PEPPER, target: secrets.PIN_PEPPER.first.id, needs: 'among' },
    action: 'keys.wrap',
    rewrite: (stored) => hasher.wrap(stored),
  };
  const work = [
    ...SEALED_COLUMNS.map((each) => [sealed, each] as const),
    ...HASHED_COLUMNS.map((each) => [hashed, each] as const),
  ];
  for (const [rewriting, column] of work) {
    const count = await rewriteColumn(rewriting, column);
    if (count > 0) report(`${column.table}.${column.column}: ${count} rewritten under ${rewriting.target}.`);
  }
}

/** A key that no stored value needs is retired. An old master key is kept, encrypted under the new one: history needs it. */
async function retireKeys({ database, clock, secrets, report }: Rotation, audit: AuditLog) {
  const uses = await countUses(database.queries, clock, secrets.MASTER_KEY);
  let finished = true;
  for (const name of KEY_NAMES) {
    const ring: KeyRing = secrets[name];
    for (const key of ring.replaced) {
      const left = uses.filter((use) => use.name === name && use.id === key.id);
      if (left.length > 0) {
        finished = false;
        continue;
      }
      const sealed = name === 'MASTER_KEY' ? createVault(ring).seal(key.value, retiredContext(key.id)) : null;
      const isNew = await database.transact(async (trx) => {
        const { rows } = await sql`insert into retired_keys (name, id, sealed_key, retired_at)
          values (${name}, ${key.id}, ${sealed}, ${new Date(clock.now())}) on conflict do nothing returning id`.execute(
          trx,
        );
        const event = { action: 'keys.retire', resourceType: 'key', details: { name, key: key.id, by: ring.first.id } };
        if (rows.length > 0) await audit.record(trx, SYSTEM, event);
        return rows.length > 0;
      });
      if (isNew) report(`The key ${key.id} of ${name} is retired: remove it from the configuration.`);
    }
  }
  return { finished };
}
