// Request and response schemas for processors' bank accounts.
import { Type } from 'typebox';
import { idField, line, timestamp } from '../../http/fields.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';

export const bankAccountParams = Type.Object({
  id: Type.String({ minLength: 1 }),
  account_id: Type.String({ minLength: 1 }),
});

export const bankAccountBody = Type.Object({
  account_number: Type.String({
    pattern: '^[A-Za-z0-9](?:[ -]*[A-Za-z0-9]){4,33}[ -]*$',
    maxLength: 64,
    description: 'The bank account number, such as an IBAN. Spaces and hyphens are ignored.',
    [ERROR_MESSAGE]: 'must be an account number of 5 to 34 letters and digits',
  }),
  bank: Type.String({ ...line(100), description: "The bank's name." }),
  holder: Type.String({ ...line(100), description: 'The name the bank holds the account under.' }),
});

export const bankAccount = Type.Object(
  {
    id: idField('the bank account'),
    processor_id: Type.String(),
    account_number: Type.String(),
    bank: Type.String(),
    holder: Type.String({ description: 'The name the bank holds the account under.' }),
    created_by: Type.String({ description: 'The user who added it.' }),
    created_at: timestamp(),
  },
  { title: 'BankAccount' },
);

export const bankAccountReply = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  bank_account: bankAccount,
});
export const bankAccountsReply = Type.Object({ bank_accounts: Type.Array(bankAccount) });
export const removedReply = Type.Object(
  { success: Type.Literal(true), message: Type.String() },
  { title: 'MessageReply' },
);
