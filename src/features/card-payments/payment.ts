// Card payment: from the wallet of the card's holder to a processor, at a terminal or in an app.
import type { Actor } from '../../audit/log.ts';
import type { KeyCaller } from '../../auth/caller.ts';
import type { Load } from '../../db/batch-loader.ts';
import { iso } from '../../kernel/clock.ts';
import { CURRENCY, parseAmount } from '../../kernel/money.ts';
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
  type PlainCard,
} from '../../parties/card.ts';
import { cardTarget } from '../../parties/lookup-limit.ts';
import {
  noSuchProcessor,
  otherProcessorRefusal,
  type PaidProcessor,
  processorSide,
  processorStatusRefusal,
} from '../../parties/processor.ts';
import { holderStatusRefusal, REFUSALS_WITHOUT_AMOUNTS, walletSide } from '../../parties/subscriber.ts';
import {
  type Allowance,
  comparableAmount,
  type Executed,
  type IdempotencyKey,
  invalidAmount,
  movementActor,
  type PaymentOptions,
  type PaymentPlan,
  type Receipt,
  requestKey,
} from '../../payments/payment.ts';
import { isRepeated } from '../../payments/replays.ts';
import { keyOf, PAYMENT, type PaymentContext, suspensionRefusal } from './context.ts';
import { cardPin, type PinFields, pinShapeRefusal } from './pin.ts';
import { authorizationCode, receiptOf } from './receipt.ts';

export interface Purchase extends PinFields {
  channel: 'pos' | 'in_app';
  merchant_id: string;
  processor_id: string;
  card_serial: string;
  /** Null in an app. */
  terminalId: string | null;
  /** JSON text; null when the caller sent none. */
  metadata: string | null;
}

interface Parties<Card> {
  card: Card;
  processor: PaidProcessor;
}

