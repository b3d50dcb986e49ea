// The audit log: who did what to what, written in the transaction of the change and then sealed into the chain.
import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import type { Database, Queries } from '../db/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { type ChainedEntry, type ChainHead, chained, continues, GENESIS } from './chain.ts';

/** Who acted and from where: what every service call carries along for the log. */
export interface Actor {
  caller: Caller;
  ip: string;
  requestId: string;
}

export interface AuditEvent {
  /** For example 'subscriber.block'. */
  action: string;
  resourceType?: string;
  resourceId?: string;
  /** Never a secret. */
  details?: Record<string, unknown>;
}

export interface AuditQuery {
  actorId?: string;
  action?: string;
  resourceId?: string;
  from?: Date;
  to?: Date;
  limit: number;
  offset: number;
}

export type ChainVerdict = { valid: true; entries: number } | { valid: false; entries: number; brokenAt: number };

export interface AuditLog {
  /** Writes in the given transaction: the entry is there if and only if the change is. */
  record(trx: Queries, actor: Actor, event: AuditEvent): Promise<void>;
  /** Chains what has been recorded since; returns how many entries. */
  seal(): Promise<number>;
  find(query: AuditQuery): Promise<{ entries: ChainedEntry[]; total: number }>;
  /** Walks the whole chain. */
  verify(): Promise<ChainVerdict>;
}

const SEAL_BATCH = 1_000;
const VERIFY_BATCH = 5_000;

export function createAuditLog({ database, clock }: { database: Database; clock: Clock }): AuditLog {
  async function seal(): Promise<number> {
    let total = 0;
    for (;;) {
      const sealed = await database.transact(sealBatch);
      total += sealed;
      if (sealed < SEAL_BATCH) return total;
    }
  }

  return {
    async record(trx, actor, event) {
      await trx
        .insertInto('audit_inbox')
        .values(inboxRow(actor, event, clock))
        .execute();
    },
    seal,
    async find(query) {
      await seal();
      return find(database.queries, query);
    },
    async verify() {
      await seal();
      return verify(database.queries);
    },
  };
}

function inboxRow({ caller, ip, requestId }: Actor, event: AuditEvent, clock: Clock) {
  return {
    id: newId('aud', clock),
    at: new Date(clock.now()),
    actor_type: caller.kind,
    actor_id: caller.id,
    action: event.action,
    resource_type: event.resourceType ?? null,
    resource_id: event.resourceId ?? null,
    ip,
    request_id: requestId,
    details: JSON.stringify(event.details ?? {}),
  };
}

/** The lock on the head makes sealers take turns; entries that have not committed yet are not seen and come next time. */
async function sealBatch(trx: Queries): Promise<number> {
  let head = await trx.selectFrom('audit_head').select(['seq', 'hash']).forUpdate().executeTakeFirstOrThrow();
  const first = trx.selectFrom('audit_inbox').select('id').orderBy('id').limit(SEAL_BATCH);
  const waiting = await trx.deleteFrom('audit_inbox').where('id', 'in', first).returningAll().execute();
  if (waiting.length === 0) return 0;
  waiting.sort((a, b) => (a.id < b.id ? -1 : 1));
  const rows = waiting.map((entry) => {
    const next = chained(head, entry);
    head = next;
    return { ...next, details: JSON.stringify(next.details) };
  });
  await trx.insertInto('audit_log').values(rows).execute();
  await trx.updateTable('audit_head').set({ seq: head.seq, hash: head.hash }).execute();
  return rows.length;
}

async function find(queries: Queries, query: AuditQuery): Promise<{ entries: ChainedEntry[]; total: number }> {
  let selection = queries.selectFrom('audit_log');
  if (query.actorId !== undefined) selection = selection.where('actor_id', '=', query.actorId);
  if (query.action !== undefined) selection = selection.where('action', '=', query.action);
  if (query.resourceId !== undefined) selection = selection.where('resource_id', '=', query.resourceId);
  if (query.from !== undefined) selection = selection.where('at', '>=', query.from);
  if (query.to !== undefined) selection = selection.where('at', '<=', query.to);
  const counted = await selection.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const page = selection.selectAll().orderBy('seq', 'desc').limit(query.limit).offset(query.offset);
  return { entries: await page.execute(), total: counted.total };
}

/** The end of the chain is kept apart from the entries, so that entries cut off at the end are missed too. */
async function verify(queries: Queries): Promise<ChainVerdict> {
  const end = await queries.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirstOrThrow();
  let head = GENESIS;
  while (head.seq < end.seq) {
    const batch = queries.selectFrom('audit_log').selectAll().where('seq', '>', head.seq).where('seq', '<=', end.seq);
    const entries = await batch.orderBy('seq').limit(VERIFY_BATCH).execute();
    const last = lastUnbroken(head, entries);
    if (last === head || last !== entries.at(-1)) return broken(last);
    head = last;
  }
  return head.hash.equals(end.hash) ? { valid: true, entries: end.seq } : broken(head);
}

function lastUnbroken(head: ChainHead, entries: ChainedEntry[]): ChainHead {
  let last = head;
  for (const entry of entries) {
    if (!continues(last, entry)) break;
    last = entry;
  }
  return last;
}

function broken(head: ChainHead): ChainVerdict {
  return { valid: false, entries: head.seq, brokenAt: head.seq + 1 };
}
