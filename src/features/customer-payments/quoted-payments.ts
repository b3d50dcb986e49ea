// Payments that a customer confirms with the PIN after a quote: transfers, payments to merchants, payments of requests.
import type { CustomerActor } from '../../audit/log.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { holderPin } from '../../parties/holder-pin.ts';
import { noSuchProcessor, type PaidProcessor, PROCESSORS, processorStatusRefusal } from '../../parties/processor.ts';
import { type HolderStatus, holderStatusRefusal, noSuchSubscriber } from '../../parties/subscriber.ts';
import { completedReply, type Executed } from '../../payments/plan.ts';
import { type QuotedTerms, totalsOfTerms, withinTerms } from '../../payments/quoted-terms.ts';
import { type FastSteps, type PlannedPayment, runPayment } from '../../payments/run-payment.ts';
import type { EventRows } from '../../webhooks/merchant-event.ts';
import { inAppEvent, inAppSides } from '../card-payments/service.ts';
import type { CustomerPaymentsContext } from './context.ts';
import type { OpenedQuote } from './quote-token.ts';
import { createQuotes, type QuotedInput, type QuoteInput, type QuoteView } from './quotes.ts';

const PAYMENT = 'pos_payment';

interface Parties {
  /** Null: the ledger checks it. */
  payer: HolderStatus | null;
  processor: PaidProcessor;
}

export function createQuotedPayments(context: CustomerPaymentsContext) {
  const { wallet, paymentRequests, payments, pins, holders, findProcessor, notifying } = context;
  const quotes = createQuotes(context);

  async function find(payerId: string, processorId: string): Promise<Parties | Refusal> {
    const [payer, processor] = await Promise.all([holders.statusById(payerId), findProcessor(processorId)]);
    if (!payer) return noSuchSubscriber('payer');
    return processor ? { payer, processor } : noSuchProcessor('merchant');
  }

  function fastSteps(payerId: string, processorId: string, terms: QuotedTerms): FastSteps<Parties> {
    const read = { lookup: PROCESSORS, key: processorId };
    return {
      accountIds: [payerId, processorId],
      allowanceIds: totalsOfTerms(terms),
      reads: [read],
      find(rows) {
        const processor = rows.get(read);
        return processor && { payer: null, processor };
      },
    };
  }

  function planOf(payerId: string, requestId: string, { processor }: Parties, eventRows: EventRows): PlannedPayment {
    return {
      ...inAppSides(payerId, processor),
      reply: (receipt) => completedReply(receipt, requestId, 'The merchant was paid.', receipt.payerBalance),
      rows: (receipt) => eventRows(processor, inAppEvent(processor, payerId, receipt)),
    };
  }

  function payMerchant(
    actor: CustomerActor,
    { pin, requestId }: QuotedInput,
    { payeeId, amount }: OpenedQuote,
    terms: QuotedTerms,
  ): Promise<Executed | Refusal> {
    const { id } = actor.caller;
    return notifying((eventRows) =>
      runPayment<Parties>(payments, {
        type: PAYMENT,
        actor,
        options: { amount, requestId },
        request: terms,
        pin: holderPin(pins, actor.caller, id, pin),
        find: () => find(id, payeeId),
        about: () => [id],
        fast: fastSteps(id, payeeId, terms),
        refusal: ({ payer, processor }) =>
          (payer && holderStatusRefusal(payer, PAYMENT, 'payer')) ?? processorStatusRefusal(processor, 'merchant'),
        plan: (found) => withinTerms(planOf(id, requestId, found, eventRows), terms),
      }),
    );
  }

  return {
    payees: quotes.payees,
    quote: (actor: CustomerActor, input: QuoteInput): Promise<QuoteView | Refusal> => quotes.quote(actor, input),

    transfer: (actor: CustomerActor, input: QuotedInput) =>
      quotes.confirm(actor, 'transfer', input, ({ payeeId: recipientId, amount }, terms) => {
        const { pin, requestId } = input;
        const senderId = actor.caller.id;
        return wallet.transferAsQuoted(actor, { senderId, recipientId, amount, pin, requestId, terms });
      }),

    payMerchant: (actor: CustomerActor, input: QuotedInput) =>
      quotes.confirm(actor, 'merchant', input, (quoted, terms) => payMerchant(actor, input, quoted, terms)),

    /** `request`: the id in the path, which must be the quote's. */
    approve: (actor: CustomerActor, request: string, input: QuotedInput) =>
      quotes.confirm(actor, 'payment_request', input, async (quoted, terms) => {
        if (quoted.paymentRequestId !== request) return quotes.noSuchQuote();
        const { pin, requestId } = input;
        const payer = actor.caller.id;
        return paymentRequests.confirm(actor, { payer, request, amount: quoted.amount, pin, requestId, terms });
      }),
  };
}
