// Schemas for the suspense account: its open items and their resolution.
import { type Static, Type } from 'typebox';
import { idField, integerOrNull, minorUnits, narration, textOrNull, timestamp } from '../../../http/fields.ts';
import { listQuery, listReply } from '../../../http/paging.ts';
import { requestIdField } from '../../../http/payment-endpoint.ts';
import { ERROR_MESSAGE } from '../../../http/validation.ts';
import { DAY_MS, iso } from '../../../kernel/clock.ts';
import { CURRENCY, formatMoney } from '../../../kernel/money.ts';
import type { SuspenseItem } from './store.ts';

const item = Type.Object(
  {
    transaction_id: Type.String(),
    age_days: Type.Integer({ description: 'Whole days since the credit.' }),
    subscriber_id: Type.String({ description: 'The wallet that was credited.' }),
    subscriber_name: textOrNull("Its holder's name."),
    amount: minorUnits(),
    amount_formatted: Type.String(),
    currency: Type.String(),
    reference: textOrNull('The reference of the notification.'),
    card_serial: textOrNull('The card the cash was paid in for.'),
    created_at: timestamp(),
  },
  { title: 'SuspenseItem' },
);

export const suspenseQuery = listQuery({
  subscriber_id: Type.Optional(idField('a subscriber')),
  reference: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  older_than_days: Type.Optional(
    Type.String({
      pattern: '^\\d{1,4}$',
      description: 'Only items at least this many whole days old.',
      [ERROR_MESSAGE]: 'must be a whole number of 0 to 9999',
    }),
  ),
});

export const suspenseReply = Type.Object({
  ...listReply('suspense', item).properties,
  total_amount: minorUnits(
    'The sum of all open items that match; without a filter including hidden ones. Minor units.',
  ),
  hidden_count: integerOrNull(
    'Open items that total_count and total_amount include, but only users with PEP access see. Null with a filter.',
  ),
});

export function itemView(row: SuspenseItem, now: number): Static<typeof item> {
  const { transaction_id, at, subscriber_id, subscriber_name, amount, reference, card_serial } = row;
  return {
    ...{ transaction_id, age_days: Math.max(0, Math.floor((now - at.getTime()) / DAY_MS)) },
    ...{ subscriber_id, subscriber_name, amount, amount_formatted: formatMoney(amount), currency: CURRENCY },
    ...{ reference, card_serial, created_at: iso(at) },
  };
}

export const resolveParams = Type.Object({ transaction_id: Type.String({ minLength: 1 }) });

export const resolveBody = Type.Object({
  partner_id: Type.Optional(idField('the partner that owes the amount')),
  refund: Type.Optional(
    Type.Literal(true, { description: 'Takes the amount back from the wallet. Instead of partner_id.' }),
  ),
  reason: narration('Why; recorded in the audit log.'),
  request_id: Type.Optional(requestIdField()),
});
export type ResolveBody = Static<typeof resolveBody>;

export const resolveReply = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  transaction_id: Type.String({ description: 'The transaction that resolved the item.' }),
  original_transaction_id: Type.String(),
  request_id: textOrNull('As sent.'),
  resolution: Type.Enum(['partner', 'refund']),
  partner_id: textOrNull('The partner that owes the amount; null for a refund.'),
  amount: minorUnits(),
  currency: Type.String(),
  reason: Type.String(),
  partner_outstanding: Type.Optional(minorUnits('What the partner owes now, which may exceed its limit. Minor units.')),
  balance: Type.Optional(minorUnits('The balance of the wallet after a refund. Minor units.')),
  created_at: timestamp(),
});
