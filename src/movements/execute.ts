// The one door for money: whatever moves it comes through here, is priced, limited, checked, posted and remembered.
import { hash } from 'node:crypto';
import type { Load } from '../db/batch.ts';
import type { Queries } from '../db/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { Refusal, refuse } from '../kernel/refusal.ts';
import type { Ledger, Result, SideRow } from '../ledger/ledger.ts';
import { type AnsweredRequest, type RequestName, rememberRefusal } from '../ledger/requests.ts';
import type { Leg, Movement, Posted, RefusalReason, Refused } from '../ledger/types.ts';
import { withEarned } from './earnings.ts';
import { type FeeSetting, type Party, type PaymentFees, paymentFees } from './fees.ts';

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
  refusals?: Partial<Record<AccountReason, (figures: Figures) => Refusal>>;
  /** The card by which it takes part, as the service writes its serial: one that is blocked stops the payment. */
  card?: string | undefined;
  /** Of what it earned by the payment that this one undoes: goes back to fee income, as a fee that this side bears. */
  givesBack?: number;
  /** Bounds that do not stop this side: what undoes a payment may pass where a new one may not. */
  mayPass?: { frozen?: true; ceiling?: true; floor?: true };
  /** That it is frozen is not kept where other refusals are: the request may be sent again. */
  forgetsFrozen?: true;
}

type AccountReason = Exclude<RefusalReason, 'allowance'>;

/** A running total that the amount is counted against, decided under lock like a balance. */
export interface Allowance {
  id: string;
  /** What all payments together may take of it. */
  limit: number;
  refusal(figures: Figures): Refusal;
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
  /** The movement it refunds or reverses. */
  relatedId?: string | null;
  allowances?: readonly Allowance[];
  /** The reply to the caller; kept, and given again to the same request. */
  reply(done: Done): object;
  /** Rows for other tables in the same commit. */
  beside?(done: Done): SideRow[];
  /** Given where a refusal is kept and given again too: its reply, and rows for other tables. */
  refused?(refusal: Refusal, at: number, payerBalance: number): { reply: object; beside: SideRow[] };
}

export interface PaymentRequest {
  /** The id of the credential: request ids are its own. */
  scope: string;
  id: string;
  /** What makes two requests the same, in a fixed order. */
  same: readonly unknown[];
  /** Of the type and of `same`, once it has been made. */
  hash?: string;
}

export interface Done {
  transactionId: string;
  at: number;
  amount: number;
  /** What the payer paid beyond the amount, and the payee was paid short of it. */
  payerFee: number;
  payeeFee: number;
  /** What left the payer and what reached the payee, fees and earnings included. */
  debited: number;
  credited: number;
  payerBalance: number;
  payeeBalance: number;
  /** What is taken of each allowance, this payment included. */
  allowances: readonly number[];
}

export interface Executed {
  /** The bytes of the reply. */
  json: string;
  replayed: boolean;
  /** The reply is a refusal that is kept. */
  refused?: Refusal;
}

export interface Movements {
  /**
   * The answer that the same request got before, or a conflict; null: it is new. The contract puts it before everything
   * that is looked up about a payment, so that a retry is answered whatever has changed since.
   */
  replay(type: string, request: PaymentRequest): Promise<Executed | Refusal | null>;
  /** The operator's fees as they are now; asked for beside other look-ups, it costs no time of its own. */
  prices(): Promise<readonly FeeSetting[]>;
  execute(payment: Payment, prices?: readonly FeeSetting[]): Promise<Executed | Refusal>;
  /** The same for a payment that was not looked into before. Null: one of its sides may not take part, and nothing happened. */
  attempt(payment: Payment, prices: readonly FeeSetting[]): Promise<Executed | Refusal | null>;
  /**
   * Keeps a refusal that was decided without the ledger, in the transaction of what is written about it. False: the
   * request has been answered meanwhile, and nothing was kept; `replay` tells how.
   */
  remember(trx: Queries, type: string, request: PaymentRequest, json: string): Promise<boolean>;
}

