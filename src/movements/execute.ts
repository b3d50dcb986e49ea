// The one door for money: whatever moves it comes through here, is priced, limited, checked, posted and remembered.
import { createHash } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { Ledger, Posted, Result } from '../ledger/ledger.ts';
import type { Leg, Movement, RefusalReason } from '../ledger/types.ts';
import { type FeeSetting, type Party, type PartyFees, partyFees } from './fees.ts';

/** What there was, and what would have been needed. */
export interface Figures {
  available: number;
  required: number;
}

/** One side of a payment: whose account, as which party of the fee settings. */
export interface Side {
  accountId: string;
  party: Party;
  /** What refusals about this account are called: the wallet's words unless told. */
  refusals?: Partial<Record<RefusalReason, (figures: Figures) => Refusal>>;
}

export interface Payment {
  type: string;
  payer: Side;
  payee: Side;
  amount: number;
  /** Whether it counts against the payer's limit of a day. */
  countsDaily: boolean;
  request: PaymentRequest | null;
  narration?: string | null;
  reference?: string | null;
  /** JSON text. */
  metadata?: string | null;
  details?: Record<string, unknown>;
  /** The reply to the caller; kept, and given again to the same request. */
  reply(done: Done): object;
  /** Rows for other tables in the same commit. */
  beside?(done: Done): { table: string; row: object }[];
}

export interface PaymentRequest {
  /** The id of the credential: request ids are its own. */
  scope: string;
  id: string;
  /** What makes two requests the same, in a fixed order. */
  same: readonly unknown[];
}

export interface Done {
  transactionId: string;
  at: number;
  amount: number;
  /** What the payer paid beyond the amount, and the payee was paid short of it. */
  payerFee: number;
  payeeFee: number;
  payerBalance: number;
  payeeBalance: number;
}

export interface Executed {
  /** The bytes of the reply. */
  json: string;
  replayed: boolean;
}

export interface Movements {
  execute(payment: Payment): Promise<Executed | Refusal>;
}

export interface MovementsDependencies {
  ledger: Ledger;
  clock: Clock;
  /** The operator's own settings, read afresh: a change counts for the next payment. */
  feeSettings(): Promise<readonly FeeSetting[]>;
  /** Which stripe of the house's accounts this process uses. */
  stripe: number;
}

export function createMovements({ ledger, clock, feeSettings, stripe }: MovementsDependencies): Movements {
  const feeAccount = `sys_fees_${String(stripe).padStart(2, '0')}`;
  return {
    async execute(payment) {
      const settings = await feeSettings();
      const fees = feesOf(payment, settings);
      const movement = movementOf(payment, fees, feeAccount, clock);
      const result = await ledger.post({
        movement,
        reply: (posted) => JSON.stringify(payment.reply(doneOf(payment, movement, fees, posted))),
        ...(payment.beside ? { beside: besideOf(payment, movement, fees) } : {}),
      });
      return conclude(result, payment);
    },
  };
}

interface Fees {
  payer: PartyFees;
  payee: PartyFees;
}

/** Who sends pays on top; who receives gets the amount less the fee, and never less than nothing. */
function feesOf({ type, payer, payee, amount }: Payment, settings: readonly FeeSetting[]): Fees {
  const received = partyFees(settings, type, payee.party, amount);
  return {
    payer: partyFees(settings, type, payer.party, amount),
    payee: { ...received, charged: Math.min(received.charged, amount) },
  };
}

function movementOf(payment: Payment, { payer, payee }: Fees, feeAccount: string, clock: Clock): Movement {
  const { amount, request } = payment;
  const legs: Leg[] = [
    {
      accountId: payment.payer.accountId,
      amount: -amount - payer.charged + payer.earned,
      fee: payer.charged,
      ...(payment.countsDaily ? { dailyUse: amount } : {}),
    },
    { accountId: payment.payee.accountId, amount: amount - payee.charged + payee.earned, fee: payee.charged },
  ];
  const income = payer.charged + payee.charged - payer.earned - payee.earned;
  if (income !== 0) legs.push({ accountId: feeAccount, amount: income });
  return {
    id: newId('txn', clock),
    type: payment.type,
    fromAccount: payment.payer.accountId,
    toAccount: payment.payee.accountId,
    amount,
    fee: payer.charged + payee.charged,
    legs,
    request: request && { scope: request.scope, id: request.id, hash: hashOf(payment.type, request.same) },
    reference: payment.reference ?? null,
    narration: payment.narration ?? null,
    metadata: payment.metadata ?? null,
    relatedId: null,
    details: payment.details ?? {},
  };
}

function hashOf(type: string, same: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify([type, ...same]))
    .digest('hex');
}

function doneOf(payment: Payment, movement: Movement, fees: Fees, posted: Posted): Done {
  const [payer, payee] = posted.postings;
  return {
    transactionId: movement.id,
    at: posted.at,
    amount: payment.amount,
    payerFee: fees.payer.charged,
    payeeFee: fees.payee.charged,
    payerBalance: payer?.balanceAfter ?? 0,
    payeeBalance: payee?.balanceAfter ?? 0,
  };
}

function besideOf(payment: Payment, movement: Movement, fees: Fees) {
  return (posted: Posted) => payment.beside?.(doneOf(payment, movement, fees, posted)) ?? [];
}

function conclude(result: Result, payment: Payment): Executed | Refusal {
  switch (result.outcome) {
    case 'posted':
      return { json: result.reply, replayed: false };
    case 'replayed':
      return { json: result.reply, replayed: true };
    case 'conflict':
      return refuse('REQUEST_CONFLICT', 'This request_id was used before for a request with other details.');
    case 'refused': {
      const side = result.accountId === payment.payer.accountId ? payment.payer : payment.payee;
      return (side.refusals?.[result.reason] ?? WALLET_REFUSALS[result.reason])(result);
    }
  }
}

const WALLET_REFUSALS = {
  account_missing: () => refuse('SUBSCRIBER_NOT_FOUND', 'There is no such subscriber.'),
  account_frozen: () => refuse('SUBSCRIBER_BLOCKED', 'The subscriber is blocked.'),
  type_disabled: () => refuse('TRANSACTION_TYPE_DISABLED', 'This type of transaction is disabled for the subscriber.'),
  daily_limit: () => refuse('DAILY_LIMIT_EXCEEDED', "The amount exceeds what is left of the wallet's daily limit."),
  ceiling: () => refuse('MAX_BALANCE_EXCEEDED', 'The amount would exceed the maximum balance of the wallet.'),
  floor: () => refuse('INSUFFICIENT_BALANCE', 'The balance does not cover the amount and its fee.'),
} satisfies Record<RefusalReason, (figures: Figures) => Refusal>;