export function createCardPayment({ cards, findProcessor, pins, payments, lookupLimit, clock }: PaymentContext) {
  async function find<Card>(
    signer: KeyCaller,
    { card_serial, processor_id }: Purchase,
    findCard: Load<string, Card | null>,
  ): Promise<Parties<Card> | Refusal> {
    const [card, processor, suspension] = await Promise.all([
      findCard(card_serial),
      findProcessor(processor_id),
      suspensionRefusal(signer, findProcessor),
    ]);
    const refusal = suspension ?? (processor && otherProcessorRefusal(signer, processor.id));
    if (refusal) return refusal;
    if (!card) return noSuchCard();
    return processor ? { card, processor } : noSuchProcessor();
  }

  function planOf(
    actor: Actor,
    purchase: Purchase,
    { card, processor }: Parties<LinkedCard>,
    key: IdempotencyKey | null,
    amount: number,
  ): PaymentPlan {
    const { channel, terminalId, metadata } = purchase;
    return {
      type: PAYMENT,
      actor: movementActor(actor),
      payer: { ...walletSide(card.subscriber_id, 'sender', card.serial), refusals: REFUSALS_WITHOUT_AMOUNTS },
      payee: processorSide(processor),
      amount,
      key,
      narration: processor.business_name,
      metadata,
      details: {
        channel,
        card_serial: card.serial,
        merchant_id: processor.merchant_id,
        ...(terminalId === null ? {} : { terminal_id: terminalId }),
      },
      ...(card.daily_limit === null ? {} : { allowances: [dailyAllowance(card.serial, card.daily_limit)] }),
      onPosted: (receipt) => ({ reply: approvedReply(receipt, terminalId, card, processor) }),
    };
  }

  /** The daily limit of a child card; the wallet's own daily limit applies as well. */
  function dailyAllowance(serial: string, limit: number): Allowance {
    return { id: cardDayOf(serial, clock.now()), limit, refusal: overCardLimit };
  }

  /**
   * The place of a looked-up card becomes free, whatever else refused the payment: except for a request id that was used
   * before, because that refusal comes before the PIN. A wrong PIN would not be counted, and the free place would tell it.
   */
  async function withRightPin(signer: KeyCaller, { card_serial }: Purchase, outcome: Executed | Refusal) {
    if (outcome instanceof Refusal && !isRepeated(outcome)) {
      await lookupLimit.freePlace(signer, comparableSerial(card_serial));
    }
    return outcome;
  }

  /** A refusal before the PIN tells whether the card exists, so that it takes a place like a look-up. */
  async function asLookup(signer: KeyCaller, { card_serial }: Purchase, refusal: Refusal): Promise<Refusal> {
    // These are about the key itself, and come before the card.
    const isOfKey = refusal.code === 'FORBIDDEN' || (signer.processorId && refusal.code === 'PROCESSOR_SUSPENDED');
    if (isOfKey) return refusal;
    const found = refusal.code !== 'CARD_NOT_FOUND';
    const counted = await lookupLimit.ofKey(signer, cardTarget(comparableSerial(card_serial)), found);
    return counted instanceof Refusal ? counted : refusal;
  }

  /** Without the PIN: the request acts for the processor, which may see its own payments. */
  async function actingRefusal(signer: KeyCaller, processorId: string): Promise<Refusal | null> {
    return (await suspensionRefusal(signer, findProcessor)) ?? otherProcessorRefusal(signer, processorId);
  }

  return {
    /** Replay → existence → status → PIN → amount, then the ledger: compliance, limits, balance. */
    async pay(actor: Actor, purchase: Purchase, options: PaymentOptions): Promise<Executed | Refusal> {
      const signer = keyOf(actor);
      const badPin = pinShapeRefusal(purchase, signer);
      if (badPin) return badPin;
      const key = keyOfPurchase(actor, purchase, options);
      const pin = cardPin(pins, purchase, signer);
      try {
        const fast = await payments.tryFastPath(PAYMENT, options.amount, async (amount) => {
          const [found] = await Promise.all([find<PlainCard>(signer, purchase, cards.plain), pin.ready()]);
          if (found instanceof Refusal) return null;
          const { card, processor } = found;
          if (!isLinked(card) || (cardStatusRefusal(card) ?? processorRefusal(processor, purchase))) return null;
          return pin.isRight(card) ? planOf(actor, purchase, { card, processor }, key, amount) : null;
        });
        if (fast && !isRepeated(fast)) pin.countRight();
        if (fast) return await withRightPin(signer, purchase, fast);
        const [replay, found, policy] = await Promise.all([
          payments.replay(key, () => actingRefusal(signer, purchase.processor_id)),
          find<HeldCard>(signer, purchase, cards.withHolder),
          payments.policy(PAYMENT),
        ]);
        if (replay) return replay;
        if (found instanceof Refusal) return await asLookup(signer, purchase, found);
        const { card, processor } = found;
        const blocked = cardStatusRefusal(card);
        if (blocked) return await asLookup(signer, purchase, blocked);
        if (!isLinked(card)) return await asLookup(signer, purchase, cardNotAssigned());
        const unable =
          holderStatusRefusal(holderOf(card), PAYMENT, 'subscriber') ?? processorRefusal(processor, purchase);
        if (unable) return await asLookup(signer, purchase, unable);
        const wrongPin = await pin.refusal(card);
        if (wrongPin) return wrongPin;
        const amount = parseAmount(options.amount);
        const outcome =
          amount === null
            ? invalidAmount()
            : await payments.execute(planOf(actor, purchase, { card, processor }, key, amount), policy);
        return await withRightPin(signer, purchase, outcome);
      } finally {
        pin.end();
      }
    },
  };
}

/** Without the PIN: a retry may encrypt it again. */
function keyOfPurchase(actor: Actor, purchase: Purchase, { amount, requestId }: PaymentOptions): IdempotencyKey | null {
  const { channel, merchant_id, processor_id, card_serial, terminalId, metadata } = purchase;
  const parties = [merchant_id.toLowerCase(), processor_id, comparableSerial(card_serial)];
  const details = [channel, ...parties, comparableAmount(amount), terminalId, metadata];
  return requestKey(PAYMENT, actor, processor_id, requestId, details);
}

function processorRefusal(processor: PaidProcessor, purchase: Purchase): Refusal | null {
  const suspended = processorStatusRefusal(processor);
  if (suspended) return suspended;
  if (processor.merchant_id.toLowerCase() === purchase.merchant_id.toLowerCase()) return null;
  return refuse('MERCHANT_MISMATCH', 'merchant_id is not the merchant of the processor.');
}

function overCardLimit(): Refusal {
  return refuse('DAILY_LIMIT_EXCEEDED', 'The amount exceeds the remaining daily limit of the card.');
}

function approvedReply(receipt: Receipt, terminalId: string | null, card: PlainCard, processor: PaidProcessor) {
  const { merchant_id: merchantId, business_name: businessName } = processor;
  return {
    success: true,
    transaction_id: receipt.transactionId,
    status: 'APPROVED',
    authorization_code: authorizationCode(receipt.transactionId),
    amount: receipt.amount,
    fee: receipt.payeeFee,
    currency: CURRENCY,
    merchant_id: merchantId,
    processor_id: processor.id,
    card_serial: card.serial,
    receipt: receiptOf({ businessName, merchantId, terminalId, cardSerial: card.serial }, receipt),
    created_at: iso(receipt.at),
  };
}
