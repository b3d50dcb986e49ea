// Wallet balances: with the holder's PIN, or without it for callers who may read balances.
import type { Actor } from '../../audit/log.ts';
import { pinFormRefusal } from '../../auth/pins/refusals.ts';
import { iso } from '../../kernel/clock.ts';
import { CURRENCY, formatMoney } from '../../kernel/money.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { noSuchSubscriber, subscriberBlocked } from '../../parties/subscriber.ts';
import { holderPinRefusal, type WalletContext } from './context.ts';

export function createBalances({ holders, books, pins, pep }: WalletContext) {
  async function balanceReply(subscriberId: string) {
    const found = await books.balance(subscriberId);
    if (!found) throw new Error(`subscriber ${subscriberId} has no wallet`);
    const { balance, held } = found;
    return {
      success: true,
      balance,
      balance_formatted: formatMoney(balance),
      held,
      available: balance - held,
      available_formatted: formatMoney(balance - held),
      currency: CURRENCY,
      subscriber_id: subscriberId,
      last_transaction_at: found.lastPostedAt && iso(found.lastPostedAt),
    };
  }

  return {
    async balance(actor: Actor, subscriberId: string) {
      const found = [holders.byId(subscriberId), pep.refusalOf(actor, subscriberId, 'balance')] as const;
      const [holder, pepRefusal] = await Promise.all(found);
      return pepRefusal ?? (holder ? balanceReply(holder.id) : noSuchSubscriber());
    },

    async balanceByPin(actor: Actor, subscriberId: string, pin: string) {
      return (
        pinFormRefusal(pin, { code: 'INVALID_PIN_FORMAT' }) ??
        (await byPin(actor, subscriberId, pin)) ??
        balanceReply(subscriberId)
      );
    },
  };

  async function byPin(actor: Actor, subscriberId: string, pin: string): Promise<Refusal | null> {
    const found = [holders.byId(subscriberId), pep.staffRefusal(actor, subscriberId, 'balance')] as const;
    const [holder, pepRefusal] = await Promise.all(found);
    if (!holder) return noSuchSubscriber();
    if (pepRefusal) return pepRefusal;
    if (holder.status === 'BLOCKED') return subscriberBlocked();
    return holderPinRefusal(pins.verify(actor.caller, holder.id, pin));
  }
}
