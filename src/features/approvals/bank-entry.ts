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
    trust_account: Type.Object(
      {
        id: idField('the trust account'),
        bank: Type.String(),
        account_number: Type.String({ description: 'The last four characters; the others are masked.' }),
        created_by: textOrNull('The id of the user who registered it.'),
        created_by_name: textOrNull('Null if it is not recorded.'),
      },
      { description: 'Whose statement has the entry.' },
    ),
    statement_id: idField('the bank statement that has the entry'),
    uploaded_by: Type.String({ description: 'The id of the user who uploaded the statement.' }),
    uploaded_by_name: textOrNull('Null if it was not a user.'),
    relations: Type.Array(Type.Enum(['matched', 'match_undone', 'reference', 'named', 'amount']), {
      description:
        'matched: matched with the pay-out, or with the transaction of an executed request. match_undone: it was, or the named credit was matched with something else; the match was undone. reference: it has the reference of the pay-out, or has its amount and the first 10 characters or more of the reference. named: the request names it. amount: it is open, has the amount that the request would book, and is dated within the 31 days before the request, or later.',
    }),
  },
  { title: 'PayoutBankEntry' },
);
export type BankEntry = Static<typeof bankEntry>;
