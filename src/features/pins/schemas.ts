// Request and response schemas of PIN resets.
import { type Static, Type } from 'typebox';
import { narration, phoneNumber, pin, timestamp } from '../../http/fields.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';

const done = { success: Type.Literal(true), message: Type.String() };

export const messageReply = Type.Object(done, { title: 'MessageReply' });
export const codeSentReply = Type.Object({ ...done, expires_at: timestamp() }, { title: 'PinResetCode' });

export const requestBody = Type.Object(
  { reason: Type.Optional(narration('Why; kept in the audit log.')) },
  { title: 'PinResetRequest' },
);
export type ResetRequest = Static<typeof requestBody>;

export const resetBody = Type.Object({
  phone_number: phoneNumber(),
  // A malformed code is rejected here and does not count as an attempt.
  code: Type.String({ pattern: '^[0-9]{6}$', description: 'Six digits.', [ERROR_MESSAGE]: 'must be 6 digits' }),
  new_pin: pin(),
});
export const resetReply = Type.Object({
  ...done,
  reduced_until: Type.String({
    description:
      "Until then, outgoing payments are limited to a tenth of the daily limit; an agent's, to a tenth of the float.",
  }),
});
