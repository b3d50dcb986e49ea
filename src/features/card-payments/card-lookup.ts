// Card and account checks for terminals and apps, used before a payment.
import type { Actor } from '../../audit/log.ts';
import type { KeyCaller } from '../../auth/caller.ts';
import { iso } from '../../kernel/clock.ts';
import { formatMoney } from '../../kernel/money.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { lastFour, shortName } from '../../kernel/text.ts';
import type { CardMovement } from '../../ledger/queries/movement-lookup.ts';
import { comparableSerial, type HeldCard, holderOf, isLinked, noSuchCard } from '../../parties/card.ts';
import { accountTarget, cardTarget } from '../../parties/lookup-limit.ts';
import { type Holder, holderStatusRefusal } from '../../parties/subscriber.ts';
import { type CardRow, cardRecord, holderIdOf } from '../cards/service.ts';
import { keyOf, PAYMENT, type PaymentContext, suspensionRefusal } from './context.ts';
import { authorizationCode } from './receipt.ts';

export interface AccountName {
  account_number?: string;
  phone_number?: string;
}

const RECENT = 10;
const NO_SUCH_ACCOUNT = { success: true, exists: false, status: null, holder_name: null };

export function createCardChecks(context: PaymentContext) {
  const { cards, findCard, findProcessor, holders, subscribers, books, lookUp, phone, lookupLimit } = context;

  /** Also null for text that is not a phone number. */
  function byPhone(text: string): Promise<Holder | null> {
    const number = phone(text);
    return number === null ? Promise.resolve(null) : holders.byPhone(number);
  }

  /** What the holder can pay with it, apart from fees. */
  async function available(subscriberId: string): Promise<number> {
    const { balance, held } = (await books.balance(subscriberId)) ?? { balance: 0, held: 0 };
    return balance - held;
  }

  /** The same for everybody: payments to the key's processor, or, for an operator's key, the payments that it made. */
  async function recentPayments({ id, processorId }: KeyCaller, card: CardRow): Promise<CardMovement[]> {
    const fromAccount = holderIdOf(card);
    if (fromAccount === null) return [];
    const own = processorId === null ? { actorId: id } : { toAccount: processorId };
    return lookUp.byCard({ serial: card.serial, limit: RECENT, fromAccount, ...own });
  }

  return {
    async verifyCard(actor: Actor, serial: string) {
      const key = keyOf(actor);
      const [card, suspension] = await Promise.all([cards.withHolder(serial), suspensionRefusal(key, findProcessor)]);
      if (suspension) return suspension;
      const allowed = await lookupLimit.ofKey(key, cardTarget(comparableSerial(serial)), card !== null);
      if (allowed instanceof Refusal) return allowed;
      if (!card) return noSuchCard();
      const status = statusOf(card);
      // A card that cannot pay, such as a stolen one, reveals nothing about its holder.
      if (!isLinked(card) || status !== 'active') return { ...UNUSABLE_CARD, status };
      // The same for everybody: a difference would reveal who is politically exposed.
      const showsBalance = context.verifyCardShowsBalance && allowed.showsBalance;
      const balance = showsBalance ? await available(card.subscriber_id) : null;
      return {
        success: true,
        valid: true,
        status,
        holder_name: shortName(card),
        balance,
        balance_formatted: balance === null ? null : formatMoney(balance),
      };
    },

    async verifyAccount(actor: Actor, { account_number, phone_number }: AccountName) {
      if ((account_number === undefined) === (phone_number === undefined)) {
        return refuse('INVALID_REQUEST', 'Send exactly one of account_number and phone_number.');
      }
      const key = keyOf(actor);
      const lookUpHolder =
        account_number === undefined ? byPhone(phone_number ?? '') : holders.byAccountNumber(account_number);
      const [holder, suspension] = await Promise.all([lookUpHolder, suspensionRefusal(key, findProcessor)]);
      if (suspension) return suspension;
      const sought = account_number?.trim() ?? phone(phone_number ?? '') ?? phone_number ?? '';
      const allowed = await lookupLimit.ofKey(key, accountTarget(holder?.id ?? sought), holder !== null);
      if (allowed instanceof Refusal) return allowed;
      if (!holder) return NO_SUCH_ACCOUNT;
      return { success: true, exists: true, status: holder.status.toLowerCase(), holder_name: shortName(holder) };
    },

    /** For customer support. The key of a processor sees only payments to that processor. */
    async lookUpCard(actor: Actor, serial: string) {
      const key = keyOf(actor);
      const [card, suspension] = await Promise.all([findCard(serial), suspensionRefusal(key, findProcessor)]);
      if (suspension) return suspension;
      const allowed = await lookupLimit.ofKey(key, cardTarget(comparableSerial(serial)), card !== null);
      if (allowed instanceof Refusal) return allowed;
      if (!card) return noSuchCard();
      const [holder, payments] = await Promise.all([
        card.subscriber_id === null ? null : subscribers.find(card.subscriber_id),
        recentPayments(key, card),
      ]);
      return {
        success: true,
        card: cardRecord(card),
        subscriber: holder && {
          id: holder.id,
          name: shortName(holder),
          phone_number: lastFour(holder.phone_number),
          account_number: lastFour(holder.account_number),
          status: holder.status,
          kyc_level: holder.kyc_level,
        },
        recent_payments: payments.map(paymentRecord),
      };
    },
  };
}

const UNUSABLE_CARD = { success: true, valid: false, holder_name: null, balance: null, balance_formatted: null };

/** A card whose holder may not pay by card is reported as blocked. */
function statusOf(card: HeldCard): string {
  if (card.status !== 'active' || !isLinked(card)) return card.status;
  return holderStatusRefusal(holderOf(card), PAYMENT, 'subscriber') === null ? 'active' : 'blocked';
}

function paymentRecord({ id, amount, refundedTotal, toAccount, details, at }: CardMovement) {
  return {
    transaction_id: id,
    authorization_code: authorizationCode(id),
    amount,
    refunded_total: refundedTotal,
    processor_id: toAccount,
    merchant_id: details.merchant_id ?? null,
    terminal_id: details.terminal_id ?? null,
    channel: details.channel ?? null,
    created_at: iso(at),
  };
}
