// Refunds a card payment in full, in part, or for the remaining amount, from the processor to the wallet.
import type { Actor } from '../../audit/log.ts';
import { isStaff } from '../../auth/caller.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { MOVEMENTS, refundsOf, type StoredMovement } from '../../ledger/queries/movement-lookup.ts';
import type { Shortfall } from '../../ledger/types.ts';
import {
  noSuchProcessor,
  onlyProcessorOf,
  otherProcessorRefusal,
  type PaidProcessor,
  PROCESSORS,
  PROCESSORS_BY_PAYMENT,
  processorSide,
  processorStatusRefusal,
} from '../../parties/processor.ts';
import { type HolderStatus, holderStatusRefusal, noSuchSubscriber, walletSide } from '../../parties/subscriber.ts';
import { commissionOn, takeEarned } from '../../payments/fees.ts';
import type { PricedPlan } from '../../payments/movement.ts';
import type { Executed, Receipt } from '../../payments/plan.ts';
import { type FastSteps, runPayment } from '../../payments/run-payment.ts';
import { type EventRows, replied } from '../../webhooks/merchant-event.ts';
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

/** A refund with the processor that pays it, whose request ids it uses. */
interface Refunding {
  actor: Actor;
  body: RefundRequest;
  options: RefundOptions;
  /** Null: there is no such payment. */
  processorId: string | null;
}

interface Refundable {
  original: StoredMovement;
  processor: PaidProcessor;
  holder: HolderStatus | null;
  /** The remaining amount, if the request has none. */
  left: number | null;
}

/** What prices a refund, and how much of the payment was already refunded. */
export interface RefundTerms {
  plan: PricedPlan;
  refunded: number;
}

