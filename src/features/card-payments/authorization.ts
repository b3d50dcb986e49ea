// Captures and voids card payments that were only authorised.
import type { Actor } from '../../audit/log.ts';
import { iso } from '../../kernel/clock.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { Hold } from '../../ledger/holds/lookup.ts';
import {
  noSuchProcessor,
  otherProcessorRefusal,
  type PaidProcessor,
  processorSide,
  processorStatusRefusal,
} from '../../parties/processor.ts';
import { REFUSALS_WITHOUT_AMOUNTS, walletSide } from '../../parties/subscriber.ts';
import { takeEarned } from '../../payments/fees.ts';
import { allowancesOfHold } from '../../payments/holds.ts';
import { type Allowance, type Executed, movementActor, type Receipt, requestKey } from '../../payments/plan.ts';
import { runPayment } from '../../payments/run-payment.ts';
import { type EventRows, type MerchantEvent, replied } from '../../webhooks/merchant-event.ts';
import { keyOf, PAYMENT, type PaymentContext, suspensionRefusal } from './context.ts';
import { authorizationCode, receiptOf } from './receipt.ts';

export interface CaptureOptions {
  /** Undefined: all that was authorised. */
  amount: number | string | undefined;
  requestId: string;
}

interface Authorized {
  hold: Hold;
  processor: PaidProcessor;
}

export function createAuthorizations(context: PaymentContext) {
  const { findHold, findProcessor, payments, notifying, clock } = context;

  /** The authorisation, whether it has ended or not. */
  async function find(actor: Actor, id: string): Promise<Authorized | Refusal> {
    const signer = keyOf(actor);
    const [hold, suspension] = await Promise.all([findHold(id), suspensionRefusal(signer, findProcessor)]);
    if (suspension) return suspension;
    if (hold?.purpose !== 'card_payment') return refuse('NOT_FOUND', 'There is no such authorised payment.');
    const foreign = otherProcessorRefusal(signer, hold.payee_id);
    if (foreign) return foreign;
    const processor = await findProcessor(hold.payee_id);
    return processor ? { hold, processor } : noSuchProcessor();
  }

  function statusRefusal({ hold, processor }: Authorized): Refusal | null {
    return processorStatusRefusal(processor) ?? endedRefusal(hold, clock.now());
  }

  /** Another request may have ended it after it was read. */
  async function worded(outcome: Executed | Refusal, id: string): Promise<Executed | Refusal> {
    if (!(outcome instanceof Refusal) || outcome.code !== 'ALREADY_CAPTURED') return outcome;
    const hold = await findHold(id);
    return (hold && endedRefusal(hold, clock.now())) ?? outcome;
  }

  async function mayAct(actor: Actor, processorId: string): Promise<Refusal | null> {
    const signer = keyOf(actor);
    return (await suspensionRefusal(signer, findProcessor)) ?? otherProcessorRefusal(signer, processorId);
  }

  return {
    async capture(actor: Actor, id: string, options: CaptureOptions): Promise<Executed | Refusal> {
      const found = await find(actor, id);
      if (found instanceof Refusal) return found;
      const { hold } = found;
      const outcome = await notifying((eventRows) =>
        runPayment<Authorized>(payments, {
          type: PAYMENT,
          actor,
          options,
          request: { party: hold.payee_id, details: ['capture', id] },
          mayAct: () => mayAct(actor, hold.payee_id),
          find: async () => found,
          about: () => [hold.payee_id],
          refusal: statusRefusal,
          amount: () => options.amount ?? hold.amount,
          plan: ({ processor }, amount) =>
            amount > hold.amount
              ? exceedsAuthorization()
              : planOf(hold, processor, amount, { eventRows, requestId: options.requestId }),
        }),
      );
      return worded(outcome, id);
    },

    async voidAuthorization(actor: Actor, id: string, requestId: string): Promise<Executed | Refusal> {
      const found = await find(actor, id);
      if (found instanceof Refusal) return found;
      const { hold } = found;
      const key = requestKey(PAYMENT, actor, hold.payee_id, requestId, ['void', id]);
      const before = await payments.replay(key, () => mayAct(actor, hold.payee_id));
      if (before) return before;
      const refusal = statusRefusal(found);
      if (refusal) return refusal;
      const outcome = await notifying((eventRows) => {
        const record = (at: number) => {
          const reply = voidReply(hold, at);
          const object = () => ({ ...replied(reply), processor_id: hold.payee_id, request_id: requestId });
          return { reply, rows: eventRows(found.processor, { type: 'payment.voided', ...aboutHold(hold), object }) };
        };
        const ending = { actor: movementActor(actor), request: key, outcome: 'released', record } as const;
        return payments.endHold(hold, ending);
      });
      return worded(outcome, id);
    },
  };
}

