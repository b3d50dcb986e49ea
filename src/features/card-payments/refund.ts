// Refunds: all of a payment, a part of it, or what is left, from the processor back into the wallet it came from.
import type { Actor } from '../../audit/log.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { type MovementOnFile, refundsOf } from '../../ledger/queries/movement-lookup.ts';
import type { Shortfall } from '../../ledger/types.ts';
import {
  noSuchProcessor,
  otherProcessorRefusal,
  type PaidProcessor,
  processorSide,
  processorStatusRefusal,
} from '../../parties/processor.ts';
import { type Holder, holderStatusRefusal, noSuchSubscriber } from '../../parties/subscriber.ts';
import { earnedOn, takeEarned } from '../../payments/earnings.ts';
import type { Done, Executed } from '../../payments/execute.ts';
import { carryOut, type IntendedPayment, sameAmount } from '../../payments/pay.ts';
import { narrationOf, requestOf } from '../../payments/reply.ts';
import { keyOf, PAYMENT, type PaymentContext, REFUND, suspensionRefusal } from './context.ts';

export interface RefundRequest {
  request_id: string;
  transaction_id: string;
  reason?: string;
}

export interface RefundTerms {
  /** Undefined: all that is left. */
  amount: number | string | undefined;
  requestId: string;
}

interface Parties {
  original: MovementOnFile;
  processor: Pick<PaidProcessor, 'id'>;
  holder: Pick<Holder, 'id'>;
}

/** How both stand was looked at, too. */
interface Found extends Parties {
  /** What is asked for, where no amount is: others may be refunding the payment too. */
  left: number;
  processor: PaidProcessor;
  holder: Holder;
}

export function refunding({ lookUp, findProcessor, holders, payments }: PaymentContext) {
  async function findOriginal(actor: Actor, transactionId: string): Promise<MovementOnFile | Refusal> {
    const key = keyOf(actor);
    const [original, suspension] = await Promise.all([
      lookUp.byId(transactionId),
      suspensionRefusal(key, findProcessor),
    ]);
    if (suspension) return suspension;
    if (!original) return refuse('NOT_FOUND', 'There is no such transaction.');
    const refusal = otherProcessorRefusal(key, original.toAccount);
    if (refusal) return refusal;
    if (original.type === PAYMENT) return original;
    return refuse('NOT_REFUNDABLE', 'transaction_id is no payment by card: only those are refunded.');
  }

  async function find(actor: Actor, transactionId: string, { amount }: RefundTerms): Promise<Found | Refusal> {
    const original = await findOriginal(actor, transactionId);
    if (original instanceof Refusal) return original;
    const [processor, holder, refunded] = await Promise.all([
      findProcessor(original.toAccount),
      holders.byId(original.fromAccount),
      amount === undefined ? lookUp.refunded(original.id) : 0,
    ]);
    if (!processor) return noSuchProcessor();
    return holder ? { original, processor, holder, left: original.amount - refunded } : noSuchSubscriber();
  }

  /** How processor and holder stand, and what is left, the ledger sees. */
  async function presume(actor: Actor, transactionId: string): Promise<Parties | null> {
    const original = await findOriginal(actor, transactionId);
    if (original instanceof Refusal) return null;
    return { original, processor: { id: original.toAccount }, holder: { id: original.fromAccount } };
  }

  function payment(
    { reason }: RefundRequest,
    { original, processor, holder }: Parties,
    amount: number,
  ): IntendedPayment {
    const { earned, details } = takeEarned(original.details);
    const back = (by: number) => earnedOn(amount, original.amount, by);
    return {
      type: REFUND,
      // Nobody keeps a commission on what was paid back: buying and returning would be a trade.
      payer: {
        ...processorSide(processor, { purpose: 'refund' }),
        givesBack: back(earned.payee),
      },
      // What a customer is owed is not kept back because the wallet is full.
      payee: {
        accountId: holder.id,
        party: 'recipient',
        mayPass: { ceiling: true },
        givesBack: back(earned.payer),
      },
      amount,
      countsDaily: false,
      narration: narrationOf(reason),
      relatedId: original.id,
      details,
      allowances: [{ id: refundsOf(original.id), limit: original.amount, refusal: tooMuch }],
      reply: (done) => refunded(done, original),
    };
  }

  function statusRefusal({ processor, holder, left }: Found): Refusal | null {
    return (
      processorStatusRefusal(processor) ??
      holderStatusRefusal(holder, REFUND, 'subscriber') ??
      (left > 0 ? null : tooMuch({ available: 0 }))
    );
  }

  function refund(actor: Actor, given: RefundRequest, terms: RefundTerms) {
    return carryOut<Found, Parties>(payments, {
      type: REFUND,
      request: request(actor, given, terms),
      amount: terms.amount ?? (({ left }) => left),
      presume: () => presume(actor, given.transaction_id),
      find: () => find(actor, given.transaction_id, terms),
      statusRefusal,
      payment: (found, amount) => payment(given, found, amount),
    });
  }

  /** It may be this very request, sent twice at once, that has taken all. */
  async function answeredMeanwhile(actor: Actor, given: RefundRequest, terms: RefundTerms) {
    const asked = request(actor, given, terms);
    return asked && payments.replay(REFUND, asked);
  }

  return {
    /** Without an amount, whoever was overtaken by another refund asks for what that one left; each time it is less, so this ends. */
    async refund(actor: Actor, given: RefundRequest, terms: RefundTerms): Promise<Executed | Refusal> {
      for (;;) {
        const outcome = await refund(actor, given, terms);
        if (terms.amount !== undefined || !(outcome instanceof Refusal)) return outcome;
        if (outcome.code !== 'REFUND_EXCEEDS_PAYMENT') return outcome;
        if (outcome.details.remaining === 0) return (await answeredMeanwhile(actor, given, terms)) ?? outcome;
      }
    },
  };
}

function request(actor: Actor, { transaction_id, reason }: RefundRequest, { amount, requestId }: RefundTerms) {
  const same = [transaction_id, amount === undefined ? null : sameAmount(amount), narrationOf(reason)];
  return requestOf(actor, { requestId }, same);
}

function tooMuch({ available }: Pick<Shortfall, 'available'>): Refusal {
  const says = available > 0 ? 'amount is more than is left of the payment' : 'The payment has been refunded in full';
  return refuse('REFUND_EXCEEDS_PAYMENT', `${says}.`, { details: { remaining: available } });
}

function refunded({ transactionId, amount, payeeFee, allowances }: Done, original: MovementOnFile) {
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
