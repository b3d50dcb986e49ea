// Request schemas of approving bulk payments.
import { Type } from 'typebox';
import { timestamp } from '../../../http/fields.ts';
import { MODES } from '../types.ts';

export const approveBody = Type.Object({
  file_sha256: Type.String({
    pattern: '^[0-9a-fA-F]{64}$',
    description: 'The SHA-256 of the file that is approved, as the upload returned it.',
  }),
  mode: Type.Enum(MODES, {
    description: 'continue pays every valid row; all_or_nothing starts only if all rows can be paid.',
  }),
  starts_at: Type.Optional(timestamp('Not before then; the money is held from now on.')),
});