export interface MovementsDependencies {
  ledger: Ledger;
  clock: Clock;
  /** What moved money before, by who asked and under which id. */
  answered: Load<RequestName, AnsweredRequest | null>;
  /** Whether the rules let it pass; nothing moves when this cannot be told. */
  comply?(payment: Payment): Promise<Refusal | null>;
  /** The operator's own settings, read afresh: a change counts for the next payment. */
  feeSettings(): Promise<readonly FeeSetting[]>;
  /** Which stripe of the house's accounts this process uses. */
  stripe: number;
}

export function createMovements(dependencies: MovementsDependencies): Movements {
  const { ledger, clock, answered, comply, feeSettings, stripe } = dependencies;
  const feeAccount = `sys_fees_${String(stripe).padStart(2, '0')}`;

  async function post(payment: Payment, settings: readonly FeeSetting[]): Promise<Result | Refusal> {
    const refusal = comply ? await comply(payment) : null;
    if (refusal) return refusal;
    const fees = feesOf(payment, settings);
    const movement = movementOf(payment, fees, feeAccount, clock);
    // First without what is earned: what is beyond exact numbers on the way is not exact at its end.
    if (!Number.isSafeInteger(payment.amount + fees.payer.charged)) return tooLarge(payment);
    if (!movement.legs.every((leg) => Number.isSafeInteger(leg.amount))) return tooLarge(payment);
    return ledger.post({
      movement,
      reply: (posted) => JSON.stringify(payment.reply(doneOf(payment, movement, fees, posted))),
      ...(payment.beside ? { beside: besideOf(payment, movement, fees) } : {}),
      ...(payment.refused ? { refused: keptRefusalOf(payment) } : {}),
    });
  }

  return {
    async replay(type, request) {
      const before = await answered(request);
      if (!before) return null;
      return before.hash === hashOf(type, request) ? { json: before.reply, replayed: true } : conflict();
    },
    prices: feeSettings,
    async execute(payment, prices) {
      const result = await post(payment, prices ?? (await feeSettings()));
      return result instanceof Refusal ? result : conclude(result, payment);
    },
    async attempt(payment, prices) {
      const result = await post(payment, prices);
      if (result instanceof Refusal) return result;
      return result.outcome === 'refused' && STANDING.includes(result.reason) ? null : conclude(result, payment);
    },
    remember(trx, type, request, json) {
      const { scope, id } = request;
      const named = { scope, id, hash: hashOf(type, request) };
      return rememberRefusal(trx, { ...named, movementId: newId('txn', clock), reply: json });
    },
  };
}

/** How an account stands, whatever is asked of it. */
const STANDING: readonly RefusalReason[] = ['account_missing', 'account_frozen', 'type_disabled', 'barred'];

/** What the settings say, and what an undone payment had paid out. */
function feesOf({ type, payer, payee, amount }: Payment, settings: readonly FeeSetting[]): PaymentFees {
  const fees = paymentFees(settings, { type, payer: payer.party, payee: payee.party, amount });
  fees.payer.charged += payer.givesBack ?? 0;
  fees.payee.charged += payee.givesBack ?? 0;
  return fees;
}

function movementOf(payment: Payment, { payer, payee }: PaymentFees, feeAccount: string, clock: Clock): Movement {
  const { amount, request } = payment;
  const legs: Leg[] = [
    legOf(payment.payer, -amount - payer.charged + payer.earned, payer.charged),
    legOf(payment.payee, amount - payee.charged + payee.earned, payee.charged),
  ];
  if (payment.countsDaily && legs[0]) legs[0].dailyUse = amount;
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
    request: request && { scope: request.scope, id: request.id, hash: hashOf(payment.type, request) },
    reference: payment.reference ?? null,
    narration: payment.narration ?? null,
    metadata: payment.metadata ?? null,
    relatedId: payment.relatedId ?? null,
    details: withEarned(payment.details ?? NO_DETAILS, { payer: payer.earned, payee: payee.earned }),
    ...(payment.allowances ? { allowances: payment.allowances.map(({ id, limit }) => ({ id, limit, amount })) } : {}),
    ...(payment.refused ? { remembersRefusal: true } : {}),
  };
}

const NO_DETAILS = {};

