// A payment as a feature plans it, its idempotency key, and the receipt it gets once the money has moved.
import { hash } from 'node:crypto';
import type { OutboxRow } from '../db/outbox-table.ts';
import { iso } from '../kernel/clock.ts';
import { CURRENCY, parseAmount } from '../kernel/money.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { tidy } from '../kernel/text.ts';
import type { AccountKind } from '../ledger/account-kinds.ts';
import type { Hold } from '../ledger/holds/lookup.ts';
import type { HoldPurpose } from '../ledger/holds/tables.ts';
import type { MovementType, Party, PricedType } from '../ledger/movement-types.ts';
import type { Movement, MovementActor, MovementRequest, Posted, RefusalReason, Shortfall } from '../ledger/types.ts';
import type { CommissionTerms } from './commission.ts';
import type { Earned } from './fees.ts';

/** Everything the ledger needs to move the money, and what is written in the same commit. */
export interface PaymentPlan {
  type: MovementType;
  /** Absent: its own type. */
  pricedAs?: PricedType;
  /** The caller, stored with the movement. */
  actor: MovementActor;
  payer: Side;
  payee: Side;
  amount: number;
  /** Null: the request carries no id, and a retry is a new payment. */
  key: IdempotencyKey | null;
  narration?: string | null;
  reference?: string | null;
  /** JSON text. */
  metadata?: string | null;
  details?: Record<string, unknown>;
  /** The movement it refunds or reverses. */
  relatedId?: string | null;
  allowances?: readonly Allowance[];
  /** From this instant on, in milliseconds since 1970, the payment is refused. */
  validUntil?: { at: number; refusal(): Refusal };
  /** What the payer was told the payment costs. At any other price it is refused. */
  quoted?: { total: number; refusal(): Refusal };
  /** Reserves amount and fee instead of paying; a capture pays. */
  hold?: HoldTerms;
  /** The hold that the payment captures. */
  captures?: Hold;
  /** The hold that this one replaces, by a longer one for example. No money moves. */
  replaces?: Hold;
  /** The hold that pays it, together with others. */
  draws?: Hold;
  /** Set for a request under an approval policy. */
  approval?: ApprovalTerms | undefined;
  /**
   * Commission that a refund takes back: charged to each side as a fee and returned to fee income. It depends on what was
   * used of the first allowance before. A side whose commission was credited to a commission account pays from there as far
   * as that account holds enough.
   */
  commissionReturned?(usedBefore: number): Earned;
  /** Called inside the commit: the reply, which a repeated request gets again, and rows for other tables. */
  onPosted(receipt: Receipt): Outcome;
  /** Present: the ledger's refusal is stored too, and a repeated request is refused again with the same reply. */
  onRefused?(refusal: Refusal, at: number, payerBalance: number): Outcome;
}

export interface HoldTerms {
  purpose: HoldPurpose;
  expiresAt: number;
  /** Absent: the amount and the payer's fee. */
  reserved?: number;
  /** The types that are priced as the hold was; by default its own. */
  priced?: readonly MovementType[];
}

/** How an approval policy changes a payment. */
export interface ApprovalTerms {
  /** Makes every check and posts nothing; the result has a preview. */
  checkOnly?: true;
  /** The requester's total of the day. Its limit is the amount that needs no approval. */
  total?: Allowance;
  /** The subscriber whose wallet was approved; null: none. The request may name the wallet by something that was moved. */
  subscriberId?: string | null;
}

/** What a payment that was only checked would do. */
export interface Preview {
  amount: number;
  /** Charged to the payer on top of the amount. */
  fee: number;
  /** The reply's values that the payment would change, such as a balance, as they are and as they would be. */
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  /** The subscriber whose wallet is debited or credited. */
  subscriberId: string | null;
  /** The accounts of payer and payee. */
  parties: readonly string[];
}

export interface Outcome {
  reply: object;
  rows?: readonly OutboxRow[];
}

/** A payment that the feature refuses itself, and whose refusal a repeated request gets again. */
export interface DecidedRefusal extends Pick<PaymentPlan, 'type' | 'actor' | 'amount'> {
  key: IdempotencyKey;
  /** The reply and rows for other tables; called inside the commit. */
  record(at: number): Outcome;
}

/** One side of a payment: the account, and the party of the fee settings that its owner is. */
export interface Side {
  accountId: string;
  /** The ledger refuses an account of any other kind as missing. */
  kind?: AccountKind;
  party: Party;
  /** The refusals when the ledger refuses because of this account; by default a wallet's. */
  refusals?: Partial<Record<AccountReason, (shortfall: Shortfall) => Refusal>>;
  /** The serial of the card used, in canonical form. The ledger refuses a blocked one. */
  card?: string | undefined;
  /** Checks that do not apply to this side. A reversal may debit an account that a new payment may not. */
  exempt?: { frozen?: true; ceiling?: true; floor?: true };
  /** A refusal because this account is frozen is not stored, so that the request can be retried later. */
  retryWhenFrozen?: true;
  /** For agents that can earn. In a refund, `account` is where the returned commission was credited. */
  commission?: CommissionTerms;
}

