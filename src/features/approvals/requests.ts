// The gate in front of every operation that can need approval: executes the request, or stores it for a second user.

import { hash } from 'node:crypto';
import type { ChangeContext } from '../../audit/log.ts';
import type { Caller } from '../../auth/caller.ts';
import type { Vault } from '../../auth/vault.ts';
import type { Call, Reply } from '../../http/endpoint.ts';
import { executedReply, keyRequestIdOf } from '../../http/payment-endpoint.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import { keepFromErasure, noSuchSubscriber } from '../../parties/subscriber.ts';
import type { Allowance, PaymentOptions } from '../../payments/plan.ts';
import { attempt } from './attempt.ts';
import type { AnyChange, AnyOperation, AnyPayment, ChangeOperation, Input, PaymentOperation } from './operation.ts';
import { idsOf, type NameParties, subjectsOf, usersOf } from './people.ts';
import type { Policies } from './policies.ts';
import { approvalRequired } from './refusals.ts';
import { approvalView, type Withheld } from './schemas.ts';
import { type ApprovalRow, findByRequestId, insertApproval, openAmount } from './store.ts';
import { type Summary, sealSecrets, summaryOf } from './summary.ts';
import { dayTotal, keyTotal } from './totals.ts';

export const EXPIRES_AFTER_MS = 7 * DAY_MS;

export interface GateDependencies extends ChangeContext {
  vault: Vault;
  policies: Policies;
  pep: PepGuard;
  nameParties: NameParties;
}

/** Routes call it with their operation. */
export interface Gate {
  pay<Params, Body extends PaymentBody>(
    call: Call<Body, Params>,
    operation: PaymentOperation<Params, Body>,
  ): Promise<Reply | Refusal>;
  change<Params, Body, Result>(
    call: Call<Body, Params>,
    operation: ChangeOperation<Params, Body, Result>,
  ): Promise<Reply | Refusal>;
}

interface PaymentBody {
  amount?: string;
  request_id?: string;
}

/** What is stored about a request besides its input. */
interface Checked {
  summary: Summary;
  /** For changes: digests of their records, which must be the same at execution. */
  states: Record<string, string> | null;
  amount: number | null;
  subscriberId: string | null;
  /** The party the request id belongs to; null for a change without one. */
  party: string | null;
  requestId: string | null;
}

