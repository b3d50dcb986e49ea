// Gives the records of an upgraded database their first state: before, changes were audited without states.
import type { Database, Queries } from '../db/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { type AuditEntry, type AuditKeys, auditKeys, FORMAT, inboxMac } from './chain.ts';
import { KINDS, type StateChange } from './records.ts';
import { beginChain, SWITCH, sealBatch } from './sealing.ts';
import { firstState, recordStates } from './verify-records.ts';

const DONE = 'record.adopted';
const RECORDS_PER_ENTRY = 500;

/** Once per database: afterwards a record without a state is a fault. Returns the number of records; null: done before. */
export async function adoptRecords(
  { queries }: Database,
  { masterKey, clock }: { masterKey: string; clock: Clock },
): Promise<number | null> {
  const keys = auditKeys(masterKey);
  return queries
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      await trx.selectFrom('audit_head').select('seq').forUpdate().execute();
      // The schema may have been migrated without a start of the service.
      await beginChain(keys, clock, trx);
      const done = trx.selectFrom('audit_log').select('seq').where('action', '=', DONE).limit(1);
      if (await done.executeTakeFirst()) return null;
      let adopted = 0;
      for (const kind of KINDS) {
        let changes: StateChange[] = [];
        for await (const states of recordStates(keys, trx, kind)) {
          const first = firstState(states);
          if (first !== null) changes.push([kind, states.id, null, first]);
          if (changes.length < RECORDS_PER_ENTRY) continue;
          adopted += await write(keys, clock, trx, changes);
          changes = [];
        }
        adopted += await write(keys, clock, trx, changes);
      }
      await insert(keys, trx, entryOf(clock, DONE, { records: adopted }, null));
      while ((await sealBatch(keys, clock, trx)).more);
      return adopted;
    });
}

/**
 * Whether the service was upgraded from a version without states, and the records of that version have no first state yet.
 * Follows from keyed entries, so the chain must be verified. The chain of seals that the adoption ends with is checked too:
 * an audit chain that is cut off before the adoption does not count.
 */
export async function isAwaitingAdoption(trx: Queries): Promise<boolean> {
  const entries = await trx
    .selectFrom('audit_log')
    .select(['action', 'details'])
    .where('format', '=', FORMAT.keyed)
    .where('action', 'in', [SWITCH, DONE])
    .execute();
  const isUpgraded = entries.some(({ action, details }) => action === SWITCH && details.upgrade === true);
  if (!isUpgraded || entries.some(({ action }) => action === DONE)) return false;
  // Chain 1 declares every row sealed if the ledger was empty. Later, only ledger:seal-history opens such a chain.
  const complete = trx.selectFrom('seal_chains').select('id').where('complete', '=', true).where('id', '>', 1).limit(1);
  return (await complete.executeTakeFirst()) === undefined;
}

async function write(keys: AuditKeys, clock: Clock, trx: Queries, changes: StateChange[]): Promise<number> {
  if (changes.length > 0) await insert(keys, trx, entryOf(clock, 'record.adopt', {}, changes));
  return changes.length;
}

function entryOf(clock: Clock, action: string, details: object, state: StateChange[] | null): AuditEntry {
  const event = { id: newId('aud', clock), at: new Date(clock.now()), actor_type: 'system', actor_id: null, action };
  const about = { resource_type: null, resource_id: null, ip: null, request_id: null };
  return { ...event, ...about, details: { ...details }, state };
}

async function insert(keys: AuditKeys, trx: Queries, entry: AuditEntry): Promise<void> {
  const row = { ...entry, details: JSON.stringify(entry.details), mac: inboxMac(keys, entry) };
  await trx
    .insertInto('audit_inbox')
    .values({ ...row, state: entry.state && JSON.stringify(entry.state) })
    .execute();
}
