// The audit log: entries are written in the transaction of the change and then sealed into a hash chain.
import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import type { Database, Queries } from '../db/database.ts';
import { type OutboxRow, OutboxTable } from '../db/outbox-table.ts';
import { boundedConcurrency } from '../kernel/bounded-concurrency.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { type ChainedEntry, type ChainHead, chained, GENESIS, isSuccessor } from './chain.ts';

/** Entries that are not yet sealed into the chain. */
export const AUDIT_INBOX = new OutboxTable('audit_inbox');

/** The caller, its address and the request id. Every service call receives it for the audit log. */
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
  /** Must not contain secrets. */
  details?: Record<string, unknown>;
}

export interface AuditFilters {
  actorId?: string;
  action?: string;
  resourceId?: string;
  from?: Date;
  to?: Date;
}

export interface AuditQuery extends AuditFilters {
  limit: number;
  offset: number;
}

export type ChainVerification = { valid: true; entries: number } | { valid: false; entries: number; brokenAt: number };

export interface Unsealed {
  entries: number;
  oldest: Date | null;
}

export interface AuditLog {
  /** Writes in the given transaction: the entry exists if and only if the change is committed. */
  record(trx: Queries, actor: Actor, event: AuditEvent): Promise<void>;
  /** Seals new entries into the chain. Returns their number. */
  seal(): Promise<number>;
  /** The entries that are not yet sealed. */
  unsealed(): Promise<Unsealed>;
  find(query: AuditQuery): Promise<{ entries: ChainedEntry[]; total: number }>;
  /** Recomputes the whole chain. */
  verify(): Promise<ChainVerification>;
}

const SEAL_BATCH = 1_000;
// Hashing one batch blocks the event loop for a few milliseconds.
const VERIFY_BATCH = 1_000;
const COUNT_LIMIT = 100_000;
const UNSEALED_COUNT_LIMIT = 20_000;

export function createAuditLog({ database, clock }: { database: Database; clock: Clock }): AuditLog {
  // Verification reads the whole log, which is never truncated.
  const oneAtATime = boundedConcurrency({ maxRunning: 1, maxWaiting: 10 });

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
      const row = inboxRow(actor, event, clock);
      await trx
        .insertInto('audit_inbox')
        .values({ ...row, details: JSON.stringify(row.details) })
        .execute();
    },
    seal,
    unsealed: () => unsealed(database.queries),
    async find(query) {
      await seal();
      return find(database.queries, query);
    },
    verify: () =>
      oneAtATime(async () => {
        await seal();
        return verify(database.queries);
      }),
  };
}

/** The entry as a row of audit_inbox, for payments, which write it in the ledger's commit. */
export function inboxRow({ caller, ip, requestId }: Actor, event: AuditEvent, clock: Clock) {
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
    details: event.details ?? {},
  };
}

/** The row lock on the head serializes sealers. Entries that are not committed yet are sealed in a later run. */
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

/** Ids sort by time, so the first ones are the oldest. */
async function unsealed(queries: Queries): Promise<Unsealed> {
  const first = queries.selectFrom('audit_inbox').select('at').orderBy('id').limit(UNSEALED_COUNT_LIMIT).as('first');
  const counted = queries
    .selectFrom(first)
    .select([sql<number>`count(*)`.as('entries'), sql<Date | null>`min(at)`.as('oldest')]);
  return counted.executeTakeFirstOrThrow();
}

async function find(queries: Queries, query: AuditQuery): Promise<{ entries: ChainedEntry[]; total: number }> {
  const { limit, offset, ...filters } = query;
  const selection = filtered(queries, filters);
  const page = selection.selectAll().orderBy('seq', 'desc').limit(limit).offset(offset);
  const total = Object.keys(filters).length === 0 ? await sealedCount(queries) : await matching(queries, filters);
  return { entries: await page.execute(), total };
}

function filtered(queries: Queries, filters: AuditFilters) {
  let selection = queries.selectFrom('audit_log');
  if (filters.actorId !== undefined) selection = selection.where('actor_id', '=', filters.actorId);
  if (filters.action !== undefined) selection = selection.where('action', '=', filters.action);
  if (filters.resourceId !== undefined) selection = selection.where('resource_id', '=', filters.resourceId);
  if (filters.from !== undefined) selection = selection.where('at', '>=', filters.from);
  if (filters.to !== undefined) selection = selection.where('at', '<=', filters.to);
  return selection;
}

/** The chain has no gaps, so the last sequence number is the count. */
async function sealedCount(queries: Queries): Promise<number> {
  return (await queries.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()).seq;
}

/** Counts up to a limit: the log is never truncated, so an exact count would take longer and longer. */
async function matching(queries: Queries, filters: AuditFilters): Promise<number> {
  const some = filtered(queries, filters).select('seq').limit(COUNT_LIMIT).as('some');
  const counted = queries.selectFrom(some).select(sql<number>`count(*)`.as('total'));
  return (await counted.executeTakeFirstOrThrow()).total;
}

/** The head is stored separately from the entries, so that the removal of the last entries is detected too. */
async function verify(queries: Queries): Promise<ChainVerification> {
  // One statement, one snapshot: an entry after the head means that the head was moved back.
  const last = queries.selectFrom('audit_log').select(sql<number>`coalesce(max(seq), 0)`.as('last'));
  const end = await queries
    .selectFrom('audit_head')
    .select(['seq', 'hash', last.as('last')])
    .executeTakeFirstOrThrow();
  let head = GENESIS;
  while (head.seq < end.seq) {
    const batch = queries.selectFrom('audit_log').selectAll().where('seq', '>', head.seq).where('seq', '<=', end.seq);
    const entries = await batch.orderBy('seq').limit(VERIFY_BATCH).execute();
    const last = lastUnbroken(head, entries);
    if (last === head || last !== entries.at(-1)) return broken(last);
    head = last;
  }
  return head.hash.equals(end.hash) && end.last === end.seq ? { valid: true, entries: end.seq } : broken(head);
}

function lastUnbroken(head: ChainHead, entries: ChainedEntry[]): ChainHead {
  let last = head;
  for (const entry of entries) {
    if (!isSuccessor(last, entry)) break;
    last = entry;
  }
  return last;
}

function broken(head: ChainHead): ChainVerification {
  return { valid: false, entries: head.seq, brokenAt: head.seq + 1 };
}

export interface AuditedPayment {
  actor: Actor;
  /** By default the kind of the caller. */
  actorType?: 'notification';
  action: string;
  payer: string;
  payee: string;
  /** The partner's reference of the payment. */
  reference?: string;
}

interface DonePayment {
  transactionId: string;
  amount: number;
  payerFee: number;
}

/** For payments between customers, which are audited if a user makes them. The ledger has the others. */
export function auditRows(audited: AuditedPayment, done: DonePayment, clock: Clock): OutboxRow[] {
  return audited.actor.caller.kind === 'user' ? [auditRow(audited, done, clock)] : [];
}

/** Written in the commit of the payment. Movements on treasury, suspense and partner accounts are audited for every caller. */
export function auditRow(
  { actor, actorType, action, payer, payee, reference }: AuditedPayment,
  done: DonePayment,
  clock: Clock,
): OutboxRow {
  const details = {
    ...{ payer, payee, amount: done.amount, fee: done.payerFee },
    ...(reference === undefined ? {} : { reference }),
  };
  const event = { action, resourceType: 'transaction', resourceId: done.transactionId, details };
  const row = inboxRow(actor, event, clock);
  return { table: AUDIT_INBOX, row: { ...row, actor_type: actorType ?? row.actor_type } };
}
