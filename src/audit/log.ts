// The audit log: entries are written in the transaction of the change and then sealed into a keyed chain.
import { type SqlBool, sql } from 'kysely';
import type { Database, Queries } from '../db/database.ts';
import { type OutboxRow, OutboxTable } from '../db/outbox-table.ts';
import { boundedConcurrency } from '../kernel/bounded-concurrency.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { onPrimary } from '../kernel/read-context.ts';
import { type Author, type GrantedApproval, SYSTEM } from './actor.ts';
import { actorNames } from './actor-names.ts';
import { chainHeads, type Heads } from './anchors.ts';
import { type AuditEntry, auditKeys, type ChainedEntry, inboxMac } from './chain.ts';
import { contentOfRow, digestOf, isRecordKind, type RecordKind, type RecordRef, type StateChange } from './records.ts';
import { beginChain, sealBatch } from './sealing.ts';
import { committedDigests, type StateReader, stateChanges } from './states.ts';
import { type ChainVerification, verifyChain } from './verify-chain.ts';

export { type Actor, type Author, type CustomerActor, type GrantedApproval, SYSTEM } from './actor.ts';
export type { ChainVerification } from './verify-chain.ts';

/** Entries that are not yet sealed into the chain. */
export const AUDIT_INBOX = new OutboxTable('audit_inbox');
/** The entry of an alert that a repeated request raises again is skipped. */
const AUDIT_INBOX_ONCE = new OutboxTable('audit_inbox', { skipExisting: 'id' });

export interface AuditEvent {
  /** For example 'subscriber.block'. */
  action: string;
  resourceType?: string;
  resourceId?: string;
  /** Must not contain secrets. */
  details?: Record<string, unknown>;
  /** Other protected records that the transaction changed. Those related to the resource are found without it. */
  also?: RecordRef[];
}

export interface AuditFilters {
  actorType?: string;
  actorId?: string;
  action?: string;
  resourceId?: string;
  /** Only entries of changes to protected records. */
  changes?: true;
  /** Only entries whose details name one of these changed fields. */
  fields?: readonly string[];
  from?: Date;
  to?: Date;
}

export interface AuditQuery extends AuditFilters {
  limit: number;
  offset: number;
  /** In an export: only entries before the one with this id, without a count; null on its first page. */
  after?: string | null | undefined;
}

export interface Unsealed {
  entries: number;
  oldest: Date | null;
}

export interface AuditLog {
  /**
   * Writes in the given transaction: the entry exists if and only if the change is committed. Called after the change: it
   * stores the states of the protected records that the transaction changed.
   */
  record(trx: Queries, author: Author, event: AuditEvent): Promise<void>;
  /**
   * Digests of the records of the entries that the transaction has recorded, as they were before it. The transaction has locked
   * them. Records that it created are absent.
   */
  statesBefore(trx: Queries): Promise<Record<string, string>>;
  /** Whether the transaction has recorded an entry. A request that changes nothing records none. */
  hasRecorded(trx: Queries): boolean;
  /** The entry as an outbox row, for payments, which write it in the ledger's commit. It must not change protected records. */
  outboxRow(author: Author, event: AuditEvent): OutboxRow;
  /** A payment's entry, for the ledger's commit. Movements on treasury, suspense and partner accounts always have one. */
  paymentRow(audited: AuditedPayment, done: DonePayment): OutboxRow;
  /** For payments between customers, which are audited if a user makes them. The ledger has the others. */
  paymentRows(audited: AuditedPayment, done: DonePayment): OutboxRow[];
  /** The entry of a record that is inserted in the ledger's commit. `once`: the record may exist, and then so does its entry. */
  createdRow(kind: RecordKind, row: { id: string }, options: { once: boolean }): OutboxRow;
  /**
   * At the start of a gateway: begins the chain if there is none. On an empty database the records that the migrations inserted
   * get their first state.
   */
  begin(): Promise<void>;
  /** Seals new entries into the chain. Returns their number. */
  seal(): Promise<number>;
  /** The entries that are not yet sealed. */
  unsealed(): Promise<Unsealed>;
  find(query: AuditQuery): Promise<{ entries: ChainedEntry[]; total: number }>;
  /** The names of the users and API keys that made the entries, by id. */
  actorNames(entries: readonly ChainedEntry[]): Promise<Map<string, string>>;
  /** Recomputes the whole chain. */
  verify(): Promise<ChainVerification>;
  /** The ends of all chains, as an anchor contains them. */
  heads(): Promise<Heads>;
}

const COUNT_LIMIT = 100_000;
const UNSEALED_COUNT_LIMIT = 20_000;

/** What services need that change audited records. */
export interface ChangeContext {
  database: Database;
  clock: Clock;
  audit: AuditLog;
}

