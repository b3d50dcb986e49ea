// The one door for money: whatever moves it comes through here, is priced, limited, checked, posted and remembered.
import { hash } from 'node:crypto';
import type { Load } from '../db/batch-loader.ts';
import type { Queries } from '../db/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { Metrics } from '../kernel/metrics.ts';
import { Refusal } from '../kernel/refusal.ts';
import { type AnsweredRequest, type RequestName, rememberRefusal } from '../ledger/posting/idempotency.ts';
import type { Ledger, Result } from '../ledger/posting/ledger.ts';
import { feeAccountOf } from '../ledger/system-accounts.ts';
import type { Leg, Movement, Posted, RefusalReason, Refused } from '../ledger/types.ts';
import type { VelocityCheck } from '../ledger/velocity/rules.ts';
import { alertsOf, type PaymentAlerts } from './alerts.ts';
import { withEarned } from './earnings.ts';
import { type FeeSetting, type PaymentFees, paymentFees } from './fees.ts';
import { type ComplianceMetrics, complianceMetrics, countChecked } from './metrics.ts';
import type { Done, Executed, Payment, PaymentRequest, Side } from './payment.ts';
import { conflict, refusalOf, tooLarge } from './refusals.ts';

export type { Allowance, Done, Executed, Payment, PaymentRequest, Side } from './payment.ts';

export interface Payments {
  /**
   * The answer that the same request got before, or a conflict; null: it is new. The contract puts it before everything
   * that is looked up about a payment, so that a retry is answered whatever has changed since.
   */
  replay(type: string, request: PaymentRequest): Promise<Executed | Refusal | null>;
  /** The operator's fees as they are now; asked for beside other look-ups, it costs no time of its own. */
  prices(): Promise<readonly FeeSetting[]>;
  /** The compliance rules of the type as they are now, asked for like the fees; null: there are none. */
  watch(type: string): Promise<VelocityCheck | null>;
  execute(payment: Payment, prices?: readonly FeeSetting[], watch?: VelocityCheck | null): Promise<Executed | Refusal>;
  /** The same for a payment that was not looked into before. Null: one of its sides may not take part, or nobody knows; nothing happened. */
  attempt(
    payment: Payment,
    prices: readonly FeeSetting[],
    watch: VelocityCheck | null,
  ): Promise<Executed | Refusal | null>;
  /**
   * Keeps a refusal that was decided without the ledger, in the transaction of what is written about it. False: the
   * request has been answered meanwhile, and nothing was kept; `replay` tells how.
   */
  remember(trx: Queries, type: string, request: PaymentRequest, json: string): Promise<boolean>;
}

export interface PaymentsDependencies {
  ledger: Ledger;
  clock: Clock;
  /** What moved money before, by who asked and under which id. */
  answered: Load<RequestName, AnsweredRequest | null>;
  /** The compliance rules of a type; nothing moves when they cannot be told. */
  watch(type: string): Promise<VelocityCheck | null>;
  /** The operator's own settings, read afresh: a change counts for the next payment. */
  feeSettings(): Promise<readonly FeeSetting[]>;
  metrics?: ComplianceMetrics;
  /** Which stripe of the house's accounts this process uses. */
  stripe: number;
}

