// Refunds a card payment in full, in part, or for the remaining amount, from the processor to the wallet.
import type { Actor } from '../../audit/log.ts';
import type { Caller } from '../../auth/caller.ts';
import { parseAmount } from '../../kernel/money.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { refundsOf, type StoredMovement } from '../../ledger/queries/movement-lookup.ts';
import type { Shortfall } from '../../ledger/types.ts';
import {
  noSuchProcessor,
  onlyProcessorOf,
  otherProcessorRefusal,
  processorSide,
  processorStatusRefusal,
} from '../../parties/processor.ts';
import { holderStatusRefusal, noSuchSubscriber, walletSide } from '../../parties/subscriber.ts';
import { commissionOn, takeEarned } from '../../payments/fees.ts';
import type { PricedPlan } from '../../payments/movement.ts';
import {
  comparableAmount,
  type Executed,
  type IdempotencyKey,
  invalidAmount,
  movementActor,
  narrationOf,
  type PaymentPlan,
  type Receipt,
  requestKey,
} from '../../payments/payment.ts';
import { PAYMENT, type PaymentContext, REFUND, suspensionRefusal } from './context.ts';

export interface RefundRequest {
  transaction_id: string;
  reason?: string;
}

export interface RefundOptions {
  /** Undefined: the remaining amount. */
  amount: number | string | undefined;
  requestId: string;
}

/** A request whose key needs the processor: that of the caller or of the path, else that of the payment. */
interface Refunding {
  actor: Actor;
  body: RefundRequest;
  options: RefundOptions;
  /** Null: only the payment tells. */
  processorId: string | null;
}

/** What prices a refund, and what was refunded of the payment before. */
export interface RefundTerms {
  plan: PricedPlan;
  refunded: number;
}

export function createRefunds({ lookUp, findProcessor, holders, payments, audit }: PaymentContext) {
  async function findOriginal({ caller }: Pick<Actor, 'caller'>, id: string): Promise<StoredMovement | Refusal> {
    const [original, suspension] = await Promise.all([lookUp.byId(id), suspensionRefusal(caller, findProcessor)]);
    if (suspension) return suspension;
    if (!original) return (await lookUp.archivedRefusal(id)) ?? noSuchTransaction();
    const refusal = otherProcessorRefusal(caller, original.toAccount);
    if (refusal) return refusal;
    if (original.type === PAYMENT) return original;
    return refuse('NOT_REFUNDABLE', 'transaction_id is not a card payment: only card payments can be refunded.');
  }

  /** Replay → existence → status → amount, then the ledger: the refundable amount and the processor's balance. */
  async function refundOnce(request: Refunding): Promise<Executed | Refusal> {
    const { actor, processorId } = request;
    const { transaction_id } = request.body;
    const { amount: rawAmount } = request.options;
    const fast =
      rawAmount !== undefined &&
      (await payments.tryFastPath(REFUND, rawAmount, async (amount) => {
        const original = await findOriginal(actor, transaction_id);
        return original instanceof Refusal ? null : planOf(request, original, amount);
      }));
    if (fast) return fast;
    const [replay, original, policy] = await Promise.all([
      replayOf(request, processorId),
      findOriginal(actor, transaction_id),
      payments.policy(REFUND),
    ]);
    if (replay) return replay;
    if (original instanceof Refusal) return original;
    const [replayOfPayment, processor, holder, refunded] = await Promise.all([
      replayOf(request, processorId === null ? original.toAccount : null),
      findProcessor(original.toAccount),
      holders.byId(original.fromAccount),
      rawAmount === undefined ? lookUp.refunded(original.id) : 0,
    ]);
    if (replayOfPayment) return replayOfPayment;
    if (!processor) return noSuchProcessor();
    if (!holder) return noSuchSubscriber();
    const left = original.amount - refunded;
    const refusal =
      processorStatusRefusal(processor) ??
      holderStatusRefusal(holder, REFUND, 'subscriber') ??
      (left > 0 ? null : exceedsPayment({ available: 0 }));
    if (refusal) return refusal;
    const amount = parseAmount(rawAmount ?? left);
    return amount === null ? invalidAmount() : payments.execute(planOf(request, original, amount), policy);
  }

  /**
   * Without an amount, a concurrent refund may reduce the remaining amount. This one then retries with the new remainder.
   * The remainder shrinks each time, so the loop ends.
   */
  async function refund(request: Refunding): Promise<Executed | Refusal> {
    const { options, body } = request;
    for (;;) {
      const outcome = await refundOnce(request);
      if (options.amount !== undefined || !(outcome instanceof Refusal)) return outcome;
      if (outcome.code !== 'REFUND_EXCEEDS_PAYMENT') return outcome;
      // Nothing is left, perhaps because a concurrent duplicate of this request was executed.
      if (outcome.details.remaining !== 0) continue;
      const processorId = request.processorId ?? (await lookUp.byId(body.transaction_id))?.toAccount;
      return (await replayOf(request, processorId ?? null)) ?? outcome;
    }
  }

  function planOf(request: Refunding, original: StoredMovement, amount: number): PaymentPlan {
    const { actor, body } = request;
    return {
      ...termsOf(original, amount),
      actor: movementActor(actor),
      key: keyOfRefund(request, original.toAccount),
      narration: narrationOf(body.reason),
      relatedId: original.id,
      onPosted: (receipt) => ({
        reply: refundReply(receipt, original),
        rows: audit.paymentRows(auditedRefund(actor, original), receipt),
      }),
    };
  }

  async function replayOf(request: Refunding, processorId: string | null): Promise<Executed | Refusal | null> {
    if (processorId === null) return null;
    const { caller } = request.actor;
    return payments.replay(
      keyOfRefund(request, processorId),
      async () => (await suspensionRefusal(caller, findProcessor)) ?? otherProcessorRefusal(caller, processorId),
    );
  }

  return {
    refund(actor: Actor, body: RefundRequest, options: RefundOptions): Promise<Executed | Refusal> {
      return refund({ actor, body, options, processorId: onlyProcessorOf(actor.caller) });
    },

    /** For users: of a payment to this processor. */
    async refundOfProcessor(actor: Actor, processorId: string, body: RefundRequest, options: RefundOptions) {
      const [processor, original] = await Promise.all([findProcessor(processorId), lookUp.byId(body.transaction_id)]);
      if (!processor) return noSuchProcessor();
      const foreign = otherProcessorRefusal(actor.caller, processor.id);
      if (foreign) return foreign;
      if (!original) return (await lookUp.archivedRefusal(body.transaction_id)) ?? noSuchTransaction();
      if (original.toAccount !== processor.id) return noSuchTransaction();
      return refund({ actor, body, options, processorId });
    },

    /** For a quote. A merchant does not learn whether a payment to another one exists. */
    async refundTerms(caller: Caller, transactionId: string, amount: number): Promise<RefundTerms | Refusal> {
      const original = await findOriginal({ caller }, transactionId);
      if (original instanceof Refusal) return original.code === 'FORBIDDEN' ? noSuchTransaction() : original;
      const refunded = await lookUp.refunded(original.id);
      const available = original.amount - refunded;
      return amount > available ? exceedsPayment({ available }) : { plan: termsOf(original, amount), refunded };
    },
  };
}

