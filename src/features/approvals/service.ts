// Approvals (maker-checker): a request under a policy waits until a second user with the same permission approves it.
import { areIndependent, tiedTo } from '../../audit/independence.ts';
import { type Actor, SYSTEM } from '../../audit/log.ts';
import { type Caller, isStaff, type UserCaller } from '../../auth/caller.ts';
import { isAllowed, type Permission } from '../../auth/permissions.ts';
import type { Page } from '../../http/paging.ts';
import { DAY_MS, SECOND_MS } from '../../kernel/clock.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { runEach } from '../../kernel/run-each.ts';
import { tidy } from '../../kernel/text.ts';
import type { RequestKey } from '../../ledger/posting/idempotency.ts';
import type { MovementLookup } from '../../ledger/queries/movement-lookup.ts';
import type { NameDependencies } from '../../parties/names.ts';
import type { PepPayments } from '../../parties/pep-payments.ts';
import { ACTION_NAMES, ACTIONS, type ApprovalAction } from './actions.ts';
import type { BankEntry } from './bank-entry.ts';
import { type Decider, permissionRefusal } from './decision-checks.ts';
import { createDecisions, type DecisionDependencies } from './decisions.ts';
import type { AnyOperation, Input } from './operation.ts';
import { createPartyNames, subjectsOf, usersOf } from './people.ts';
import { createPolicies, type PoliciesDependencies } from './policies.ts';
import { recentChanges } from './recent-changes.ts';
import { noSuchApproval } from './refusals.ts';
import { createGate } from './requests.ts';
import type { SeenApproval, Withheld } from './schemas.ts';
import * as store from './store.ts';
import type { Summary } from './summary.ts';

export { bankEntry } from './bank-entry.ts';
export type { BankQuestion, ChangeOperation, Input, PaymentOperation } from './operation.ts';
export { disabledPolicies } from './policies.ts';
export { GATE_REFUSALS } from './refusals.ts';
export type { Gate } from './requests.ts';
export { pendingReply } from './schemas.ts';

export interface ApprovalsDependencies
  extends Omit<DecisionDependencies, 'operationOf'>,
    PoliciesDependencies,
    NameDependencies {
  movements: Pick<MovementLookup, 'byId'>;
  pepPayments: Pick<PepPayments, 'hidden'>;
  /** Every operation that can need approval. */
  operations: readonly AnyOperation[];
}

export type Approvals = ReturnType<typeof createApprovals>;

const SECRETS_KEPT_MS = 7 * DAY_MS;
// The gateway that approved it has given up by then.
const UNFINISHED_AFTER_MS = 30 * SECOND_MS;
const BATCH = 100;

