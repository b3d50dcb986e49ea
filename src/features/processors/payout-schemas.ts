// Request and response schemas for pay-outs.
import { Type } from 'typebox';
import { idField, line, minorUnits, narration, textOrNull, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { amountField, paymentReply, requestIdField } from '../../http/payment-endpoint.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { bankEntry } from '../approvals/service.ts';

export const payoutBody = Type.Object({
  amount: amountField(),
  bank_account: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9 _-]*$',
    maxLength: 64,
    description: "The id of one of the processor's bank accounts, or its number.",
    [ERROR_MESSAGE]: 'must be the id or the number of a bank account',
  }),
  request_id: Type.Optional(requestIdField()),
});

export const payoutReply = Type.Object(
  {
    ...paymentReply.properties,
    processor_id: Type.String(),
    bank_account: Type.String(),
    reference: Type.String({
      description: 'For the bank transfer, so that its debit is matched. At most 16 characters.',
    }),
  },
  { title: 'Payout' },
);

export const payoutReturnParams = Type.Object({
  id: Type.String({ minLength: 1 }),
  transaction_id: Type.String({ minLength: 1 }),
});
export const payoutReturnBody = Type.Object({
  reason: narration('Why the bank sent it back; kept with the transaction.'),
  bank_entry_id: Type.Optional(
    Type.String({
      ...line(64),
      description: "The bank's credit, which is matched with the return. Required if the bank has cleared the pay-out.",
    }),
  ),
  request_id: Type.Optional(requestIdField()),
});
export const payoutReturnReply = Type.Object({
  ...paymentReply.properties,
  processor_id: Type.String(),
  original_transaction_id: idField('the pay-out'),
  reference: textOrNull(),
});

export const payoutAtBankReply = Type.Object(
  {
    credit_required: Type.Boolean({
      description:
        "According to its statements, the bank has executed the pay-out: a return needs the bank's credit in bank_entry_id.",
    }),
    bank_entries: Type.Array(bankEntry, { description: 'What the bank says about the pay-out, oldest first.' }),
    credits: Type.Array(bankEntry, {
      description:
        'At most 50 open credits of the same amount since the pay-out: those with its reference first, then the oldest.',
    }),
  },
  { title: 'PayoutAtBank' },
);

export const PAYOUT_STATES = ['in_transit', 'cleared', 'returned'] as const;

const payout = Type.Object(
  {
    transaction_id: Type.String(),
    processor_id: Type.String(),
    processor_name: textOrNull('The business name of the processor.'),
    amount: minorUnits(),
    bank_account: textOrNull(),
    reference: textOrNull('The bank transfer reference.'),
    request_id: textOrNull(),
    state: Type.Enum(PAYOUT_STATES, {
      description: 'cleared: a bank entry is matched with it. returned: the bank sent it back.',
    }),
    match_id: textOrNull("The match with the bank entry. For the operator's staff only."),
    created_at: timestamp(),
  },
  { title: 'PayoutRecord' },
);
export const payoutsQuery = listQuery({ state: Type.Optional(Type.Enum(PAYOUT_STATES)) });
export const payoutsReply = Type.Object({
  ...listReply('payouts', payout).properties,
  archived_before: Type.Optional(
    timestamp('Present if earlier pay-outs are archived: those before this instant are neither listed nor counted.'),
  ),
});
