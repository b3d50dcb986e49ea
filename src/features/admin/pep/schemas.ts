// Request and response schemas of PEP codes and access.
import { Type } from 'typebox';
import { timestamp } from '../../../http/fields.ts';
import { ERROR_MESSAGE } from '../../../http/validation.ts';

const done = { success: Type.Literal(true), message: Type.String() };

export const codeSentReply = Type.Object({
  ...done,
  phone_number: Type.String({ description: 'Masked except for the last four digits.' }),
  expires_at: timestamp(),
});

export const codeBody = Type.Object({
  // A malformed code is rejected here and does not count as an attempt.
  code: Type.String({
    pattern: '^[0-9]{6}$',
    description: 'The six digits that were sent.',
    [ERROR_MESSAGE]: 'must be six digits',
  }),
});

export const accessReply = Type.Object({ ...done, access_until: timestamp() });