export function createApprovals(deps: ApprovalsDependencies) {
  const { database, audit, vault, pep, pepPayments, movements, clock } = deps;
  const policies = createPolicies(deps);
  const operations = new Map([...deps.operations, policies.change as AnyOperation].map((each) => [each.name, each]));
  const nameParties = createPartyNames(database.queries, deps);
  const decisions = createDecisions({ ...deps, operationOf });

  function operationOf({ id, operation }: store.ApprovalRow): AnyOperation {
    const found = operations.get(operation);
    if (!found) throw new Error(`the operation ${operation} of ${id} is not registered`);
    return found;
  }

  /** Other users' requests that the caller must not see do not exist for it. */
  async function findVisible(caller: Caller, id: string): Promise<store.ApprovalRow | Refusal> {
    const row = await store.findApproval(database.queries, id);
    return row && isVisible(caller, row) ? asOfNow(row) : noSuchApproval();
  }

  /** The background task writes that a request has expired some time after it did. */
  function asOfNow(row: store.ApprovalRow): store.ApprovalRow {
    const isOver = row.status === 'pending' && row.expires_at.getTime() <= clock.now();
    return isOver ? { ...row, status: 'expired', finished_at: row.expires_at } : row;
  }

  /** Runs `decision` on the approval if the caller can see it. */
  async function decided(
    actor: Actor,
    id: string,
    decision: (decider: Decider, row: store.ApprovalRow) => Promise<store.ApprovalRow | Refusal>,
  ): Promise<SeenApproval | Refusal> {
    const row = await findVisible(actor.caller, id);
    if (row instanceof Refusal) return row;
    const outcome = await decision(actor as Decider, row);
    return outcome instanceof Refusal ? outcome : seenOf(actor, outcome);
  }

  async function seenOf(actor: Actor, row: store.ApprovalRow): Promise<SeenApproval> {
    const [seen] = await seenOfAll(actor, [row]);
    if (!seen) throw new Error(`${row.id} was not seen`);
    return seen;
  }

  async function seenOfAll(actor: Actor, rows: readonly store.ApprovalRow[]): Promise<SeenApproval[]> {
    const [hidden, users] = await Promise.all([
      pep.hidden(actor, rows.flatMap(subjectsOf)),
      usersOf(database.queries, actor, rows),
    ]);
    return Promise.all(
      rows.map(async (row) => {
        const withheld = withheldOf(actor, row, hidden);
        return { row: withheld === 'nothing' ? await named(actor, row) : row, users: users(row), withheld };
      }),
    );
  }

  async function named(actor: Actor, row: store.ApprovalRow): Promise<store.ApprovalRow> {
    // A decided request keeps the names that its approver saw.
    const isNamed = row.status === 'pending' && isStaff(actor.caller);
    if (!isNamed || !operations.get(row.operation)?.namesShortened) return row;
    const summary = row.summary as unknown as Summary;
    const parties = await nameParties(
      actor,
      summary.parties.map(({ id }) => id),
    );
    return { ...row, summary: { ...summary, parties } as unknown as store.ApprovalRow['summary'] };
  }

  /** Requests that are found by a person's id, or by a payment of the person, would be attributed to the person. */
  async function namesHidden(actor: Actor, { party_id, transaction_id }: store.ApprovalFilter): Promise<boolean> {
    if (party_id !== undefined && (await pep.hidden(actor, [party_id])).size > 0) return true;
    const movement = transaction_id === undefined ? null : await movements.byId(transaction_id);
    return movement !== null && (await pepPayments.hidden(actor, [movement])).size > 0;
  }

  /** The holder whose recent changes the approver sees. */
  function holderOf(row: store.ApprovalRow): string | null {
    const operation = operations.get(row.operation);
    if (operation?.kind !== 'change') return null;
    return operation.holderId?.(row.input as unknown as Input<unknown, unknown>) ?? null;
  }

  async function bankEntriesOf(row: store.ApprovalRow): Promise<BankEntry[] | null> {
    const operation = operations.get(row.operation);
    if (!operation?.bankEntries) return null;
    const { transaction_id } = (row.result ?? {}) as { transaction_id?: unknown };
    return operation.bankEntries(row.input as unknown as Input<unknown, unknown>, {
      requestId: row.request_id,
      amount: row.amount,
      requestedAt: row.requested_at,
      transactionId: typeof transaction_id === 'string' ? transaction_id : null,
    });
  }

  function withheldOf({ caller }: Actor, row: store.ApprovalRow, hidden: ReadonlySet<string>): Withheld {
    if (subjectsOf(row).some((id) => hidden.has(id))) return 'content';
    const isOfSubscriber = row.subscriber_id !== null && operations.get(row.operation)?.kind === 'change';
    const isReader =
      row.requested_by === caller.id || isAllowed(caller, ACTIONS[row.action as ApprovalAction].permission);
    return isOfSubscriber && !isReader ? 'record' : 'nothing';
  }

  /** The requesters of whom the reader is not independent, for a page of requests. */
  function tiedRequesters({ caller }: Actor, rows: readonly store.ApprovalRow[]): Promise<ReadonlySet<string>> {
    const others = rows.filter((row) => row.status === 'pending' && row.requested_by !== caller.id);
    const requesters = isStaff(caller) ? [...new Set(others.map((row) => row.requested_by))] : [];
    return tiedTo(database.queries, String(caller.id), requesters, clock.now());
  }

  /** Told before the decision, which checks it again. */
  async function isTied(caller: Caller, row: store.ApprovalRow): Promise<boolean> {
    if (row.status !== 'pending' || !isStaff(caller) || caller.id === row.requested_by) return false;
    const users = [String(caller.id), row.requested_by] as const;
    if (!(await areIndependent(database.queries, users, clock.now()))) return true;
    const input = row.input as unknown as Input<unknown, unknown>;
    const refusal = await operations.get(row.operation)?.approverRefusal?.(database.queries, caller, input);
    return refusal?.code === 'NOT_INDEPENDENT';
  }

  async function forEachDue(due: store.Due, work: (id: string) => Promise<unknown>): Promise<void> {
    await runEach(await store.dueApprovals(database.queries, due, BATCH), work);
  }

  function expireDue(): Promise<void> {
    return forEachDue({ status: 'pending', column: 'expires_at', until: new Date(clock.now()) }, decisions.expire);
  }

  /** Completes payments whose gateway stopped between the approval and its result. */
  function finishApproved(): Promise<void> {
    const until = new Date(clock.now() - UNFINISHED_AFTER_MS);
    return forEachDue({ status: 'approved', column: 'decided_at', until }, async (id) => {
      const row = await store.findApproval(database.queries, id);
      const operation = row && operationOf(row);
      if (row?.status === 'approved' && operation?.kind === 'payment') await decisions.finishPayment(row, operation);
    });
  }

  function eraseSecrets(): Promise<void> {
    const until = new Date(clock.now() - SECRETS_KEPT_MS);
    return forEachDue({ status: 'executed', column: 'finished_at', until, sealed: true }, (id) =>
      database.transact(async (trx) => {
        const row = await store.lockApproval(trx, id);
        await decisions.save(trx, SYSTEM, row, 'approval.erase_secrets', { sealed_result: null });
      }),
    );
  }

  /** Returns the secrets to the requester and erases them. */
  async function collect(actor: Actor, id: string): Promise<Record<string, unknown> | Refusal> {
    const visible = await findVisible(actor.caller, id);
    if (visible instanceof Refusal) return visible;
    if (visible.requested_by !== actor.caller.id) {
      return refuse('FORBIDDEN', 'Only the requester can collect the secrets.');
    }
    return database.transact(async (trx) => {
      const row = await store.lockApproval(trx, id);
      const refusal = await permissionRefusal(trx, actor as Decider, row);
      if (refusal) return refusal;
      if (row.sealed_result === null) return refuse('NO_SECRETS', 'There are no secrets, or they were shown before.');
      await decisions.save(trx, actor, row, 'approval.collect_secrets', { sealed_result: null });
      return JSON.parse(vault.open(row.sealed_result, id)) as Record<string, unknown>;
    });
  }

  return {
    policies,
    gate: createGate({
      database,
      audit,
      vault,
      clock,
      policies,
      pep,
      nameParties,
    }),
    /** The approval that a party's request with this id needs or needed. */
    async ofRequest(
      key: RequestKey,
    ): Promise<Pick<store.ApprovalRow, 'id' | 'status' | 'requested_by' | 'subscriber_id'> | null> {
      const row = await store.findByRequestId(database.queries, key);
      return row ? asOfNow(row) : null;
    },
    async get(actor: Actor, id: string): Promise<SeenApproval | Refusal> {
      const row = await findVisible(actor.caller, id);
      if (row instanceof Refusal) return row;
      const holderId = holderOf(row);
      const { queries } = database;
      const [seen, tied, changes, bankEntries] = await Promise.all([
        seenOf(actor, row),
        isTied(actor.caller, row),
        holderId === null ? null : recentChanges({ audit, queries, clock }, holderId),
        bankEntriesOf(row),
      ]);
      return { ...seen, recentChanges: changes, bankEntries, ...(tied ? { notIndependent: true as const } : {}) };
    },
    async list(
      actor: Actor,
      filter: store.ApprovalFilter,
      page: Page,
    ): Promise<{ seen: SeenApproval[]; total: number }> {
      if (await namesHidden(actor, filter)) return { seen: [], total: 0 };
      const visibility = { ...visibilityOf(actor.caller), now: new Date(clock.now()) };
      const { rows, total } = await store.listApprovals(database.queries, filter, visibility, page);
      const current = rows.map(asOfNow);
      const [seen, tied] = await Promise.all([seenOfAll(actor, current), tiedRequesters(actor, current)]);
      // A payment that is archived is not found any more, but its requests are.
      if (filter.transaction_id && seen.some(({ withheld }) => withheld === 'content')) return { seen: [], total: 0 };
      const isTied = ({ row }: SeenApproval) => row.status === 'pending' && tied.has(row.requested_by);
      return { seen: seen.map((each) => (isTied(each) ? { ...each, notIndependent: true } : each)), total };
    },
    approve: (actor: Actor, id: string) => decided(actor, id, decisions.approve),
    reject: (actor: Actor, id: string, reason: string) =>
      decided(actor, id, async (decider, row) => {
        const text = tidy(reason);
        return text === '' ? refuse('INVALID_REQUEST', 'reason is required.') : decisions.reject(decider, row, text);
      }),
    withdraw: (actor: Actor, id: string) => decided(actor, id, decisions.withdraw),
    collect,
    /** Expires requests, completes interrupted payments, and erases secrets that were not collected. */
    maintain: (): Promise<void> => runEach([expireDue, finishApproved, eraseSecrets], (step) => step()),
  };
}

function isVisible(caller: Caller, row: store.ApprovalRow): boolean {
  const { userId, actions } = visibilityOf(caller);
  return row.requested_by === userId || actions.includes(row.action);
}

/** The requester, staff with the permission, and auditors. */
function visibilityOf(caller: Caller): store.Visibility {
  const userId = String(caller.id);
  if (!isStaff(caller)) return { userId, actions: [] };
  const readsAll = (caller as UserCaller).role === 'audit_user';
  const isReadable = (action: ApprovalAction) => readsAll || isAllowed(caller, ACTIONS[action].permission);
  return { userId, actions: ACTION_NAMES.filter(isReadable) };
}

/** The permission that a second user needs to decide on requests of this action; undefined for an unknown action. */
export function decidingPermission(action: string): Permission | undefined {
  return ACTIONS[action as ApprovalAction]?.permission;
}