export function createRefunds(context: PaymentContext) {
  const { lookUp, findHold, findProcessor, holders, payments, audit, pepPayments, notifying } = context;

  /** The payment with this id, or the one that captured the authorisation with this id. */
  async function paymentById(id: string): Promise<StoredMovement | null> {
    const payment = await lookUp.byId(id);
    if (payment) return payment;
    const hold = await findHold(id);
    return hold?.outcome === 'captured' && hold.end_id !== null ? lookUp.byId(hold.end_id) : null;
  }

  async function findOriginal(actor: Actor, id: string): Promise<StoredMovement | Refusal> {
    const { caller } = actor;
    const [original, suspension] = await Promise.all([paymentById(id), suspensionRefusal(caller, findProcessor)]);
    if (suspension) return suspension;
    if (!original) return (await lookUp.archivedRefusal(id)) ?? noSuchTransaction();
    return (
      otherProcessorRefusal(caller, original.toAccount) ??
      (await concealedRefusal(actor, original)) ??
      typeRefusal(original) ??
      original
    );
  }

  /** For callers from whom no payment is concealed. */
  function fastSteps({ caller }: Actor, id: string): FastSteps<Refundable> {
    const movement = { lookup: MOVEMENTS, key: id };
    const processorId = onlyProcessorOf(caller);
    // A key of the operator's own does not say which processor pays, and gets the events.
    const paying =
      processorId === null ? { lookup: PROCESSORS_BY_PAYMENT, key: id } : { lookup: PROCESSORS, key: processorId };
    return {
      accountIds: [],
      allowanceIds: [refundsOf(id)],
      reads: [movement, paying],
      find(rows) {
        const original = rows.get(movement);
        const processor = rows.get(paying);
        if (!original || !processor || processorStatusRefusal(processor)) return null;
        const refusal = otherProcessorRefusal(caller, original.toAccount) ?? typeRefusal(original);
        return refusal ?? { original, processor, holder: null, left: null };
      },
    };
  }

  /** A payment of a politically exposed person does not exist for staff without access. Terminals refund it. */
  async function concealedRefusal(actor: Actor, original: StoredMovement): Promise<Refusal | null> {
    return isStaff(actor.caller) ? pepPayments.refusal(actor, original, noSuchTransaction()) : null;
  }

  function refundOnce(request: Refunding, eventRows: EventRows): Promise<Executed | Refusal> {
    const { actor, body, options, processorId } = request;
    return runPayment<Refundable>(payments, {
      type: REFUND,
      actor,
      options,
      request: processorId === null ? { key: null } : { party: processorId, details: [body.transaction_id] },
      description: body.reason,
      mayAct: async () => (processorId === null ? noSuchTransaction() : actingRefusal(request, processorId)),
      find: () => findRefundable(request),
      about: () => [processorId],
      ...(isStaff(actor.caller) ? {} : { fast: fastSteps(actor, body.transaction_id) }),
      refusal: ({ processor, holder, left }) =>
        processorStatusRefusal(processor) ??
        (holder && holderStatusRefusal(holder, REFUND, 'subscriber')) ??
        (left === null || left > 0 ? null : exceedsPayment({ available: 0 })),
      amount: ({ left }) => options.amount ?? left ?? '',
      plan: ({ original, processor }, amount) => ({
        ...termsOf(original, amount),
        relatedId: original.id,
        reply: (receipt) => refundReply(receipt, original),
        rows: (receipt) => [
          ...audit.paymentRows(auditedRefund(actor, original), receipt),
          ...eventRows(processor, refundEvent(receipt, original, options.requestId)),
        ],
      }),
      // The remaining amount is refunded once: nothing may be left because of a duplicate of this request.
      ...(options.amount === undefined ? { happensOnce: true } : {}),
    });
  }

  async function findRefundable({ actor, body, options }: Refunding): Promise<Refundable | Refusal> {
    const original = await findOriginal(actor, body.transaction_id);
    if (original instanceof Refusal) return original;
    const [processor, holder, refunded] = await Promise.all([
      findProcessor(original.toAccount),
      holders.byId(original.fromAccount),
      options.amount === undefined ? lookUp.refunded(original.id) : null,
    ]);
    if (!processor) return noSuchProcessor();
    if (!holder) return noSuchSubscriber();
    return { original, processor, holder, left: refunded === null ? null : original.amount - refunded };
  }

  async function actingRefusal({ actor, body }: Refunding, processorId: string): Promise<Refusal | null> {
    const { caller } = actor;
    const refusal = (await suspensionRefusal(caller, findProcessor)) ?? otherProcessorRefusal(caller, processorId);
    if (refusal || !isStaff(caller)) return refusal;
    const original = await paymentById(body.transaction_id);
    return original && concealedRefusal(actor, original);
  }

  /**
   * Without an amount, a concurrent refund may reduce the remaining amount. This one then retries with the new remainder.
   * The remainder shrinks each time, so the loop ends.
   */
  async function refund(request: Refunding): Promise<Executed | Refusal> {
    for (;;) {
      const outcome = await notifying((eventRows) => refundOnce(request, eventRows));
      const exceeds = outcome instanceof Refusal && outcome.code === 'REFUND_EXCEEDS_PAYMENT';
      if (!exceeds || request.options.amount !== undefined || outcome.details.remaining === 0) return outcome;
    }
  }

  return {
    async refund(actor: Actor, body: RefundRequest, options: RefundOptions): Promise<Executed | Refusal> {
      const own = onlyProcessorOf(actor.caller);
      const processorId = own ?? (await paymentById(body.transaction_id))?.toAccount ?? null;
      return refund({ actor, body, options, processorId });
    },

    /** For users: of a payment to this processor. */
    async refundOfProcessor(actor: Actor, processorId: string, body: RefundRequest, options: RefundOptions) {
      const [processor, original] = await Promise.all([findProcessor(processorId), paymentById(body.transaction_id)]);
      if (!processor) return noSuchProcessor();
      const foreign = otherProcessorRefusal(actor.caller, processor.id);
      if (foreign) return foreign;
      if (!original) return (await lookUp.archivedRefusal(body.transaction_id)) ?? noSuchTransaction();
      if (original.toAccount !== processor.id) return noSuchTransaction();
      return refund({ actor, body, options, processorId });
    },

    /** For a quote. A merchant does not learn whether a payment to another merchant exists. */
    async refundTerms(actor: Actor, transactionId: string, amount: number): Promise<RefundTerms | Refusal> {
      const original = await findOriginal(actor, transactionId);
      if (original instanceof Refusal) return original.code === 'FORBIDDEN' ? noSuchTransaction() : original;
      const refunded = await lookUp.refunded(original.id);
      const available = original.amount - refunded;
      return amount > available ? exceedsPayment({ available }) : { plan: termsOf(original, amount), refunded };
    },
  };
}

/** The part of the plan that decides the price. */
function termsOf(original: StoredMovement, amount: number) {
  const { earned, details: ofPayment } = takeEarned(original.details);
  // Only a capture names its hold.
  const { hold_id: _, ...details } = ofPayment;
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

function typeRefusal({ type }: StoredMovement): Refusal | null {
  if (type === PAYMENT) return null;
  return refuse('NOT_REFUNDABLE', 'transaction_id is not a card payment: only card payments can be refunded.');
}

function noSuchTransaction(): Refusal {
  return refuse('NOT_FOUND', 'There is no such transaction.');
}

function exceedsPayment({ available }: Pick<Shortfall, 'available'>): Refusal {
  const sentence =
    available > 0 ? 'amount exceeds what can still be refunded.' : 'The payment has been refunded in full.';
  return refuse('REFUND_EXCEEDS_PAYMENT', sentence, { details: { remaining: available } });
}

function refundEvent(receipt: Receipt, original: StoredMovement, requestId: string) {
  const object = () => ({
    ...replied(refundReply(receipt, original)),
    processor_id: original.toAccount,
    request_id: requestId,
  });
  // A captured payment's first event was about its authorisation.
  const { hold_id } = original.details as { hold_id?: string };
  return {
    type: 'payment.refunded',
    about: hold_id ?? original.id,
    subscriberId: original.fromAccount,
    object,
  } as const;
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
