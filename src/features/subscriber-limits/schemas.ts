// The limits of a subscriber as replies show them.
import { type Static, Type } from 'typebox';
import { integerOrNull, minorUnits, textOrNull, timestamp } from '../../http/fields.ts';
import { iso } from '../../kernel/clock.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { typesWith } from '../../ledger/movement-types.ts';
import type { LimitsInUse } from './limits.ts';

/** Payments of these types count towards the wallet's daily limit. */
const COUNTED_TYPES = typesWith({ countsDaily: true });

const cardLimit = Type.Object(
  {
    serial: Type.String({ description: "The card's serial." }),
    label: textOrNull('As set on the card.'),
    limit: minorUnits("The card's daily limit. The wallet's limit applies as well."),
    used: minorUnits('Paid with the card today.'),
    remaining: minorUnits('What the card can still pay today.'),
  },
  { title: 'CardLimit' },
);

export const limitsReply = Type.Object(
  {
    success: Type.Literal(true),
    subscriber_id: Type.String(),
    currency: Type.String(),
    daily: Type.Object({
      limit: integerOrNull('Minor units, as it applies now; null: none.'),
      regular_limit: integerOrNull("The KYC level's. Higher than limit while a PIN reset reduces it."),
      reduced_until: textOrNull('Until when a PIN reset reduces the limit; null: it does not.'),
      used: minorUnits('Paid today, without fees.'),
      remaining: integerOrNull('Minor units that can still be paid today, if the balance allows.'),
      counted_types: Type.Array(Type.Enum(COUNTED_TYPES), { description: 'The payments that count.' }),
      resets_at: timestamp(),
      time_zone: Type.Literal('UTC', { description: 'The time zone in which a day begins.' }),
    }),
    balance: Type.Object({
      current: minorUnits('The balance now.'),
      maximum: integerOrNull('Minor units; null: none.'),
      remaining: integerOrNull('Minor units that the wallet can still receive.'),
    }),
    cards: Type.Array(cardLimit, { description: 'The cards with their own daily limit.' }),
  },
  { title: 'SubscriberLimits' },
);

export function limitsView({ subscriberId, balance, ceiling, daily, cards }: LimitsInUse): Static<typeof limitsReply> {
  const { limit, regularLimit, used, reducedUntil, resetsAt } = daily;
  return {
    success: true,
    subscriber_id: subscriberId,
    currency: CURRENCY,
    daily: {
      limit,
      regular_limit: regularLimit,
      reduced_until: reducedUntil === null ? null : iso(reducedUntil),
      used,
      remaining: leftOf(limit, used),
      counted_types: [...COUNTED_TYPES],
      resets_at: iso(resetsAt),
      time_zone: 'UTC',
    },
    balance: { current: balance, maximum: ceiling, remaining: leftOf(ceiling, balance) },
    cards: cards.map((card) => ({ ...card, remaining: Math.max(0, card.limit - card.used) })),
  };
}

/** A lower KYC level, or a refund over the ceiling, can leave less than nothing. */
function leftOf(limit: number | null, used: number): number | null {
  return limit === null ? null : Math.max(0, limit - used);
}