interface CaptureEvents {
  eventRows: EventRows;
  requestId: string;
}

function planOf(hold: Hold, processor: PaidProcessor, amount: number, { eventRows, requestId }: CaptureEvents) {
  const { allowances: _, ...details } = takeEarned(hold.details).details;
  return {
    // It was checked when the payment was authorised, and the customer cannot take it back.
    payer: {
      ...walletSide(hold.account_id, 'sender'),
      exempt: { frozen: true as const },
      refusals: REFUSALS_WITHOUT_AMOUNTS,
    },
    payee: processorSide(processor),
    narration: hold.narration,
    metadata: hold.metadata,
    details: { ...details, hold_id: hold.id },
    captures: hold,
    validUntil: { at: hold.expires_at.getTime(), refusal: hasExpired },
    allowances: allowancesOfHold(hold).map((id) => notUsed(id, amount - hold.amount)),
    reply: (receipt: Receipt) => captureReply(receipt, hold, processor),
    rows: (receipt: Receipt) => {
      const reply = captureReply(receipt, hold, processor);
      const object = () => ({ ...replied(reply), processor_id: processor.id, request_id: requestId });
      return eventRows(processor, { type: 'payment.captured', ...aboutHold(hold), object });
    },
  };
}

/** What is not captured is given back. */
function notUsed(id: string, use: number): Allowance {
  return { id, use, limit: Number.MAX_SAFE_INTEGER, refusal: exceedsAuthorization };
}

function endedRefusal({ outcome, expires_at }: Hold, now: number): Refusal | null {
  if (outcome === 'captured') return refuse('ALREADY_CAPTURED', 'The payment has already been captured.');
  if (outcome === 'released') return refuse('ALREADY_VOIDED', 'The authorisation has been voided.');
  return outcome === 'expired' || expires_at.getTime() <= now ? hasExpired() : null;
}

function hasExpired(): Refusal {
  return refuse('EXPIRED', 'The authorisation has expired.');
}

function exceedsAuthorization(): Refusal {
  return refuse('CAPTURE_EXCEEDS_AUTHORIZATION', 'amount is more than was authorised.');
}

function captureReply(receipt: Receipt, hold: Hold, processor: PaidProcessor) {
  const { transactionId, amount, payeeFee, at } = receipt;
  const code = authorizationCode(hold.id);
  return {
    success: true,
    transaction_id: transactionId,
    authorization_transaction_id: hold.id,
    status: 'CAPTURED',
    authorization_code: code,
    amount,
    released: hold.amount - amount,
    fee: payeeFee,
    currency: CURRENCY,
    receipt: receiptOf({ ...saleOf(hold, processor), status: 'CAPTURED', code }, receipt),
    created_at: iso(at),
  };
}

/** As `payment.ts` stored it with the authorisation. */
function saleOf({ details }: Hold, { business_name: businessName }: PaidProcessor) {
  const { merchant_id, card_serial, terminal_id = null } = details as Record<string, string | undefined>;
  return { businessName, merchantId: merchant_id ?? '', cardSerial: card_serial ?? '', terminalId: terminal_id };
}

function aboutHold({ id, account_id }: Hold) {
  return { about: id, subscriberId: account_id };
}

/** The event of an authorisation that has expired. */
export function expiredPayment(hold: Hold, at: number): MerchantEvent {
  const { id, amount, payee_id, request_id } = hold;
  const object = () => ({
    transaction_id: id,
    status: 'EXPIRED',
    amount,
    currency: CURRENCY,
    expired_at: iso(at),
    processor_id: payee_id,
    request_id,
  });
  return { type: 'payment.expired', ...aboutHold(hold), object };
}

function voidReply({ id, amount }: Hold, at: number) {
  return { success: true, transaction_id: id, status: 'VOIDED', amount, currency: CURRENCY, voided_at: iso(at) };
}
