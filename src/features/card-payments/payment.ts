// Card payment: from the wallet of the card's holder to a processor, at a terminal or in an app.
import type { Actor } from '../../audit/log.ts';
import type { KeyCaller } from '../../auth/caller.ts';
import { DAY_MS, iso } from '../../kernel/clock.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import {
  cardDayOf,
  cardNotAssigned,
  cardStatusRefusal,
  comparableSerial,
  type HeldCard,
  holderOf,
  isLinked,
  type LinkedCard,
  noSuchCard,
  PLAIN_CARDS,
  type PlainCard,
} from '../../parties/card.ts';
import { cardTarget } from '../../parties/lookup-limit.ts';
import {
  noSuchProcessor,
  onlyProcessorOf,
  otherProcessorRefusal,
  type PaidProcessor,
  PROCESSORS,
  processorSide,
  processorStatusRefusal,
} from '../../parties/processor.ts';
import {
  type HolderStatus,
  holderStatusRefusal,
  REFUSALS_WITHOUT_AMOUNTS,
  walletSide,
} from '../../parties/subscriber.ts';
import type { Allowance, Executed, PaymentOptions, Receipt } from '../../payments/plan.ts';
import { type FastSteps, type PaymentPin, type PlannedPayment, runPayment } from '../../payments/run-payment.ts';
import { type EventRows, replied } from '../../webhooks/merchant-event.ts';
import { keyOf, ownProcessor, PAYMENT, type PaymentContext, suspensionRefusal } from './context.ts';
import { cardPin, type PinFields, pinShapeRefusal } from './pin.ts';
import { authorizationCode, receiptOf } from './receipt.ts';

/** How long an authorisation can be captured. */
const AUTHORIZED_MS = 7 * DAY_MS;

export interface Purchase extends PinFields {
  channel: 'pos' | 'in_app';
  merchant_id: string;
  processor_id: string;
  card_serial: string;
  /** Null in an app. */
  terminalId: string | null;
  /** JSON text; null when the caller sent none. */
  metadata: string | null;
  /** False: the payment is only authorised. */
  capture: boolean;
}

interface Parties {
  card: LinkedCard;
  /** Null: the ledger checks it. */
  holder: HolderStatus | null;
  processor: PaidProcessor;
}

/** The holder of a card that cannot pay, such as a blocked one. */
interface Seen {
  holderId: string | null;
}

