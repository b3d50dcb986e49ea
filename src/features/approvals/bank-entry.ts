// The schema of a bank entry that approvers of a return see.
import { type Static, Type } from 'typebox';
import { idField, minorUnits, textOrNull } from '../../http/fields.ts';

export const bankEntry = Type.Object(
  {
    id: idField('the bank entry'),
    date: Type.String({ description: 'The booking date.' }),
    amount: minorUnits('Money that arrives is positive. Minor units.'),
    status: Type.String({ description: 'In the reconciliation: matched, suggested, unmatched or written_off.' }),
    reference: textOrNull('As the bank printed it.'),
    counterparty: textOrNull('As the bank names it.'),
    description: textOrNull('As the bank printed it.'),
    relations: Type.Array(Type.Enum(['matched', 'match_undone', 'reference', 'named']), {
      description:
        'matched: matched with the pay-out. match_undone: it was. reference: it has the reference of the pay-out. named: the request names it as the credit.',
    }),
  },
  { title: 'PayoutBankEntry' },
);
export type BankEntry = Static<typeof bankEntry>;
