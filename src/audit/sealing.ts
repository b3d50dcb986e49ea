// Moves entries from the inbox into the chain. Entries that no gateway wrote are marked as such.
import type { Queries } from '../db/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import {
  type AuditKeys,
  type ChainedEntry,
  type ChainHead,
  chained,
  FORMAT,
  headMac,
  type InboxEntry,
  inboxMac,
  isAuthentic,
  withoutCopies,
} from './chain.ts';
import { KINDS, type StateChange } from './records.ts';
import { recordStates } from './verify-records.ts';

const SEAL_BATCH = 1_000;
/** The action of the entry that records the switch to keys. */
export const SWITCH = 'audit.keyed';

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
  const entries = await withoutSealed(keys, trx, waiting);
  const rows = successors(keys, clock, { head, entries });
  await append(keys, trx, rows);
  return { more: waiting.length === SEAL_BATCH, sealed: rows.length };
}

interface Waiting {
  head: StoredHead;
  entries: InboxEntry[];
}

/** A head that the service did not write is not trusted: an entry that verification reports marks where it was found. */
function successors(keys: AuditKeys, clock: Clock, { head, entries }: Waiting): ChainedEntry[] {
  if (head.mac === null && head.seq === 0) return appended(keys, head, entries);
  if (head.mac?.equals(headMac(keys, head))) return appended(keys, head, entries);
  const mark = chained(keys, head, systemEntry(clock, 'audit.head_invalid', {}), FORMAT.unauthenticated);
  return [mark, ...appended(keys, mark, entries)];
}

/** Under the lock on the head, so that one of several gateways that start together does it. */
export async function beginChain(keys: AuditKeys, clock: Clock, trx: Queries): Promise<void> {
  const head = await trx.selectFrom('audit_head').select(['seq', 'hash', 'mac']).forUpdate().executeTakeFirstOrThrow();
  if (head.mac !== null) return;
  const isNew = head.seq === 0 && (await isEmpty(trx));
  if (!isNew && (await isUnkeyed(trx, head))) return switchToKeys(keys, clock, trx, head);
  const state = isNew ? await initialStates(keys, trx) : null;
  const entry = { ...systemEntry(clock, 'audit.begin', {}), state };
  const row = { ...entry, details: '{}', state: state && JSON.stringify(state), mac: inboxMac(keys, entry) };
  await trx.insertInto('audit_inbox').values(row).execute();
  await sealBatch(keys, clock, trx);
}

/** Whether the service has never run on this database: its first start creates a user. */
async function isEmpty(trx: Queries): Promise<boolean> {
  const user = await trx.selectFrom('users').select('id').limit(1).executeTakeFirst();
  const entry = await trx.selectFrom('audit_inbox').select('id').limit(1).executeTakeFirst();
  return user === undefined && entry === undefined;
}

/** Whether an earlier version wrote the whole chain. It may not have sealed any entry yet. */
async function isUnkeyed(trx: Queries, { seq }: ChainHead): Promise<boolean> {
  const last = await trx.selectFrom('audit_log').select('format').where('seq', '=', seq).executeTakeFirst();
  return seq === 0 || last?.format === FORMAT.unkeyed;
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
async function withoutSealed(keys: AuditKeys, trx: Queries, waiting: InboxEntry[]): Promise<InboxEntry[]> {
  const ids = waiting.map(({ id }) => id);
  const known = await trx.selectFrom('audit_log').select('id').where('id', 'in', ids).execute();
  const sealed = new Set(known.map(({ id }) => id));
  return withoutCopies(keys, waiting)
    .filter(({ id }) => !sealed.has(id))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function appended(keys: AuditKeys, head: ChainHead, entries: InboxEntry[]): ChainedEntry[] {
  const format = (entry: InboxEntry) => (isAuthentic(keys, entry) ? FORMAT.keyed : FORMAT.unauthenticated);
  return chainedAll(keys, head, entries, format);
}

function chainedAll(keys: AuditKeys, head: ChainHead, entries: InboxEntry[], format: (entry: InboxEntry) => number) {
  let last = head;
  return entries.map((entry) => {
    const next = chained(keys, last, entry, format(entry));
    last = next;
    return next;
  });
}

/**
 * Entries that the earlier version left in the inbox are chained as it would have, then an entry records the switch. From
 * then on an entry without a MAC is forged.
 */
async function switchToKeys(keys: AuditKeys, clock: Clock, trx: Queries, head: ChainHead): Promise<void> {
  let last = head;
  const left = trx.selectFrom('audit_inbox').select('id').where('mac', 'is', null).orderBy('id').limit(SEAL_BATCH);
  for (;;) {
    const entries = await trx.deleteFrom('audit_inbox').where('id', 'in', left).returningAll().execute();
    if (entries.length === 0) break;
    const rows = chainedAll(keys, last, await withoutSealed(keys, trx, entries), () => FORMAT.unkeyed);
    await append(keys, trx, rows);
    last = rows.at(-1) ?? last;
  }
  const details = { unkeyed_entries: last.seq, last_hash: last.hash.toString('hex'), upgrade: await isUpgrade(trx) };
  await append(keys, trx, [chained(keys, last, systemEntry(clock, SWITCH, details), FORMAT.keyed)]);
}

/** Versions without keys wrote no seals. If there are seals, a keyed chain existed and was removed. */
async function isUpgrade(trx: Queries): Promise<boolean> {
  return (await trx.selectFrom('seal_chains').select('id').limit(1).executeTakeFirst()) === undefined;
}

function systemEntry(clock: Clock, action: string, details: Record<string, unknown>): InboxEntry {
  const event = { id: newId('aud', clock), at: new Date(clock.now()), actor_type: 'system', actor_id: null, action };
  const about = { resource_type: 'audit_log', resource_id: null, ip: null, request_id: null };
  return { ...event, ...about, details, state: null, mac: null };
}

async function append(keys: AuditKeys, trx: Queries, rows: ChainedEntry[]): Promise<void> {
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
