// Operations that can need approval, as values. Each feature provides its own; `app` registers them.
import type { Actor } from '../../audit/log.ts';
import type { Caller, KeyCaller } from '../../auth/caller.ts';
import type { Permission } from '../../auth/permissions.ts';
import type { DatabaseTransaction, Queries } from '../../db/database.ts';
import type { Reply } from '../../http/endpoint.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { MovementType } from '../../ledger/movement-types.ts';
import type { RequestKey } from '../../ledger/posting/idempotency.ts';
import type { Executed, PaymentOptions } from '../../payments/plan.ts';
import type { ApprovalAction } from './actions.ts';
import type { BankEntry } from './bank-entry.ts';

/** What a request consists of. It is stored and executed later unchanged. */
export interface Input<Params, Body> {
  params: Params;
  body: Body;
}

interface Operation {
  /** Unique and permanent: stored approvals name their operation. */
  name: string;
  /** The action whose policy applies. */
  action: ApprovalAction;
  /** What the requester needs, if it is not the permission of the action. */
  permission?: Permission;
  /** Requested by who sees names shortened: staff read them in full. */
  namesShortened?: true;
}

/** Why this user may not approve the request. Its execution checks again. */
type ApproverRefusal<Params, Body> = (
  queries: Queries,
  approver: Caller,
  input: Input<Params, Body>,
) => Promise<Refusal | null>;

/** A request about money that the bank's statements may show. */
export interface BankQuestion {
  requestId: string | null;
  /** Null for changes of records. */
  amount: number | null;
  requestedAt: Date;
  /** Null until it is executed. */
  transactionId: string | null;
}

/** An operation that moves money. The ledger makes it idempotent by its request id. */
export interface PaymentOperation<Params, Body> extends Operation {
  kind: 'payment';
  movementType: MovementType;
  /** The party for whom it acts, whose request ids it uses. */
  party(input: Input<Params, Body>): string;
  /** Why a caller with the permission may not act for this party; absent: every one may. */
  actingRefusal?(caller: Caller, input: Input<Params, Body>): Refusal | null;
  /** One sentence for the approver. It is audited too, so it must not contain personal data. */
  describe(input: Input<Params, Body>, amount: number): string;
  /** Passes `options.approval` on in its payment plan. */
  execute(actor: Actor, input: Input<Params, Body>, options: PaymentOptions): Promise<Executed | Refusal>;
  approverRefusal?: ApproverRefusal<Params, Body>;
  /** What the bank's statements say about it, for the approver. */
  bankEntries?(input: Input<Params, Body>, request: BankQuestion): Promise<BankEntry[] | null>;
  /** A key that needs no approval, because another limit bounds it. */
  exempts?(key: KeyCaller): boolean;
}

/** Runs in a transaction that is rolled back if the request needs approval, so it must not have other effects. */
export type Run<Result> = (trx: DatabaseTransaction) => Promise<Result | Refusal>;

/** An operation that changes records in one transaction. */
export interface ChangeOperation<Params, Body, Result> extends Operation {
  kind: 'change';
  /** Needs a second user whatever the policy is. */
  always?: true;
  /** The request's id and the party it belongs to. A repeated request gets the approval of the first one. */
  requestKey?(input: Input<Params, Body>): RequestKey | null;
  /** Fields of the body that are stored encrypted and never shown. */
  secretInput?: readonly string[];
  /** Fields of the reply that only the requester gets, once. */
  secretResult?: readonly string[];
  describe(input: Input<Params, Body>): string;
  /** The record as it is; null if there is none. */
  before(actor: Actor, input: Input<Params, Body>): Promise<object | null>;
  /** The record as it is after the change; null if it is deleted. */
  after(result: Result, actor: Actor): object | null;
  /** Checks and slow work that need no transaction, then the transaction's work. */
  plan(actor: Actor, input: Input<Params, Body>): Promise<Run<Result> | Refusal> | Run<Result> | Refusal;
  /** Whether the action's policy covers this change; by default it covers every one. */
  covers?(result: Result): boolean;
  /** The refusal for a database error, such as a violated constraint. */
  refusalOf?(error: unknown): Refusal | null;
  /** After the transaction, whatever its outcome: invalidates caches. */
  settled?(): void;
  reply(result: Result, actor: Actor): Promise<Reply> | Reply;
  /** What is stored as the result of an approval instead of the reply: a subscriber's record is not copied. */
  storedReply?(result: Result): Reply;
  approverRefusal?: ApproverRefusal<Params, Body>;
  /** What the bank's statements say about it, for the approver. Null if it is about no bank entry. */
  bankEntries?(input: Input<Params, Body>): Promise<BankEntry[] | null>;
  /** The subscriber or agent whose recent changes the approver sees. */
  holderId?(input: Input<Params, Body>): string;
  /** Others whom the change is about, besides those that the request names by id. */
  parties?(result: Result): string[];
  /** The subscriber that the change is about. */
  subscriberId?(input: Input<Params, Body>): string;
}

export type AnyPayment = PaymentOperation<unknown, unknown>;
export type AnyChange = ChangeOperation<unknown, unknown, unknown>;
export type AnyOperation = AnyPayment | AnyChange;
