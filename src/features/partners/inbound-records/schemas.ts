// Request and response schemas for the records of inbound credits, as staff see them.
import { type Static, Type } from 'typebox';
import { dayOrInstant } from '../../../http/date-range.ts';
import { idField, integerOrNull, minorUnits, textOrNull, timestamp } from '../../../http/fields.ts';
import { listQuery, listReply } from '../../../http/paging.ts';
import { iso } from '../../../kernel/clock.ts';
import { lastFour, shortName } from '../../../kernel/text.ts';
import type { VisibleCredit } from './service.ts';
import { STATUSES } from './store.ts';

const MASKED = 'Masked except for compliance_user.';

const payer = Type.Object(
  {
    name: textOrNull(MASKED),
    account_masked: textOrNull(`As the partner sent it; ${MASKED.toLowerCase()}`),
    bank_code: textOrNull(),
  },
  { title: 'InboundPayer', description: 'The sender of the money.' },
);

const reversal = Type.Object(
  {
    transaction_id: Type.String({ description: "The reversal's transaction." }),
    reason: Type.String(),
    reversed_by: Type.String(),
    reversed_at: timestamp(),
  },
  { title: 'InboundReversal' },
);

const inbound = Type.Object(
  {
    inbound_id: Type.String(),
    partner_id: Type.String(),
    partner_name: Type.String({ description: "The partner's current name." }),
    reference: Type.String(),
    status: Type.Enum(STATUSES),
    failure_code: textOrNull('Null if the credit was completed.'),
    transaction_id: textOrNull('Null if no money moved.'),
    amount: minorUnits(),
    fee: minorUnits(),
    net_credited: minorUnits('The amount credited to the wallet. Minor units.'),
    currency: Type.String(),
    identified_by: Type.Enum(['account_number', 'msisdn', 'card_serial'], {
      description: 'How the partner named the beneficiary.',
    }),
    identifier: Type.String({ description: 'As the partner sent it.' }),
    subscriber_id: textOrNull('Null if no beneficiary was found.'),
    account_number: textOrNull(),
    account_name: textOrNull('First name and last initial.'),
    narration: textOrNull(),
    payer: Type.Union([payer, Type.Null()], { description: 'Null if the partner sent none.' }),
    key_id: Type.String({ description: 'The API key of the partner.' }),
    idempotency_key: Type.String(),
    partner_outstanding: integerOrNull(
      'What the partner owed after the credit. Minor units. Null where it would reveal a credit the reader may not see.',
    ),
    completed_at: timestamp(),
    reversal: Type.Union([reversal, Type.Null()]),
  },
  { title: 'InboundRecord' },
);

const { status } = inbound.properties;

export const inboundQuery = listQuery({
  status: Type.Optional(Type.Enum(STATUSES)),
  partner_id: Type.Optional(idField('a partner')),
  reference: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  subscriber_id: Type.Optional(idField('a subscriber')),
  from: Type.Optional(dayOrInstant('The first day or instant')),
  to: Type.Optional(dayOrInstant('The last day or instant')),
  cursor: Type.Optional(Type.String({ maxLength: 100, description: 'next_cursor of the previous page.' })),
});

export const inboundListReply = Type.Object({
  ...listReply('inbound', inbound).properties,
  total_is_minimum: Type.Optional(
    Type.Literal(true, { description: 'Present if total_count is a lower bound because there are more.' }),
  ),
  next_cursor: textOrNull('The cursor of the next page; null on the last one.'),
});
export const inboundReply = Type.Object({ inbound });
export const inboundParams = Type.Object({ inbound_id: Type.String({ minLength: 1 }) });

function statusOf(row: Pick<VisibleCredit, 'status' | 'reversed_at'>): Static<typeof status> {
  return (row.reversed_at === null ? row.status : 'REVERSED') as Static<typeof status>;
}

export function inboundView(row: VisibleCredit, seesPayer: boolean): Static<typeof inbound> {
  const { partner_id, partner_name, reference, failure_code, transaction_id, amount, fee, net_credited, currency } =
    row;
  const { identifier, subscriber_id, account_number, account_name, narration, key_id, idempotency_key } = row;
  return {
    inbound_id: row.id,
    ...{ partner_id, partner_name, reference, status: statusOf(row), failure_code, transaction_id },
    ...{ amount, fee, net_credited, currency },
    identified_by: row.identified_by as Static<typeof inbound>['identified_by'],
    ...{ identifier, subscriber_id, account_number, account_name, narration },
    payer: payerView(row, seesPayer),
    ...{ key_id, idempotency_key, partner_outstanding: row.partner_outstanding },
    completed_at: iso(row.completed_at),
    reversal: reversalView(row),
  };
}

function payerView(row: VisibleCredit, isSeen: boolean): Static<typeof payer> | null {
  const { payer_name: name, payer_account_masked: account, payer_bank_code: bank_code } = row;
  if (name === null && account === null && bank_code === null) return null;
  if (isSeen) return { name, account_masked: account, bank_code };
  return { name: name && maskedName(name), account_masked: account && lastFour(account), bank_code };
}

/** Aminata K.; of a single word only the initial. */
function maskedName(name: string): string {
  const words = name.trim().split(/\s+/);
  const [first = '', last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return last === undefined ? `${[...first][0] ?? ''}.` : shortName({ first_name: first, last_name: last });
}

function reversalView(row: VisibleCredit): Static<typeof reversal> | null {
  const { reversal_transaction_id: transaction_id, reversal_reason: reason, reversed_by, reversed_at } = row;
  if (transaction_id === null || reason === null || reversed_by === null || reversed_at === null) return null;
  return { transaction_id, reason, reversed_by, reversed_at: iso(reversed_at) };
}
