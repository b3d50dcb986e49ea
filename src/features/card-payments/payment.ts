// A purchase: from the wallet behind a card to a processor, at a terminal or in an app.
import type { Actor } from '../../audit/log.ts';
import type { KeyCaller } from '../../auth/caller.ts';
import type { Load } from '../../db/batch-loader.ts';
import { DAY_MS, iso } from '../../kernel/clock.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import {
  cardNotAssigned,
  cardStatusRefusal,
  type HeldCard,
  holderOf,
  isLinked,
  type LinkedCard,
  noSuchCard,
  type PlainCard,
  sameSerial,
} from '../../parties/card.ts';
import {
  noSuchProcessor,
  otherProcessorRefusal,
  type PaidProcessor,
  processorSide,
  processorStatusRefusal,
} from '../../parties/processor.ts';
import { holderStatusRefusal } from '../../parties/subscriber.ts';
import type { Allowance, Done, Executed } from '../../payments/execute.ts';
import { carryOut, type IntendedPayment, sameAmount } from '../../payments/pay.ts';
import { requestOf, type Terms } from '../../payments/reply.ts';
import { keyOf, PAYMENT, type PaymentContext, suspensionRefusal } from './context.ts';
import { type CardPin, cardPin, type GivenPin, pinShapeRefusal } from './pin.ts';
import { authorizationCode, receiptOf } from './receipt.ts';

export interface Purchase extends GivenPin {
  channel: 'pos' | 'in_app';
  merchant_id: string;
  processor_id: string;
  card_serial: string;
  /** Null in an app. */
  terminalId: string | null;
  /** JSON text; null when the caller sent none. */
  metadata: string | null;
}

interface Parties<Card = PlainCard> {
  card: Card;
  processor: PaidProcessor;
}

/** How the card's holder stands was looked at, too. */
type Found = Parties<HeldCard>;

export function paying({ cards, findProcessor, pins, payments, clock }: PaymentContext) {
  async function find<Card>(
    key: KeyCaller,
    { card_serial, processor_id }: Purchase,
    findCard: Load<string, Card | null>,
  ): Promise<Parties<Card> | Refusal> {
    const [card, processor, suspension] = await Promise.all([
      findCard(card_serial),
      findProcessor(processor_id),
      suspensionRefusal(key, findProcessor),
    ]);
    const refusal = suspension ?? (processor && otherProcessorRefusal(key, processor.id));
    if (refusal) return refusal;
    if (!card) return noSuchCard();
    return processor ? { card, processor } : noSuchProcessor();
  }

  /** How the holder stands, the ledger sees. */
  async function presume(key: KeyCaller, given: Purchase, pin: CardPin): Promise<Parties | null> {
    const [found] = await Promise.all([find(key, given, cards.plain), pin.ready()]);
    if (found instanceof Refusal || !isLinked(found.card)) return null;
    if (cardStatusRefusal(found.card) ?? processorRefusal(found.processor, given)) return null;
    return pin.isRight(found.card) ? found : null;
  }

  function payment(given: Purchase, { card, processor }: Parties, amount: number): IntendedPayment {
    const { channel, terminalId, metadata } = given;
    return {
      type: PAYMENT,
      payer: { accountId: held(card).subscriber_id, party: 'sender', card: card.serial },
      payee: processorSide(processor),
      amount,
      countsDaily: true,
      narration: processor.business_name,
      metadata,
      details: {
        channel,
        card_serial: card.serial,
        merchant_id: processor.merchant_id,
        ...(terminalId === null ? {} : { terminal_id: terminalId }),
      },
      ...(card.daily_limit === null ? {} : { allowances: [dayOf(card.serial, card.daily_limit)] }),
      reply: (done) => approved(done, terminalId, { card, processor }),
    };
  }

  /** What a child card may spend in a day; the wallet has a limit of its own besides. */
  function dayOf(serial: string, limit: number): Allowance {
    return { id: `card:${serial}:${Math.floor(clock.now() / DAY_MS)}`, limit, refusal: overCardLimit };
  }

  return {
    async pay(actor: Actor, given: Purchase, terms: Terms): Promise<Executed | Refusal> {
      const key = keyOf(actor);
      const refusal = pinShapeRefusal(given, key);
      if (refusal) return refusal;
      const pin = cardPin(pins, given, key);
      return carryOut(payments, {
        type: PAYMENT,
        request: request(actor, given, terms),
        amount: terms.amount,
        presume: () => presume(key, given, pin),
        find: () => find(key, given, cards.withHolder),
        statusRefusal: (found) => statusRefusal(found, given),
        pinRefusal: ({ card }) => pin.refusal(held(card)),
        payment: (found, amount) => payment(given, found, amount),
        end: pin.end,
      });
    },
  };
}

/** Nothing of the PIN: a retry is the same payment however it was encrypted. */
function request(actor: Actor, given: Purchase, terms: Terms) {
  const { channel, merchant_id, processor_id, card_serial, terminalId, metadata } = given;
  const serial = sameSerial(card_serial);
  const named = [merchant_id.toLowerCase(), processor_id, serial];
  return requestOf(actor, terms, [channel, ...named, sameAmount(terms.amount), terminalId, metadata]);
}

function statusRefusal({ card, processor }: Found, given: Purchase): Refusal | null {
  return cardStatusRefusal(card) ?? payerRefusal(card) ?? processorRefusal(processor, given);
}

function payerRefusal(card: HeldCard): Refusal | null {
  if (!isLinked(card)) return cardNotAssigned();
  return holderStatusRefusal(holderOf(card), PAYMENT, 'subscriber');
}

function processorRefusal(processor: PaidProcessor, given: Purchase): Refusal | null {
  if (processor.status !== 'active') return processorStatusRefusal(processor);
  if (processor.merchant_id.toLowerCase() === given.merchant_id.toLowerCase()) return null;
  return refuse('MERCHANT_MISMATCH', 'merchant_id is not the merchant of the processor.');
}

function overCardLimit(): Refusal {
  return refuse('DAILY_LIMIT_EXCEEDED', "The amount exceeds what is left of the card's daily limit.");
}

/** Cards that nobody holds were refused by their status. */
function held(card: PlainCard): LinkedCard {
  if (!isLinked(card)) throw new Error(`card ${card.serial} has no holder`);
  return card;
}

function approved(done: Done, terminalId: string | null, { card, processor }: Parties) {
  const { merchant_id: merchantId, business_name: businessName } = processor;
  return {
    success: true,
    transaction_id: done.transactionId,
    status: 'APPROVED',
    authorization_code: authorizationCode(done.transactionId),
    amount: done.amount,
    fee: done.payeeFee,
    currency: CURRENCY,
    merchant_id: merchantId,
    processor_id: processor.id,
    card_serial: card.serial,
    receipt: receiptOf({ businessName, merchantId, terminalId, cardSerial: card.serial }, done),
    created_at: iso(done.at),
  };
}