/** The part of the plan that decides the price. */
function termsOf(original: StoredMovement, amount: number) {
  const { earned, details } = takeEarned(original.details);
  const returned = (before: number, commission: number) =>
    commissionOn({ before, part: amount, whole: original.amount }, commission);
  return {
    type: REFUND,
    payer: processorSide({ id: original.toAccount }, { purpose: 'refund' }),
    // A full wallet does not prevent a refund that the customer is owed.
    payee: { ...walletSide(original.fromAccount, 'recipient'), exempt: { ceiling: true } },
    amount,
    details,
    allowances: [{ id: refundsOf(original.id), limit: original.amount, refusal: exceedsPayment }],
    // Commission on the refunded part goes back too: otherwise paying and refunding would earn money.
    ...(earned.payer + earned.payee > 0
      ? {
          commissionReturned: (before: number) => ({
            payer: returned(before, earned.payee),
            payee: returned(before, earned.payer),
          }),
        }
      : {}),
  } as const satisfies PricedPlan;
}

function auditedRefund(actor: Actor, { fromAccount, toAccount }: StoredMovement) {
  return { actor, action: 'processor.refund', payer: toAccount, payee: fromAccount };
}

function noSuchTransaction(): Refusal {
  return refuse('NOT_FOUND', 'There is no such transaction.');
}

function keyOfRefund({ actor, body, options }: Refunding, processorId: string): IdempotencyKey | null {
  const { amount, requestId } = options;
  const comparable = amount === undefined ? null : comparableAmount(amount);
  const details = [body.transaction_id, comparable, narrationOf(body.reason)];
  return requestKey(REFUND, actor, processorId, requestId, details);
}

function exceedsPayment({ available }: Pick<Shortfall, 'available'>): Refusal {
  const sentence =
    available > 0
      ? 'amount exceeds the refundable remainder of the payment.'
      : 'The payment has been refunded in full.';
  return refuse('REFUND_EXCEEDS_PAYMENT', sentence, { details: { remaining: available } });
}

function refundReply({ transactionId, amount, payeeFee, allowances }: Receipt, original: StoredMovement) {
  const [total = amount] = allowances;
  const remaining = original.amount - total;
  return {
    success: true,
    transaction_id: transactionId,
    original_transaction_id: original.id,
    amount,
    ...(payeeFee > 0 ? { commission_returned: payeeFee } : {}),
    refunded_total: total,
    remaining,
    status: remaining > 0 ? 'PARTIALLY_REFUNDED' : 'REFUNDED',
  };
}