export function createAuditLog({
  database,
  clock,
  masterKey,
}: Omit<ChangeContext, 'audit'> & { masterKey: string }): AuditLog {
  const keys = auditKeys(masterKey);
  const states: StateReader = { keys, reader: database.reader, stored: new WeakMap() };
  /** Per transaction, the records of its entries. */
  const recordedIn = new WeakMap<Queries, RecordRef[]>();
  // Verification reads the whole log, which is never truncated.
  const oneAtATime = boundedConcurrency({ maxRunning: 1, maxWaiting: 10 });

  async function seal(): Promise<number> {
    let total = 0;
    for (;;) {
      const { more, sealed } = await database.transact((trx) => sealBatch(keys, clock, trx));
      total += sealed;
      if (!more) return total;
    }
  }

  function entryOf(
    { caller, ip, requestId, approval }: Author,
    event: AuditEvent,
    state: StateChange[] = [],
  ): AuditEntry {
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
      details: { ...event.details, ...(approval ? approvalDetails(approval) : {}) },
      state: state.length === 0 ? null : state,
    };
  }

  function outboxRowOf(entry: AuditEntry): OutboxRow {
    return { table: AUDIT_INBOX, row: { ...entry, mac: `\\x${inboxMac(keys, entry).toString('hex')}` } };
  }

  const outboxRow = (author: Author, event: AuditEvent) => outboxRowOf(entryOf(author, event));

  function paymentRow(audited: AuditedPayment, done: DonePayment): OutboxRow {
    const { actor, actorType, action, payer, payee, reference } = audited;
    const details = {
      ...{ payer, payee, amount: done.amount, fee: done.payerFee },
      ...(reference === undefined ? {} : { reference }),
    };
    const entry = entryOf(actor, { action, resourceType: 'transaction', resourceId: done.transactionId, details });
    return outboxRowOf({ ...entry, actor_type: actorType ?? entry.actor_type });
  }

  return {
    async record(trx, author, event) {
      const entry = entryOf(author, event, await stateChanges(states, trx, recordsOf(event)));
      const [details, state] = [JSON.stringify(entry.details), entry.state && JSON.stringify(entry.state)];
      const row = { ...entry, details, state, mac: inboxMac(keys, entry) };
      await onPrimary(() => trx.insertInto('audit_inbox').values(row).execute());
      recordedIn.set(trx, [...(recordedIn.get(trx) ?? []), ...recordsOf(event)]);
    },
    statesBefore: (trx) => committedDigests(states, recordedIn.get(trx) ?? []),
    hasRecorded: (trx) => recordedIn.has(trx),
    outboxRow,
    paymentRow,
    paymentRows: (audited, done) => (audited.actor.caller.kind === 'user' ? [paymentRow(audited, done)] : []),
    createdRow(kind, row, { once }) {
      const digest = digestOf(keys, { kind, id: row.id }, contentOfRow(kind, { ...row }));
      const event = { action: `${kind}.create`, resourceType: kind, resourceId: row.id };
      const entry = entryOf(SYSTEM, event, [[kind, row.id, null, digest]]);
      return once ? { ...outboxRowOf({ ...entry, id: `aud_${row.id}` }), table: AUDIT_INBOX_ONCE } : outboxRowOf(entry);
    },
    begin: () => database.transact((trx) => beginChain(keys, clock, trx)),
    seal,
    unsealed: () => unsealed(database.queries),
    async find(query) {
      await seal();
      // A replica may not have the entries that were just sealed.
      return onPrimary(() => find(database.queries, query));
    },
    verify: () =>
      oneAtATime(async () => {
        await seal();
        return verifyChain(keys, database.queries);
      }),
    actorNames: (entries) => actorNames(database.queries, entries),
    heads: () => chainHeads(database.queries),
  };
}

function approvalDetails({ id, approvedBy }: GrantedApproval) {
  return { approval_id: id, approved_by: approvedBy.id };
}

function recordsOf({ resourceType, resourceId, also = [] }: AuditEvent): RecordRef[] {
  if (resourceId === undefined || !isRecordKind(resourceType)) return also;
  return [{ kind: resourceType, id: resourceId }, ...also];
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
  const { limit, offset, after, ...filters } = query;
  let selection = filtered(queries, filters);
  if (after) selection = selection.where('seq', '<', sql<number>`(select seq from audit_log where id = ${after})`);
  const entries = await selection.selectAll().orderBy('seq', 'desc').limit(limit).offset(offset).execute();
  if (after !== undefined) return { entries, total: entries.length };
  const total = Object.keys(filters).length === 0 ? await sealedCount(queries) : await matching(queries, filters);
  return { entries, total };
}

function filtered(queries: Queries, filters: AuditFilters) {
  let selection = queries.selectFrom('audit_log');
  if (filters.actorType !== undefined) selection = selection.where('actor_type', '=', filters.actorType);
  if (filters.actorId !== undefined) selection = selection.where('actor_id', '=', filters.actorId);
  if (filters.action !== undefined) selection = selection.where('action', '=', filters.action);
  if (filters.resourceId !== undefined) selection = selection.where('resource_id', '=', filters.resourceId);
  if (filters.fields !== undefined) {
    selection = selection.where(sql<SqlBool>`details -> 'fields' ?| ${[...filters.fields]}`);
  }
  if (filters.changes) selection = selection.where('state', 'is not', null);
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

export interface AuditedPayment {
  actor: Author;
  /** By default the kind of the caller. */
  actorType?: 'notification';
  action: string;
  payer: string;
  payee: string;
  /** The partner's reference of the payment. */
  reference?: string;
}

export interface DonePayment {
  transactionId: string;
  amount: number;
  payerFee: number;
}