export function createCardPayment(context: PaymentContext) {
  const { cards, findProcessor, pins, payments, lookupLimit, notifying, clock } = context;
  async function find(
    signer: KeyCaller,
    { card_serial, processor_id }: Purchase,
    seen: Seen,
  ): Promise<Parties | Refusal> {
    const [card, processor, own] = await Promise.all([
      cards.withHolder(card_serial),
      findProcessor(processor_id),
      ownProcessor(signer, findProcessor),
    ]);
    seen.holderId = card?.subscriber_id ?? null;
    return partiesOf(signer, card, processor, own);
  }

  function fastSteps(signer: KeyCaller, { card_serial, processor_id }: Purchase): FastSteps<Parties> {
    const card = { lookup: PLAIN_CARDS, key: comparableSerial(card_serial) };
    const processor = { lookup: PROCESSORS, key: processor_id };
    const ownId = onlyProcessorOf(signer);
    const own = ownId === null ? null : { lookup: PROCESSORS, key: ownId };
    return {
      accountIds: [processor_id],
      reads: own ? [card, processor, own] : [card, processor],
      find: (rows) => partiesOf(signer, rows.get(card), rows.get(processor), own && rows.get(own)),
    };
  }

  function partiesOf(
    signer: KeyCaller,
    card: PlainCard | HeldCard | null,
    processor: PaidProcessor | null,
    own: PaidProcessor | null,
  ): Parties | Refusal {
    const suspension = own && processorStatusRefusal(own);
    const refusal = suspension ?? (processor && otherProcessorRefusal(signer, processor.id));
    if (refusal) return refusal;
    if (!card) return noSuchCard();
    if (!processor) return noSuchProcessor();
    const blocked = cardStatusRefusal(card);
    if (blocked) return blocked;
    if (!isLinked(card)) return cardNotAssigned();
    return { card, holder: 'holder_status' in card ? holderOf(card) : null, processor };
  }

  function planOf(
    { channel, terminalId, metadata, capture }: Purchase,
    { card, processor }: Parties,
    requestId: string | null,
    eventRows: EventRows,
  ): PlannedPayment {
    const expiresAt = clock.now() + AUTHORIZED_MS;
    const reply = (receipt: Receipt) => ({
      ...approvedReply(receipt, terminalId, card, processor, !capture),
      ...(capture ? {} : { expires_at: iso(expiresAt) }),
    });
    return {
      ...(capture ? {} : { hold: { purpose: 'card_payment', expiresAt } }),
      payer: { ...walletSide(card.subscriber_id, 'sender', card.serial), refusals: REFUSALS_WITHOUT_AMOUNTS },
      payee: processorSide(processor),
      narration: processor.business_name,
      metadata,
      details: {
        channel,
        card_serial: card.serial,
        merchant_id: processor.merchant_id,
        ...(terminalId === null ? {} : { terminal_id: terminalId }),
      },
      ...(card.daily_limit === null ? {} : { allowances: [dailyAllowance(card.serial, card.daily_limit)] }),
      reply,
      rows: (receipt) =>
        eventRows(processor, {
          type: capture ? 'payment.completed' : 'payment.authorized',
          about: receipt.transactionId,
          subscriberId: card.subscriber_id,
          object: () => ({ ...paymentObject(reply(receipt), channel, terminalId, metadata), request_id: requestId }),
        }),
    };
  }

  /** The daily limit of a child card; the wallet's own daily limit applies as well. */
  function dailyAllowance(serial: string, limit: number): Allowance {
    return { id: cardDayOf(serial, clock.now()), limit, refusal: overCardLimit };
  }

  /** The PIN of the card's holder. If it is right, the place of a looked-up card becomes free. */
  function pinOf(signer: KeyCaller, purchase: Purchase): PaymentPin<Parties> {
    const pin = cardPin(pins, purchase, signer, (refusal) => asLookup(signer, purchase, refusal));
    return {
      formRefusal: pinShapeRefusal(purchase, signer),
      read: pin.read,
      isRight: ({ card }, rows) => pin.isRight(card, rows),
      refusal: ({ card }) => pin.refusal(card),
      countRight: pin.countRight,
      async confirmed(outcome) {
        // Those that moved money are in the ledger; an authorisation has moved none.
        if (outcome instanceof Refusal || !purchase.capture)
          await lookupLimit.freePlace(signer, comparableSerial(purchase.card_serial));
      },
      end: pin.end,
    };
  }

  /** A refusal before the PIN is compared tells whether the card exists, so that it takes a place like a look-up. */
  async function asLookup(signer: KeyCaller, { card_serial }: Purchase, refusal: Refusal): Promise<Refusal> {
    // These are about the key itself, and come before the card.
    const isOfKey = refusal.code === 'FORBIDDEN' || (signer.processorId && refusal.code === 'PROCESSOR_SUSPENDED');
    if (isOfKey) return refusal;
    const found = refusal.code !== 'CARD_NOT_FOUND';
    const counted = await lookupLimit.ofKey(signer, cardTarget(comparableSerial(card_serial)), found);
    return counted instanceof Refusal ? counted : refusal;
  }

  return {
    pay(actor: Actor, purchase: Purchase, options: PaymentOptions): Promise<Executed | Refusal> {
      const signer = keyOf(actor);
      const { channel, merchant_id, processor_id, card_serial, terminalId, metadata, capture } = purchase;
      const seen: Seen = { holderId: null };
      const parties = [merchant_id.toLowerCase(), processor_id, comparableSerial(card_serial)];
      return notifying((eventRows) =>
        runPayment(payments, {
          type: PAYMENT,
          actor,
          options,
          // Without the PIN: a retry may encrypt it again.
          request: {
            party: processor_id,
            details: [channel, ...parties, terminalId, metadata, ...(capture ? [] : ['authorize'])],
          },
          // Without the PIN: the request acts for the processor, which may see its own payments.
          mayAct: async () =>
            (await suspensionRefusal(signer, findProcessor)) ??
            otherProcessorRefusal(signer, processor_id) ??
            // The id may be another party's, whose request ids are none of the key's business.
            ((await findProcessor(processor_id)) ? null : noSuchProcessor()),
          pin: pinOf(signer, purchase),
          find: () => find(signer, purchase, seen),
          about: (found) => [processor_id, found?.card.subscriber_id ?? seen.holderId],
          fast: fastSteps(signer, purchase),
          refusal: ({ holder, processor }) =>
            (holder && holderStatusRefusal(holder, PAYMENT, 'subscriber')) ?? processorRefusal(processor, purchase),
          asLookup: (refusal) => asLookup(signer, purchase, refusal),
          plan: (found) => planOf(purchase, found, options.requestId, eventRows),
        }),
      );
    },
  };
}

function processorRefusal(processor: PaidProcessor, purchase: Purchase): Refusal | null {
  const suspended = processorStatusRefusal(processor);
  if (suspended) return suspended;
  if (processor.merchant_id.toLowerCase() === purchase.merchant_id.toLowerCase()) return null;
  return refuse('MERCHANT_MISMATCH', "merchant_id is not the processor's merchant.");
}

function paymentObject(reply: object, channel: string, terminalId: string | null, metadata: string | null): object {
  const sent = metadata === null ? {} : { metadata: JSON.parse(metadata) as unknown };
  return { ...replied(reply), channel, terminal_id: terminalId, ...sent };
}

function overCardLimit(): Refusal {
  return refuse('DAILY_LIMIT_EXCEEDED', "The amount exceeds what is left of the card's daily limit.");
}

function approvedReply(
  receipt: Receipt,
  terminalId: string | null,
  card: PlainCard,
  processor: PaidProcessor,
  isAuthorized: boolean,
) {
  const { merchant_id: merchantId, business_name: businessName } = processor;
  const status = isAuthorized ? 'AUTHORIZED' : 'APPROVED';
  return {
    success: true,
    transaction_id: receipt.transactionId,
    status,
    authorization_code: authorizationCode(receipt.transactionId),
    amount: receipt.amount,
    fee: receipt.payeeFee,
    currency: CURRENCY,
    merchant_id: merchantId,
    processor_id: processor.id,
    card_serial: card.serial,
    receipt: receiptOf({ businessName, merchantId, terminalId, cardSerial: card.serial, status }, receipt),
    created_at: iso(receipt.at),
  };
}
