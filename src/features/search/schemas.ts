// Request and response schemas for the search.
import { Type } from 'typebox';
import { textOrNull, timestamp } from '../../http/fields.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';

export const TYPES = ['subscriber', 'card', 'transaction', 'inbound', 'agent', 'processor', 'partner'] as const;

export const MATCHED_BY = [
  'id',
  'phone_number',
  'account_number',
  'card_serial',
  'name',
  'merchant_id',
  'merchant_number',
  'transaction_id',
  'reference',
  'request_id',
  'authorization_code',
] as const;

export const searchQuery = Type.Object({
  q: Type.String({
    maxLength: 128,
    description:
      'At least 3 characters: a phone number in any usual spelling, its first or last 4 digits or more, the start of any ' +
      'words of a name, an account number or its first 4 digits or more, the start of a card serial, or a complete ' +
      'transaction id, reference, request id, authorization code, merchant id, merchant number or id of a record. ' +
      "For agents' users: a complete phone number, account number or card serial.",
    [ERROR_MESSAGE]: 'must be text of at most 128 characters',
  }),
});

export const hit = Type.Object(
  {
    type: Type.Enum(TYPES),
    id: Type.String({ description: "The record's id; for a card, its serial." }),
    title: Type.String({ description: 'What the record is called: a name, a serial, a type with its amount.' }),
    subtitle: textOrNull('What distinguishes it from similar records.'),
    status: Type.String(),
    matched_by: Type.Enum(MATCHED_BY),
    subscriber_id: Type.Optional(textOrNull('The holder of a card, or the beneficiary of an inbound credit.')),
    created_at: textOrNull('ISO 8601, UTC.'),
  },
  { title: 'SearchHit' },
);

export const searchReply = Type.Object({
  success: Type.Literal(true),
  hits: Type.Array(hit, {
    description:
      'At most 10 of each type that the caller may read, exact matches first. Politically exposed persons are ' +
      'found only with open PEP access; their cards, payments and credits show only id and status.',
  }),
  truncated: Type.Array(Type.Enum(TYPES), {
    description: 'The types with more matches than are returned: search for more of the name or number.',
  }),
  archived_before: Type.Optional(
    timestamp('Present if the caller may read transactions: those before this instant are archived, and not found.'),
  ),
});