export function createPayments(dependencies: PaymentsDependencies): Payments {
  const {
    ledger,
    clock,
    answered,
    watch,
    feeSettings,
    stripe,
    metrics = complianceMetrics(new Metrics()),
  } = dependencies;
  const feeAccount = feeAccountOf(stripe);

  async function post(
    payment: Payment,
    settings: readonly FeeSetting[],
    watched: VelocityCheck | null,
  ): Promise<Sent | Refusal> {
    const fees = feesOf(payment, settings);
    const movement = movementOf(payment, fees, feeAccount, clock);
    if (watched) movement.watched = watched;
    if (!isExact(movement, fees)) return tooLarge(payment);
    const alerts = alertsOf(movement, clock);
    const result = await ledger.post({
      movement,
      reply: (posted) => JSON.stringify(payment.reply(doneOf(payment, movement, fees, posted))),
      ...(payment.beside || watched ? { beside: besideOf(payment, movement, fees, alerts) } : {}),
      ...(payment.refused ? { refused: keptRefusalOf(payment, alerts) } : {}),
      ...(watched ? { blocked: alerts.blocked } : {}),
    });
    if (watched) countChecked(metrics, result);
    return { result, alerts };
  }

  /** Where the rules cannot be read, nothing moves. */
  async function watchCounted(type: string): Promise<VelocityCheck | null> {
    try {
      return await watch(type);
    } catch (error) {
      metrics.checks.failed.value += 1;
      throw error;
    }
  }

  return {
    async replay(type, request) {
      const before = await answered(request);
      if (!before) return null;
      return before.hash === hashOf(type, request) ? { json: before.reply, replayed: true } : conflict();
    },
    prices: feeSettings,
    watch: watchCounted,
    async execute(payment, prices, known) {
      const watched = known === undefined ? await watchCounted(payment.type) : known;
      const done = await post(payment, prices ?? (await feeSettings()), watched);
      return done instanceof Refusal ? done : conclude(done.result, payment, done.alerts);
    },
    async attempt(payment, prices, watched) {
      const done = await post(payment, prices, watched);
      // What no account can hold, the ledger was not asked about: how its sides stand comes before that.
      if (done instanceof Refusal) return null;
      const { result, alerts } = done;
      const stands = result.outcome === 'refused' && STANDING.includes(result.reason);
      return stands ? null : conclude(result, payment, alerts);
    },
    remember(trx, type, request, json) {
      const { scope, id } = request;
      const named = { scope, id, hash: hashOf(type, request) };
      return rememberRefusal(trx, { ...named, movementId: newId('txn', clock), reply: json });
    },
  };
}

/** What the ledger made of a payment, and what it is an occasion for. */
interface Sent {
  result: Result;
  alerts: PaymentAlerts;
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

/** First without what is earned: what is beyond exact numbers on the way is not exact at its end. */
function isExact({ amount, legs }: Movement, { payer }: PaymentFees): boolean {
  return Number.isSafeInteger(amount + payer.charged) && legs.every((leg) => Number.isSafeInteger(leg.amount));
}

function legOf({ accountId, card, mayPass, forgetsFrozen }: Side, amount: number, fee: number): Leg {
  const leg: Leg = { accountId, amount, fee };
  if (card !== undefined) leg.card = card;
  if (mayPass?.frozen) leg.passFrozen = true;
  if (mayPass?.ceiling) leg.passCeiling = true;
  if (mayPass?.floor) leg.passFloor = true;
  if (forgetsFrozen) leg.retryWhenFrozen = true;
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

function besideOf(payment: Payment, movement: Movement, fees: PaymentFees, alerts: PaymentAlerts) {
  return (posted: Posted) => {
    const rows = payment.beside?.(doneOf(payment, movement, fees, posted)) ?? [];
    return posted.triggered ? [...rows, ...alerts.flagged(posted)] : rows;
  };
}

function keptRefusalOf(payment: Payment, alerts: PaymentAlerts) {
  return (refused: Refused, at: number) => {
    const kept = payment.refused?.(refusalOf(payment, refused, alerts), at, refused.balances?.[0] ?? 0);
    return { reply: JSON.stringify(kept?.reply), beside: kept?.beside ?? [] };
  };
}

function conclude(result: Result, payment: Payment, alerts: PaymentAlerts): Executed | Refusal {
  switch (result.outcome) {
    case 'posted':
      return { json: result.reply, replayed: false };
    case 'replayed':
      return { json: result.reply, replayed: true };
    case 'conflict':
      return conflict();
    case 'refused': {
      const refusal = refusalOf(payment, result, alerts);
      return result.reply === null ? refusal : { json: result.reply, replayed: false, refused: refusal };
    }
  }
}
