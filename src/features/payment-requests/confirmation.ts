// The payer confirms a payment request with the PIN: the one function that every channel calls. At most one payment, if the request is for one.
import type { Actor } from '../../audit/log.ts';
import { pinFormRefusal, pinRefusal } from '../../auth/pins/refusals.ts';
import { type Code, Refusal, refuse } from '../../kernel/refusal.ts';
import { noSuchProcessor, type PaidProcessor, processorSide, processorStatusRefusal } from '../../parties/processor.ts';
import { type HolderStatus, holderStatusRefusal, noSuchSubscriber, walletSide } from '../../parties/subscriber.ts';
import { confirmedByPin } from '../../payments/pin-confirmation.ts';
import { completedReply, type Executed, movementActor, type Receipt } from '../../payments/plan.ts';
import { type PlannedPayment, runPayment } from '../../payments/run-payment.ts';
import type { EventRows } from '../../webhooks/merchant-event.ts';
import { noSuchRequest, type RequestContext } from './context.ts';
import { PAYMENT_TYPE } from './creation.ts';
import { paymentEvent, requestEvent } from './events.ts';
import { endedRefusal, hasExpired, paymentUse } from './state.ts';
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
}

interface Parties {
  payer: HolderStatus;
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
  const { queries } = database;

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
    return {
      payer: walletSide(payer, 'sender'),
      payee: processor ? processorSide(processor) : walletSide(payee, 'recipient'),
      narration: processor ? processor.business_name : request.description,
      ...{ reference, metadata },
      details: {
        ...(processor ? { channel: 'in_app', merchant_id: processor.merchant_id } : {}),
        payment_request_id: id,
      },
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
    const change = { outcome: 'paid', at: receipt.at, payerId, receipt } as const;
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
  ): Promise<Executed | Refusal> {
    const { payer, pin, amount, requestId } = confirmation;
    return runPayment<Parties>(payments, {
      type: PAYMENT_TYPE[request.payee_kind],
      actor,
      options: { amount, requestId },
      request: { party: payer, details: ['payment_request', request.id] },
      ...confirmedByPin({
        formRefusal: pinFormRefusal(pin),
        refusal: async () =>
          (await pep.staffRefusal(actor, payer, 'payment')) ??
          ((await holders.statusById(payer)) ? null : noSuchSubscriber('payer')),
        async verify() {
          const verdict = await pins.verify(actor.caller, payer, pin);
          return verdict.outcome === 'right' ? null : pinRefusal(verdict, 'customer');
        },
      }),
      find: () => find(actor, confirmation, request),
      refusal: (found) => statusRefusal(confirmation, request, found) ?? endedRefusal(request, clock.now()),
      amount: () => amount ?? request.amount ?? '',
      plan: (found, asked) =>
        request.amount === null || asked === request.amount
          ? planOf(actor, confirmation, request, found, eventRows)
          : otherAmount(request.amount),
      // The same request, sent twice at once: the second finds the payment of the first.
      happensOnce: true,
    });
  }

  /** Another payment, or the payee, may have ended it after it was read. */
  async function worded(outcome: Executed | Refusal, id: string): Promise<Executed | Refusal> {
    if (!(outcome instanceof Refusal) || outcome.code !== 'ALREADY_PAID') return outcome;
    const request = await lookups.byId(id);
    return (request && endedRefusal(request, clock.now())) ?? outcome;
  }

  /** The payee learns only that it failed. */
  async function noteFailure({ payer, request }: Confirmation, outcome: Executed | Refusal): Promise<void> {
    if (!(outcome instanceof Refusal) || !FAILURES.includes(outcome.code)) return;
    if (!(await holders.statusById(payer))) return;
    await recordRefusal(queries, request, payer, { code: outcome.code, at: new Date(clock.now()) });
  }

  return async function confirm(actor: Actor, confirmation: Confirmation): Promise<Executed | Refusal> {
    const request = await lookups.byId(confirmation.request);
    if (!request) return noSuchRequest();
    const paid = await notifying((eventRows) => pay(actor, confirmation, request, eventRows));
    const outcome = await worded(paid, request.id);
    await noteFailure(confirmation, outcome);
    return outcome;
  };
}

function statusRefusal({ payer: id }: Confirmation, request: PaymentRequest, { payer, processor, recipient }: Parties) {
  if (id === request.payee_id) return refuse('SAME_ACCOUNT', 'Payer and payee are the same account.');
  const type = PAYMENT_TYPE[request.payee_kind];
  return (
    holderStatusRefusal(payer, type, 'payer') ??
    (processor && processorStatusRefusal(processor)) ??
    (recipient && holderStatusRefusal(recipient, type, 'recipient'))
  );
}

function otherAmount(required: number): Refusal {
  return refuse('AMOUNT_MISMATCH', 'amount is not what the payment request asks for.', { details: { required } });
}
