// The payer confirms a payment request with the PIN: the one function that every channel calls. At most one payment, if the request is for one.
import type { Actor } from '../../audit/log.ts';
import { type Code, Refusal, refuse } from '../../kernel/refusal.ts';
import { holderPin } from '../../parties/holder-pin.ts';
import { noSuchProcessor, type PaidProcessor, PROCESSORS, processorStatusRefusal } from '../../parties/processor.ts';
import { type HolderStatus, holderStatusRefusal, noSuchSubscriber, walletSide } from '../../parties/subscriber.ts';
import { completedReply, type Executed, movementActor, type Receipt } from '../../payments/plan.ts';
import { type QuotedTerms, totalsOfTerms, withinTerms } from '../../payments/quoted-terms.ts';
import { type FastSteps, type PlannedPayment, runPayment } from '../../payments/run-payment.ts';
import type { EventRows } from '../../webhooks/merchant-event.ts';
import { inAppSides } from '../card-payments/service.ts';
import { noSuchRequest, type RequestContext } from './context.ts';
import { PAYMENT_TYPE } from './creation.ts';
import { paymentEvent, requestEvent } from './events.ts';
import { endedRefusal, hasExpired, howItEnded, paymentUse } from './state.ts';
import { type PaymentRequest, recordRefusal } from './store.ts';
import { endRow, paymentRow } from './tables.ts';

export interface Confirmation {
  /** The wallet that pays. */
  payer: string;
  /** The request's id. */
  request: string;
  /** Required if the request leaves it to the payer; otherwise it must be what is asked. */
  amount?: string | number | undefined;
  pin: string;
  requestId: string;
  /** Of a payer who was shown the price. */
  terms?: QuotedTerms;
}

interface Parties {
  /** Null, like the recipient's: the ledger checks it. */
  payer: HolderStatus | null;
  /** Of a request to a processor. */
  processor: PaidProcessor | null;
  /** Of a request of a customer. */
  recipient: HolderStatus | null;
}

/** Why a payment failed: what a payer can put right, and staff want to know. Other refusals say that it was no attempt. */
const FAILURES: readonly Code[] = [
  ...(['INSUFFICIENT_BALANCE', 'DAILY_LIMIT_EXCEEDED', 'MAX_BALANCE_EXCEEDED', 'COMPLIANCE_BLOCKED'] as const),
  ...(['SUBSCRIBER_BLOCKED', 'TRANSACTION_TYPE_DISABLED', 'PROCESSOR_SUSPENDED'] as const),
];

