// The audit log: entries are written in the transaction of the change and then sealed into a keyed chain.
import { sql } from 'kysely';
import { createOwnKeys } from '../auth/own-keys.ts';
import { createVault } from '../auth/vault.ts';
import type { Database, Queries } from '../db/database.ts';
import type { Closing } from '../db/key-closings.ts';
import { type OutboxRow, OutboxTable } from '../db/outbox-table.ts';
import { boundedConcurrency } from '../kernel/bounded-concurrency.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { Keys } from '../kernel/key-ring.ts';
import { onPrimary } from '../kernel/read-context.ts';
import { type Author, type GrantedApproval, SYSTEM } from './actor.ts';
import { actorNames, type NamedActor } from './actor-names.ts';
import { chainHeads, type Heads } from './anchors.ts';
import { type AuditEntry, auditKeys, type ChainedEntry, inboxMac } from './chain.ts';
import { type AuditQuery, findEntries } from './find-entries.ts';
import { CLOSE_KEY } from './missing-closings.ts';
import { openedDetails, type PersonalDetails, sealedDetails } from './personal-details.ts';
import { contentOfRow, digestOf, isRecordKind, type RecordKind, type RecordRef, type StateChange } from './records.ts';
import { beginChain, closeAuditKey, sealBatch } from './sealing.ts';
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
  /** Free text about a customer. */
  personal?: PersonalDetails;
  /** Other protected records that the transaction changed. Those related to the resource are found without it. */
  also?: RecordRef[];
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
  /**
   * Ends the key of the chain, if it is not the one that is written under: entries under it are not accepted any more. The
   * entry that records it is written in the same transaction. Returns the old key's id; null if nothing was to be done.
   */
  closeKey(): Promise<string | null>;
  /** Seals new entries into the chain. Returns their number. */
  seal(): Promise<number>;
  /** The entries that are not yet sealed. */
  unsealed(): Promise<Unsealed>;
  find(query: AuditQuery): Promise<{ entries: ChainedEntry[]; total: number }>;
  /** The names of the users and API keys among them, by id. */
  actorNames(entries: readonly NamedActor[]): Promise<Map<string, string>>;
  /** Recomputes the whole chain. */
  verify(): Promise<ChainVerification>;
  /** The ends of all chains, as an anchor contains them. */
  heads(): Promise<Heads>;
}

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
}: Omit<ChangeContext, 'audit'> & { masterKey: Keys }): AuditLog {
  const keys = auditKeys(masterKey);
  const ownKeys = createOwnKeys({ vault: createVault(masterKey), clock });
  const states: StateReader = { keys, reader: database.reader, stored: new WeakMap() };
  /** Per transaction, the records of its entries. */
  const recordedIn = new WeakMap<Queries, RecordRef[]>();
  // Verification reads the whole log, which is never truncated.
  const oneAtATime = boundedConcurrency({ maxRunning: 1, maxWaiting: 10 });

  async function opened(entry: ChainedEntry): Promise<ChainedEntry> {
    return { ...entry, details: await openedDetails(ownKeys, database.queries, entry.details) };
  }

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

  async function record(trx: Queries, author: Author, event: AuditEvent): Promise<void> {
    const sealed = event.personal ? await sealedDetails(ownKeys, trx, event.personal) : {};
    const stored = { ...event, details: { ...event.details, ...sealed } };
    const entry = entryOf(author, stored, await stateChanges(states, trx, recordsOf(event)));
    const [details, state] = [JSON.stringify(entry.details), entry.state && JSON.stringify(entry.state)];
    const row = { ...entry, details, state, mac: inboxMac(keys, entry) };
    await onPrimary(() => trx.insertInto('audit_inbox').values(row).execute());
    recordedIn.set(trx, [...(recordedIn.get(trx) ?? []), ...recordsOf(event)]);
  }

  return {
    record,
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
    closeKey: () =>
      database.transact(async (trx) => {
        const closing = await closeAuditKey(keys, clock, trx);
        if (closing) await record(trx, SYSTEM, closingEvent(closing));
        return closing?.oldKey ?? null;
      }),
    seal,
    unsealed: () => unsealed(database.queries),
    async find(query) {
      await seal();
      // A replica may not have the entries that were just sealed.
      const { entries, total } = await onPrimary(() => findEntries(database.queries, query));
      return { entries: await Promise.all(entries.map(opened)), total };
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

/** Recorded under the new key, so that a closing that is removed is missed. */
export function closingEvent({ chain, number, oldKey, newKey, newMac }: Closing): AuditEvent {
  const details = { chain, number, old_key: oldKey, new_key: newKey, mac: newMac.toString('hex') };
  return { action: CLOSE_KEY, resourceType: 'audit_log', details };
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