function legOf({ accountId, card, mayPass, forgetsFrozen }: Side, amount: number, fee: number): Leg {
  const leg: Leg = { accountId, amount, fee };
  if (card !== undefined) leg.via = card;
  if (mayPass?.frozen) leg.passFrozen = true;
  if (mayPass?.ceiling) leg.passCeiling = true;
  if (mayPass?.floor) leg.passFloor = true;
  if (forgetsFrozen) leg.forgetsFrozen = true;
  return leg;
}

function hashOf(type: string, request: PaymentRequest): string {
  request.hash ??= hash('sha256', JSON.stringify([type, ...request.same]));
  return request.hash;
}

function doneOf(payment: Payment, movement: Movement, fees: PaymentFees, posted: Posted): Done {
  const [payer, payee] = posted.postings;
  return {
    transactionId: movement.id,
    at: posted.at,
    amount: payment.amount,
    payerFee: fees.payer.charged,
    payeeFee: fees.payee.charged,
    debited: -(payer?.amount ?? 0),
    credited: payee?.amount ?? 0,
    payerBalance: payer?.balanceAfter ?? 0,
    payeeBalance: payee?.balanceAfter ?? 0,
    allowances: posted.used,
  };
}

function besideOf(payment: Payment, movement: Movement, fees: PaymentFees) {
  return (posted: Posted) => payment.beside?.(doneOf(payment, movement, fees, posted)) ?? [];
}

function keptRefusalOf(payment: Payment) {
  return (refused: Refused, at: number) => {
    const kept = payment.refused?.(refusalOf(payment, refused), at, refused.balances?.[0] ?? 0);
    return { reply: JSON.stringify(kept?.reply), beside: kept?.beside ?? [] };
  };
}

function conclude(result: Result, payment: Payment): Executed | Refusal {
  switch (result.outcome) {
    case 'posted':
      return { json: result.reply, replayed: false };
    case 'replayed':
      return { json: result.reply, replayed: true };
    case 'conflict':
      return conflict();
    case 'refused': {
      const refusal = refusalOf(payment, result);
      return result.reply === null ? refusal : { json: result.reply, replayed: false, refused: refusal };
    }
  }
}

function refusalOf({ payer, payee, allowances = [] }: Payment, refused: Refused): Refusal {
  const { reason, subject } = refused;
  if (reason !== 'allowance') return sideRefusal(subject === payer.accountId ? payer : payee, reason, refused);
  const allowance = allowances.find(({ id }) => id === subject);
  if (!allowance) throw new Error(`${subject} is no allowance of this payment`);
  return allowance.refusal(refused);
}

function sideRefusal({ refusals }: Side, reason: AccountReason, figures: Figures): Refusal {
  return (refusals?.[reason] ?? WALLET_REFUSALS[reason])(figures);
}

function conflict(): Refusal {
  return refuse('REQUEST_CONFLICT', 'This request_id was used before for a request with other details.');
}

/** With its fee it is more than any account can hold, and so more than any limit. */
function tooLarge({ payer, payee, amount, countsDaily }: Payment): Refusal {
  const figures = { available: 0, required: amount };
  return countsDaily ? sideRefusal(payer, 'daily_limit', figures) : sideRefusal(payee, 'ceiling', figures);
}

const WALLET_REFUSALS = {
  account_missing: () => refuse('SUBSCRIBER_NOT_FOUND', 'There is no such subscriber.'),
  account_frozen: () => refuse('SUBSCRIBER_BLOCKED', 'The subscriber is blocked.'),
  type_disabled: () => refuse('TRANSACTION_TYPE_DISABLED', 'This type of transaction is disabled for the subscriber.'),
  barred: () => refuse('CARD_BLOCKED', 'The card is blocked.'),
  daily_limit: () => refuse('DAILY_LIMIT_EXCEEDED', "The amount exceeds what is left of the wallet's daily limit."),
  ceiling: () => refuse('MAX_BALANCE_EXCEEDED', 'The amount would exceed the maximum balance of the wallet.'),
  floor: () => refuse('INSUFFICIENT_BALANCE', 'The balance does not cover the amount and its fee.'),
} satisfies Record<AccountReason, (figures: Figures) => Refusal>;