export function createConfirmation(context: RequestContext) {
  const { database, lookups, audit, payments, notifying, holders, findProcessor, pins, pep, clock } = context;

  async function find(
    actor: Actor,
    { payer: payerId }: Confirmation,
    request: PaymentRequest,
  ): Promise<Parties | Refusal> {
    const { payee_kind, payee_id } = request;
    const [payer, processor, recipient, notPermitted] = await Promise.all([
      holders.statusById(payerId),
      payee_kind === 'processor' ? findProcessor(payee_id) : null,
      payee_kind === 'subscriber' ? holders.statusById(payee_id) : null,
      pep.staffRefusal(actor, payerId, 'payment'),
    ]);
    if (!payer) return noSuchSubscriber('payer');
    if (notPermitted) return notPermitted;
    if (!processor && !recipient) return payee_kind === 'processor' ? noSuchProcessor() : noSuchSubscriber('recipient');
    return { payer, processor, recipient };
  }

  /** What the ledger does not check under its locks is the processor, which is read with them. */
  function fastSteps(payer: string, request: PaymentRequest, terms: QuotedTerms | undefined): FastSteps<Parties> {
    const { payee_kind, payee_id } = request;
    const locked = { accountIds: [payer, payee_id], allowanceIds: [paymentUse(request).id, ...totalsOfTerms(terms)] };
    if (payee_kind === 'subscriber') {
      return { ...locked, reads: [], find: () => ({ payer: null, processor: null, recipient: null }) };
    }
    const read = { lookup: PROCESSORS, key: payee_id };
    return {
      ...{ ...locked, reads: [read] },
      find(rows) {
        const processor = rows.get(read);
        return processor && { payer: null, processor, recipient: null };
      },
    };
  }

  function planOf(
    actor: Actor,
    confirmation: Confirmation,
    request: PaymentRequest,
    found: Parties,
    eventRows: EventRows,
  ): PlannedPayment {
    const { payer, requestId } = confirmation;
    const { id, payee_id: payee, reference, metadata, single_use: isSingle } = request;
    const { processor } = found;
    const sides = processor ? inAppSides(payer, processor) : transferSides(payer, request);
    return {
      ...sides,
      ...{ reference, metadata },
      details: { ...sides.details, payment_request_id: id },
      allowances: [paymentUse(request)],
      validUntil: { at: request.expires_at.getTime(), refusal: hasExpired },
      reply: (receipt) => ({
        ...completedReply(receipt, requestId, 'The payment request was paid.', receipt.payerBalance),
        payment_request_id: id,
      }),
      rows(receipt) {
        const { transactionId, amount, at } = receipt;
        const by = { requestId: id, payerId: payer, at };
        const end = { ...by, outcome: 'paid', used: 0, actor: movementActor(actor) } as const;
        return [
          paymentRow({ ...by, id: transactionId, amount }),
          ...(isSingle ? [endRow(end)] : []),
          ...audit.paymentRows({ actor, action: 'payment_request.confirm', payer, payee }, receipt),
          ...(processor
            ? eventsOf(processor, request, payer, receipt).flatMap((event) => eventRows(processor, event))
            : []),
        ];
      },
    };
  }

  function eventsOf(processor: PaidProcessor, request: PaymentRequest, payerId: string, receipt: Receipt) {
    const { at, allowances } = receipt;
    const change = { outcome: 'paid', at, payerId, used: allowances[0] ?? 0, receipt } as const;
    return [
      requestEvent(request, change, processor.business_name, context),
      paymentEvent(request, processor, payerId, receipt),
    ];
  }

  function pay(
    actor: Actor,
    confirmation: Confirmation,
    request: PaymentRequest,
    eventRows: EventRows,
    isPermitted: boolean,
  ): Promise<Executed | Refusal> {
    const { payer, requestId, terms } = confirmation;
    const amount = confirmation.amount ?? request.amount ?? undefined;
    const pin = holderPin(pins, actor.caller, payer, confirmation.pin);
    return runPayment<Parties>(payments, {
      type: PAYMENT_TYPE[request.payee_kind],
      actor,
      options: { amount, requestId },
      request: terms ?? { party: payer, details: ['payment_request', request.id] },
      mayAct: async () =>
        (await pep.staffRefusal(actor, payer, 'payment')) ??
        ((await holders.statusById(payer)) ? pin.refusal() : noSuchSubscriber('payer')),
      pin: { ...pin, confirmed: (outcome) => noteFailure(confirmation, outcome) },
      find: () => find(actor, confirmation, request),
      // Not the payee, who learns only that it failed.
      about: () => [payer],
      ...(isPermitted ? { fast: fastSteps(payer, request, terms) } : {}),
      refusal: (found) => statusRefusal(confirmation, request, found) ?? endedRefusal(request, clock.now()),
      amount: () => amount ?? request.amount ?? '',
      plan: (found, asked) =>
        request.amount === null || asked === request.amount
          ? withinTerms(planOf(actor, confirmation, request, found, eventRows), terms)
          : otherAmount(request.amount),
      // The same request, sent twice at once: the second finds the payment of the first.
      happensOnce: true,
    });
  }

  /** The payee learns only that it failed. Only an attempt with the right PIN is the payer's. */
  async function noteFailure({ payer, request }: Confirmation, outcome: Executed | Refusal): Promise<void> {
    if (!(outcome instanceof Refusal) || !FAILURES.includes(outcome.code)) return;
    await recordRefusal(database.queries, request, payer, { code: outcome.code, at: new Date(clock.now()) });
  }

  return async function confirm(actor: Actor, confirmation: Confirmation): Promise<Executed | Refusal> {
    const request = await lookups.byId(confirmation.request);
    if (!request) return noSuchRequest();
    // The fast path does not ask whether staff may see the payer.
    const isPermitted = (await pep.staffRefusal(actor, confirmation.payer, 'payment')) === null;
    const paid = await notifying((eventRows) => pay(actor, confirmation, request, eventRows, isPermitted));
    return paid instanceof Refusal ? howItEnded(context, request.id, paid) : paid;
  };
}

function transferSides(payer: string, { payee_id, description }: PaymentRequest) {
  return {
    payer: walletSide(payer, 'sender'),
    payee: walletSide(payee_id, 'recipient'),
    narration: description,
    details: {},
  };
}

function statusRefusal({ payer: id }: Confirmation, request: PaymentRequest, { payer, processor, recipient }: Parties) {
  if (id === request.payee_id) return refuse('SAME_ACCOUNT', 'Payer and payee are the same account.');
  const type = PAYMENT_TYPE[request.payee_kind];
  return (
    (payer && holderStatusRefusal(payer, type, 'payer')) ??
    (processor && processorStatusRefusal(processor)) ??
    (recipient && holderStatusRefusal(recipient, type, 'recipient'))
  );
}

function otherAmount(required: number): Refusal {
  return refuse('AMOUNT_MISMATCH', 'amount is not what the payment request asks for.', { details: { required } });
}
