// Request and response schemas for the export and erasure of personal data.
import { type TSchema, Type } from 'typebox';
import { narration } from '../../http/fields.ts';

export const eraseBody = Type.Object({
  reason: narration('Why, for the second user. Name the request, not the person: it is kept.'),
});

export const exportReply = {
  description: 'The personal data as a file.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        description: 'The record and all that other tables have about the customer.',
        additionalProperties: true,
      },
    },
  },
} as unknown as TSchema;
