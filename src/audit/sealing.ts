// Moves entries from the inbox into the chain. Entries that no gateway wrote are marked as such.
import type { Queries } from '../db/database.ts';
import type { AuditEnd, Closing } from '../db/key-closings.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import {
  type AuditKeys,
  type ChainedEntry,
  type ChainHead,
  type ChainKeys,
  chained,
  FORMAT,
  headMac,
  type InboxEntry,
  inboxMac,
  isAuthentic,
  withoutCopies,
} from './chain.ts';
import { closeChainKey, readPeriods } from './key-closings.ts';
import { KINDS, type StateChange } from './records.ts';
import { recordStates } from './verify-records.ts';

const SEAL_BATCH = 1_000;

interface StoredHead extends ChainHead {
  mac: Buffer | null;
}

/** The row lock on the head serializes sealers. Entries that are not committed yet are sealed in a later run. */
export async function sealBatch(
  keys: AuditKeys,
  clock: Clock,
  trx: Queries,
): Promise<{ more: boolean; sealed: number }> {
  const head = await trx.selectFrom('audit_head').select(['seq', 'hash', 'mac']).forUpdate().executeTakeFirstOrThrow();
  const first = trx.selectFrom('audit_inbox').select('id').orderBy('id').limit(SEAL_BATCH);
  const waiting = await trx.deleteFrom('audit_inbox').where('id', 'in', first).returningAll().execute();
  if (waiting.length === 0) return { more: false, sealed: 0 };
  const periods = await readPeriods(keys, trx);
  const isGenuine = (entry: InboxEntry) => isAuthentic(keys, entry, periods.ended);
  const entries = await withoutSealed(trx, waiting, isGenuine);
  const chain = { keys: periods.current(), isGenuine };
  const rows = successors(chain, clock, { head, entries });
  await append(chain.keys, trx, rows);
  return { more: waiting.length === SEAL_BATCH, sealed: rows.length };
}

interface Waiting {
  head: StoredHead;
  entries: InboxEntry[];
}

interface OpenChain {
  keys: ChainKeys;
  isGenuine(entry: InboxEntry): boolean;
}

/** A head that the service did not write is not trusted: an entry that verification reports marks where it was found. */
function successors(chain: OpenChain, clock: Clock, { head, entries }: Waiting): ChainedEntry[] {
  const { keys } = chain;
  if (head.mac === null && head.seq === 0) return appended(chain, head, entries);
  if (head.mac?.equals(headMac(keys, head))) return appended(chain, head, entries);
  const mark = chained(keys, head, systemEntry(clock, 'audit.head_invalid'), FORMAT.unauthenticated);
  return [mark, ...appended(chain, mark, entries)];
}

/** Under the lock on the head, so that one of several gateways that start together does it. */
export async function beginChain(keys: AuditKeys, clock: Clock, trx: Queries): Promise<void> {
  const head = await trx.selectFrom('audit_head').select(['seq', 'hash', 'mac']).forUpdate().executeTakeFirstOrThrow();
  if (head.mac !== null) return;
  const isNew = head.seq === 0 && (await isEmpty(trx));
  const state = isNew ? await initialStates(keys, trx) : null;
  const entry = { ...systemEntry(clock, 'audit.begin'), state };
  const row = { ...entry, details: '{}', state: state && JSON.stringify(state), mac: inboxMac(keys, entry) };
  await trx.insertInto('audit_inbox').values(row).execute();
  await sealBatch(keys, clock, trx);
}

/**
 * Closes the chain's key, unless the key that is written under is the chain's already. All entries of the inbox are sealed
 * first: the old key is not valid for any other. Returns the MAC of the closing under the new key.
 */
export async function closeAuditKey(keys: AuditKeys, clock: Clock, trx: Queries): Promise<Closing<AuditEnd> | null> {
  const head = trx.selectFrom('audit_head').select(['seq', 'hash', 'mac']).forUpdate();
  await head.executeTakeFirstOrThrow();
  if ((await readPeriods(keys, trx)).current().id === keys.of.writing.id) return null;
  while ((await sealBatch(keys, clock, trx)).more);
  return closeChainKey(keys, clock, trx, await head.executeTakeFirstOrThrow());
}

/** Whether the service has never run on this database: its first start creates a user. */
async function isEmpty(trx: Queries): Promise<boolean> {
  const user = await trx.selectFrom('users').select('id').limit(1).executeTakeFirst();
  const entry = await trx.selectFrom('audit_inbox').select('id').limit(1).executeTakeFirst();
  return user === undefined && entry === undefined;
}

async function initialStates(keys: AuditKeys, trx: Queries): Promise<StateChange[]> {
  const states: StateChange[] = [];
  for (const kind of KINDS) {
    for await (const { id, current } of recordStates(keys, trx, kind)) states.push([kind, id, null, current]);
  }
  return states;
}

/**
 * A copy of an entry is dropped, whether the entry was sealed before, such as the alert of a repeated request, or waits too.
 * A copy has a valid MAC, and its changes would count twice.
 */
async function withoutSealed(
  trx: Queries,
  waiting: InboxEntry[],
  isGenuine: OpenChain['isGenuine'],
): Promise<InboxEntry[]> {
  const ids = waiting.map(({ id }) => id);
  const known = await trx.selectFrom('audit_log').select('id').where('id', 'in', ids).execute();
  const sealed = new Set(known.map(({ id }) => id));
  return withoutCopies(waiting, isGenuine)
    .filter(({ id }) => !sealed.has(id))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function appended({ keys, isGenuine }: OpenChain, head: ChainHead, entries: InboxEntry[]): ChainedEntry[] {
  let last = head;
  return entries.map((entry) => {
    const format = isGenuine(entry) ? FORMAT.keyed : FORMAT.unauthenticated;
    const next = chained(keys, last, entry, format);
    last = next;
    return next;
  });
}

function systemEntry(clock: Clock, action: string): InboxEntry {
  const event = { id: newId('aud', clock), at: new Date(clock.now()), actor_type: 'system', actor_id: null, action };
  const about = { resource_type: 'audit_log', resource_id: null, ip: null, request_id: null };
  return { ...event, ...about, details: {}, state: null, mac: null };
}

async function append(keys: ChainKeys, trx: Queries, rows: ChainedEntry[]): Promise<void> {
  const last = rows.at(-1);
  if (!last) return;
  const values = rows.map((row) => ({
    ...row,
    details: JSON.stringify(row.details),
    state: row.state === null ? null : JSON.stringify(row.state),
  }));
  await trx.insertInto('audit_log').values(values).execute();
  const { seq, hash } = last;
  await trx
    .updateTable('audit_head')
    .set({ seq, hash, mac: headMac(keys, last) })
    .execute();
}