export function createGate({ database, audit, vault, clock, policies, pep, nameParties }: GateDependencies): Gate {
  async function pay(call: Call<PaymentBody>, operation: AnyPayment): Promise<Reply | Refusal> {
    const requestId = keyRequestIdOf(call);
    if (requestId instanceof Refusal) return requestId;
    const options = { amount: call.body.amount ?? '', requestId };
    const policy = await policies.of(operation.action);
    const total = call.caller.kind === 'key' ? keyTotal(call.caller, clock.now()) : null;
    if (policy.enabled && !mayActUnder(call.caller, operation, total)) return approvalRequired();
    // Even without a policy: it may have been disabled since the request was stored.
    const before = await findBefore(call, operation, requestId);
    if (before) return repeated(call, operation, before);
    if (call.caller.kind !== 'user')
      return execute(call, operation, total ? { ...options, approval: { total } } : options);
    if (!policy.enabled) return execute(call, operation, options);
    if (policy.threshold !== null) {
      const outcome = await executeBelow(policy.threshold, call, operation, options);
      if (!isOverThreshold(outcome)) return outcome;
    }
    return requestPayment(call, operation, options);
  }

  /** A key has no second user: under a policy it acts if a second user approved the key, and then up to its daily limit. */
  function mayActUnder(caller: Caller, operation: AnyPayment, total: Allowance | null): boolean {
    if (caller.kind === 'user') return true;
    return caller.kind === 'key' && (operation.exempts?.(caller) || (caller.approved && total !== null));
  }

  /** The request with this id of the same party. A caller that may not act for the party does not learn of it. */
  async function findBefore(call: Call, operation: AnyPayment, requestId: string | null) {
    const input = inputOf(call);
    if (requestId === null || operation.actingRefusal?.(call.caller, input)) return undefined;
    return findByRequestId(database.queries, { scope: operation.party(input), id: requestId });
  }

  async function execute(call: Call, operation: AnyPayment, options: PaymentOptions): Promise<Reply | Refusal> {
    const outcome = await operation.execute(call, inputOf(call), options);
    return outcome instanceof Refusal ? outcome : executedReply(outcome);
  }

  /**
   * The ledger checks the requester's total of the day under its lock, so several requests at once cannot exceed the
   * threshold together. The requests that wait for approval reduce what is left of it.
   */
  async function executeBelow(threshold: number, call: Call, operation: AnyPayment, options: PaymentOptions) {
    const [userId, now] = [String(call.caller.id), clock.now()];
    const open = await openAmount(database.queries, userId, operation.action, now);
    const limit = Math.max(0, threshold - open);
    const total = dayTotal({ action: operation.action, userId, at: now, limit });
    return execute(call, operation, { ...options, approval: { total } });
  }

  async function requestPayment(call: Call, operation: AnyPayment, options: PaymentOptions): Promise<Reply | Refusal> {
    const input = inputOf(call);
    const outcome = await operation.execute(call, input, { ...options, approval: { checkOnly: true } });
    if (outcome instanceof Refusal) return outcome;
    const { preview } = outcome;
    // Executed before the policy applied, with the same request id.
    if (!preview) return executedReply(outcome);
    const { amount, fee, before, after, subscriberId } = preview;
    const parties = await nameParties(call, preview.parties);
    const text = operation.describe(input, amount);
    const summary = { text, before, after: { ...after, ...(fee === 0 ? {} : { fee }) }, parties };
    const party = operation.party(input);
    return store(call, operation, { summary, states: null, amount, subscriberId, party, requestId: options.requestId });
  }

  async function change(call: Call, operation: AnyChange): Promise<Reply | Refusal> {
    const policy = await policies.of(operation.action);
    const isCovered = policy.enabled || operation.always === true;
    if (isCovered && !operation.covers && call.caller.kind !== 'user') return approvalRequired();
    const input = inputOf(call);
    const key = operation.requestKey?.(input) ?? null;
    const first = key && (await findByRequestId(database.queries, key));
    if (first) return first.requested_by === call.caller.id ? repeated(call, operation, first) : usedBefore();
    const before = isCovered ? await operation.before(call, input) : null;
    const outcome = await attempt({ database, audit }, call, operation, { input, isCovered });
    if (outcome instanceof Refusal) return outcome;
    if (outcome.committed) return operation.reply(outcome.result, call);
    if (call.caller.kind !== 'user') return approvalRequired();
    const about = operation.parties?.(outcome.result) ?? [];
    const parties = await nameParties(call, [...idsOf(input), ...about]);
    const summary = summaryOf(operation, { input, before, after: operation.after(outcome.result, call), parties });
    const subscriberId = operation.subscriberId?.(input) ?? null;
    const { states } = outcome;
    const request = { party: key?.scope ?? null, requestId: key?.id ?? null };
    return store(call, operation, { summary, states, amount: null, subscriberId, ...request });
  }

  async function store(call: Call, operation: AnyOperation, checked: Checked): Promise<Reply | Refusal> {
    const row = await insert(call, operation, checked);
    if (row instanceof Refusal) return row;
    if (row) return pending(call, row, { isReplayed: false });
    // A concurrent duplicate of this request was stored first.
    const { party, requestId } = checked;
    const first = await findByRequestId(database.queries, { scope: party ?? '', id: requestId ?? '' });
    if (!first) throw new Error('a request was neither stored nor found');
    return repeated(call, operation, first);
  }

  function insert(call: Call, operation: AnyOperation, checked: Checked) {
    const { summary, states, amount, subscriberId, party, requestId } = checked;
    const [id, now] = [newId('apr', clock), clock.now()];
    const { input, sealed } = sealSecrets(vault, id, operation, inputOf(call));
    return database.transact(async (trx) => {
      // The checks have ended with their transaction: the customer may have been erased since.
      if (subscriberId !== null && !(await keepFromErasure(trx, subscriberId)))
        return noSuchSubscriber('subscriber', operation.kind === 'payment' ? 'SUBSCRIBER_NOT_FOUND' : 'NOT_FOUND');
      const row = await insertApproval(trx, {
        id,
        action: operation.action,
        operation: operation.name,
        status: 'pending',
        requested_by: String(call.caller.id),
        requested_at: new Date(now),
        requested_ip: call.ip,
        request_id: requestId,
        request_hash: requestId === null ? null : hashOf(operation, inputOf(call)),
        input: JSON.stringify(party === null ? input : { ...input, party }),
        sealed_input: sealed,
        summary: JSON.stringify(summary),
        record_states: states && JSON.stringify(states),
        amount,
        subscriber_id: subscriberId,
        expires_at: new Date(now + EXPIRES_AFTER_MS),
      });
      if (!row) return null;
      const details = { action: operation.action, operation: operation.name, amount, summary: summary.text };
      await audit.record(trx, call, { action: 'approval.request', resourceType: 'approval', resourceId: id, details });
      return row;
    });
  }

  async function repeated(call: Call, operation: AnyOperation, row: ApprovalRow): Promise<Reply | Refusal> {
    if (row.request_hash === hashOf(operation, inputOf(call))) return pending(call, row, { isReplayed: true });
    return usedBefore();
  }

  async function pending(call: Call, row: ApprovalRow, { isReplayed }: { isReplayed: boolean }): Promise<Reply> {
    const users = (await usersOf(database.queries, call, [row]))(row);
    const withheld = row.requested_by === call.caller.id ? 'nothing' : await withheldFrom(call, row);
    const body = { success: true, message: messageOf(row), approval: approvalView({ row, users, withheld }) };
    return { status: 202, body, ...(isReplayed ? { headers: { 'idempotent-replayed': 'true' } } : {}) };
  }

  /** From another credential of the party. */
  async function withheldFrom(call: Call, row: ApprovalRow): Promise<Withheld> {
    return (await pep.hidden(call, subjectsOf(row))).size > 0 ? 'content' : 'balances';
  }

  return { pay: pay as Gate['pay'], change: change as Gate['change'] };
}

function inputOf({ params, body }: Call): Input<unknown, unknown> {
  return { params: params ?? {}, body: body ?? {} };
}

function usedBefore(): Refusal {
  return refuse('REQUEST_CONFLICT', 'This request_id was used before with different details.');
}

/** "100" and 100 are read as the same text. */
function hashOf({ name }: { name: string }, { params, body }: Input<unknown, unknown>): string {
  const { request_id: _, ...details } = body as Record<string, unknown>;
  return hash('sha256', canonicalJson([name, params, details]));
}

/** A repeated request may have been decided by now. */
function messageOf({ status }: ApprovalRow): string {
  if (status === 'pending') return "The request needs another user's approval. Nothing was executed.";
  if (status === 'executed') return "The request was approved and executed: see the approval's result.";
  if (status === 'approved') return 'The request was approved and is being executed.';
  return `The request was decided: its status is ${status}. Nothing was executed.`;
}

function isOverThreshold(outcome: Reply | Refusal): boolean {
  return outcome instanceof Refusal && outcome.code === 'APPROVAL_REQUIRED';
}