/** The refusals that concern one account. */
export type AccountReason = Exclude<
  RefusalReason,
  'refused_before' | 'hold_ended' | 'expired' | 'allowance' | 'compliance' | 'check_only'
>;

/** A running total with a limit, checked under a lock like a balance: the refundable amount, or a card's daily limit. */
export interface Allowance {
  id: string;
  limit: number;
  /** What the payment uses of it; by default its amount. */
  use?: number;
  refusal(shortfall: Shortfall): Refusal;
}

/** The result of a posted payment. */
export interface Receipt {
  transactionId: string;
  at: number;
  amount: number;
  /** Charged to the payer on top of the amount. */
  payerFee: number;
  /** Deducted from what the payee receives. */
  payeeFee: number;
  /** What left the payer's account and reached the payee's, fees and commissions included. */
  debited: number;
  credited: number;
  payerBalance: number;
  payeeBalance: number;
  /** The total used of each allowance, this payment included. */
  allowances: readonly number[];
}

/** The reply to a payment request. */
export interface Executed {
  /** JSON text, byte for byte what a repeated request gets again. */
  json: string;
  replayed: boolean;
  /** Set when the reply is a stored refusal. */
  refused?: Refusal;
  /** Set when the payment was only checked and would be posted. There is no reply then. */
  preview?: Preview;
}

/** The amount as sent, and the id that makes a retry safe. */
export interface PaymentOptions {
  amount: number | string;
  requestId: string | null;
  /** Set under an approval policy; the operation passes it on in its plan. */
  approval?: ApprovalTerms | undefined;
}

/** Identifies a request across retries: the party, the id it chose, and a hash of the details that must not change. */
export interface IdempotencyKey extends MovementRequest {
  /** The credential that sends the request. Absent: every sender of a repeated request gets the stored reply as it is. */
  sender?: MovementActor;
}

export function idempotencyKey(
  type: MovementType,
  scope: string,
  id: string,
  details: readonly unknown[],
): IdempotencyKey {
  return { scope, id, hash: hash('sha256', JSON.stringify([type, ...details])) };
}

/** The ids of approvals are request ids of their own scope: no caller can use one of them. */
export const APPROVAL_SCOPE = 'approval';

/** A partner's references, over all routes that credit a wallet by one. They are kept for good. */
export function referenceScope(partnerId: string): string {
  return `reference:${partnerId}`;
}

/** The party of movements between the treasury, banks and partners, which act for nobody else. */
export const OPERATOR = 'operator';

/** The caller of a request. */
export interface Requester {
  caller: {
    kind: string;
    id: string | null;
    role?: string;
    channel?: string;
    processorId?: string | null;
    partnerId?: string | null;
  };
  /** Set if a second user approved the request: its request id is the approval's id. */
  approval?: object | undefined;
}

/**
 * Request ids belong to the party for whom the request acts, whichever of its credentials sends it. Null: the request has
 * none.
 */
export function requestKey(
  type: MovementType,
  { caller, approval }: Requester,
  party: string,
  requestId: string | null,
  details: readonly unknown[],
): IdempotencyKey | null {
  if (requestId === null) return null;
  const scope = approval ? APPROVAL_SCOPE : party;
  return { ...idempotencyKey(type, scope, requestId, details), sender: movementActor({ caller }) };
}

/** The caller of a request as its movement's author. */
export function movementActor({
  caller: { kind, id },
}: {
  caller: { kind: string; id: string | null };
}): MovementActor {
  const type = PAYING_KINDS.find((paying) => paying === kind);
  if (type === undefined || id === null) throw new Error(`a ${kind} caller cannot move money`);
  return { type, id };
}

const PAYING_KINDS = ['user', 'subscriber', 'key', 'service', 'notification'] as const;

/** "100" and 100 are the same amount; text that is not an amount compares as it is. */
export function comparableAmount(value: number | string): number | string {
  return parseAmount(value) ?? String(value);
}

export function invalidAmount(): Refusal {
  return refuse('INVALID_AMOUNT', 'amount must be a positive whole number of minor units below 2^53.');
}

/** Empty text becomes null. */
export function narrationOf(description: string | undefined): string | null {
  return description === undefined ? null : tidy(description) || null;
}

/** The reply of the wallet's and the agents' payments. */
export function completedReply(receipt: Receipt, requestId: string | null, message: string, balance: number) {
  return {
    success: true,
    message,
    transaction_id: receipt.transactionId,
    request_id: requestId,
    status: 'COMPLETED',
    amount: receipt.amount,
    fee: receipt.payerFee,
    total_debited: receipt.debited,
    currency: CURRENCY,
    balance,
    created_at: iso(receipt.at),
  };
}

export function receiptOf({ id, amount }: Movement, { at, postings, used }: Posted): Receipt {
  const [payer, payee] = postings;
  return {
    transactionId: id,
    at,
    amount,
    payerFee: payer?.fee ?? 0,
    payeeFee: payee?.fee ?? 0,
    debited: -(payer?.amount ?? 0),
    credited: payee?.amount ?? 0,
    payerBalance: payer?.balanceAfter ?? 0,
    payeeBalance: payee?.balanceAfter ?? 0,
    allowances: used,
  };
}
