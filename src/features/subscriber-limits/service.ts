// What a subscriber can still pay today and still hold: the limits of the wallet and of its child cards.
import type { Actor } from '../../audit/log.ts';
import type { Database, Queries } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { AccountLimits } from '../../ledger/queries/account-limits.ts';
import { cardDayOf } from '../../parties/card.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import { type Holders, noSuchSubscriber } from '../../parties/subscriber.ts';
import type { CardLimit, LimitsInUse } from './limits.ts';

export interface LimitsContext {
  database: Database;
  holders: Holders;
  limitsOf(accountId: string, now: number): Promise<AccountLimits | null>;
  pep: PepGuard;
  clock: Clock;
}

export { limitsReply, limitsView } from './schemas.ts';

export type SubscriberLimits = ReturnType<typeof createSubscriberLimits>;

export function createSubscriberLimits({ database, holders, limitsOf, pep, clock }: LimitsContext) {
  return {
    async limits(actor: Actor, subscriberId: string): Promise<LimitsInUse | Refusal> {
      const [holder, pepRefusal] = await Promise.all([
        holders.statusById(subscriberId),
        pep.refusalOf(actor, subscriberId, 'balance'),
      ]);
      if (!holder) return noSuchSubscriber('subscriber', 'NOT_FOUND');
      if (pepRefusal) return pepRefusal;
      const now = clock.now();
      const [account, cards] = await Promise.all([
        limitsOf(holder.id, now),
        limitedCards(database.queries, holder.id, now),
      ]);
      if (!account) throw new Error(`subscriber ${holder.id} has no wallet`);
      return { ...account, subscriberId: holder.id, cards };
    },
  };
}

/** Reads the day's running totals, which card payments are also checked against. */
async function limitedCards(queries: Queries, subscriberId: string, now: number): Promise<CardLimit[]> {
  const cards = await queries
    .selectFrom('cards')
    .select(['serial', 'label', 'daily_limit'])
    .where('subscriber_id', '=', subscriberId)
    .where('daily_limit', 'is not', null)
    .orderBy('serial')
    .execute();
  if (cards.length === 0) return [];
  const days = cards.map(({ serial }) => cardDayOf(serial, now));
  const totals = await queries.selectFrom('allowances').select(['id', 'used']).where('id', 'in', days).execute();
  const usedOf = new Map(totals.map(({ id, used }) => [id, used]));
  return cards.map(({ serial, label, daily_limit }) => ({
    serial,
    label,
    limit: daily_limit ?? 0,
    used: usedOf.get(cardDayOf(serial, now)) ?? 0,
  }));
}
